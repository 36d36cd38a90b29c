import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";
import {
  AdaBoostClassifier,
  DecisionStump,
  DecisionTreeClassifier,
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  GaussianNB,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
  Table,
} from "argmax";
import { beforeAll, describe, expect, it } from "vitest";
import { type DatabaseRows, duckdb, fitInDatabase } from "../../src/index.js";
import { expectSameState } from "./states.js";

let rows: DatabaseRows;
let table: Table;
beforeAll(async () => {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  // Plans take longer than rows, and longest in the optimiser.
  await connection.run("PRAGMA disable_optimizer");
  const columns = "sin(i) AS a, CAST((i * 7919) % 101 AS DOUBLE) AS b, CAST(i % 5 AS VARCHAR) AS c";
  await connection.run(
    `CREATE TABLE parts AS SELECT a, b, c, a * b + (i % 5) AS y, a > 0.3 AS large FROM (SELECT i, ${columns} FROM range(800) t(i))`,
  );
  rows = duckdb(connection).table("parts");
  const read = await connection.runAndReadAll("SELECT * FROM parts");
  table = Table.fromRows(read.getRowObjectsJS() as never);
});

const features = ["a", "b", "c"];
const scratchFiles = () => readdirSync(tmpdir()).filter((name) => /^argmax-\w{6}$/.test(name));

describe("boosting in a database", () => {
  it("holds out the same rows by queries and on a scratch file", async () => {
    const estimator = new HistGradientBoostingRegressor({
      maxIter: 4,
      maxLeafNodes: 5,
      maxBins: 60,
      earlyStopping: true,
      validationFraction: 0.25,
    });
    const queried = await fitInDatabase(estimator, rows, { features, target: "y" });
    const onFile = await fitInDatabase(estimator, rows, { features, target: "y", scratch: {} });
    expect(queried.validationScore.length).toBe(5);
    const learnedFrom = queried.tree(0)[0]!.rows;
    expect(Math.abs(learnedFrom - 600)).toBeLessThan(50);
    expectSameState(onFile.toState(), queried.toState(), { within: 1e-9 });
  });

  it("stops at a signal, and leaves no file", async () => {
    const before = scratchFiles();
    const control = new AbortController();
    const fit = fitInDatabase(new HistGradientBoostingClassifier({ maxIter: 1000 }), rows, {
      features,
      target: "large",
      scratch: {},
      signal: control.signal,
      onProgress: ({ iteration = 0 }) => {
        if (iteration === 3) control.abort();
      },
    });
    await expect(fit).rejects.toThrow("aborted");
    expect(scratchFiles()).toEqual(before);
  });

  it("refuses what sums of rows cannot say", async () => {
    const quantile = new HistGradientBoostingRegressor({ loss: "absoluteError" });
    await expect(fitInDatabase(quantile, rows, { features, target: "y" })).rejects.toThrow(
      /loss must be squaredError, poisson or gamma in a database/,
    );
    const scored = new HistGradientBoostingClassifier({ scoring: "accuracy" });
    await expect(fitInDatabase(scored, rows, { features, target: "large" })).rejects.toThrow(
      /scoring must be "loss" in a database/,
    );
    const poisson = new HistGradientBoostingRegressor({ loss: "poisson" });
    await expect(fitInDatabase(poisson, rows, { features, target: "y" })).rejects.toThrow(
      /target "y" must be ≥ 0/,
    );
  });
});

describe("forests in a database", () => {
  const small = { nEstimators: 3, maxDepth: 3, randomState: 3 };

  it("predict as well as those in memory", async () => {
    const X = table.select(features);
    const y = table.column("y").toArray() as number[];
    const large = table.column("large").toArray() as boolean[];
    for (const type of [RandomForestRegressor, ExtraTreesRegressor]) {
      const own = await fitInDatabase(new type(small), rows, { features, target: "y" });
      const expected = new type(small).fit(X, y);
      expect(own.score(X, y)).toBeGreaterThan(expected.score(X, y) - 0.05);
    }
    for (const type of [RandomForestClassifier, ExtraTreesClassifier]) {
      const own = await fitInDatabase(new type(small), rows, { features, target: "large" });
      expect(own.score(X, large as never)).toBeGreaterThan(0.9);
    }
  });

  it("draw the same rows in every fit, and others for every tree", async () => {
    const fit = () =>
      fitInDatabase(new RandomForestRegressor({ ...small, maxDepth: 2 }), rows, { features, target: "y" });
    const forest = await fit();
    expectSameState((await fit()).toState(), forest.toState(), { within: 1e-9 });
    const roots = forest.trees.map((tree) => tree.node(0));
    expect(new Set(roots.map(({ weight }) => weight)).size).toBe(3);
    for (const { count, weight } of roots) {
      // Of the rows 1 − 1/e are drawn, and as many draws as rows are expected.
      expect(Math.abs(count - 800 * (1 - Math.exp(-1)))).toBeLessThan(65);
      expect(Math.abs(weight - 800)).toBeLessThan(120);
    }
  });

  it("refuse out-of-bag scores", async () => {
    const fit = fitInDatabase(new RandomForestRegressor({ oobScore: true }), rows, { features, target: "y" });
    await expect(fit).rejects.toThrow(/oobScore must be false in a database/);
  });
});

describe("AdaBoost in a database", () => {
  it("refuses members that are neither stumps nor trees, and those that draw or weigh for themselves", async () => {
    const fit = (estimator: object) =>
      fitInDatabase(new AdaBoostClassifier({ estimator: estimator as never }), rows, {
        features: ["a", "b"],
        target: "large",
      });
    await expect(fit(new GaussianNB())).rejects.toThrow(
      /estimator must be a DecisionStump or a DecisionTreeClassifier in a database, got GaussianNB/,
    );
    await expect(fit(new DecisionStump({ classWeight: "balanced" }))).rejects.toThrow(
      /Give classWeight to AdaBoostClassifier/,
    );
    await expect(fit(new DecisionTreeClassifier({ maxFeatures: 1 }))).rejects.toThrow(
      /maxFeatures must be null in a database/,
    );
  });
});
