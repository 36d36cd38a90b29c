import type { ColumnData, TableData } from "../data/table.js";

/** Whether numbers can lie in memory that the page and all workers read, instead of a copy for each. */
const canShare = (): boolean =>
  (globalThis as { readonly crossOriginIsolated?: boolean }).crossOriginIsolated === true;

/** The same table in shared memory where that is allowed. */
export const sharedTable = (table: TableData): TableData =>
  canShare() ? { ...table, columns: table.columns.map(sharedColumn) } : table;

export function sharedColumn(column: ColumnData): ColumnData {
  if (!canShare()) return column;
  switch (column.kind) {
    case "number":
      return { ...column, values: shared(column.values) };
    case "category":
      return { ...column, codes: shared(column.codes) };
    case "text": {
      const { units, ends } = column.texts;
      return { ...column, texts: { units: shared(units), ends: shared(ends) } };
    }
  }
}

function shared<A extends Float64Array | Int32Array | Uint32Array | Uint16Array>(values: A): A {
  const Same = values.constructor as new (buffer: SharedArrayBuffer) => A;
  const out = new Same(new SharedArrayBuffer(values.byteLength));
  out.set(values);
  return out;
}

/** Buffers that a message moves instead of copying them: those that are not shared. */
export function movable(columns: readonly ColumnData[]): ArrayBuffer[] {
  const arrays = columns.flatMap((column): ArrayBufferView[] =>
    column.kind === "number"
      ? [column.values]
      : column.kind === "category"
        ? [column.codes]
        : [column.texts.units, column.texts.ends],
  );
  return [...new Set(arrays.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}
