import { maxOf, minOf } from "argmax/numeric";
import { safeLine } from "../terminal/foreign-text.js";
import { widthOf } from "../terminal/table.js";
import { type Look, padLeft, padRight, shorten } from "./look.js";

interface Bar {
  readonly name: string;
  readonly value: number;
  /** The number as it is printed, e.g. `0.41 ± 0.02`. */
  readonly text: string;
}

/** Part of a cell from the left, in eighths. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Horizontal bars in the given order: name, number, bar. Negative bars extend to the left of zero. */
export function barChart(given: readonly Bar[], look: Look): string[] {
  if (given.length === 0) return [];
  const bars = given.map((bar) => ({ ...bar, name: safeLine(bar.name) }));
  const numbers = maxOf(bars.map(({ text }) => widthOf(text)));
  const longest = maxOf(bars.map(({ name }) => widthOf(name)));
  // Bars keep ten columns at least, names a third of the line.
  const names = Math.min(longest, Math.max(Math.floor(look.width / 3), look.width - numbers - 34), 40);
  const room = Math.max(4, look.width - names - numbers - 4);
  const lowest = minOf(
    bars.map(({ value }) => value),
    0,
  );
  const highest = maxOf(
    bars.map(({ value }) => value),
    0,
  );
  const span = highest - lowest;
  const isSigned = lowest < 0;
  const cells = isSigned ? room - 1 : room;
  const left = leftCells(cells, lowest, highest);
  const unit = span === 0 ? 0 : minOf([...sides(left, lowest), ...sides(cells - left, highest)]);
  return bars.map(({ name, value, text }) => {
    const title = padRight(shorten(name, names, look.unicode), names);
    const axis = isSigned ? look.style.dim(look.unicode ? "│" : "|") : "";
    const before = value < 0 ? padLeft(leftBar(-value * unit, look), left) : " ".repeat(isSigned ? left : 0);
    const after = value > 0 ? rightBar(value * unit, look) : "";
    const bar = `${value < 0 ? look.style.bold(before) : before}${axis}${after === "" ? "" : look.style.accent(after)}`;
    return `${title}  ${padLeft(text, numbers)}  ${bar}`.trimEnd();
  });
}

/** Cells left of zero. A side with bars has one at least, however short they are: without any, all bars would have no length. */
function leftCells(cells: number, lowest: number, highest: number): number {
  if (lowest === 0) return 0;
  const wanted = Math.round((cells * -lowest) / (highest - lowest));
  return Math.min(highest > 0 ? cells - 1 : cells, Math.max(1, wanted));
}

/** Cells per unit on one side of zero; a side without bars does not limit the other. */
const sides = (cells: number, end: number): number[] => (end === 0 ? [] : [cells / Math.abs(end)]);

function rightBar(length: number, { unicode }: Look): string {
  if (!unicode) return "#".repeat(Math.round(length));
  const eighths = Math.round(8 * length);
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}

/** Unicode has no eighths from the right, only the half. */
function leftBar(length: number, { unicode }: Look): string {
  if (!unicode) return "#".repeat(Math.round(length));
  const halves = Math.round(2 * length);
  return (halves % 2 === 1 ? "▐" : "") + "█".repeat(Math.floor(halves / 2));
}
