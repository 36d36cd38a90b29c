import { ParameterError } from "argmax";
import type { ColumnExpression, SqlFunction } from "../expressions/expression.js";

/** How a database writes what expressions are made of. */
export interface Dialect {
  readonly name: string;
  /** A quoted name of a column or a table. */
  identifier(name: string): string;
  /** A double, with all its digits. */
  number(value: number): string;
  text(value: string): string;
  truth(value: boolean): string;
  /** NULL where a value of this type is expected. */
  column(column: ColumnExpression): string;
  function(name: SqlFunction, args: readonly string[]): string;
  /** One of a list of doubles, by its place from 1 on. */
  element(list: readonly string[], at: string): string;
  /** An array of values of this type, perhaps empty or with NULL among them. */
  list(type: "text" | "double", values: readonly string[]): string;
  /** A key of a group as text. */
  keyText(value: string, type: "number" | "text" | "boolean"): string;
  aggregate(kind: "sum" | "min" | "max", value: string): string;
  /** The number of rows as a double. */
  readonly countRows: string;
  /** The first 32 bits of the MD5 of values as text, as a double; NULL counts as empty text. */
  hash(values: readonly string[]): string;
  /** Added to a subquery whose columns must be computed once, and not where they are used. */
  readonly fence: string;
  /** Whether a name that a SELECT gives to an output stands for it in the whole SELECT, columns of that name notwithstanding. */
  readonly aliasesHideColumns: boolean;
  readonly limits: StatementLimits;
}

/** How large a statement may become before it is split. One aggregate is never split. */
export interface StatementLimits {
  readonly characters: number;
  /** The number of aggregates of a SELECT. */
  readonly aggregates: number;
  /** The number of columns of a subquery. */
  readonly columns: number;
}

/** Digits that are read as a double, not as a decimal number: 0.1 becomes 0.1e0. */
export function doubleDigits(value: number): string {
  const digits = String(value);
  return /[eE]/.test(digits) ? digits : `${digits}e0`;
}

/** Inside of a quoted name or text: the quote is doubled. */
export const doubled = (quote: string, inside: string): string =>
  `${quote}${inside.replaceAll(quote, quote + quote)}${quote}`;

/** The name of a function where it is not its own. */
export const calledBy =
  (names: Partial<Record<SqlFunction, string>>) =>
  (name: SqlFunction, args: readonly string[]): string =>
    `${names[name] ?? name}(${args.join(", ")})`;

/** Refuses a NUL character, where a database takes it for the end. */
export function withoutNul(database: string, value: string): string {
  if (!value.includes("\0")) return value;
  const expected = `text without a NUL character, which ${database} cannot hold`;
  throw new ParameterError("toSql", "a name", expected, JSON.stringify(value));
}
