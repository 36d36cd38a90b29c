import { describe, expect, it } from "vitest";
import { HistGradientBoostingRegressor } from "../../boosting/index.js";
import { tableVectorizer } from "../../compose/index.js";
import type { Progress } from "../../core/contract.js";
import { AbortError, DataError, ParameterError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { KernelRidge } from "../../kernel-methods/index.js";
import { LinearRegression, LogisticRegression, Ridge } from "../../linear/index.js";
import { KNeighborsRegressor } from "../../neighbors/index.js";
import { estimatorFromJson, loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { crossValScore, GridSearch } from "../../selection/index.js";
import { DecisionTreeRegressor } from "../../trees/index.js";
import { FittedRegressorOutputs, MultiOutputRegressor, RegressorChain } from "../index.js";

const X = Array.from({ length: 30 }, (_, i) => [i % 7, (i * i) % 11, (3 * i) % 5]);
/** The second target is the first and a little of X: a chain has it exactly. */
const first = X.map(([a, b]) => (a! > 3 ? 10 : 0) + b!);
const Y = X.map(([, , c], i) => [first[i]!, 2 * first[i]! - c!]);
const column = (t: number) => Y.map((row) => row[t]!);
const sampleWeight = X.map((_, i) => i % 3);
const nearest = new KNeighborsRegressor({ nNeighbors: 3 });

describe("MultiOutputRegressor", () => {
  it.each([
    ["numbers", X],
    ["sparse rows", CsrMatrix.fromDense(Matrix.fromRows(X))],
  ])("predicts every target as a model of its own does, with weights: %s", (_, x) => {
    const ridge = new Ridge({ alpha: 2 });
    const model = new MultiOutputRegressor({ estimator: ridge }).fit(x, Y, { sampleWeight });
    for (const t of [0, 1]) {
      const alone = ridge.fit(x, column(t), { sampleWeight });
      expect(model.predict(x).column(t)).toEqual(alone.predict(x));
    }
    expect([model.nTargets, model.estimators.length, model.order]).toEqual([2, 2, undefined]);
  });

  it("takes a list as one target", () => {
    const model = new MultiOutputRegressor({ estimator: nearest }).fit(X, column(0));
    expect(model.predict(X)).toEqual(nearest.fit(X, column(0)).predict(X));
  });

  it("takes tables with categories, gaps and names, and finds their columns by name", () => {
    const table = Table.fromRows(
      X.map(([a, b], i) => ({ a: i % 4 === 0 ? null : a!, town: "xyz"[b! % 3]! })),
    );
    const targets = Table.fromRows(Y.map(([u, v]) => ({ u: u!, v: v! })));
    const boosted = new HistGradientBoostingRegressor({ maxIter: 5, minSamplesLeaf: 2 });
    for (const estimator of [
      new MultiOutputRegressor({ estimator: boosted }),
      new RegressorChain({ estimator: boosted, cv: 3 }),
      new RegressorChain({ estimator: pipeline(tableVectorizer(), new Ridge()) }),
    ]) {
      const model = estimator.fit(table, targets);
      expect([model.featureNamesIn, model.targetNames]).toEqual([
        ["a", "town"],
        ["u", "v"],
      ]);
      expect(model.predict(table.select(["town", "a"]))).toEqual(model.predict(table));
      const back = loadModel(saveModel(model), FittedRegressorOutputs);
      expect(back.predict(table)).toEqual(model.predict(table));
      expect(back.targetNames).toEqual(["u", "v"]);
    }
  });

  it("is tuned and scored like any estimator of several targets", () => {
    const estimator = new MultiOutputRegressor({ estimator: new Ridge() });
    expect(crossValScore(estimator, X, Y, { cv: 3 })).toHaveLength(3);
    const found = new GridSearch({ estimator, grid: { "estimator.alpha": [0.1, 1000] }, cv: 3 }).fit(
      X,
      column(0),
    );
    expect(found.bestParams).toEqual({ "estimator.alpha": 0.1 });
  });
});

describe("score of models of several targets", () => {
  it("finds the targets of a table by the names of fit", () => {
    const targets = Table.fromRows(Y.map(([u, v]) => ({ u: u!, v: v! })));
    for (const estimator of [
      new MultiOutputRegressor(),
      new RegressorChain(),
      new Ridge(),
      new DecisionTreeRegressor({ maxDepth: 3 }),
      new KernelRidge(),
    ]) {
      const model = estimator.fit(X, targets);
      expect(model.score(X, targets.select(["v", "u"]))).toBe(model.score(X, Y));
      expect(() => model.score(X, targets.select(["u"]))).toThrow(
        `${estimator.id}.score: column "v" must be in Y, as in fit, got a table of "u".`,
      );
      const more = Table.fromRows(Y.map(([u, v]) => ({ w: 0, u: u!, v: v! })));
      expect(() => model.score(X, more)).toThrow(/Y must be a table of the columns of fit .* also has "w"/);
    }
  });
});

describe("RegressorChain", () => {
  it("gives later members the targets before them, and at prediction what was predicted", () => {
    const model = new RegressorChain({ estimator: new LinearRegression() }).fit(X, Y);
    // y₂ = 2 y₁ − x₃ is linear in what the second member gets, though neither target is linear in X.
    const second = model.estimators[1]! as ReturnType<LinearRegression["fit"]>;
    expect([...second.coef].map((w) => Math.round(w * 1e9) / 1e9 + 0)).toEqual([0, 0, -1, 2]);
    const predicted = model.predict(X);
    for (const i of X.keys()) expect(predicted.at(i, 1)).toBeCloseTo(2 * predicted.at(i, 0) - X[i]![2]!, 9);
  });

  it("predicts in its order", () => {
    const model = new RegressorChain({ estimator: nearest, order: [1, 0] }).fit(X, Y);
    expect(model.order).toEqual([1, 0]);
    expect(model.estimators.map(({ nFeatures }) => nFeatures)).toEqual([4, 3]);
    expect(model.predict(X).column(1)).toEqual(nearest.fit(X, column(1)).predict(X));
  });

  it("draws a random order from its seed", () => {
    const wide = Y.map(([a, b]) => [a!, b!, a! + b!, a! - b!, 3 * a!]);
    const orderOf = (randomState: number) =>
      new RegressorChain({ order: "random", randomState }).fit(X, wide).order!;
    expect([...orderOf(1)].sort()).toEqual([0, 1, 2, 3, 4]);
    expect(orderOf(1)).toEqual(orderOf(1));
    expect(new Set([1, 2, 3, 4].map((seed) => orderOf(seed).join())).size).toBeGreaterThan(1);
  });

  it("with cv, later members learn from predictions of rows that were held out", () => {
    const [plain, held] = [null, 5].map((cv) => new RegressorChain({ estimator: nearest, cv }).fit(X, Y));
    expect(held!.predict(X).column(0)).toEqual(plain!.predict(X).column(0));
    expect(held!.predict(X).column(1)).not.toEqual(plain!.predict(X).column(1));
  });

  it("keeps sparse rows sparse, with the same predictions", () => {
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
    const chain = new RegressorChain({ estimator: new Ridge() });
    const [a, b] = [chain.fit(X, Y).predict(X), chain.fit(sparse, Y).predict(sparse)];
    for (const [e, value] of a.data.entries()) expect(b.data[e]).toBeCloseTo(value, 5);
  });

  it("loads with its order, and its description builds it again", () => {
    const estimator = new RegressorChain({ estimator: nearest, order: [1, 0], cv: 3 });
    const model = estimator.fit(X, Y);
    const back = loadModel(saveModel(model), FittedRegressorOutputs);
    expect(back.predict(X)).toEqual(model.predict(X));
    expect(back.order).toEqual([1, 0]);
    const again = estimatorFromJson(JSON.parse(JSON.stringify(estimator))) as RegressorChain;
    expect(again.fit(X, Y).predict(X)).toEqual(model.predict(X));
  });
});

describe("estimators of several targets", () => {
  it("say what is wrong", () => {
    expect(() => new MultiOutputRegressor({ estimator: new LogisticRegression() as never })).toThrow(
      "MultiOutputRegressor: estimator must be an estimator for regression, got LogisticRegression",
    );
    for (const order of ["reverse", [0.5, 1], [-1, 0]])
      expect(() => new RegressorChain({ order: order as never })).toThrow(ParameterError);
    for (const order of [[0], [0, 0], [0, 2]])
      expect(() => new RegressorChain({ order }).fit(X, Y)).toThrow(
        "RegressorChain.fit: order must be each of the 2 targets once, from 0",
      );
    expect(() => new RegressorChain().fit(X, Y.slice(1))).toThrow(
      "Y must be as long as X has rows (30), got 29 rows",
    );
    expect(() =>
      new MultiOutputRegressor().fit(
        [[1], [Number.NaN]],
        [
          [1, 2],
          [3, 4],
        ],
      ),
    ).toThrow(DataError);
    expect(() =>
      new MultiOutputRegressor().fit(
        [[1], [2]],
        [
          [1, 2],
          [3, Infinity],
        ],
      ),
    ).toThrow(DataError);
    const model = new RegressorChain().fit(X, Y);
    expect(() => model.predict([[1, 2]])).toThrow(/^RegressorChain.predict: X must be .*3/);
    expect(model.predict(new Matrix(new Float64Array(0), 0, 3)).rows).toBe(0);
  });

  it("tell of progress, and stop when their signal fires", () => {
    const seen: Progress[] = [];
    const control = new AbortController();
    const onProgress = (progress: Progress) => {
      seen.push(progress);
      control.abort();
    };
    expect(() => new RegressorChain().fit(X, Y, { onProgress, signal: control.signal })).toThrow(AbortError);
    expect(seen).toEqual([{ iteration: 1, total: 2 }]);
  });
});
