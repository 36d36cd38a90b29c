import { describe, expect, it } from "vitest";
import { Random } from "../core/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table.js";
import { LogisticRegression } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { crossValidate } from "../selection/index.js";
import { SelectKBest, SelectPercentile, VarianceThreshold } from "./index.js";

const random = new Random(7);
const table = Table.fromColumns({
  noise: Array.from({ length: 90 }, () => random.normal()),
  signal: Array.from({ length: 90 }, (_, i) => (i % 3) + 0.1 * random.normal()),
  constant: new Float64Array(90).fill(3),
});
const y = Array.from({ length: 90 }, (_, i) => ["a", "b", "c"][i % 3]!);

describe("selectors", () => {
  it("find the column that says something, and name it", () => {
    const model = new SelectKBest({ k: 1 }).fit(table, y);
    expect(model.featureNames()).toEqual(["signal"]);
    expect(model.transform(table.select(["constant", "signal", "noise"])).data).toEqual(
      table.column("signal").values,
    );
    expect(new VarianceThreshold().fit(table).featureNames()).toEqual(["noise", "signal"]);
    expect(new SelectPercentile({ percentile: 40 }).fit(table, y).selected).toEqual([1]);
  });

  it("score columns by class as analysis of variance does, two classes as the square of t", () => {
    const x = [[1], [2], [3], [5], [6], [10]];
    const labels = ["u", "u", "u", "v", "v", "v"];
    // Means 2 and 7, within 2 and 14, between 37.5: F = 37.5 / (16 / 4).
    expect(new SelectKBest({ k: 1 }).fit(x, labels).scores[0]).toBeCloseTo(9.375, 12);
  });

  it("score sparse rows like dense ones", () => {
    const dense = Matrix.fromRows(Array.from({ length: 40 }, (_, i) => [i % 3, 0, i % 5 === 0 ? 2 : 0]));
    const labels = Array.from({ length: 40 }, (_, i) => i % 4 < 2);
    for (const scoreFunction of ["fClassif", "chi2"] as const) {
      const both = [dense, CsrMatrix.fromDense(dense)].map((x) =>
        new SelectKBest({ k: 1, scoreFunction }).fit(x, labels),
      );
      for (const j of [0, 2]) expect(both[1]!.scores[j]).toBeCloseTo(both[0]!.scores[j]!, 12);
      expect(both[1]!.selected).toEqual(both[0]!.selected);
    }
    const model = new VarianceThreshold().fit(CsrMatrix.fromDense(dense));
    const Z = model.transform(CsrMatrix.fromDense(dense));
    expect(Z).toBeInstanceOf(CsrMatrix);
    expect(model.inverseTransform(Z).toDense()).toEqual(dense);
    expect(model.inverseTransform(Z.toDense())).toEqual(dense);
  });

  it("choose within each fold of a cross-validation: noise stays noise", () => {
    const draw = new Random(11);
    const X = Matrix.fromRows(
      Array.from({ length: 100 }, () => Array.from({ length: 500 }, () => draw.normal())),
    );
    const labels = Array.from({ length: 100 }, () => draw.uniform() < 0.5);
    const honest = crossValidate(pipeline(new SelectKBest({ k: 10 }), new LogisticRegression()), X, labels);
    const leaked = crossValidate(
      new LogisticRegression(),
      new SelectKBest({ k: 10 }).fitTransform(X, labels),
      labels,
    );
    const mean = (list: Float64Array) => list.reduce((sum, score) => sum + score, 0) / list.length;
    // A hundred fair coins: 0.5 ± 0.05, three deviations.
    expect(Math.abs(mean(honest.testScore) - 0.5)).toBeLessThan(0.15);
    expect(mean(leaked.testScore)).toBeGreaterThan(0.7);
  });

  it("are saved with their scores, also those that are not numbers", () => {
    const model = new SelectKBest({ k: 2 }).fit(table, y);
    expect(model.scores[2]).toBeNaN();
    const loaded = loadModel(saveModel(model), SelectKBest);
    expect(loaded.scores).toEqual(model.scores);
    expect(loaded.selected).toEqual(model.selected);
  });

  it("refuse what they cannot choose from", () => {
    expect(() => new SelectKBest({ k: 4 }).fit(table, y)).toThrow(
      /X must be at least k = 4 columns wide, got 3 columns/,
    );
    expect(() =>
      new SelectKBest({ k: 1, scoreFunction: "chi2" }).fit([[1], [-1], [2]], ["a", "b", "b"]),
    ).toThrow(/X\[1\]\[0\] must be a count or frequency ≥ 0/);
    expect(() => new SelectKBest().fit(table, [...y.keys()])).toThrow(/scoreFunction: "fRegression"/);
    expect(() => new SelectKBest().fit(table, undefined as never)).toThrow(/y must be the targets/);
    expect(() => new VarianceThreshold().fit([[1], [1]])).toThrow(
      /X must be with a column of variance above 0/,
    );
  });
});
