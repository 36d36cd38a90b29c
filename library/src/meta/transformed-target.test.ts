import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LinearRegression, LogisticRegression, Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { MinMaxScaler, Normalizer, OneHotEncoder, StandardScaler } from "../preprocessing/index.js";
import { crossValScore, GridSearch } from "../selection/index.js";
import { DecisionTreeRegressor } from "../trees/index.js";
import { TransformedTargetRegressor } from "./index.js";

const { X, y: targets } = await loadDataset("diabetes");
const y = Array.from(targets);
const logs = y.map((v) => Math.log1p(v));

describe("TransformedTargetRegressor", () => {
  it("learns t(y) and predicts the inverse", () => {
    const model = new TransformedTargetRegressor({ func: "log1p" }).fit(X, y);
    const inner = new LinearRegression().fit(X, logs).predict(X);
    model.predict(X).forEach((value, i) => {
      expect(value).toBeCloseTo(Math.expm1(inner[i]!), 8);
    });
    expect(model.regressor.predict(X)[0]).toBeCloseTo(inner[0]!, 12);
    expect(model.transformer).toBeUndefined();
  });

  it("calls functions with the target alone", () => {
    const shifted = (value: number, by = 0) => value + by;
    const model = new TransformedTargetRegressor({ func: shifted, inverseFunc: shifted }).fit(X, y);
    expect(model.predict(X)).toEqual(new LinearRegression().fit(X, y).predict(X));
  });

  it("without a function or transformer is its regressor", () => {
    const model = new TransformedTargetRegressor({ regressor: new Ridge() }).fit(X, y);
    expect(model.predict(X)).toEqual(new Ridge().fit(X, y).predict(X));
  });

  it("has every function with its inverse, by either name", () => {
    const rates = y.map((v) => v / 400);
    for (const func of ["log", "exp", "log1p", "expm1", "sqrt", "square", "logit", "expit"] as const) {
      const warnings: string[] = [];
      const regressor = new DecisionTreeRegressor();
      const model = new TransformedTargetRegressor({ regressor, func }).fit(X, rates, {
        onWarning: (text) => void warnings.push(text),
      });
      expect(warnings).toEqual([]);
      // A full tree gives the targets back.
      model.predict(X).forEach((value, i) => {
        expect(value).toBeCloseTo(rates[i]!, 10);
      });
      expect((loadModel(saveModel(model)) as typeof model).predict(X)).toEqual(model.predict(X));
    }
  });

  it("takes functions of the caller's own, which cannot be saved", () => {
    const func = (v: number) => v ** 0.25;
    const inverseFunc = (v: number) => v ** 4;
    const model = new TransformedTargetRegressor({ func, inverseFunc }).fit(X, y);
    const inner = new LinearRegression().fit(X, y.map(func)).predict(X);
    expect(model.predict(X)[3]).toBeCloseTo(inner[3]! ** 4, 8);
    expect(() => saveModel(model)).toThrow(
      "func must be a name or a plain value, since functions cannot be saved or sent to a worker, got a function.",
    );
    expect(() => saveModel(model)).toThrow(ParameterError);
  });

  it("warns of a function that is not the inverse, unless checkInverse is false", () => {
    const warned = (params: object) => {
      const warnings: string[] = [];
      new TransformedTargetRegressor({ func: "sqrt", ...params }).fit(X, y, {
        onWarning: (text) => void warnings.push(text),
      });
      return warnings;
    };
    expect(warned({})).toEqual([]);
    expect(warned({ inverseFunc: "expm1" })[0]).toMatch(/^The inverse of the transformed target 151 is /);
    expect(warned({ inverseFunc: "expm1", checkInverse: false })).toEqual([]);
  });

  it("fits transformers to y with its weights, and saves them", () => {
    const sampleWeight = y.map((_, i) => i % 3);
    const rows = y.flatMap((_, i) => Array<number>(sampleWeight[i]!).fill(i));
    for (const transformer of [new StandardScaler(), new MinMaxScaler()]) {
      const estimator = new TransformedTargetRegressor({ regressor: new Ridge(), transformer });
      const weighted = estimator.fit(X, y, { sampleWeight });
      const repeated = estimator.fit(
        X.selectRows(rows),
        rows.map((i) => y[i]!),
      );
      const other = repeated.predict(X);
      weighted.predict(X).forEach((value, i) => {
        expect(value).toBeCloseTo(other[i]!, 8);
      });
      const copy = loadModel(saveModel(weighted)) as typeof weighted;
      expect(copy.predict(X)).toEqual(weighted.predict(X));
      expect(copy.transformer).toBeDefined();
    }
  });

  it("takes sparse rows and tables with categories and gaps, and is searched", () => {
    const dense = new TransformedTargetRegressor({ regressor: new Ridge(), func: "log" });
    const sparse = dense.fit(CsrMatrix.fromDense(X), y);
    expect(sparse.predict(X)[0]).toBeCloseTo(dense.fit(X, y).predict(X)[0]!, 6);
    const table = Table.fromColumns({
      bmi: Array.from(X.column(2), (v, i) => (i % 9 === 0 ? null : v)),
      kind: y.map((v) => (v < 100 ? "low" : "high")),
    });
    const trees = new TransformedTargetRegressor({
      regressor: new DecisionTreeRegressor({ maxDepth: 3 }),
      func: "log",
    });
    const model = trees.fit(table, y);
    expect(model.featureNamesIn).toEqual(["bmi", "kind"]);
    expect((loadModel(saveModel(model)) as typeof model).predict(table)).toEqual(model.predict(table));
    const search = new GridSearch({
      estimator: trees,
      cv: 2,
      grid: { "regressor.maxDepth": [1, 3], func: ["log", "sqrt"] },
    });
    expect(search.fit(table, y).results.length).toBe(4);
    expect(crossValScore(trees, table, y).every((r2) => r2 > 0.1)).toBe(true);
  });

  it("says what is wrong with parameters, targets and predictions", () => {
    const made = (params: object) => () => new TransformedTargetRegressor(params as never);
    expect(made({ transformer: new StandardScaler(), func: "log" })).toThrow(
      "transformer must be null where func or inverseFunc is given, got StandardScaler.",
    );
    expect(made({ inverseFunc: "exp" })).toThrow("func must be given where inverseFunc is, got null.");
    expect(made({ func: (v: number) => v })).toThrow(
      "inverseFunc must be given, since func is not known by name",
    );
    expect(made({ func: "ln" })).toThrow('a function of one number or one of "log", "exp"');
    expect(made({ regressor: new LogisticRegression() })).toThrow(ParameterError);
    expect(made({ transformer: new Ridge() })).toThrow("an estimator for transform");
    expect(() => new TransformedTargetRegressor({ func: "log" }).fit([[1], [2]], [1, 0])).toThrow(
      "TransformedTargetRegressor.fit: func must be one that gives finite numbers for all targets, got -Infinity for y[1] = 0.",
    );
    expect(() => new TransformedTargetRegressor({ transformer: new Normalizer() }).fit(X, y)).toThrow(
      "transformer must be a transformer whose models have inverseTransform, got Normalizer.",
    );
    expect(() =>
      new TransformedTargetRegressor({ transformer: new OneHotEncoder() as never }).fit(X, y),
    ).toThrow(ParameterError);
    const steep = new TransformedTargetRegressor({ func: "log" }).fit([[0], [1]], [1, 100]);
    expect(() => steep.predict([[0], [1000]])).toThrow(
      /the inverse of the prediction for X\[1\] must be a finite number, got Infinity for 4605/,
    );
    expect(() => steep.predict([[1000]])).toThrow(DataError);
  });
});
