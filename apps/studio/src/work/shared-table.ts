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

export const isTable = (value: unknown): value is TableData =>
  Array.isArray((value as Partial<TableData> | undefined)?.columns);

const arraysOf = (column: ColumnData): readonly ArrayBufferView[] => {
  if (column.kind === "number") return [column.values];
  return column.kind === "category" ? [column.codes] : [column.texts.units, column.texts.ends];
};

const isCopied = ({ buffer }: ArrayBufferView): boolean => buffer instanceof ArrayBuffer;

/** Bytes that a message with this column copies. */
export const copiedBytes = (column: ColumnData): number =>
  arraysOf(column)
    .filter(isCopied)
    .reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Buffers that a message moves instead of copying them: those that are not shared. */
export const movable = (columns: readonly ColumnData[]): ArrayBuffer[] => [
  ...new Set(
    columns.flatMap((column) =>
      arraysOf(column)
        .filter(isCopied)
        .map(({ buffer }) => buffer as ArrayBuffer),
    ),
  ),
];
