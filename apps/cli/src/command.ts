import { parseArgs } from "node:util";
import type { Terminal } from "./terminal.js";

export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** Placeholder of the value in the help, e.g. `N`. */
  readonly value?: string;
  readonly default?: string;
  readonly doc: string;
}

export type Options = Readonly<Record<string, Option>>;
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K]["type"] extends "boolean"
    ? boolean
    : O[K] extends { default: string }
      ? string
      : string | undefined;
};

/** A command of the program. Each has its own file in commands/ and is listed in commands/index.ts. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  readonly summary: string;
  readonly options: O;
  /** `program` is the command that started the program, for hints that can be pasted. */
  run(values: OptionValues<O>, terminal: Terminal, program: string): Promise<void>;
}

/** Keeps the types of the options while the command is checked. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command<O> => command;

/** An invalid command line; the program prints the message and exits with code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads the words after the command's name. */
export function readOptions<O extends Options>(
  command: Command<O>,
  words: readonly string[],
): OptionValues<O> {
  const config = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, short, default: value }]) => [
      name,
      {
        type,
        ...(short === undefined ? {} : { short }),
        ...(value === undefined ? {} : { default: value }),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options: config, strict: true }).values as OptionValues<O>;
  } catch (error) {
    const known = Object.keys(command.options).map((name) => `--${name}`);
    // Node's messages continue with advice about positional arguments, which do not exist here.
    const sentence = (error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, "");
    throw new UsageError(`${sentence}. The options are ${known.join(", ")}.`);
  }
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
