import { DataError, Table } from "argmax";
import { describe, expect, it } from "vitest";
import { problem } from "../../library/test/conformance/data.js";
import { families } from "../../library/test/conformance/registry.js";
import {
  type AnyModel,
  capabilities,
  type Numbers,
  type Subject,
} from "../../library/test/conformance/subject.js";
import { type DialectName, toSql } from "../src/index.js";
import { columnsOfRows, columnsOfTable, tableStatements } from "./tables.js";

/** A database that answers in rows, with the dialect that it speaks. */
export interface Database {
  readonly dialect: DialectName;
  run(sql: string): Promise<void>;
  /** The statements of a table, where they are not those of the standard. */
  readonly tableStatements?: typeof tableStatements;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

/** Estimators whose models SQL cannot express, and why; all others must be compared. */
const inexpressible: Readonly<Record<string, RegExp>> = {
  QuantileTransformer: /quantiles of the normal distribution/,
  SplineTransformer: /computes splines/,
  KNNImputer: /from neighbours among the training rows/,
  TfidfTransformer: /count of words/,
  KNeighborsClassifier: /nearest training rows/,
  KNeighborsRegressor: /nearest training rows/,
  RadiusNeighborsClassifier: /nearest training rows/,
  RadiusNeighborsRegressor: /nearest training rows/,
  NearestNeighbors: /distances to training rows/,
  NeuralClassifier: /batchNorm layer/,
  CNNClassifier: /rescale layer/,
  ViTClassifier: /rescale layer/,
  TransformerClassifier: /embedding layer/,
  DBSCAN: /clusters of its training rows only/,
  AgglomerativeClustering: /clusters of its training rows only/,
  SVC: /coupled from pairs/,
};

/** Sums in another order round differently; networks of the library predict in 32 bits. */
const toleranceOf = (model: AnyModel): number => ("dtype" in model ? 2e-4 : 1e-9);

let tables = 0;

async function compare(
  database: Database,
  subject: Subject,
  model: AnyModel,
  X: unknown,
  columns: Record<string, readonly never[]>,
) {
  let sql: ReturnType<typeof toSql>;
  try {
    sql = toSql(model, { dialect: database.dialect, columns: namesOf(model, columns) });
  } catch (error) {
    expect((error as Error).message).toMatch(inexpressible[subject.type.id] ?? /^it is to be compared$/);
    return;
  }
  const name = `t${tables++}`;
  for (const statement of (database.tableStatements ?? tableStatements)(name, columns))
    await database.run(statement);
  const rows = await database.rows(`${sql.select(name, { keep: ["i"] })} ORDER BY i`);
  const within = toleranceOf(model);
  const several = (prefix: string) =>
    Object.keys(rows[0]!).filter((key) => key === prefix || key.startsWith(`${prefix}_`));
  const matrix = (prefix: string): Numbers => {
    const keys = several(prefix);
    const data = rows.flatMap((row) =>
      keys.map((key) => (row[key] === null ? Number.NaN : Number(row[key]))),
    );
    return { data: Float64Array.from(data), rows: rows.length, cols: keys.length };
  };
  if (model.transform && !model.predict) close(dense(model.transform(X)), matrix("column"), within);
  if (model.decisionFunction) close(model.decisionFunction(X), matrix("score"), within);
  if (model.predictProba) close(model.predictProba(X), matrix("probability"), within);
  if (model.scoreSamples) close(asColumn(model.scoreSamples(X)), matrix("density"), within);
  if (!model.predict) return;
  const { task } = capabilities(subject);
  const predicted = model.predict(X);
  if (task === "classification") expect(rows.map((row) => row["label"])).toEqual(Array.from(predicted));
  else if (task === "regression") close(values(predicted as never), matrix("prediction"), within);
  else expect(rows.map((row) => row["cluster"])).toEqual(Array.from(predicted));
}

const namesOf = (model: AnyModel, columns: object): string[] =>
  (model as { featureNamesIn?: string[] }).featureNamesIn ?? Object.keys(columns);

const dense = (rows: Numbers & { toDense?(): Numbers }): Numbers => rows.toDense?.() ?? rows;
const asColumn = (data: Float64Array): Numbers => ({ data, rows: data.length, cols: 1 });
const values = (y: ArrayLike<number> | Numbers): Numbers =>
  "rows" in y ? y : asColumn(Float64Array.from(y));

function close(expected: Numbers, found: Numbers, within: number): void {
  expect([found.rows, found.cols]).toEqual([expected.rows, expected.cols]);
  const scale = expected.data.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1);
  for (let e = 0; e < expected.data.length; e++) {
    const [a, b] = [expected.data[e]!, found.data[e]!];
    if (!(Math.abs(a - b) <= within * scale || Object.is(a, b))) expect(b, `entry ${e}`).toBe(a);
  }
}

/** Every estimator of the library's conformance, predicted by the database, against the model itself. */
export function predictsAlike(database: Database): void {
  for (const [family, subjects] of Object.entries(families))
    describe(`${database.dialect}: ${family}`, () => {
      for (const subject of subjects as readonly Subject[]) {
        if (capabilities(subject).input === "text") continue;
        it(`${subject.name}: numbers`, async () => {
          const { X, y } = problem(subject, { rows: 40 });
          await compare(database, subject, subject.make().fit(X, y), X, columnsOfRows(X) as never);
        });
        const { missing, categorical } = capabilities(subject);
        if (missing)
          it(`${subject.name}: gaps`, async () => {
            const { X, y } = problem(subject, { rows: 40 });
            const gaps = X.map((row, i) =>
              row.map((value, j) => ((i + 2 * j) % 7 === 0 ? Number.NaN : value)),
            );
            await compare(database, subject, subject.make().fit(gaps, y), gaps, columnsOfRows(gaps) as never);
          });
        if (missing && categorical)
          it(`${subject.name}: a table with categories and gaps`, async () => {
            const { X, y } = problem(subject, { rows: 40 });
            const table = Table.fromRows(
              X.map((row, i) => ({
                a: i % 9 === 4 ? null : row[0]!,
                city: ["Oslo", "Rome", null, "Bonn"][(i * i) % 4]!,
                flag: i % 3 === 0,
                b: row.at(-1)!,
              })),
            );
            let model: AnyModel;
            try {
              model = subject.make().fit(table, y);
            } catch (error) {
              // Numbers only, whatever its capabilities say of numbers with gaps.
              expect(error).toBeInstanceOf(DataError);
              return;
            }
            await compare(database, subject, model, table, columnsOfTable(table) as never);
          });
      }
    });
}
