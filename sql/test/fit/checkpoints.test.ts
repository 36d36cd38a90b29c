import { DuckDBInstance } from "@duckdb/node-api";
import {
  GaussianNB,
  HistGradientBoostingClassifier,
  LogisticRegression,
  pipeline,
  StandardScaler,
} from "argmax";
import { AbortError, ParameterError } from "argmax/core";
import { describe, expect, it } from "vitest";
import { DataChangedError, duckdb, type FitCheckpoint, fitInDatabase } from "../../src/index.js";
import { tableStatements } from "../tables.js";
import { numbersSample } from "./cases.js";

const { columns } = numbersSample("three classes");
const options = { target: "y", features: ["x one", 'x"2', "x3"] };
const make = () => pipeline(new StandardScaler(), new LogisticRegression());

const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
const connection = await instance.connect();
for (const statement of tableStatements("rows", columns)) await connection.run(statement);
const rows = duckdb(connection).table("rows");

type Make = () => ReturnType<typeof make>;

/** The checkpoint of a fit that is aborted after some passes. */
async function aborted(passes: number, estimator: Make = make): Promise<FitCheckpoint> {
  const aborter = new AbortController();
  let last: FitCheckpoint | undefined;
  const fit = fitInDatabase(estimator(), rows, {
    ...options,
    signal: aborter.signal,
    onCheckpoint: (checkpoint) => {
      last = checkpoint;
    },
    onProgress: (progress) => {
      if (progress.passes === passes) aborter.abort();
    },
  });
  await expect(fit).rejects.toThrow(AbortError);
  return JSON.parse(JSON.stringify(last)) as FitCheckpoint;
}

async function counted(settings: object, estimator: Make = make) {
  let passes = 0;
  const model = await fitInDatabase(estimator(), rows, {
    ...options,
    ...settings,
    onProgress: (progress) => {
      passes = Math.max(passes, progress.passes);
    },
  });
  return { model, passes };
}

describe("checkpoints", () => {
  it("let a fit go on where another was aborted, to the same model", async () => {
    const whole = await counted({});
    for (const passes of [2, 5, whole.passes - 1]) {
      const checkpoint = await aborted(passes);
      expect(JSON.stringify(checkpoint).length).toBeLessThan(20_000);
      const resumed = await counted({ checkpoint });
      expect(resumed.passes).toBeLessThanOrEqual(whole.passes - passes + 2);
      expect(resumed.model.toState()).toEqual(whole.model.toState());
    }
  });

  it("have trees instead of the histograms that these were made of", async () => {
    const boosting = (() => new HistGradientBoostingClassifier({ maxIter: 5, maxDepth: 3 })) as never;
    const whole = await counted({}, boosting);
    const checkpoint = await aborted(whole.passes - 4, boosting);
    expect(Object.keys(checkpoint.stages).length).toBeGreaterThan(2);
    expect(Object.keys(checkpoint.answers).length).toBeLessThan(15);
    const resumed = await counted({ checkpoint }, boosting);
    expect(resumed.passes).toBeLessThan(12);
    expect(resumed.model.toState()).toEqual(whole.model.toState());
  });

  it("are of the rows that they were made of", async () => {
    const checkpoint = await aborted(4);
    const other = await instance.connect();
    await other.run(`CREATE TABLE changed AS SELECT * FROM rows; UPDATE changed SET "x3" = 0 WHERE i = 5`);
    const changed = duckdb(other).table("changed");
    await expect(fitInDatabase(make(), changed, { ...options, checkpoint })).rejects.toThrow(
      DataChangedError,
    );
  });

  it("are of the estimator and the columns that they were made of", async () => {
    const checkpoint = await aborted(4);
    for (const wrong of [
      fitInDatabase(new GaussianNB(), rows, { ...options, checkpoint }),
      fitInDatabase(make(), rows, { ...options, features: ["x3"], checkpoint }),
      fitInDatabase(make(), rows, { ...options, checkpoint: {} as never }),
    ])
      await expect(wrong).rejects.toThrow(ParameterError);
  });
});
