import { signal } from "@preact/signals";
import { selectedRows } from "./session.js";

/** What chose the selected rows: a cell, a bar, a point of a curve. */
const chosen = signal<{ readonly key: string; readonly rows: ReadonlySet<number> } | null>(null);

/** Selects rows everywhere; the same key again selects none. */
export function chooseRows(key: string, rows: Iterable<number>): void {
  if (isChosen(key)) {
    selectedRows.value = null;
    return;
  }
  const set = new Set(rows);
  chosen.value = { key, rows: set };
  selectedRows.value = set;
}

/** Whether the rows are still those that this key chose. */
export const isChosen = (key: string): boolean =>
  chosen.value !== null && chosen.value.key === key && chosen.value.rows === selectedRows.value;
