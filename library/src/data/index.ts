export { type ArrowField, type ArrowTable, type ArrowVector, tableFromArrow } from "./arrow.js";
export type { CellRow, CellsLike } from "./cells.js";
export {
  BooleanColumn,
  CategoricalColumn,
  type Cell,
  type Column,
  type ColumnValues,
  DateColumn,
  NumericColumn,
  TextColumn,
} from "./column.js";
export { CsrMatrix, type CsrParts } from "./csr-matrix.js";
export * from "./generators/index.js";
export { Matrix } from "./matrix.js";
export { type Rows, type SelectedRows, selectRows } from "./select-rows.js";
export {
  formatSvmlight,
  formatSvmlightParams,
  parseSvmlight,
  parseSvmlightParams,
  type SvmlightData,
} from "./svmlight.js";
export { type FreeText, type Row, type Schema, Table, type TypedColumn } from "./table.js";
export type { KnownColumn, TableColumns } from "./table-columns.js";
export { describeTable, type Summary } from "./table-summary.js";
