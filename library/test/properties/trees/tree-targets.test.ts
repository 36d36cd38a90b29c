import {
  CsrMatrix,
  DecisionTreeRegressor,
  ExtraTreesRegressor,
  FittedForestTargets,
  FittedTreeTargets,
  loadModel,
  Matrix,
  Random,
  RandomForestRegressor,
  saveModel,
  Table,
  type Tree,
} from "argmax";
import { describe, expect, it } from "vitest";

interface Rows {
  readonly X: number[][];
  readonly Y: number[][];
  readonly weights: number[] | undefined;
}

type Kind = "numbers" | "missing" | "holes" | "categories";

/** Rows whose columns have few values, so that there are ties, and targets that depend on them. */
function problem(kind: Kind, q: number, n: number, seed: number, weighted: boolean): Rows {
  const random = new Random(seed);
  const value = () => {
    if (kind === "categories") return Math.floor(5 * random.uniform());
    if (kind === "missing" && random.uniform() < 0.2) return Number.NaN;
    if (kind === "holes" && random.uniform() < 0.7) return 0;
    return Math.round(4 * random.normal()) / 4;
  };
  const X = Array.from({ length: n }, () => Array.from({ length: 4 }, value));
  const Y = X.map((x) =>
    Array.from({ length: q }, (_, t) => {
      const seen = x[t % 4]!;
      const signal = Number.isNaN(seen)
        ? 2
        : kind === "categories"
          ? [0, 3, 1, -2, 1][seen]!
          : Math.abs(seen - t / 2);
      return 5 + (t + 1) * signal + random.normal();
    }),
  );
  return { X, Y, weights: weighted ? X.map(() => 1 + Math.floor(3 * random.uniform())) : undefined };
}

const total = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0);

/** Weight and mean targets of some rows, and the mean over the targets of their variances. */
function summary({ Y, weights }: Rows, rows: readonly number[]) {
  const weight = total(rows.map((i) => weights?.[i] ?? 1));
  const mean = Y[0]!.map((_, t) => total(rows.map((i) => (weights?.[i] ?? 1) * Y[i]![t]!)) / weight);
  const errors = rows.map((i) => (weights?.[i] ?? 1) * total(mean.map((m, t) => (Y[i]![t]! - m) ** 2)));
  return { weight, mean, impurity: total(errors) / (weight * mean.length) };
}

/** Checks all nodes against their rows; returns the rows of each. */
function checkNodes(
  model: FittedTreeTargets | { tree: Tree },
  paths: readonly Int32Array[],
  data: Rows,
): number[][] {
  const rows = Array.from({ length: model.tree.nodeCount }, (): number[] => []);
  for (const [i, path] of paths.entries()) for (const k of path) rows[k]!.push(i);
  for (const [k, own] of rows.entries()) {
    const node = model.tree.node(k);
    const { weight, mean, impurity } = summary(data, own);
    expect(node.count).toBe(own.length);
    expect(node.weight).toBeCloseTo(weight, 9);
    expect(node.impurity).toBeCloseTo(impurity, 9);
    for (const [t, m] of mean.entries()) expect(node.value[t]).toBeCloseTo(m, 9);
  }
  return rows;
}

/** The largest decrease of the impurity over all thresholds, with missing values on either side. */
function bestDecrease(data: Rows, rows: readonly number[], minLeaf: number): number {
  let best = -Infinity;
  for (let j = 0; j < data.X[0]!.length; j++) {
    const present = rows.filter((i) => !Number.isNaN(data.X[i]![j]!));
    const missing = rows.filter((i) => Number.isNaN(data.X[i]![j]!));
    const values = [...new Set(present.map((i) => data.X[i]![j]!))];
    for (const value of values) {
      const below = present.filter((i) => data.X[i]![j]! <= value);
      const above = present.filter((i) => data.X[i]![j]! > value);
      for (const [left, right] of [
        [below, [...above, ...missing]],
        [[...below, ...missing], above],
      ] as const)
        best = Math.max(best, decreaseOf(data, rows, left, right, minLeaf));
    }
  }
  return best;
}

function decreaseOf(
  data: Rows,
  all: readonly number[],
  left: readonly number[],
  right: readonly number[],
  minLeaf: number,
) {
  if (left.length < minLeaf || right.length < minLeaf) return -Infinity;
  const [p, l, r] = [summary(data, all), summary(data, left), summary(data, right)];
  return p.impurity - (l.weight / p.weight) * l.impurity - (r.weight / p.weight) * r.impurity;
}

/** The largest decrease over splits of categories into those with small and with large means of one of the targets. */
function bestCategories(data: Rows, rows: readonly number[], minLeaf: number): number {
  let best = -Infinity;
  for (let j = 0; j < data.X[0]!.length; j++) {
    const groups = [0, 1, 2, 3, 4]
      .map((c) => rows.filter((i) => data.X[i]![j] === c))
      .filter((g) => g.length > 0);
    for (let t = 0; t < data.Y[0]!.length; t++) {
      const sorted = [...groups].sort((a, b) => summary(data, a).mean[t]! - summary(data, b).mean[t]!);
      for (let c = 1; c < sorted.length; c++)
        best = Math.max(
          best,
          decreaseOf(data, rows, sorted.slice(0, c).flat(), sorted.slice(c).flat(), minLeaf),
        );
    }
  }
  return best;
}

const expectBest = (
  model: { tree: Tree },
  rows: number[][],
  data: Rows,
  best: typeof bestDecrease,
  minLeaf: number,
) => {
  for (const [k, own] of rows.entries()) {
    const { split, impurity } = model.tree.node(k);
    if (split) {
      const found = decreaseOf(data, own, rows[split.left]!, rows[split.right]!, minLeaf);
      expect(found).toBeCloseTo(best(data, own, minLeaf), 9);
    } else if (impurity > 1e-9) expect(best(data, own, minLeaf)).toBe(-Infinity);
  }
};

describe("trees of several targets", () => {
  for (const q of [2, 3, 5]) {
    for (const weighted of [false, true]) {
      for (const kind of ["numbers", "missing"] as const) {
        it(`split ${kind} where the mean error of ${q} targets decreases most${weighted ? ", weighted" : ""}`, () => {
          for (let seed = 1; seed <= 4; seed++) {
            const data = problem(kind, q, 50, seed, weighted);
            const params = { minSamplesLeaf: seed, ...(seed === 3 ? { maxLeafNodes: 50 } : {}) };
            const model = new DecisionTreeRegressor(params).fit(data.X, data.Y, {
              sampleWeight: data.weights,
            });
            const rows = checkNodes(model, model.decisionPath(data.X), data);
            expectBest(model, rows, data, bestDecrease, seed);
          }
        });
      }

      it(`split categories by the mean of one of ${q} targets${weighted ? ", weighted" : ""}`, () => {
        for (let seed = 1; seed <= 4; seed++) {
          const data = problem("categories", q, 60, seed, weighted);
          const params = { minSamplesLeaf: seed, categoricalFeatures: [0, 1, 2, 3] };
          const model = new DecisionTreeRegressor(params).fit(data.X, data.Y, { sampleWeight: data.weights });
          const rows = checkNodes(model, model.decisionPath(data.X), data);
          expectBest(model, rows, data, bestCategories, seed);
        }
      });

      it(`are the same for sparse rows: ${q} targets${weighted ? ", weighted" : ""}`, () => {
        for (let seed = 1; seed <= 4; seed++) {
          const { X, Y, weights: sampleWeight } = problem("holes", q, 80, seed, weighted);
          // Targets of few digits: sums are exact in any order, and so are ties.
          const exact = Y.map((row) => row.map((y) => Math.round(16 * y) / 16));
          const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
          for (const splitter of ["best", "random"] as const) {
            const tree = new DecisionTreeRegressor({ splitter, maxDepth: 6, randomState: seed });
            const model = tree.fit(sparse, exact, { sampleWeight });
            const dense = tree.fit(X, exact, { sampleWeight });
            expect(model.rules()).toBe(dense.rules());
            checkNodes(model, model.decisionPath(sparse), { X, Y: exact, weights: sampleWeight });
          }
        }
      });

      it(`have the sums of their rows with random thresholds: ${q} targets${weighted ? ", weighted" : ""}`, () => {
        for (const kind of ["numbers", "missing", "categories"] as const) {
          const data = problem(kind, q, 300, 7, weighted);
          const categoricalFeatures = kind === "categories" ? [0, 2] : [];
          const tree = new DecisionTreeRegressor({ splitter: "random", categoricalFeatures });
          const model = tree.fit(data.X, data.Y, { sampleWeight: data.weights });
          checkNodes(model, model.decisionPath(data.X), data);
        }
      });
    }

    it(`treat weights as repeated rows: ${q} targets`, () => {
      const { X, Y, weights } = problem("numbers", q, 60, 3, true);
      const exact = Y.map((row) => row.map((y) => Math.round(16 * y) / 16));
      const repeat = <T>(rows: readonly T[]) =>
        rows.flatMap((row, i) => Array(weights![i]!).fill(row) as T[]);
      const tree = new DecisionTreeRegressor({ maxDepth: 4 });
      const model = tree.fit(X, exact, { sampleWeight: weights });
      expect(model.predict(X).data).toEqual(tree.fit(repeat(X), repeat(exact)).predict(X).data);
    });

    it(`of equal targets are the tree of one: ${q} targets`, () => {
      const { X, Y } = problem("missing", 1, 120, 5, false);
      const y = Y.map(([v]) => Math.round(16 * v!) / 16);
      const copies = y.map((v) => Array<number>(q).fill(v));
      for (const splitter of ["best", "random"] as const) {
        for (const criterion of ["squaredError", "poisson"] as const) {
          if (criterion === "poisson" && Math.min(...y) < 0) throw new Error("the targets must be positive");
          const tree = new DecisionTreeRegressor({ splitter, criterion, maxDepth: 5, minSamplesLeaf: 4 });
          const [model, one] = [tree.fit(X, copies), tree.fit(X, y)];
          const predicted = model.predict(X);
          for (const [i, v] of one.predict(X).entries()) expect(predicted.at(i, q - 1)).toBeCloseTo(v, 10);
          for (const [j, v] of one.featureImportances.entries())
            expect(model.featureImportances[j]).toBeCloseTo(v, 9);
        }
      }
    });
  }

  it("are pruned by the mean impurity of the targets", () => {
    const data = problem("numbers", 3, 80, 2, false);
    const whole = new DecisionTreeRegressor().fit(data.X, data.Y);
    const { alphas, leaves } = whole.costComplexityPath();
    const middle = Math.floor(alphas.length / 2);
    const pruned = new DecisionTreeRegressor({ ccpAlpha: alphas[middle]! * (1 + 1e-12) }).fit(data.X, data.Y);
    expect(pruned.leafCount).toBe(leaves[middle]);
    checkNodes(pruned, pruned.decisionPath(data.X), data);
    expect(pruned.apply(data.X)).toEqual(
      Int32Array.from(pruned.decisionPath(data.X), (path) => path.at(-1)!),
    );
  });

  it("of constant targets are a leaf", () => {
    const model = new DecisionTreeRegressor().fit(
      [[1], [2], [3]],
      [
        [0.1, 7],
        [0.1, 7],
        [0.1, 7],
      ],
    );
    expect(model.leafCount).toBe(1);
    expect([...model.predict([[5]]).data]).toEqual([0.1, 7]);
  });

  it("refuse criteria and counts that they have no meaning for", () => {
    const { X, Y } = problem("numbers", 2, 10, 1, false);
    for (const Regressor of [DecisionTreeRegressor, RandomForestRegressor, ExtraTreesRegressor]) {
      expect(() => new Regressor({ criterion: "absoluteError" }).fit(X, Y)).toThrow(
        /criterion must be "squaredError" or "poisson" for several targets, got "absoluteError"/,
      );
      const negative = Y.map(([a, b], i) => [Math.abs(a!), i === 3 ? -1 : Math.abs(b!)]);
      expect(() => new Regressor({ criterion: "poisson" }).fit(X, negative)).toThrow(
        /Y\[3\]\[1\] must be ≥ 0/,
      );
      const zeros = Y.map(([a]) => [Math.abs(a!), 0]);
      expect(() => new Regressor({ criterion: "poisson" }).fit(X, zeros)).toThrow(
        /column 1 of Y must be ≥ 0/,
      );
      const huge = Y.map(([a], i) => [a!, i * 1e150]);
      expect(() => new Regressor().fit(X, huge)).toThrow(/column 1 of Y must be within 1e\+148 of its mean/);
    }
  });
});

describe("forests of several targets", () => {
  const data = problem("numbers", 3, 400, 11, false);
  const names = Table.fromRows(data.Y.map(([a, b, c]) => ({ a: a!, b: b!, c: c! })));

  for (const Forest of [RandomForestRegressor, ExtraTreesRegressor]) {
    it(`predict the mean of their trees: ${Forest.id}`, () => {
      for (const maxFeatures of [null, 2]) {
        const model = new Forest({ nEstimators: 8, maxDepth: 5, maxFeatures }).fit(data.X, names);
        expect(model).toBeInstanceOf(FittedForestTargets);
        const leaves = model.apply(data.X);
        const predicted = model.predict(data.X);
        for (let i = 0; i < 400; i += 37) {
          for (let t = 0; t < 3; t++) {
            const values = model.trees.map((tree, e) => tree.node(leaves.at(i, e)).value[t]!);
            expect(predicted.at(i, t)).toBeCloseTo(total(values) / 8, 10);
          }
        }
        // One row alone has the same prediction as in a batch.
        expect([...model.predict([data.X[5]!]).data]).toEqual(Array.from(predicted.row(5)));
        expect(model.targetNames).toEqual(["a", "b", "c"]);
        expect(total([...model.featureImportances])).toBeCloseTo(1, 10);
      }
    });

    it(`have nodes with the sums of all rows without bootstrap: ${Forest.id}`, () => {
      for (const kind of ["numbers", "missing", "categories"] as const) {
        const own = problem(kind, 3, 300, 4, true);
        const categoricalFeatures = kind === "categories" ? [1, 3] : [];
        const forest = new Forest({ nEstimators: 3, bootstrap: false, maxFeatures: 2, categoricalFeatures });
        const model = forest.fit(own.X, own.Y, { sampleWeight: own.weights });
        const paths = model.decisionPath(own.X);
        for (const [e, tree] of model.trees.entries()) checkNodes({ tree }, paths[e]!, own);
      }
    });

    it(`survive saving and loading: ${Forest.id}`, () => {
      const model = new Forest({ nEstimators: 5, maxDepth: 4, bootstrap: true, oobScore: true }).fit(
        data.X,
        names,
      );
      const back = loadModel(saveModel(model), FittedForestTargets);
      expect(back.predict(data.X).data).toEqual(model.predict(data.X).data);
      expect(back.oobScore).toBe(model.oobScore);
      expect(back.targetNames).toEqual(["a", "b", "c"]);
      expect(String(back)).toBe(String(model));
      expect(() => loadModel(saveModel(model), Forest)).toThrow(
        new RegExp(
          `It was fitted by ${Forest.id} to several targets: load it with loadModel\\(bytes, FittedForestTargets\\)`,
        ),
      );
    });

    it(`are the same for sparse rows: ${Forest.id}`, () => {
      const { X, Y } = problem("holes", 3, 200, 6, false);
      const exact = Y.map((row) => row.map((y) => Math.round(16 * y) / 16));
      const forest = new Forest({ nEstimators: 4, maxDepth: 6 });
      const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
      expect(forest.fit(sparse, exact).predict(X).data).toEqual(forest.fit(X, exact).predict(X).data);
    });
  }

  it("report the mean out-of-bag R² of the targets", () => {
    const forest = { nEstimators: 40, oobScore: true, randomState: 3 };
    const model = new RandomForestRegressor(forest).fit(data.X, data.Y);
    const fresh = problem("numbers", 3, 400, 12, false);
    // Both estimate the R² of unseen rows; 400 of them determine it to about 0.03.
    expect(Math.abs(model.oobScore! - model.score(fresh.X, fresh.Y))).toBeLessThan(0.1);
    const equal = data.Y.map(([a]) => [a!, a!]);
    const one = new RandomForestRegressor(forest).fit(
      data.X,
      data.Y.map(([a]) => a!),
    );
    expect(new RandomForestRegressor(forest).fit(data.X, equal).oobScore).toBeCloseTo(one.oobScore!, 8);
  });

  it("restore a tree of several targets by its class", () => {
    const model = new DecisionTreeRegressor({ maxDepth: 3 }).fit(data.X, names);
    const back = loadModel(saveModel(model), FittedTreeTargets);
    expect(back.rules()).toBe(model.rules());
    expect(back.targetNames).toEqual(["a", "b", "c"]);
    expect(() => loadModel(saveModel(model), DecisionTreeRegressor)).toThrow(
      /loadModel\(bytes, FittedTreeTargets\)/,
    );
  });
});
