export type { ColumnType } from "./expressions/expression.js";
export { type DialectName, dialectNames, type ModelSql, type SqlOptions, toSql } from "./to-sql.js";
