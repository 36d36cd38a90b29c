import { describe, expect, it } from "vitest";
import { columnTransformer } from "../compose/index.js";
import { Random } from "../core/numbers/random.js";
import { Table } from "../data/table/table.js";
import { SelectKBest } from "../feature-selection/index.js";
import { Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { GridSearch } from "../selection/index.js";
import { FunctionTransformer, KNNImputer, OneHotEncoder, SplineTransformer } from "./index.js";

const random = new Random(12);
const rows = 90;
const people = Table.fromColumns({
  age: Array.from({ length: rows }, (_, i) => (i % 8 === 0 ? null : 20 + 40 * random.uniform())),
  income: Array.from({ length: rows }, () => 1000 * random.uniform()),
  town: Array.from({ length: rows }, (_, i) => ["Oslo", "Rome", "Bonn"][i % 3]!),
});
const y = Array.from({ length: rows }, (_, i) => Math.sin((people.column("age").at(i) ?? 40) / 8) + (i % 3));

describe("imputers, splines and functions of columns", () => {
  it("stand on columns of their own inside a search, with names, and are saved with its model", () => {
    const columns = columnTransformer({
      ages: [
        pipeline(
          ["fill", new KNNImputer({ nNeighbors: 3 })],
          ["curve", new SplineTransformer({ nKnots: 4 })],
        ),
        ["age"],
      ],
      logs: [new FunctionTransformer({ func: "log1p" }), ["income"]],
      towns: [new OneHotEncoder(), ["town"]],
    });
    const steps = pipeline(
      ["columns", columns],
      ["best", new SelectKBest({ scoreFunction: "mutualInfoRegression", k: "all" })],
      ["ridge", new Ridge({ alpha: 0.1 })],
    );
    const grid = {
      "columns.ages.curve.nKnots": [3, 6],
      "columns.ages.fill.weights": ["uniform", "distance"],
      "columns.logs.func": ["log1p", "sqrt"],
    } as const;
    const search = new GridSearch({ estimator: steps, grid, cv: 3 }).fit(people, y);
    expect(search.results.length).toBe(8);
    expect(search.bestScore).toBeGreaterThan(0.5);
    const names = search.bestModel.featureNames();
    expect(names).toEqual(expect.arrayContaining(["age_sp_0", "income", "town_Oslo"]));
    const loaded = loadModel(saveModel(search.bestModel));
    expect(loaded.predict!(people.select(["town", "income", "age"]))).toEqual(search.predict(people));
  });
});
