import { maxOf } from "../numbers/extremes.js";

/** Where Node and Bun, and Deno, look for how an object is printed. */
const node: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;
const deno: unique symbol = Symbol.for("Deno.customInspect") as never;

/** An object that people look at: `console.log` prints what `toString` returns. */
export abstract class Printed {
  abstract toString(): string;

  [node](): string {
    return this.toString();
  }

  [deno](): string {
    return this.toString();
  }
}

/** Columns and rows that are shown at the beginning and at the end, where there are many. */
const MANY = 12;
const FIRST = 6;
const LAST = 4;

/** The places of a long list that are shown: the first, −1 for those left out, and the last ones. */
export function shownPlaces(length: number): number[] {
  if (length <= MANY) return Array.from({ length }, (_, e) => e);
  const first = Array.from({ length: FIRST }, (_, e) => e);
  return [...first, -1, ...Array.from({ length: LAST }, (_, e) => length - LAST + e)];
}

/** A number to five digits. */
export function shortNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return String(Number(value.toPrecision(5)));
}

/** The numbers of a column to the same place after the point, or, where they are of very different size, each to five digits. */
export function numberCells(values: readonly number[]): string[] {
  const short = values.map(shortNumber);
  const isPlain = values.every(
    (v) => v === 0 || !Number.isFinite(v) || (Math.abs(v) >= 1e-3 && Math.abs(v) < 1e7),
  );
  if (!isPlain) return short;
  const places = Math.min(
    4,
    maxOf(
      short.map((text) => (text.split(".")[1] ?? "").length),
      0,
    ),
  );
  return values.map((v) => (Number.isFinite(v) ? v.toFixed(places) : String(v)));
}

/** Columns of cells, each column as wide as its widest cell; `left` columns from the left are flush left. */
export function grid(columns: readonly (readonly string[])[], left = 0): string {
  const widths = columns.map((cells) =>
    maxOf(
      cells.map((cell) => cell.length),
      0,
    ),
  );
  const line = (r: number) =>
    columns
      .map((cells, c) => (c < left ? cells[r]!.padEnd(widths[c]!) : cells[r]!.padStart(widths[c]!)))
      .join("  ")
      .trimEnd();
  return Array.from(columns[0] ?? [], (_, r) => line(r)).join("\n");
}
