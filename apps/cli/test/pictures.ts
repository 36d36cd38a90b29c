import type { Look } from "../src/charts/look.js";
import { noStyle } from "../src/terminal/terminal.js";

/** Without colours. */
export const look = (width: number, unicode = true): Look => ({ width, unicode, style: noStyle });

/** A frame keeps the blanks at the ends of a picture. */
export const picture = (lines: readonly string[]): string => `\n${lines.join("\n")}\n`;

export const widest = (lines: readonly string[]): number =>
  Math.max(...lines.map((line) => [...line].length));
