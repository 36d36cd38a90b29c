import { widthOf } from "../terminal/table.js";
import type { Style, Terminal } from "../terminal/terminal.js";

/** How charts are drawn. */
export interface Look {
  /** Columns that a chart may take. */
  readonly width: number;
  readonly style: Style;
  /** Braille dots and blocks; otherwise ASCII. */
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the terminal shows Braille dots and blocks. The first of LC_ALL, LC_CTYPE and LANG decides, as in POSIX; without any of them the
 * terminal is taken for a current one.
 */
export function supportsUnicode(env: Environment): boolean {
  if (env.TERM === "dumb") return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : true;
}

/** Wider charts are no easier to read; files and pipes get this width. */
const WIDEST = 80;

export const lookOf = ({ width, style }: Terminal, env: Environment): Look => ({
  width: Math.min(WIDEST, width),
  style,
  unicode: supportsUnicode(env),
});

/** The colour of series k. */
export function paintSeries(k: number, text: string, style: Style): string {
  const paints = [style.accent, style.good, style.bold];
  return paints[k % (paints.length + 1)]?.(text) ?? text;
}

/** Text of at most `width` characters; the end is cut off and marked. */
export function shorten(text: string, width: number, unicode: boolean): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return "";
  return `${[...text].slice(0, width - 1).join("")}${unicode ? "…" : "~"}`;
}

export const padLeft = (text: string, width: number): string =>
  " ".repeat(Math.max(0, width - widthOf(text))) + text;

export const padRight = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));
