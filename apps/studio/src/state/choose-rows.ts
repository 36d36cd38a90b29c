import { signal } from "@preact/signals";
import { RowSet } from "./row-set.js";
import { selectedRows } from "./session.js";

/** What chose the selected rows: a cell, a bar, a point of a curve. */
const chosen = signal<{ readonly key: string; readonly rows: RowSet } | null>(null);

/** Selects rows everywhere; the same key again selects none. */
export function chooseRows(key: string, rows: ArrayLike<number>): void {
  if (isChosen(key)) {
    selectedRows.value = null;
    return;
  }
  const set = new RowSet(rows);
  chosen.value = { key, rows: set };
  selectedRows.value = set;
}

/** Whether the rows are still those that this key chose. */
export const isChosen = (key: string): boolean =>
  chosen.value !== null && chosen.value.key === key && chosen.value.rows === selectedRows.value;
