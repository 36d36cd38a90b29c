export type { CheckTableOptions } from "./check-table.js";
export { checkTable, checkTableOptions, checkTableSteps } from "./check-table.js";
export type { TableWarning, TableWarningCode } from "./table-warning.js";
