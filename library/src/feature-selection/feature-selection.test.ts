import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LogisticRegression } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { crossValidate } from "../selection/index.js";
import {
  chi2,
  fClassif,
  fRegression,
  mutualInfoClassif,
  mutualInfoRegression,
  SelectFdr,
  SelectFpr,
  SelectFwe,
  SelectKBest,
  SelectPercentile,
  VarianceThreshold,
} from "./index.js";

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

describe("p-values", () => {
  it("of columns that say nothing are uniform: about alpha of them pass SelectFpr, and few the others", () => {
    const draw = new Random(3);
    const X = Matrix.fromRows(
      Array.from({ length: 120 }, () => Array.from({ length: 400 }, () => draw.normal())),
    );
    const labels = Array.from({ length: 120 }, (_, i) => i % 3);
    const { pValues } = fClassif(X, labels);
    const below = (p: number) => pValues.filter((value) => value < p).length / 400;
    // Standard deviation √(p (1 − p) / 400) ≤ 0.025; four of them.
    for (const p of [0.1, 0.3, 0.5, 0.8]) expect(Math.abs(below(p) - p)).toBeLessThan(0.1);
    expect(new SelectFpr({ alpha: 0.1 }).fit(X, labels).selected.length).toBe(Math.round(below(0.1) * 400));
    expect(() => new SelectFwe({ alpha: 1e-3 }).fit(X, labels)).toThrow(
      /X must be with a column that passes at alpha = 0.001, got none/,
    );
  });

  it("select what they know of a table, and keep names", () => {
    for (const Selector of [SelectFpr, SelectFdr, SelectFwe]) {
      const model = new Selector().fit(table, y);
      expect(model.featureNames()).toEqual(["signal"]);
      expect(model.pValues![2]).toBeNaN();
      expect(loadModel(saveModel(model), Selector as typeof SelectFpr).pValues).toEqual(model.pValues);
    }
  });

  it("are those of known tests", () => {
    // t = −3.0619 of two samples of three; R: t.test(c(1,2,3), c(5,6,10), var.equal = TRUE)$p.value.
    const x = [[1], [2], [3], [5], [6], [10]];
    expect(fClassif(x, ["u", "u", "u", "v", "v", "v"]).pValues[0]).toBeCloseTo(0.03757, 4);
    expect(fRegression(x, [1, 2, 3, 5, 6, 10.5]).pValues[0]).toBeLessThan(1e-5);
    // Counts 10 and 20 of 30: χ² = 10 / 3, one degree of freedom.
    const counts = [[10], [20]].flatMap((row) => [row, [0]]);
    expect(
      chi2(
        counts,
        ["a", "b", "a", "b"].map((_, i) => (i < 2 ? "a" : "b")),
      ).pValues[0],
    ).toBeCloseTo(0.0679, 4);
  });
});

describe("scoreFunction", () => {
  it("keeps a copy of its lists", () => {
    const discreteFeatures = [0];
    const selector = new SelectKBest({
      k: 1,
      scoreFunction: { name: "mutualInfoClassif", discreteFeatures },
    });
    discreteFeatures[0] = 99;
    expect(selector.params.scoreFunction).toEqual({ name: "mutualInfoClassif", discreteFeatures: [0] });
    const { scoreFunction } = selector.params as unknown as { scoreFunction: { discreteFeatures: number[] } };
    expect(() => scoreFunction.discreteFeatures.push(1)).toThrow(TypeError);
  });
});

describe("scores of numbers", () => {
  it("are 0 with p = 1 where y or a column is constant, also where its mean is rounded", () => {
    const x = Array.from({ length: 7 }, (_, i) => [i, 0.1, (i * i) % 5]);
    const { scores, pValues } = fRegression(x, new Float64Array(7).fill(0.1));
    expect([...scores]).toEqual([0, 0, 0]);
    expect([...pValues]).toEqual([1, 1, 1]);
    const column = fRegression(x, [1, 5, 2, 4, 3, 8, 6]);
    expect([column.scores[1], column.pValues[1]]).toEqual([0, 1]);
    // As scikit-learn: no degree of freedom is left.
    const two = fRegression([[1], [2]], [1, 3]);
    expect([two.scores[0], two.pValues[0]]).toEqual([0, 1]);
  });

  it("do not depend on the unit of X or y: no square overflows or underflows", () => {
    const rows = Array.from({ length: 20 }, (_, i) => [((i * 7) % 11) - 3, i % 3]);
    const numbers = rows.map(([a, b], i) => a! - 2 * b! + ((i * 5) % 7));
    const labels = rows.map((_, i) => (i % 4 === 0 ? "u" : "v"));
    const [correlation, byClass] = [fRegression(rows, numbers), fClassif(rows, labels)];
    // Powers of two: these are exact.
    for (const unit of [2 ** -700, 2 ** 700]) {
      const X = rows.map((row) => row.map((value) => value * unit));
      for (const x of [X, CsrMatrix.fromDense(Matrix.fromRows(X))]) {
        const small = fRegression(
          x,
          numbers.map((value) => value * unit),
        );
        small.pValues.forEach((p, j) => {
          expect(p).toBeCloseTo(correlation.pValues[j]!, 12);
        });
        fClassif(x, labels).scores.forEach((score, j) => {
          expect(score).toBeCloseTo(byClass.scores[j]!, 12);
        });
      }
    }
  });
});

describe("mutual information", () => {
  const draw = new Random(17);
  const n = 400;
  const angle = Array.from({ length: n }, () => 2 * Math.PI * draw.uniform());
  const round = Table.fromColumns({
    x: angle.map((a) => Math.cos(a) + 0.01 * draw.normal()),
    noise: angle.map(() => draw.normal()),
  });
  const height = angle.map((a) => Math.sin(a));

  it("finds what correlation cannot: the points of a circle", () => {
    expect(fRegression(round, height).scores[0]).toBeLessThan(10);
    const [circle, noise] = mutualInfoRegression(round, height);
    expect(circle).toBeGreaterThan(1);
    expect(noise).toBeLessThan(0.1);
    const model = new SelectKBest({ scoreFunction: "mutualInfoRegression", k: 1 }).fit(round, height);
    expect(model.featureNames()).toEqual(["x"]);
    expect(model.pValues).toBeUndefined();
    expect(loadModel(saveModel(model), SelectKBest).scores).toEqual(model.scores);
  });

  it("of categories is that of their frequencies: log 2 for a copy of a fair coin, 0 for independent ones", () => {
    const rows = Array.from({ length: 8 }, (_, i) => [i % 2, i & 2, 7]);
    const coin = rows.map(([a]) => (a === 1 ? "heads" : "tails"));
    const discrete = mutualInfoClassif(rows, coin, { discreteFeatures: true });
    expect(discrete[0]).toBeCloseTo(Math.log(2), 14);
    expect([discrete[1], discrete[2]]).toEqual([0, 0]);
    expect(mutualInfoClassif(CsrMatrix.fromDense(Matrix.fromRows(rows)), coin)).toEqual(discrete);
  });

  it("of normal variables is −½ log(1 − ρ²)", () => {
    const rho = 0.8;
    const x = Array.from({ length: 2000 }, () => draw.normal());
    const z = x.map((value) => rho * value + Math.sqrt(1 - rho * rho) * draw.normal());
    // The estimate of 2,000 pairs has a standard deviation of about 0.03 [Kraskov et al. 2004, figure 4].
    expect(
      mutualInfoRegression(
        x.map((value) => [value]),
        z,
      )[0],
    ).toBeCloseTo(-Math.log(1 - rho * rho) / 2, 1);
  });

  it("takes discrete columns by number, by name and by mask, with options that are saved", () => {
    const words = Table.fromColumns({
      a: [1, 1, 2, 2, 3, 3, 1, 2],
      b: [0.1, 0.4, 0.3, 0.9, 0.8, 0.2, 0.5, 0.6],
    });
    const label = ["u", "u", "v", "v", "u", "v", "u", "v"];
    const byName = mutualInfoClassif(words, label, { discreteFeatures: ["a"] });
    expect(mutualInfoClassif(words, label, { discreteFeatures: [0] })).toEqual(byName);
    expect(mutualInfoClassif(words, label, { discreteFeatures: [true, false] })).toEqual(byName);
    const scoreFunction = { name: "mutualInfoClassif", discreteFeatures: ["a"] } as const;
    const model = new SelectKBest({ scoreFunction, k: 1 }).fit(words, label);
    expect(model.scores).toEqual(byName);
    expect(loadModel(saveModel(model), SelectKBest).params.scoreFunction).toEqual(scoreFunction);
  });

  it("does not change from call to call, and hardly with the seed", () => {
    const once = mutualInfoRegression(round, height);
    expect(mutualInfoRegression(round, height)).toEqual(once);
    const other = mutualInfoRegression(round, height, { randomState: 5 });
    for (const [j, score] of other.entries()) expect(score).toBeCloseTo(once[j]!, 6);
  });

  it("refuses what it cannot measure", () => {
    const label = ["a", "b", "a", "b"];
    const rows = [[1], [2], [3], [4]];
    expect(() => mutualInfoClassif(rows, label, { discreteFeatures: [1] })).toThrow(
      "mutualInfoClassif: discreteFeatures must be columns of X, got 1.",
    );
    expect(() => mutualInfoClassif(rows, label, { discreteFeatures: [true, true] })).toThrow(
      /one flag for each/,
    );
    expect(() => mutualInfoClassif(rows, label, { neighbours: 2 } as never)).toThrow(
      /every option must be one of/,
    );
    expect(() => mutualInfoRegression(rows, [1, 2, 3, 4], { nNeighbors: 4 })).toThrow(
      /more rows than nNeighbors = 4/,
    );
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(rows));
    expect(() => mutualInfoClassif(sparse, label, { discreteFeatures: false })).toThrow(
      /true for all columns of sparse/,
    );
    expect(() => mutualInfoClassif(rows, [1, 2, 3, 4])).toThrow(/For numbers there is mutualInfoRegression/);
    expect(() => new SelectKBest({ scoreFunction: "mutualInfo" as never })).toThrow(/"mutualInfoClassif"/);
  });
});

describe("scores of a function", () => {
  it("choose columns, and are checked", () => {
    const byLast = new SelectKBest({
      scoreFunction: (x) => Array.from({ length: x.cols }, (_, j) => j),
      k: 1,
    });
    expect(byLast.fit(table, y).featureNames()).toEqual(["constant"]);
    const wrong = new SelectKBest({ scoreFunction: () => [1], k: 1 });
    expect(() => wrong.fit(table, y)).toThrow(
      /what scoreFunction returns must be 3 numbers, one per column of X/,
    );
  });
});
