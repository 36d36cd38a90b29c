export { type ArrowField, type ArrowTable, type ArrowVector, tableFromArrow } from "./arrow.js";
export type { CellRow, CellsLike } from "./cells.js";
export { type ArrowLimits, checkArrow, checkArrowOffsets, checkedArrowChunks } from "./check-arrow.js";
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
export {
  type ColumnRange,
  type ColumnSummary,
  type SummaryOptions,
  summarizeColumn,
} from "./column-summary.js";
export { convertText, type TextRules } from "./convert-text.js";
export { CsrMatrix, type CsrParts } from "./csr-matrix.js";
export type { DataWarning, DataWarningCode } from "./data-warning.js";
export * from "./generators/index.js";
export { guessTarget, guessTask, isUsableColumn } from "./guess-target.js";
export { identifierLikelihood } from "./identifier-column.js";
export { Matrix } from "./matrix.js";
export { type RowField, type RowProblem, RowsError } from "./row-cells.js";
export { tableOfRows } from "./row-objects.js";
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
export type { ColumnType, ColumnTypes, TableOptions } from "./typed-column.js";
export type { ValidationRows } from "./validation-rows.js";
