import { grid, numberCells, shownPlaces } from "../../core/text/printing.js";
import type { Column } from "./column.js";

/** Characters of a text cell that are printed. */
const WIDEST = 24;

/** Names, kinds, the first and last rows, and the size. */
export function printTable(table: ReadonlyMap<string, Column>, length: number): string {
  const rows = shownPlaces(length);
  const numbers = rows.map((i) => (i < 0 ? "…" : String(i)));
  const names = [...table.keys()];
  const columns = shownPlaces(names.length).map((j) => {
    if (j < 0) return ["…", "", ...rows.map(() => "…")];
    const column = table.get(names[j]!)!;
    return [oneLine(names[j]!), column.kind, ...shownCells(column, rows)];
  });
  return `${grid([["", "", ...numbers], ...columns], 1)}\n${length} rows × ${names.length} columns`;
}

/** Cells as text; a missing one is "–", and −1 in `rows` stands for rows left out. */
function shownCells(column: Column, rows: readonly number[]): string[] {
  const values = rows.map((i) => (i < 0 ? null : column.at(i)));
  const numbers = numberCells(values.filter((value) => typeof value === "number"));
  const dates = dateCells(values.filter((value) => value instanceof Date));
  return values.map((value, r) => {
    if (rows[r]! < 0) return "…";
    if (value === null) return "–";
    if (typeof value === "number") return numbers.shift()!;
    return value instanceof Date ? dates.shift()! : oneLine(String(value));
  });
}

/** Dates without a time, if none has one; to the second otherwise. */
function dateCells(dates: readonly Date[]): string[] {
  const full = dates.map((date) => date.toISOString());
  const isDay = full.every((text) => text.endsWith("T00:00:00.000Z"));
  return full.map((text) => (isDay ? text.slice(0, -14) : text.replace("T", " ").replace(/\.\d+Z$/, "")));
}

/** Line breaks would tear the grid. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}
