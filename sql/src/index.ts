export { type DialectName, dialectNames } from "./dialects/index.js";
export type { EngineSession, SourceColumn } from "./engines/engine.js";
export type { ColumnType } from "./expressions/expression.js";
export {
  type BatchesOptions,
  type BatchProgress,
  batches,
  type PartialFitInDatabaseOptions,
  partialFitInDatabase,
  type RowBlock,
} from "./fit/batches.js";
export { compareInDatabase, type DatabaseCompareOptions, preparedInDatabase } from "./fit/compare.js";
export {
  crossValidateInDatabase,
  type DatabaseCrossValidation,
  type DatabaseCrossValidationOptions,
} from "./fit/cross-validate.js";
export {
  clickhouse,
  type Database,
  type DatabaseRows,
  duckdb,
  local,
  postgres,
  shards,
  withoutValues,
} from "./fit/database-rows.js";
export { type DatabaseFitOptions, fitInDatabase } from "./fit/fit-in-database.js";
export { type DatabaseScorer, databaseScorers } from "./fit/fold-scores.js";
export { unlearnablePart } from "./learners/index.js";
export type { FitCheckpoint } from "./rows/checkpoint.js";
export { DataChangedError, type PassProgress } from "./rows/passes.js";
export { type ModelSql, type SelectOptions, type SqlOptions, toSql } from "./to-sql.js";
