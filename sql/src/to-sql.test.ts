import {
  DecisionTreeClassifier,
  GaussianMixture,
  KNeighborsClassifier,
  LogisticRegression,
  Matrix,
  MLPClassifier,
  makeBlobs,
  OneHotEncoder,
  ParameterError,
  PCA,
  Pipeline,
  PoissonRegressor,
  pipeline,
  RandomForestClassifier,
  StandardScaler,
  Table,
  tableVectorizer,
} from "argmax";
import { describe, expect, it } from "vitest";
import { openDuckdb } from "../test/duckdb.js";
import { columnsOfTable, tableStatements } from "../test/tables.js";
import { toSql } from "./index.js";

const database = await openDuckdb();
let tables = 0;

/** The answers of a database for a table, in the order of its rows. */
async function answers(model: object, table: object, columns?: readonly string[]) {
  const name = `u${tables++}`;
  for (const statement of tableStatements(name, columnsOfTable(table as Table)))
    await database.run(statement);
  const sql = toSql(model, { dialect: "duckdb", columns });
  const rows = await database.rows(`${sql.select(name, { keep: ["i"] })} ORDER BY i`);
  const inline = Object.entries(sql.expressions).map(([key, e]) => `${e} AS "${key}"`);
  const again = await database.rows(`SELECT i, ${inline.join(", ")} FROM ${name} ORDER BY i`);
  expect(again).toEqual(rows);
  return rows;
}

describe("toSql", () => {
  const rows = [
    { "a b": 1, 'quo"te': "it's", flag: true, kind: "no" },
    { "a b": 2.5, 'quo"te': "back\\slash", flag: false, kind: "no" },
    { "a b": 3, 'quo"te': "it's", flag: true, kind: "-- '; DROP TABLE x" },
    { "a b": 4, 'quo"te': "naïve 漢", flag: true, kind: "-- '; DROP TABLE x" },
    { "a b": 0.5, 'quo"te': "back\\slash", flag: false, kind: "no" },
    { "a b": 5, 'quo"te': "naïve 漢", flag: true, kind: "-- '; DROP TABLE x" },
  ];
  const X = Table.fromRows(rows.map(({ kind: _, ...row }) => row));
  const y = rows.map(({ kind }) => kind);

  it("quotes hostile names of columns, categories and classes", async () => {
    const model = pipeline(tableVectorizer(), new LogisticRegression()).fit(X, y);
    const found = await answers(model, X);
    expect(found.map(({ label }) => label)).toEqual(model.predict(X));
    const p = model.predictProba(X);
    const second = found.map((row) => row["probability_no"] as number);
    for (const [i, value] of second.entries()) expect(Math.abs(value - p.at(i, 1))).toBeLessThan(1e-12);
  });

  it("answers NULL where the model would refuse a gap, and as in fit where it takes gaps", async () => {
    const numbers = Table.fromRows([
      { x: 1, z: 5 },
      { x: 2, z: 4 },
      { x: 3, z: 1 },
      { x: 4, z: 0 },
    ]);
    const classes = ["a", "a", "b", "b"];
    const gap = Table.fromRows([
      { x: 1, z: null },
      { x: null, z: null },
      { x: 4, z: 1 },
    ] as never);
    const logistic = new LogisticRegression().fit(numbers, classes);
    expect((await answers(logistic, gap)).map(({ label }) => label)).toEqual([null, null, "b"]);
    const tree = new DecisionTreeClassifier().fit(numbers, classes);
    expect((await answers(tree, gap)).map(({ label }) => label)).toEqual(tree.predict(gap));
  });

  it("gives the row of unknown categories to those that fit has not seen", async () => {
    const table = Table.fromRows([{ c: "x" }, { c: "y" }, { c: "y" }]);
    const encoder = new OneHotEncoder({ handleUnknown: "ignore" }).fit(table);
    const found = await answers(encoder, Table.fromRows([{ c: "new" }, { c: "x" }]));
    expect(found.map((row) => [row["column_1"], row["column_2"]])).toEqual([
      [0, 0],
      [1, 0],
    ]);
    const strict = new OneHotEncoder({ handleUnknown: "error" }).fit(table);
    const [refused] = await answers(strict, Table.fromRows([{ c: "new" }]));
    expect(refused!["column_1"]).toBeNull();
  });

  it("keeps labels that are numbers or true and false what they are", async () => {
    const numbers = Table.fromRows([{ x: 1 }, { x: 2 }, { x: 8 }, { x: 9 }]);
    const ofNumbers = new LogisticRegression().fit(numbers, [10, 10, 20, 20]);
    expect((await answers(ofNumbers, numbers)).map(({ label }) => label)).toEqual([10, 10, 20, 20]);
    const ofTruth = new LogisticRegression().fit(numbers, [false, false, true, true]);
    expect((await answers(ofTruth, numbers)).map(({ label }) => label)).toEqual([false, false, true, true]);
  });

  it("computes 26 classes, a network and a forest of 100 trees once in a SELECT", async () => {
    const { X: points, y: codes } = makeBlobs({ nSamples: 260, centers: 26, nFeatures: 5, randomState: 1 });
    const letters = codes.map((k) => String.fromCharCode(97 + k));
    const names = ["c1", "c2", "c3", "c4", "c5"];
    const table = Table.fromColumns(
      Object.fromEntries(names.map((name, j) => [name, points.toArray().map((row) => row[j]!)])),
    );
    for (const estimator of [
      pipeline(new StandardScaler(), new LogisticRegression()),
      pipeline(
        new StandardScaler(),
        new MLPClassifier({ hiddenLayerSizes: [20, 20], maxIter: 30, dtype: "float64" }),
      ),
      new RandomForestClassifier({ nEstimators: 100, maxDepth: 6 }),
    ]) {
      const model = estimator.fit(table, letters);
      const name = `u${tables++}`;
      for (const statement of tableStatements(name, columnsOfTable(table as Table)))
        await database.run(statement);
      const sql = toSql(model, { dialect: "duckdb" }).select(name, { keep: ["i"] });
      const found = await database.rows(`${sql} ORDER BY i`);
      expect(found.map(({ label }) => label)).toEqual(model.predict(table));
    }
  });

  it("says the density and the component of a mixture, and projections", async () => {
    const { X: points } = makeBlobs({ nSamples: 60, centers: 3, nFeatures: 2, randomState: 4 });
    const table = Table.fromColumns({
      u: points.toArray().map(([u]) => u!),
      v: points.toArray().map(([, v]) => v!),
    });
    const mixture = new GaussianMixture({ nComponents: 3 }).fit(table);
    const found = await answers(mixture, table);
    expect(found.map(({ cluster }) => cluster)).toEqual(Array.from(mixture.predict(table)));
    const density = mixture.scoreSamples(table);
    for (const [i, row] of found.entries())
      expect(Math.abs((row["density"] as number) - density[i]!)).toBeLessThan(1e-12 * Math.abs(density[i]!));
    const pca = new PCA({ nComponents: 1 }).fit(table);
    const [first] = await answers(pca, table);
    expect(Math.abs((first!["column"] as number) - pca.transform(table).at(0, 0))).toBeLessThan(1e-12);
  });

  it("has the link of a regressor, without overflow", async () => {
    const table = Table.fromColumns({ x: [0, 1, 2, 3] });
    const model = new PoissonRegressor({ alpha: 0 }).fit(table, [1, 2, 4, 9]);
    const found = await answers(model, Table.fromColumns({ x: [1, 1e9, -1e9] }));
    const [here, most, least] = found.map(({ prediction }) => prediction as number);
    expect(Math.abs(here! - model.predict([[1]])[0]!)).toBeLessThan(1e-12);
    expect([most, least]).toEqual([Infinity, 0]);
  });

  it("names columns of models that were fitted to numbers without names", () => {
    const model = new LogisticRegression().fit([[1], [2], [3]], ["a", "b", "b"]);
    expect(() => toSql(model, { dialect: "postgres" })).toThrow(
      'toSql: columns must be the names of the 1 columns that the model reads, got none. It was not fitted to a table with names: columns: ["a", "b", …] says them.',
    );
    expect(() => toSql(model, { dialect: "postgres", columns: ["a", "b"] })).toThrow(/1 columns.*got 2/);
    expect(toSql(model, { dialect: "postgres", columns: ["x"] }).expressions["label"]).toContain(
      '"x"::float8',
    );
    expect(toSql(model, { dialect: "clickhouse", columns: ["x"] }).select("db.t")).toContain("FROM db.t");
  });

  it("refuses an unknown dialect, with the nearest name", () => {
    const model = new LogisticRegression().fit([[1], [2]], ["a", "b"]);
    expect(() => toSql(model, { dialect: "postgress" as never })).toThrow(ParameterError);
    expect(() => toSql(model, { dialect: "postgress" as never })).toThrow(/Did you mean "postgres"\?/);
  });

  it("says what SQL cannot express, and what to do", () => {
    const model = new KNeighborsClassifier().fit(Matrix.fromRows([[1], [2], [3], [4], [5]]), [0, 0, 1, 1, 1]);
    expect(() => toSql(model, { dialect: "duckdb", columns: ["x"] })).toThrow(
      "toSql: the model must be made of what SQL can express, got a search for the nearest training rows. Predict in the program",
    );
  });

  it("has a pipeline's steps inside", () => {
    const model = new Pipeline({ steps: [new StandardScaler(), new LogisticRegression()] }).fit(
      Table.fromColumns({ x: [1, 2, 3] }),
      ["a", "a", "b"],
    );
    expect(Object.keys(toSql(model, { dialect: "duckdb" }).expressions)).toEqual([
      "label",
      "probability_a",
      "probability_b",
      "score",
    ]);
  });
});
