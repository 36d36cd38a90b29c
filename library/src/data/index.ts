export { CsrMatrix, type CsrParts } from "./csr-matrix.js";
export { type ArrowField, type ArrowTable, type ArrowVector, tableFromArrow } from "./formats/arrow.js";
export type { ArrowLimits } from "./formats/check-arrow.js";
export { checkArrow, checkArrowOffsets, checkedArrowChunks } from "./formats/check-arrow.js";
export {
  formatSvmlight,
  formatSvmlightParams,
  parseSvmlight,
  parseSvmlightParams,
  type SvmlightData,
} from "./formats/svmlight.js";
export * from "./generators/index.js";
export { Matrix } from "./matrix.js";
export { type Rows, type SelectedRows, selectRows } from "./select-rows.js";
export type { CellRow, CellsLike } from "./table/cells.js";
export type { Cell, Column, ColumnValues } from "./table/column.js";
export { BooleanColumn, CategoricalColumn, DateColumn, NumericColumn, TextColumn } from "./table/column.js";
export type { ColumnRange, ColumnSummary, SummaryOptions } from "./table/column-summary.js";
export { summarizeColumn } from "./table/column-summary.js";
export type { DataWarning, DataWarningCode } from "./table/data-warning.js";
export { guessTarget, guessTask, isUsableColumn } from "./table/guess-target.js";
export { identifierLikelihood } from "./table/identifier-column.js";
export { type RowField, type RowProblem, RowsError } from "./table/row-cells.js";
export { tableOfRows } from "./table/row-objects.js";
export { type FreeText, type Row, type Schema, Table, type TypedColumn } from "./table/table.js";
export type { KnownColumn, TableColumns } from "./table/table-columns.js";
export { describeTable, type Summary } from "./table/table-summary.js";
export type { ColumnType, ColumnTypes, TableOptions } from "./table/typed-column.js";
export { convertText, type TextRules } from "./text/convert-text.js";
export type { ValidationRows } from "./validation-rows.js";
