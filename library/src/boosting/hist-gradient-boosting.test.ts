import { afterEach, describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { assumeCores, setThreads, threads } from "../numeric/runtime/threads.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { HistGradientBoostingClassifier } from "./hist-gradient-boosting-classifier.js";
import { HistGradientBoostingRegressor } from "./hist-gradient-boosting-regressor.js";

const all = threads();
afterEach(() => setThreads(all));

/** y = sin 3a + b² + noise on [−1, 1]³. */
function waves(n: number, seed = 0): { X: number[][]; y: number[] } {
  const random = new Random(seed);
  const X = Array.from({ length: n }, () => [0, 0, 0].map(() => 2 * random.uniform() - 1));
  return { X, y: X.map(([a, b]) => Math.sin(3 * a!) + b! * b! + 0.1 * random.normal()) };
}

describe("HistGradientBoostingRegressor", () => {
  it("learns a smooth function, its training loss falling every round", () => {
    const { X, y } = waves(1000);
    const model = new HistGradientBoostingRegressor().fit(X, y);
    const test = waves(500, 1);
    expect(model.score(test.X, test.y)).toBeGreaterThan(0.95);
    expect(model.trainScore.length).toBe(101);
    for (let t = 1; t < 101; t++) expect(model.trainScore[t]).toBeGreaterThan(model.trainScore[t - 1]!);
    expect(-model.trainScore[100]!).toBe(model.report.objective);
  });

  it("predicts the mean of each leaf with one round of learning rate 1", () => {
    const { X, y } = waves(400);
    const model = new HistGradientBoostingRegressor({ maxIter: 1, learningRate: 1 }).fit(X, y);
    const groups = new Map<number, number[]>();
    model.predict(X).forEach((p, i) => {
      groups.set(p, [...(groups.get(p) ?? []), y[i]!]);
    });
    expect(groups.size).toBeGreaterThan(5);
    for (const [p, own] of groups) {
      expect(own.length).toBeGreaterThanOrEqual(20);
      expect(p).toBeCloseTo(own.reduce((sum, v) => sum + v, 0) / own.length, 9);
    }
  });

  it("has the quantile of each leaf's rows with the quantile loss, and the median with the absolute one", () => {
    const { X, y } = waves(401);
    for (const [params, q] of [
      [{ loss: "absoluteError" }, 0.5],
      [{ loss: "quantile", quantile: 0.9 }, 0.9],
    ] as const) {
      const model = new HistGradientBoostingRegressor({ ...params, maxIter: 1, learningRate: 1 }).fit(X, y);
      const predicted = model.predict(X);
      for (const p of new Set(predicted)) {
        const own = y.filter((_, i) => predicted[i] === p).sort((a, b) => a - b);
        const place = q * (own.length - 1);
        const [low, high] = [own[Math.floor(place)]!, own[Math.ceil(place)]!];
        expect(p).toBeCloseTo(low + (high - low) * (place % 1), 9);
      }
    }
  });

  it("covers the proportion of rows that the quantile states", () => {
    const { X, y } = waves(2000);
    const model = new HistGradientBoostingRegressor({ loss: "quantile", quantile: 0.8 }).fit(X, y);
    const predicted = model.predict(X);
    const below = y.filter((v, i) => v <= predicted[i]!).length / y.length;
    // The standard deviation of a proportion of 2,000 rows is 0.009, and leaves follow their rows.
    expect(Math.abs(below - 0.8)).toBeLessThan(0.03);
  });

  it("fits positive targets with gamma and poisson, which predict positive numbers", () => {
    const { X, y } = waves(800);
    const positive = y.map((v) => Math.exp(v));
    for (const loss of ["gamma", "poisson"] as const) {
      const model = new HistGradientBoostingRegressor({ loss }).fit(X, positive);
      expect(model.score(X, positive)).toBeGreaterThan(0.9);
      expect(model.predict(X).every((p) => p > 0)).toBe(true);
      // Gradients of both sum to 0 where the mean prediction is the mean.
      if (loss === "poisson")
        expect(model.predict(X).reduce((s, p) => s + p, 0)).toBeCloseTo(
          positive.reduce((s, v) => s + v, 0),
          -1,
        );
      expect(Array.from(loadModel(saveModel(model)).predict!(X) as Float64Array)).toEqual(
        Array.from(model.predict(X)),
      );
    }
    const fit = (loss: "gamma" | "poisson", v: number) => () =>
      new HistGradientBoostingRegressor({ loss }).fit([[1], [2]], [1, v]);
    expect(fit("gamma", 0)).toThrow(/y\[1\] must be > 0 with the gamma loss, got 0/);
    expect(fit("poisson", -1)).toThrow(/y\[1\] must be ≥ 0 with the poisson loss, got -1/);
    expect(() => new HistGradientBoostingRegressor({ loss: "poisson" }).fit([[1], [2]], [0, 0])).toThrow(
      DataError,
    );
  });

  it("never falls with a column of direction 1, nor rises with one of −1, and does where it may", () => {
    const { X, y } = waves(1000);
    const slope = (way: number) => {
      const model = new HistGradientBoostingRegressor({ monotonicCst: [way, 0, 0] }).fit(X, y);
      const grid = Array.from({ length: 201 }, (_, e) => e / 100 - 1);
      let falls = 0;
      let rises = 0;
      for (const b of [-0.7, 0, 0.6]) {
        const p = model.predict(grid.map((a) => [a, b, 0.1]));
        for (let e = 1; e < p.length; e++) {
          if (p[e]! < p[e - 1]!) falls++;
          if (p[e]! > p[e - 1]!) rises++;
        }
      }
      return { falls, rises };
    };
    expect(slope(1).falls).toBe(0);
    expect(slope(-1).rises).toBe(0);
    expect(slope(1).rises).toBeGreaterThan(10);
    expect(slope(0).falls).toBeGreaterThan(0);
  });

  it("lets only columns interact that may", () => {
    const { X, y } = waves(600);
    const product = X.map(([a, b], i) => y[i]! + 3 * a! * b!);
    // Without interactions f(a, b) − f(a, b') does not depend on a.
    const interaction = (interactionCst: "noInteractions" | "pairwise" | number[][] | null) => {
      const model = new HistGradientBoostingRegressor({ interactionCst, maxIter: 30 }).fit(X, product);
      const f = (a: number, b: number) => model.predict([[a, b, 0]])[0]!;
      return Math.abs(f(0.8, 0.8) - f(0.8, -0.8) - f(-0.8, 0.8) + f(-0.8, -0.8));
    };
    // Sums of some thirty numbers around 1.
    expect(interaction("noInteractions")).toBeLessThan(1e-12);
    expect(interaction([[0, 2], [1]])).toBeLessThan(1e-12);
    // The third column is in no list: a list of its own.
    expect(interaction([[0], [1]])).toBeLessThan(1e-12);
    for (const open of ["pairwise", [[0, 1]], null] as const)
      expect(interaction(open as never)).toBeGreaterThan(3);
    const fit = (interactionCst: never) => () =>
      new HistGradientBoostingRegressor({ interactionCst }).fit(X, product);
    expect(fit([[0, 3]] as never)).toThrow(/interactionCst\[0\]\[1\].*0 to 2/);
    expect(fit([["a"]] as never)).toThrow(/Only the columns of a Table have names/);
    expect(fit([[]] as never)).toThrow(ParameterError);
    expect(fit("all" as never)).toThrow(ParameterError);
  });

  it("considers a random proportion of the columns for every split", () => {
    const { X, y } = waves(600);
    const grow = (maxFeatures: number, count: number, randomState = 0) => {
      setThreads(count);
      const model = new HistGradientBoostingRegressor({ maxFeatures, randomState, maxIter: 40 }).fit(X, y);
      return { model, predicted: Array.from(model.predict(X)) };
    };
    const third = grow(0.3, 1);
    expect(grow(0.3, 2).predicted).toEqual(third.predicted);
    expect(grow(0.3, 1, 1).predicted).not.toEqual(third.predicted);
    // One column of three at a time: the noise column is split on as often as the others at the roots of trees.
    const roots = [0, 0, 0];
    for (let t = 0; t < 40; t++) roots[third.model.tree(t)[0]!.feature!]!++;
    for (const count of roots) expect(count).toBeGreaterThan(4);
    expect(third.model.score(X, y)).toBeGreaterThan(0.8);
    expect(grow(1, 1).model.tree(0)[0]!.feature).toBe(0);
  });

  it("sends missing values where they fit, whichever side that is", () => {
    const value = (a: number, high: boolean) => (Number.isNaN(a) ? (high ? 3 : -3) : a > 0 ? 3 : -3);
    for (const high of [true, false]) {
      const { X } = waves(300);
      const holes = X.map((row, i) => [i % 3 === 0 ? Number.NaN : row[0]!]);
      const y = holes.map(([a]) => value(a!, high));
      const model = new HistGradientBoostingRegressor().fit(holes, y);
      expect(model.predict([[Number.NaN]])[0]).toBeCloseTo(high ? 3 : -3, 2);
      expect(model.tree(0)[0]).toMatchObject({ feature: 0, missingLeft: !high });
    }
  });

  it("parts missing values from all others where only they differ", () => {
    const { X } = waves(300);
    const holes = X.map((row, i) => [i % 3 === 0 ? Number.NaN : row[0]!, row[1]!]);
    const y = holes.map(([a]) => (Number.isNaN(a) ? 1 : 0));
    const model = new HistGradientBoostingRegressor().fit(holes, y);
    expect(model.tree(0)[0]).toMatchObject({ feature: 0, threshold: Infinity, missingLeft: false });
    expect(model.predict([[Number.NaN, 0]])[0]).toBeCloseTo(1, 3);
    expect(model.predict([[1e300, 0]])[0]).toBeCloseTo(0, 3);
  });

  it("sends missing values that fit never saw with the larger child", () => {
    const { X, y } = waves(300);
    const model = new HistGradientBoostingRegressor({ maxIter: 1 }).fit(X, y);
    const nodes = model.tree(0);
    for (const { left, right, missingLeft } of nodes)
      if (left !== undefined) expect(missingLeft).toBe(nodes[left]!.rows > nodes[right!]!.rows);
  });

  it("finds the best of all partitions of categories", () => {
    const random = new Random(4);
    const categories = [3, 7, 20, 21, 50, 90];
    const X = Array.from({ length: 240 }, (_, i) => [categories[i % 6]!]);
    const means = categories.map(() => random.normal());
    const y = X.map((_, i) => means[i % 6]! + 0.3 * random.normal());
    const model = new HistGradientBoostingRegressor({
      categoricalFeatures: [0],
      maxIter: 1,
      maxLeafNodes: 2,
    }).fit(X, y);
    const { gain, categories: left } = model.tree(0)[0]!;
    const mean = y.reduce((s, v) => s + v, 0) / y.length;
    const worth = (own: number[]) => own.reduce((s, v) => s + v - mean, 0) ** 2 / own.length;
    let best = 0;
    for (let set = 1; set < 63; set++) {
      const inside = y.filter((_, i) => (set >> (i % 6)) & 1);
      const outside = y.filter((_, i) => !((set >> (i % 6)) & 1));
      best = Math.max(best, worth(inside) + worth(outside));
    }
    expect(gain).toBeCloseTo(best, 6);
    expect(left!.every((c) => categories.includes(c))).toBe(true);
  });

  it("treats categories that fit has not seen like missing values", () => {
    const X = Array.from({ length: 200 }, (_, i) => [i % 5 === 4 ? Number.NaN : i % 5]);
    const y = X.map(([c]) => (Number.isNaN(c) ? 5 : c! % 2));
    const model = new HistGradientBoostingRegressor({ categoricalFeatures: [0] }).fit(X, y);
    const [missing, unseen, between] = model.predict([[Number.NaN], [77], [0.5]]);
    expect(unseen).toBe(missing);
    expect(between).toBe(missing);
    expect(missing).toBeCloseTo(5, 2);
  });

  it("refuses more categories than bins, and columns that are not there", () => {
    const X = Array.from({ length: 300 }, (_, i) => [i, 0]);
    const y = X.map(([a]) => a!);
    const fit = (params: object) => () => new HistGradientBoostingRegressor(params).fit(X, y);
    expect(fit({ categoricalFeatures: [0] })).toThrow(
      /categorical column 0 must be of at most maxBins \(255\) categories, got 300/,
    );
    expect(fit({ categoricalFeatures: [2] })).toThrow(ParameterError);
    expect(fit({ categoricalFeatures: [1, 1] })).toThrow(ParameterError);
    expect(fit({ monotonicCst: [1] })).toThrow(ParameterError);
    expect(fit({ monotonicCst: [0, 1], categoricalFeatures: [1] })).toThrow(/has no order/);
    // @ts-expect-error: the compiler refuses it too
    expect(() => new HistGradientBoostingRegressor({ loss: "quantile" })).toThrow(
      /quantile must be a number/,
    );
  });

  it("is constant where there is nothing to split", () => {
    const constant = new HistGradientBoostingRegressor().fit(
      waves(100).X.map(() => [1, Number.NaN]),
      waves(100).y,
    );
    expect(
      new Set(
        constant.predict([
          [0, 0],
          [5, Number.NaN],
        ]),
      ).size,
    ).toBe(1);
    expect(constant.featureImportances).toEqual(new Float64Array(2));
    const equal = new HistGradientBoostingRegressor().fit(
      waves(100).X,
      waves(100).X.map(() => 0.1),
    );
    expect(equal.predict(waves(9).X)).toEqual(new Float64Array(9).fill(0.1));
    expect(equal.splitCounts).toEqual(new Float64Array(3));
    const one = new HistGradientBoostingRegressor().fit([[1, 2]], [7]);
    expect(one.predict([[0, 0]])).toEqual(Float64Array.of(7));
  });

  it("learns with weights of 1e-9 what it learns with weights of 1", () => {
    const { X, y } = waves(300);
    const light = new HistGradientBoostingRegressor().fit(X, y, { sampleWeight: y.map(() => 2 ** -30) });
    const heavy = new HistGradientBoostingRegressor().fit(X, y).predict(X);
    // 1e-15 stands beside sums of twenty such weights, 2e-8, in the denominators of a hundred rounds.
    for (const [i, p] of light.predict(X).entries()) expect(Math.abs(p - heavy[i]!)).toBeLessThan(1e-6);
  });

  it("refuses targets whose squares do not fit", () => {
    const { X, y } = waves(100);
    expect(() =>
      new HistGradientBoostingRegressor().fit(
        X,
        y.map((v) => v * 1e200),
      ),
    ).toThrow(/y must be small enough for sums of squared gradients to be finite/);
  });

  it("predicts one row as many, and after each round like a fit of fewer rounds", () => {
    const { X, y } = waves(300);
    const model = new HistGradientBoostingRegressor({ maxIter: 12 }).fit(X, y);
    const together = model.predict(X);
    for (let i = 0; i < 300; i += 37) expect(model.predict([X[i]!])[0]).toBe(together[i]);
    const stages = [...model.stagedPredict(X)];
    expect(stages.length).toBe(12);
    expect(stages[11]).toEqual(together);
    expect(stages[4]).toEqual(new HistGradientBoostingRegressor({ maxIter: 5 }).fit(X, y).predict(X));
  });
});

describe("HistGradientBoostingClassifier", () => {
  const rings = (n: number, seed = 0) => {
    const { X } = waves(n, seed);
    return {
      X,
      y: X.map(([a, b]) => ["in", "mid", "out"][Math.min(2, Math.floor(2 * Math.hypot(a!, b!)))]!),
    };
  };

  it("separates rings, with a tree per class and round", () => {
    const { X, y } = rings(1500);
    const model = new HistGradientBoostingClassifier().fit(X, y);
    const test = rings(500, 1);
    expect(model.score(test.X, test.y)).toBeGreaterThan(0.93);
    expect(model.classes).toEqual(["in", "mid", "out"]);
    expect(model.nIter).toBe(100);
    expect(model.tree(99, 2).length).toBeGreaterThan(2);
    const stages = [...model.stagedPredictProba(test.X)];
    expect(stages.at(-1)).toEqual(model.predictProba(test.X));
    expect([...model.stagedPredict(test.X)].at(-1)).toEqual(model.predict(test.X));
  });

  it("reports the log loss of its own probabilities", () => {
    const { X, y } = rings(400);
    for (const labels of [y, y.map((label) => (label === "in" ? "a" : "b"))]) {
      const model = new HistGradientBoostingClassifier({ maxIter: 10 }).fit(X, labels);
      const p = model.predictProba(X);
      const loss =
        labels.reduce((s, label, i) => s - Math.log(p.at(i, model.classes.indexOf(label))), 0) / 400;
      expect(-model.trainScore[10]!).toBeCloseTo(loss, 10);
    }
  });

  it("sees which columns matter", () => {
    const { X, y } = rings(1000);
    const model = new HistGradientBoostingClassifier().fit(X, y);
    const [a, b, noise] = model.featureImportances;
    expect(a! + b! + noise!).toBeCloseTo(1, 12);
    expect(Math.min(a!, b!)).toBeGreaterThan(5 * noise!);
    expect(model.splitCounts.reduce((s, v) => s + v, 0)).toBeGreaterThan(1000);
  });

  it("stops when held-out rows no longer gain, and by itself with more than 10,000 rows", () => {
    const random = new Random(1);
    const X = Array.from({ length: 1000 }, () => [random.normal(), random.normal()]);
    const y = X.map(([a]) => (a! + 2 * random.normal() > 0 ? 1 : 0));
    const model = new HistGradientBoostingClassifier({ earlyStopping: true, nIterNoChange: 5 }).fit(X, y);
    expect(model.nIter).toBeLessThan(60);
    expect(model.validationScore.length).toBe(model.nIter + 1);
    expect(model.report.converged).toBe(true);
    const last = Array.from(model.validationScore.slice(-5));
    expect(Math.max(...last)).toBeLessThanOrEqual(model.validationScore.at(-6)! + 1e-7);
    const many = Matrix.zeros(10_001, 1);
    for (let i = 0; i < many.rows; i++) many.data[i] = random.normal();
    const noise = Array.from({ length: many.rows }, () => random.below(2));
    expect(new HistGradientBoostingClassifier().fit(many, noise).nIter).toBeLessThan(100);
    expect(
      new HistGradientBoostingClassifier({ maxIter: 20, earlyStopping: false }).fit(many, noise).nIter,
    ).toBe(20);
  });

  it("stops by the training loss where no rows are held out", () => {
    const { X, y } = rings(300);
    const model = new HistGradientBoostingClassifier({
      earlyStopping: true,
      validationFraction: null,
      tol: 0.05,
      nIterNoChange: 2,
    }).fit(X, y);
    expect(model.validationScore.length).toBe(0);
    expect(model.nIter).toBeLessThan(50);
  });

  it("warns if the loss was still falling at the last round", () => {
    const { X, y } = rings(400);
    const { report } = new HistGradientBoostingClassifier({ earlyStopping: true, maxIter: 3 }).fit(X, y);
    expect(report.converged).toBe(false);
    expect(report.warnings).toHaveLength(1);
  });

  it("has the same bits with one thread and with many, held-out rows included", () => {
    const { X, y } = rings(20_000);
    const model = () =>
      saveModel(new HistGradientBoostingClassifier({ maxIter: 15, earlyStopping: true }).fit(X, y));
    assumeCores(4);
    setThreads(4);
    model();
    const many = model();
    assumeCores(undefined);
    setThreads(1);
    expect(model()).toEqual(many);
  });

  it("weighs classes", () => {
    const { X, y } = rings(600);
    const rare = y.map((label) => (label === "in" ? "rare" : "common"));
    const share = (classWeight: "balanced" | null) =>
      new HistGradientBoostingClassifier({ classWeight, maxIter: 2 })
        .fit(X, rare)
        .predictProba(X)
        .column(1)
        .reduce((s, p) => s + p, 0) / 600;
    expect(share("balanced")).toBeGreaterThan(share(null) + 0.1);
  });

  it("takes one row a class, and refuses directions for more than two", () => {
    const model = new HistGradientBoostingClassifier().fit([[0], [1], [2]], ["a", "b", "c"]);
    expect(
      model
        .predictProba([[1]])
        .toArray()[0]!
        .map((p) => p.toFixed(9)),
    ).toEqual(Array(3).fill("0.333333333"));
    expect(() =>
      new HistGradientBoostingClassifier({ monotonicCst: [1] }).fit([[0], [1], [2]], ["a", "b", "c"]),
    ).toThrow(/not monotone in the probabilities/);
    const two = new HistGradientBoostingClassifier({ monotonicCst: [1], minSamplesLeaf: 1 });
    expect(two.fit([[0], [1]], ["a", "b"]).predict([[0], [1]])).toEqual(["a", "b"]);
  });

  it("gives the model of every round while it learns", () => {
    const { X, y } = rings(200);
    const seen: number[] = [];
    for (const step of new HistGradientBoostingClassifier({ maxIter: 4 }).steps(X, y)) {
      seen.push(step.model().nIter);
      expect(step.objective).toBe(step.model().report.objective);
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});
