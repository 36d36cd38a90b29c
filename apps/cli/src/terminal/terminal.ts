import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { safeJson, safeLine, safeText } from "./foreign-text.js";

/** The output of a command, and its properties. */
export interface Terminal {
  /** Results for people: one line, or several. Nothing happens with --json. */
  print(text: string): void;
  /** The same results for programs: with --json one line of JSON, otherwise nothing. Every object has a `type`. */
  emit(result: { readonly type: string; readonly [name: string]: unknown }): void;
  /** Progress messages, which are not in the result. */
  note(text: string): void;
  /** Width in columns; Infinity for a file or a pipe. */
  readonly width: number;
  readonly style: Style;
  /** Output of lines that overwrite each other, if supported. */
  readonly live?: LiveLine;
  /** Asks a question that is answered by yes or no, if somebody is there to answer. */
  ask?(question: string, signal: AbortSignal): Promise<boolean>;
}

export interface LiveLine {
  readonly width: number;
  /** Lines that fit on the screen. */
  readonly height: number;
  readonly style: Style;
  write(line: string): void;
  /** Several lines, in the place of those before. */
  draw(lines: readonly string[]): void;
  clear(): void;
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  accent(text: string): string;
}

const plain = (text: string) => text;
export const noStyle: Style = { bold: plain, dim: plain, good: plain, accent: plain };

function styleBy(opening: string): Style {
  const paint = (code: number) => (text: string) => `${opening}${code}m${text}${opening}0m`;
  return { bold: paint(1), dim: paint(2), good: paint(32), accent: paint(36) };
}

export const colourStyle: Style = styleBy("\u001b[");

/** Nobody who writes a file knows it, so that only this program's own styles become escape sequences. */
const OWN = `\u001b<${randomUUID()}>`;
const ownStyle: Style = styleBy(OWN);

/** Text as a terminal may get it: own styles in colour, everything else without escape sequences. */
const written = (text: string, safe: (text: string) => string): string =>
  text.split(OWN).map(safe).join("\u001b[");

/** Colour on a terminal; NO_COLOR (no-color.org) and FORCE_COLOR decide otherwise. */
export function wantsColour(isTty: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTty && env.TERM !== "dumb";
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export function openTerminal(
  out: Stream,
  err: Stream,
  env: Readonly<Record<string, string | undefined>>,
  input?: NodeJS.ReadStream,
): Terminal {
  const styleOf = (stream: Stream) => (wantsColour(stream.isTTY === true, env) ? ownStyle : noStyle);
  const base = {
    print: (text: string) => void out.write(`${written(text, safeText)}\n`),
    emit: () => {},
    note: (text: string) => void err.write(`${written(text, safeText)}\n`),
    width: out.isTTY ? (out.columns ?? 80) : Number.POSITIVE_INFINITY,
    style: styleOf(out),
  };
  if (!err.isTTY || env.TERM === "dumb") return base;
  const live = { ...base, live: liveLines(err, styleOf(err)) };
  if (!input?.isTTY) return live;
  const ask = async (question: string, signal: AbortSignal) => {
    const lines = createInterface({ input, output: err as NodeJS.WritableStream, terminal: false });
    try {
      const answer = await lines.question(`${written(question, safeText)} [Y/n] `, { signal });
      return /^(y|yes|)$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  };
  return { ...live, ask };
}

function liveLines(err: Stream, style: Style): LiveLine {
  /** Lines above that of the cursor. */
  let above = 0;
  const home = () => (above === 0 ? "\r" : `\u001b[${above}A\r`);
  const draw = (lines: readonly string[]) => {
    err.write(`${home()}${lines.map((line) => `${written(line, safeLine)}\u001b[K`).join("\n")}\u001b[J`);
    above = Math.max(0, lines.length - 1);
  };
  return {
    get width() {
      return err.columns ?? 80;
    },
    get height() {
      return err.rows ?? 24;
    },
    style,
    write: (line) => draw([line]),
    draw,
    clear: () => {
      err.write(`${home()}\u001b[J`);
      above = 0;
    },
  };
}

/** The terminal of a command with --json: results are objects, one per line. */
export function jsonTerminal(terminal: Terminal): Terminal {
  const { ask: _, ...silent } = terminal;
  return {
    ...silent,
    print: () => {},
    emit: (result) => terminal.print(safeJson(JSON.stringify(result))),
    width: Number.POSITIVE_INFINITY,
    style: noStyle,
  };
}
