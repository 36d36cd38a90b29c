import { cellText } from "../data/table.js";
import { idColumn, table } from "../state/session.js";

/** Letters of an id that are shown. */
const LONGEST = 40;

/** The cell of the id column; empty where there is none, or no such row. */
export function rowId(row: number): string {
  const column = idColumn.value;
  const text = column === undefined || row >= table.value!.data.rows ? "" : cellText(column, row);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** "row 12", or "row 12, Adelie-7" where a column names rows. */
export function rowName(row: number): string {
  const id = rowId(row);
  return `row ${row + 1}${id === "" ? "" : `, ${id}`}`;
}
