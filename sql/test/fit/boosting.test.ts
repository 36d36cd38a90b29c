import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "argmax";
import { beforeAll, describe, expect, it } from "vitest";
import { type DatabaseRows, duckdb, fitInDatabase } from "../../src/index.js";
import { expectSameState } from "./states.js";

let rows: DatabaseRows;
beforeAll(async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const columns = "sin(i) AS a, (i * 7919) % 101 AS b, CAST(i % 5 AS VARCHAR) AS c";
  await connection.run(
    `CREATE TABLE parts AS SELECT a, b, c, a * b + (i % 5) AS y, a > 0.3 AS large FROM (SELECT i, ${columns} FROM range(3000) t(i))`,
  );
  rows = duckdb(connection).table("parts");
});

const features = ["a", "b", "c"];
const scratchFiles = () => readdirSync(tmpdir()).filter((name) => /^argmax-\w{6}$/.test(name));

describe("boosting in a database", () => {
  it("holds out the same rows by queries and on a scratch file", async () => {
    const estimator = new HistGradientBoostingRegressor({
      maxIter: 6,
      maxLeafNodes: 8,
      earlyStopping: true,
      validationFraction: 0.25,
    });
    const queried = await fitInDatabase(estimator, rows, { features, target: "y" });
    const onFile = await fitInDatabase(estimator, rows, { features, target: "y", scratch: {} });
    expect(queried.validationScore.length).toBe(7);
    const learnedFrom = queried.tree(0)[0]!.rows;
    expect(Math.abs(learnedFrom - 2250)).toBeLessThan(100);
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
