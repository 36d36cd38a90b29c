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

const ansi = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
export const colourStyle: Style = { bold: ansi(1), dim: ansi(2), good: ansi(32), accent: ansi(36) };

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
): Terminal {
  const styleOf = (stream: Stream) => (wantsColour(stream.isTTY === true, env) ? colourStyle : noStyle);
  const base = {
    print: (text: string) => void out.write(`${text}\n`),
    emit: () => {},
    note: (text: string) => void err.write(`${text}\n`),
    width: out.isTTY ? (out.columns ?? 80) : Number.POSITIVE_INFINITY,
    style: styleOf(out),
  };
  if (!err.isTTY || env.TERM === "dumb") return base;
  return { ...base, live: liveLines(err, styleOf(err)) };
}

function liveLines(err: Stream, style: Style): LiveLine {
  /** Lines above that of the cursor. */
  let above = 0;
  const home = () => (above === 0 ? "\r" : `\u001b[${above}A\r`);
  const draw = (lines: readonly string[]) => {
    err.write(`${home()}${lines.map((line) => `${line}\u001b[K`).join("\n")}\u001b[J`);
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
  return {
    ...terminal,
    print: () => {},
    emit: (result) => terminal.print(JSON.stringify(result)),
    width: Number.POSITIVE_INFINITY,
    style: noStyle,
  };
}
