export {
  type CheckTableOptions,
  checkTable,
  checkTableOptions,
  checkTableSteps,
} from "./check-table.js";
export type { TableWarning, TableWarningCode } from "./table-warning.js";
