import { parseArgs } from "node:util";
import type { Terminal } from "./terminal/terminal.js";

interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** May be given several times: the value is a list. */
  readonly multiple?: true;
  /** Placeholder of the value in the help, e.g. `N`. */
  readonly value?: string;
  readonly default?: string;
  readonly doc: string;
}

export type Options = Readonly<Record<string, Option>>;
type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K]["type"] extends "boolean"
    ? boolean | undefined
    : O[K] extends { multiple: true }
      ? readonly string[] | undefined
      : O[K] extends { default: string }
        ? string
        : string | undefined;
};

/** A word after the command's name that is not an option. */
export interface Argument {
  /** As the help writes it, e.g. `DATA`. */
  readonly name: string;
  readonly doc: string;
  readonly optional?: true;
  /** The last argument may stand for several words. */
  readonly many?: true;
}

/** A command line that works, for the help; the tests run it. */
interface Example {
  /** What follows the program's name. */
  readonly words: string;
  readonly doc: string;
}

/** What a command is called with. */
export interface Call<O extends Options = Options> {
  readonly values: OptionValues<O>;
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** The command that started the program, for hints that can be pasted. */
  readonly program: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** A line of commands/index.ts. The command is loaded when it runs, so that the program starts at once. */
export interface CommandEntry {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  load(): Promise<Command>;
}

/** A command of the program. Each has its own file in commands/. */
export interface Command<O extends Options = Options> {
  /** Paragraphs of the help, after the summary. */
  readonly description?: readonly string[];
  readonly args?: readonly Argument[];
  readonly options: O;
  readonly examples?: readonly Example[];
  run(call: Call<O>): Promise<void>;
}

/** Keeps the types of the options while the command is checked. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command<O> => command;

/** Options of every command. */
export const commonOptions = {
  json: { type: "boolean", doc: "Results as JSON, one object per line, for scripts" },
  help: { type: "boolean", short: "h", doc: "Show this help" },
} as const satisfies Options;

/** An invalid command line; the program prints the message and exits with code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure that the user can correct; the program prints the message and exits with code 1. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code = "failure";
}

interface CommandLine<O extends Options> {
  readonly values: OptionValues<O & typeof commonOptions>;
  readonly args: readonly string[];
}

/** Reads the words after the command's name. The arguments are checked by `checkArguments`. */
export function readWords<O extends Options>(command: Command<O>, words: readonly string[]): CommandLine<O> {
  const all: Options = { ...command.options, ...commonOptions };
  const config = Object.fromEntries(
    Object.entries(all).map(([name, { type, short, multiple, default: value }]) => [
      name,
      {
        type,
        ...(multiple ? { multiple } : {}),
        ...(short === undefined ? {} : { short }),
        ...(value === undefined ? {} : { default: value }),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: config,
      strict: true,
      allowPositionals: true,
    });
    return { values: values as CommandLine<O>["values"], args: positionals };
  } catch (error) {
    const known = Object.keys(all).map((name) => `--${name}`);
    // Node's messages continue with advice about words that begin with a dash.
    const sentence = (error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, "");
    throw new UsageError(`${sentence}. The options are ${known.join(", ")}.`);
  }
}

/** Throws unless there are as many arguments as the command has. */
export function checkArguments(name: string, command: Command, args: readonly string[]): void {
  const expected = command.args ?? [];
  const missing = expected.find(({ optional }, index) => !optional && args[index] === undefined);
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing: ${missing.doc}.`);
  if (args.length > expected.length && !expected.at(-1)?.many)
    throw new UsageError(
      `${JSON.stringify(args[expected.length])} is one word too many for ${name}${
        expected.length === 0
          ? ", which takes options only"
          : `, which takes ${expected.map(({ name }) => name).join(" ")}`
      }.`,
    );
}

/** A whole number within bounds, given as the text of an option. */
export function readInteger(name: string, text: string, atLeast: number, atMost: number): number {
  const value = Number(text);
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value) && value >= atLeast && value <= atMost)
    return value;
  const range =
    atMost >= Number.MAX_SAFE_INTEGER
      ? atLeast <= Number.MIN_SAFE_INTEGER
        ? "an integer"
        : `an integer ≥ ${atLeast}`
      : `an integer from ${atLeast} to ${atMost}`;
  throw new UsageError(`--${name} must be ${range}, got ${JSON.stringify(text)}.`);
}

/** One of a few words. */
export function readChoice<const C extends string>(name: string, text: string, choices: readonly C[]): C {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} must be ${choices.join(", ")}; got ${JSON.stringify(text)}.`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration in milliseconds, written as `90s`, `10m` or `1.5h`. */
export function readDuration(name: string, text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const value = Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (value > 0) return value;
  throw new UsageError(`--${name} must be a duration as 90s, 10m or 1.5h, got ${JSON.stringify(text)}.`);
}
