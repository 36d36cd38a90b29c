import { maxOf } from "argmax/numeric";
import { widthOf } from "../terminal/table.js";
import type { Look } from "./look.js";
import { rangeOf, tickTexts } from "./scale.js";

/** Heights of a cell in eighths. */
const UNICODE = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const ASCII = [" ", ".", ":", "-", "=", "+", "*", "#", "#"];

/** One character per number, as high as its fraction of the largest one; a number above 0 is never invisible. */
export function sparkline(values: readonly number[], { unicode }: Pick<Look, "unicode">): string {
  const glyphs = unicode ? UNICODE : ASCII;
  const largest = maxOf(values, 0);
  return values
    .map((value) => (value <= 0 ? " " : glyphs[Math.max(1, Math.round((8 * value) / largest))]!))
    .join("");
}

/** Numbers per bin; the bins are equally wide. */
export function countBins(values: ArrayLike<number>, bins: number): { counts: number[]; edges: number[] } {
  const [low, high] = rangeOf(Array.from(values));
  const counts = new Array<number>(bins).fill(0);
  for (const value of Array.from(values)) {
    const bin = Math.min(bins - 1, Math.floor((bins * (value - low)) / (high - low)));
    counts[bin]!++;
  }
  return { counts, edges: Array.from({ length: bins + 1 }, (_, b) => low + ((high - low) * b) / bins) };
}

/** Columns of blocks over an axis that shows the ends of the range. */
export function histogram(values: ArrayLike<number>, look: Look, height = 5): string[] {
  // Twice the square root of the rows shows the shape; more bins show chance.
  const bins = Math.max(8, Math.min(60, look.width, Math.ceil(2 * Math.sqrt(values.length))));
  const { counts, edges } = countBins(values, bins);
  const largest = maxOf(counts);
  const glyphs = look.unicode ? UNICODE : ASCII;
  const lines = Array.from({ length: height }, (_, row) => {
    const below = 8 * (height - 1 - row);
    const cells = counts.map((count) => {
      const eighths = count === 0 ? 0 : Math.max(1, Math.round((8 * height * count) / largest));
      return glyphs[Math.min(8, Math.max(0, eighths - below))]!;
    });
    return look.style.accent(cells.join("").trimEnd());
  });
  const [first, last] = tickTexts([edges[0]!, edges.at(-1)!]) as [string, string];
  const stroke = (look.unicode ? "─" : "-").repeat(bins);
  const gap = Math.max(1, bins - widthOf(first) - widthOf(last));
  return [...lines, look.style.dim(stroke), look.style.dim(`${first}${" ".repeat(gap)}${last}`)];
}
