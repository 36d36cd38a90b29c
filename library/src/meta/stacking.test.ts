import { describe, expect, it } from "vitest";
import { GaussianNB } from "../bayes/index.js";
import { withParams } from "../core/composite.js";
import { DataError, ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LogisticRegression, Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { KFold, ShuffleSplit } from "../selection/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import { StackingClassifier, StackingRegressor } from "./index.js";

const iris = await loadDataset("iris");

describe("stacking", () => {
  it("does not leak: a member that memorises its rows is not trusted", () => {
    // y has nothing to do with X, so the deep tree is right on its own rows only.
    const random = new Float64Array(200).map((_, i) => ((i * 7919) % 200) / 200);
    const X = new Matrix(random, 200, 1);
    const y = Float64Array.from({ length: 200 }, (_, i) => ((i * 104_729) % 97) / 97);
    const tree = new DecisionTreeRegressor();
    expect(tree.fit(X, y).score(X, y)).toBe(1);
    const model = new StackingRegressor({ estimators: { tree }, finalEstimator: new Ridge() }).fit(X, y);
    // A final regressor of the tree's own rows would repeat its predictions: R² = 1.
    expect(model.score(X, y)).toBeLessThan(0.3);
  });

  it("takes weights, sparse rows, and tables with columns in another order; saved and loaded the same", () => {
    const y = iris.y.map((label) => label === "virginica");
    const estimators = {
      bayes: new LogisticRegression({ C: 0.1 }),
      tree: new DecisionTreeClassifier({ maxDepth: 2 }),
    };
    for (const passthrough of [false, true]) {
      const stack = new StackingClassifier({
        estimators,
        cv: new KFold({ nSplits: 4, shuffle: true }),
        passthrough,
      });
      const options = { sampleWeight: y.map((_, i) => 1 + (i % 2)) };
      const dense = stack.fit(iris.X, y, options);
      const P = dense.predictProba(iris.X);
      const sparse = stack
        .fit(CsrMatrix.fromDense(iris.X), y, options)
        .predictProba(CsrMatrix.fromDense(iris.X));
      sparse.data.forEach((p, e) => {
        expect(p).toBeCloseTo(P.data[e]!, 4);
      });
      const tableOf = (names: readonly string[]) =>
        Table.fromColumns(
          Object.fromEntries(names.map((name) => [name, iris.X.column("abcd".indexOf(name))])),
        );
      const named = stack.fit(tableOf([..."abcd"]), y, options);
      expect(named.predictProba(tableOf([..."dbca"]))).toEqual(P);
      expect(loadModel(saveModel(named), StackingClassifier).predictProba?.(tableOf([..."bacd"]))).toEqual(P);
      expect(dense.stackedColumns(iris.X).cols).toBe(passthrough ? 6 : 2);
    }
  });

  it("gives the final classifier what is asked for", () => {
    const estimators = { bayes: new GaussianNB(), tree: new DecisionTreeClassifier() };
    const labels = new StackingClassifier({ estimators, stackMethod: "predict" }).fit(iris.X, iris.y);
    expect(labels.stackedColumns(iris.X).row(149)).toEqual(Float64Array.of(2, 2));
    const stack = new StackingClassifier({ estimators, stackMethod: "decisionFunction" });
    expect(() => stack.fit(iris.X, iris.y)).toThrow('"decisionFunction", which');
    const changed = withParams(stack, { "finalEstimator.C": 3, stackMethod: "auto", "tree.maxDepth": 1 });
    expect((changed.params.finalEstimator as LogisticRegression).params.C).toBe(3);
  });

  it("refuses folds that are not a partition, folds without a class, and reserved names", () => {
    const estimators = { bayes: new GaussianNB() };
    const fit = (cv: KFold | ShuffleSplit) => () =>
      new StackingClassifier({ estimators, cv }).fit(iris.X, iris.y);
    expect(fit(new ShuffleSplit({ nSplits: 2 }))).toThrow("folds that hold out every row once");
    const skewed = [...Array.from({ length: 8 }, () => "a"), "b", "c"];
    const rows = skewed.map((_, i) => [i, i % 3]);
    const cv = new KFold({ nSplits: 5 });
    expect(() => new StackingClassifier({ estimators, cv }).fit(rows, skewed)).toThrow(DataError);
    expect(() => new StackingClassifier({ estimators: { finalEstimator: new GaussianNB() } })).toThrow(
      ParameterError,
    );
  });
});
