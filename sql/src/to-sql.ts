import { type Label, ParameterError, structureOf } from "argmax";
import { nearestName } from "argmax/core";
import { compileModel } from "./compile/compile-model.js";
import type { Answer } from "./compile/compiler.js";
import type { Dialect } from "./dialects/dialect.js";
import { type DialectName, dialectNames, dialects } from "./dialects/index.js";
import { type ColumnType, choose, compare, type Expression, number, text } from "./expressions/expression.js";
import { layeredSelect } from "./printing/layers.js";
import { Printer } from "./printing/print.js";

export interface SqlOptions {
  readonly dialect: DialectName;
  /** Names of the columns that the model reads, in order; those of fit unless given. */
  readonly columns?: readonly string[] | undefined;
  /** Types of columns, where the database does not turn them into numbers or text by itself: booleans and dates. */
  readonly types?: Readonly<Record<string, ColumnType>> | undefined;
}

/** A model as SQL. Rows with gaps that the model does not take get NULL. */
export interface ModelSql {
  readonly dialect: DialectName;
  /** The columns that are read. */
  readonly columns: readonly string[];
  /** By name of an output, one expression of the columns: `label`, `probability_…` and `score_…`, `prediction`, `cluster` or `column_…`. */
  readonly expressions: Readonly<Record<string, string>>;
  /**
   * A SELECT of all outputs from a table, or of other SQL in parentheses. What several outputs are made of is computed once, in subqueries.
   * `keep` names columns of the table that are selected too; `names` has the outputs that are selected, each with the name that it gets.
   */
  select(from: string, options?: SelectOptions): string;
}

export interface SelectOptions {
  readonly keep?: readonly string[] | undefined;
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/**
 * A fitted model or pipeline as SQL: labels, probabilities and scores, or values, of every row of a table, computed by the database.
 *
 * ```ts
 * import { LogisticRegression, pipeline, StandardScaler } from "argmax";
 * import { toSql } from "@argmax/sql";
 *
 * const model = pipeline(new StandardScaler(), new LogisticRegression()).fit([[1], [2], [3]], ["a", "a", "b"]);
 * const sql = toSql(model, { dialect: "duckdb", columns: ["size"] });
 * sql.select('"parts"', { keep: ["id"] });
 * ```
 */
export function toSql(model: object, options: SqlOptions): ModelSql {
  const where = "toSql";
  const dialect = dialectOf(where, options?.dialect);
  const structure = structureOf(model);
  const columns = columnsOf(where, structure, options.columns);
  const answer = compileModel(structure, columns, options.types ?? {});
  const outputs = outputsOf(answer, structure.kind === "classifier" ? structure.classes : []);
  const printer = new Printer(dialect);
  return {
    dialect: options.dialect,
    columns,
    get expressions() {
      return Object.fromEntries(outputs.map(([name, e]) => [name, printer.print(e)]));
    },
    select: (from, { keep = [], names } = {}) =>
      layeredSelect(dialect, names ? named(where, outputs, names) : outputs, from, keep),
  };
}

function dialectOf(where: string, name: unknown): Dialect {
  if (dialectNames.includes(name as DialectName)) return dialects[name as DialectName];
  const near = nearestName(String(name), dialectNames);
  const expected = dialectNames.map((known) => JSON.stringify(known)).join(", ");
  const advice = near === undefined ? "" : `Did you mean ${JSON.stringify(near)}?`;
  throw new ParameterError(where, "dialect", expected, JSON.stringify(name) ?? "undefined", advice);
}

function columnsOf(
  where: string,
  structure: ReturnType<typeof structureOf>,
  given: readonly string[] | undefined,
): readonly string[] {
  if (structure.kind === "undescribed") return given ?? [];
  const { count, names } = structure.inputs;
  const columns = given ?? names;
  const expected = `the names of the ${count} columns that the model reads`;
  if (columns === undefined) {
    const advice = 'It was not fitted to a table with names: columns: ["a", "b", …] says them.';
    throw new ParameterError(where, "columns", expected, "none", advice);
  }
  if (columns.length !== count) throw new ParameterError(where, "columns", expected, `${columns.length}`);
  return columns;
}

type Output = readonly [name: string, expression: Expression];

/** The outputs that are asked for, under other names. */
function named(where: string, outputs: readonly Output[], names: Readonly<Record<string, string>>): Output[] {
  const known = new Map(outputs);
  return Object.entries(names).map(([name, other]) => {
    const e = known.get(name);
    if (e) return [other, e];
    const expected = `the names of outputs: ${[...known.keys()].slice(0, 20).join(", ")}`;
    throw new ParameterError(where, "names", expected, JSON.stringify(name));
  });
}

function outputsOf(answer: Answer, classes: readonly Label[]): Output[] {
  const { place, probabilities = [], margins, scores = [], values, density, columns } = answer;
  const several = (name: string, list: readonly Expression[], names: readonly unknown[] = []): Output[] =>
    list.map((e, k) => [list.length === 1 ? name : `${name}_${names[k] ?? k + 1}`, e]);
  if (columns) return several("column", columns);
  if (values) return several("prediction", values);
  if (classes.length > 0)
    return [
      ["label", labelOf(place!, classes)],
      ...several("probability", probabilities, classes),
      ...several("score", margins ?? [], classes),
    ];
  const cluster: Output[] = [["cluster", place!]];
  if (density) return [...cluster, ["density", density], ...several("probability", probabilities)];
  return [...cluster, ...several("score", scores)];
}

const labelOf = (place: Expression, classes: readonly Label[]): Expression =>
  choose(classes.map((label, k) => ({ test: compare(place, "=", number(k)), value: literal(label) })));

function literal(label: Label): Expression {
  if (typeof label === "number") return number(label);
  return typeof label === "boolean" ? { kind: "truth", value: label } : text(label);
}
