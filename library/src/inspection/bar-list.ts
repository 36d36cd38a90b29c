import { maxOf } from "../core/numbers/extremes.js";
import { grid } from "../core/text/printing.js";

/** Lines that are shown. */
const MOST = 12;
/** Characters of the longest bar. */
const WIDTH = 20;

/** Lines of name, number, note and bar, the largest absolute number first; how many are left out comes last. */
export function barList(
  names: readonly string[],
  values: ArrayLike<number>,
  note?: (j: number) => string,
): string[] {
  const order = names.map((_, j) => j).sort((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!) || a - b);
  const shown = order.slice(0, MOST);
  const largest = Math.abs(values[order[0] ?? 0] ?? 0);
  const bar = (j: number) =>
    largest > 0 ? "█".repeat(Math.round((WIDTH * Math.abs(values[j]!)) / largest)) : "";
  const columns = [shown.map((j) => `  ${names[j]}`), shown.map((j) => signed(values[j]!))];
  if (note) columns.push(shown.map(note));
  const numbers = grid(columns, 1).split("\n");
  const width = maxOf(
    numbers.map((line) => line.length),
    0,
  );
  const lines = numbers.map((line, r) => `${line.padEnd(width)}  ${bar(shown[r]!)}`.trimEnd());
  if (order.length > MOST) lines.push(`  … and ${order.length - MOST} more`);
  return lines;
}

/** A number with its sign, to three significant places after the point. */
export function signed(value: number): string {
  const size = Math.abs(value);
  const digits =
    size >= 100 ? size.toFixed(1) : size >= 0.001 || size === 0 ? size.toFixed(3) : size.toPrecision(2);
  return `${value < 0 ? "−" : "+"}${digits}`;
}
