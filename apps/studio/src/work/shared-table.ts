import type { ColumnData, TableData } from "../data/table.js";

/** Whether numbers can lie in memory that the page and all workers read, instead of a copy for each. */
const canShare = (): boolean =>
  (globalThis as { readonly crossOriginIsolated?: boolean }).crossOriginIsolated === true;

/** The same table in shared memory where that is allowed. */
export const sharedTable = (table: TableData): TableData =>
  canShare() ? { ...table, columns: table.columns.map(sharedColumn) } : table;

export function sharedColumn(column: ColumnData): ColumnData {
  if (!canShare() || column.kind === "text") return column;
  if (column.kind === "category") {
    const codes = new Int32Array(new SharedArrayBuffer(column.codes.byteLength));
    codes.set(column.codes);
    return { ...column, codes };
  }
  const values = new Float64Array(new SharedArrayBuffer(column.values.byteLength));
  values.set(column.values);
  return { ...column, values };
}
