import { describe, expect, it } from "vitest";
import { sameOnThreads } from "../../test/support/grown-on-threads.js";
import { AbortError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { makeClassification } from "../data/generators/index.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { trainTestSplit } from "../selection/index.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "./index.js";

describe("forests", () => {
  it.each([RandomForestClassifier, ExtraTreesClassifier])(
    "classify better than one tree: %o",
    async (Forest) => {
      const { X, y } = await loadDataset("digits");
      const { train, test } = trainTestSplit(X, y, { testSize: 0.3, stratify: true });
      const model = new Forest({ nEstimators: 50 }).fit(train.X, train.y);
      expect(model.score(test.X, test.y)).toBeGreaterThan(0.95);
      const p = model.predictProba(test.X);
      for (let i = 0; i < p.rows; i++) expect(p.row(i).reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
      expect(model.featureImportances.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
      expect(model.trees.length).toBe(50);
    },
  );

  it("grow the same on one thread and on two, and differ by seed", () => {
    const { X, y } = makeClassification({ nSamples: 800, nFeatures: 10, randomState: 1 });
    sameOnThreads((randomState) =>
      new RandomForestClassifier({ nEstimators: 7, randomState }).fit(X, y).trees.map((tree) => tree.grown),
    );
  });

  describe("that are resumed", () => {
    const { X, y } = makeClassification({ nSamples: 120, nFeatures: 5, randomState: 2 });
    const sampleWeight = Float64Array.from(y, (_, i) => 1 + (i % 3));
    const numbers = X.column(0).map((value, i) => value + y[i]!);
    const targets = Matrix.fromRows(Array.from(numbers, (value, i) => [value, X.column(1)[i]!]));

    it("are the forests of all trees at once, bit for bit", () => {
      const classify = [RandomForestClassifier, ExtraTreesClassifier] as const;
      for (const Forest of classify) {
        const params = { bootstrap: true, randomState: 5 };
        const few = new Forest({ ...params, nEstimators: 3 }).fit(X, y, { sampleWeight });
        const all = new Forest({ ...params, nEstimators: 8 });
        const resume = loadModel(saveModel(few), Forest) as typeof few;
        expect(saveModel(all.fit(X, y, { sampleWeight, resume }))).toEqual(
          saveModel(all.fit(X, y, { sampleWeight })),
        );
      }
      for (const Forest of [RandomForestRegressor, ExtraTreesRegressor]) {
        for (const criterion of ["squaredError", "absoluteError"] as const) {
          const few = new Forest({ criterion, nEstimators: 2 });
          const all = new Forest({ criterion, nEstimators: 5 });
          const resumed = all.fit(X, numbers, { resume: few.fit(X, numbers) });
          expect(saveModel(resumed)).toEqual(saveModel(all.fit(X, numbers)));
        }
        const all = new Forest({ nEstimators: 4 });
        const resume = new Forest({ nEstimators: 1 }).fit(X, targets);
        expect(saveModel(all.fit(X, targets, { resume }))).toEqual(saveModel(all.fit(X, targets)));
      }
    });

    it("are scored out of bag as forests of all trees at once", () => {
      const params = { oobScore: true, bootstrap: true, randomState: 1 };
      const data = [X, CsrMatrix.fromDense(X)];
      for (const rows of data) {
        for (const Forest of [RandomForestClassifier, ExtraTreesClassifier]) {
          const few = new Forest({ ...params, nEstimators: 20 }).fit(rows, y);
          const all = new Forest({ ...params, nEstimators: 50 });
          const resume = loadModel(saveModel(few), Forest) as typeof few;
          expect(saveModel(all.fit(rows, y, { resume }))).toEqual(saveModel(all.fit(rows, y)));
        }
        const few = new RandomForestRegressor({ ...params, nEstimators: 20 }).fit(rows, numbers);
        const all = new RandomForestRegressor({ ...params, nEstimators: 50 });
        expect(all.fit(rows, numbers, { resume: few }).oobScore).toBe(all.fit(rows, numbers).oobScore);
      }
    });

    it("have no out-of-bag score if it is not known which rows the first trees have drawn", () => {
      const params = { oobScore: true, nEstimators: 20, randomState: 1 };
      const all = new RandomForestClassifier({ ...params, nEstimators: 30 });
      const scoreAfter = (first: RandomForestClassifier, x = X) =>
        all.fit(X, y, { resume: first.fit(x, y) }).oobScore;
      expect(scoreAfter(new RandomForestClassifier(params))).toBeDefined();
      expect(scoreAfter(new RandomForestClassifier({ ...params, oobScore: false }))).toBeUndefined();
      expect(scoreAfter(new RandomForestClassifier({ ...params, randomState: 2 }))).toBeUndefined();
      expect(scoreAfter(new RandomForestClassifier({ ...params, maxSamples: 0.5 }))).toBeUndefined();
      const reversed = X.selectRows(Array.from({ length: X.rows }, (_, i) => X.rows - 1 - i));
      const unknown = all.fit(X, y, { resume: new RandomForestClassifier(params).fit(reversed, y) });
      expect(unknown.oobScore).toBeUndefined();
      const more = new RandomForestClassifier({ ...params, nEstimators: 40 });
      expect(more.fit(X, y, { resume: unknown }).oobScore).toBeUndefined();
    });

    it("begin their steps where the model ends, and may have nothing left to do", () => {
      const forest = new RandomForestClassifier({ nEstimators: 4 });
      const resume = new RandomForestClassifier({ nEstimators: 2 }).fit(X, y);
      expect([...forest.steps(X, y, { resume })].map(({ iteration }) => iteration)).toEqual([3, 4]);
      const whole = forest.fit(X, y, { resume });
      expect(forest.fit(X, y, { resume: whole }).trees).toEqual(whole.trees);
    });

    it("refuse a model of something else", () => {
      const forest = new RandomForestClassifier({ nEstimators: 4 });
      const fitted = forest.fit(X, y);
      const refused = (resume: unknown, x = X, labels: ArrayLike<unknown> = y) =>
        expect(() => forest.fit(x, labels as Int32Array, { resume: resume as never }));
      refused({}).toThrow(/resume must be a fitted forest/);
      refused(new ExtraTreesClassifier({ nEstimators: 2 }).fit(X, y)).toThrow(
        /a model of RandomForestClassifier/,
      );
      refused(new RandomForestRegressor({ nEstimators: 2 }).fit(X, numbers)).toThrow(
        /got one of RandomForestRegressor/,
      );
      refused(new RandomForestClassifier({ nEstimators: 5 }).fit(X, y)).toThrow(
        /at most nEstimators trees \(4\)/,
      );
      refused(fitted, X.selectColumns([0, 1])).toThrow(/a model of the same columns/);
      refused(fitted, X, Array.from(y, String)).toThrow(/a model of the classes of y/);
      const regressor = new RandomForestRegressor({ nEstimators: 4 });
      const one = regressor.fit(X, numbers);
      expect(() => regressor.fit(X, targets, { resume: one as never })).toThrow(
        /1 values per leaf instead of 2/,
      );
    });
  });

  it("have an out-of-bag score close to that of a test set", async () => {
    const { X, y } = await loadDataset("breastCancer");
    const { train, test } = trainTestSplit(X, y, { testSize: 0.4, stratify: true });
    const model = new RandomForestClassifier({ oobScore: true }).fit(train.X, train.y);
    expect(model.oobScore!).toBeGreaterThan(0.92);
    // Two estimates of one accuracy from some 230 and 340 rows: three standard errors.
    expect(Math.abs(model.oobScore! - model.score(test.X, test.y))).toBeLessThan(0.05);
    expect(() => new RandomForestClassifier({ oobScore: true, bootstrap: false })).toThrow(/bootstrap/);
    expect(new RandomForestClassifier({ nEstimators: 2 }).fit(train.X, train.y).oobScore).toBeUndefined();
  });

  it.each([RandomForestClassifier, ExtraTreesClassifier, RandomForestRegressor, ExtraTreesRegressor])(
    "refuse to draw fewer rows where they draw none: %o",
    (Forest) => {
      expect(() => new Forest({ bootstrap: false, maxSamples: 0.5 })).toThrow(
        "maxSamples must be null without bootstrap, when every tree is grown on all rows, got 0.5. Set bootstrap to true.",
      );
      const X = Array.from({ length: 40 }, (_, i) => [i]);
      const y = X.map(([v]) => (v! < 20 ? 0 : 1));
      const forest = new Forest({ nEstimators: 3, bootstrap: true, maxSamples: 5 });
      const few = (forest as RandomForestRegressor).fit(X, y);
      for (const { grown } of few.trees) expect(grown.weights[0]).toBe(5);
    },
  );

  it.each([RandomForestRegressor, ExtraTreesRegressor])("regress: %o", (Forest) => {
    const random = new Random(4);
    const X = new Matrix(
      Float64Array.from({ length: 1000 * 5 }, () => random.uniform()),
      1000,
      5,
    );
    // Friedman's first function.
    const y = Float64Array.from({ length: 1000 }, (_, i) => {
      const [a, b, c, d, e] = X.row(i);
      return 10 * Math.sin(Math.PI * a! * b!) + 20 * (c! - 0.5) ** 2 + 10 * d! + 5 * e! + random.normal();
    });
    const { train, test } = trainTestSplit(X, y, { testSize: 0.4 });
    const model = new Forest({ nEstimators: 40 }).fit(train.X, train.y);
    expect(model.score(test.X, test.y)).toBeGreaterThan(0.8);
  });

  it.each([
    new RandomForestClassifier({ nEstimators: 6, oobScore: true }),
    new ExtraTreesClassifier({ nEstimators: 6 }),
    new RandomForestRegressor({ nEstimators: 6, ccpAlpha: 0.01 }),
    new ExtraTreesRegressor({ nEstimators: 6 }),
  ])("can be watched tree by tree: $id", (estimator) => {
    const { X, y } = makeClassification({ nSamples: 120, nFeatures: 4, randomState: 1 });
    const steps = estimator.steps(X, y);
    const seen: number[] = [];
    let third: { readonly trees: readonly unknown[]; predict(x: Matrix): ArrayLike<unknown> } | undefined;
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      seen.push(step.value.iteration);
      expect(step.value.total).toBe(6);
      if (step.value.iteration === 3) third = step.value.model();
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    const whole = (estimator as RandomForestRegressor).fit(X, y);
    expect(step.value.toState()).toEqual(whole.toState());
    // The first trees are those of a smaller forest.
    const smaller = new (estimator.constructor as typeof ExtraTreesRegressor)({
      ...(estimator.params as object),
      nEstimators: 3,
    }).fit(X, y);
    expect(third!.trees.length).toBe(3);
    expect(third!.predict(X)).toEqual(smaller.predict(X));
  });

  it("predict many rows, in groups of trees, as each row by itself", () => {
    const random = new Random(9);
    const n = 20_000;
    const X = new Matrix(
      Float64Array.from({ length: n * 4 }, () => random.normal()),
      n,
      4,
    );
    const y = Int32Array.from({ length: n }, () => random.below(3));
    // Classes independent of X: large trees, half a million nodes together.
    const whole = new ExtraTreesClassifier({ nEstimators: 12 }).fit(X, y);
    expect(whole.trees.reduce((sum, tree) => sum + tree.nodeCount, 0)).toBeGreaterThan(2 ** 18);
    // Numbered where the gain was greatest, not branch by branch; and with gaps.
    const bestFirst = new RandomForestClassifier({ nEstimators: 5, maxLeafNodes: 300 }).fit(X, y);
    const some = X.selectRows(Int32Array.from({ length: 3001 }, (_, i) => 5 * i));
    const gaps = new Matrix(some.data.slice(), some.rows, some.cols);
    for (let e = 0; e < gaps.data.length; e += 7) gaps.data[e] = Number.NaN;
    for (const model of [whole, bestFirst]) {
      for (const rows of [some, gaps]) {
        const p = model.predictProba(rows);
        const leaves = model.apply(rows);
        for (let i = 0; i < rows.rows; i += 97) {
          expect(Array.from(p.row(i))).toEqual(Array.from(model.predictProba([rows.row(i)]).row(0)));
          expect(Array.from(leaves.row(i))).toEqual(Array.from(model.apply([rows.row(i)]).row(0)));
        }
      }
    }
  });

  it("give the nodes that each row passes in every tree, from the root to the leaf of apply", () => {
    const random = new Random(5);
    const X = new Matrix(
      Float64Array.from({ length: 300 }, () => random.normal()),
      100,
      3,
    );
    const y = Int32Array.from({ length: 100 }, () => random.below(3));
    const model = new RandomForestClassifier({ nEstimators: 4 }).fit(X, y);
    const leaves = model.apply(X);
    const paths = model.decisionPath(X);
    expect(paths.length).toBe(4);
    for (const [t, { grown }] of model.trees.entries()) {
      for (const [i, path] of paths[t]!.entries()) {
        expect([path[0], path.at(-1)]).toEqual([0, leaves.at(i, t)]);
        for (let s = 1; s < path.length; s++)
          expect([grown.lefts[path[s - 1]!], grown.rights[path[s - 1]!]]).toContain(path[s]);
      }
    }
  });

  it.each([2, 3])("split by drawn thresholds so that every node has its rows: %i classes", (classes) => {
    const random = new Random(classes);
    const n = 3000;
    const X = new Matrix(
      Float64Array.from({ length: n * 3 }, () => random.normal()),
      n,
      3,
    );
    const y = Int32Array.from({ length: n }, (_, i) =>
      X.at(i, 0) + random.normal() > 0 ? random.below(classes) : 0,
    );
    const sampleWeight = Float64Array.from({ length: n }, () => random.below(3));
    for (const weight of [undefined, sampleWeight]) {
      const { grown } = new ExtraTreesClassifier({ nEstimators: 1, maxFeatures: null }).fit(X, y, {
        ...(weight ? { sampleWeight: weight } : {}),
      }).trees[0]!;
      // Rows per node, from the root on: counts, weights and class proportions must be those of its rows.
      const rowsOf: number[][] = [
        Array.from({ length: n }, (_, i) => i).filter((i) => weight === undefined || weight[i]! > 0),
      ];
      for (let k = 0; k < grown.features.length; k++) {
        const own = rowsOf[k]!;
        const total = own.reduce((sum, i) => sum + (weight?.[i] ?? 1), 0);
        expect(grown.counts[k]).toBe(own.length);
        expect(grown.weights[k]).toBeCloseTo(total, 9);
        for (let c = 0; c < classes; c++) {
          const proportion = own.reduce((sum, i) => sum + (y[i] === c ? (weight?.[i] ?? 1) : 0), 0) / total;
          expect(grown.values[k * classes + c]).toBeCloseTo(proportion, 12);
        }
        if (grown.features[k]! < 0) continue;
        const goesLeft = (i: number) => X.at(i, grown.features[k]!) <= grown.thresholds[k]!;
        rowsOf[grown.lefts[k]!] = own.filter(goesLeft);
        rowsOf[grown.rights[k]!] = own.filter((i) => !goesLeft(i));
      }
    }
  });

  it("stop at a signal, between two trees", () => {
    const { X, y } = makeClassification({ nSamples: 60, nFeatures: 4, randomState: 1 });
    const abort = new AbortController();
    const onProgress = ({ iteration }: { readonly iteration: number }) => {
      if (iteration === 2) abort.abort();
    };
    const fit = () => new RandomForestClassifier().fit(X, y, { signal: abort.signal, onProgress });
    expect(fit).toThrow(AbortError);
  });

  it("have no out-of-bag score where hardly a row was left out", () => {
    const oob = { nEstimators: 1, oobScore: true };
    const scores: unknown[] = [];
    for (let randomState = 0; randomState < 20; randomState++) {
      const classifier = new RandomForestClassifier({ ...oob, randomState }).fit([[0], [1]], ["a", "b"]);
      const regressor = new RandomForestRegressor({ ...oob, randomState }).fit([[0], [1]], [0, 1]);
      for (const model of [classifier, regressor]) {
        const again = loadModel(saveModel(model)) as typeof classifier;
        expect(again.oobScore).toEqual(model.oobScore);
        scores.push(model.oobScore);
      }
    }
    expect(scores).toContain(undefined);
    expect(scores.some(Number.isFinite)).toBe(true);
  });
});
