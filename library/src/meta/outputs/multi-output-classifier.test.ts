import { describe, expect, it } from "vitest";
import { GaussianNB } from "../../bayes/index.js";
import { HistGradientBoostingClassifier } from "../../boosting/index.js";
import { AbortError, DataError, FormatError, ParameterError, ShapeError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { LinearSVC, LogisticRegression, Ridge } from "../../linear/index.js";
import { loadClassifier, loadModel, loadRegressor, saveModel } from "../../persistence/index.js";
import { FittedClassifierOutputs, MultiOutputClassifier } from "../index.js";

const X = Array.from({ length: 40 }, (_, i) => [i % 7, (i * i) % 11, (3 * i) % 5]);
/** Three classes and two classes. */
const colour = X.map(([a]) => (a! < 2 ? "red" : a! < 5 ? "green" : "blue"));
const size = X.map(([, b]) => (b! > 4 ? "large" : "small"));
const Y = X.map((_, i) => [colour[i]!, size[i]!]);
const sampleWeight = X.map((_, i) => i % 3);

describe("MultiOutputClassifier", () => {
  it.each([
    ["numbers", X],
    ["sparse rows", CsrMatrix.fromDense(Matrix.fromRows(X))],
  ])("predicts every output as a model of its own does, with weights: %s", (_, x) => {
    const estimator = new LogisticRegression({ C: 0.5 });
    const model = new MultiOutputClassifier({ estimator }).fit(x, Y, { sampleWeight });
    const alone = [colour, size].map((labels) => estimator.fit(x, labels, { sampleWeight }));
    expect(model.predict(x)).toEqual(X.map((_, i) => alone.map((one) => one.predict(x)[i])));
    expect(model.predictProba(x)).toEqual(alone.map((one) => one.predictProba(x)));
    expect(model.classesPerOutput).toEqual([
      ["blue", "green", "red"],
      ["large", "small"],
    ]);
    expect(model.nTargets).toBe(2);
  });

  it("finds the outputs of a table by name when it scores", () => {
    const named = Table.fromColumns({ s: Y.map(([a]) => String(a)), t: Y.map(([, b]) => String(b)) });
    const model = new MultiOutputClassifier().fit(X, named);
    expect(model.score(X, named.select(["t", "s"]))).toBe(model.score(X, named));
    expect(() => model.score(X, named.select(["t"]))).toThrow(/column "s" must be in Y, as in fit/);
  });

  it("scores the fraction of rows of which all labels are right, with weights", () => {
    const model = new MultiOutputClassifier({ estimator: new GaussianNB() }).fit(X, Y);
    const right = model.predict(X).map((row, i) => (row.every((label, t) => label === Y[i]![t]) ? 1 : 0));
    const sum = (list: readonly number[]) => list.reduce((total, v) => total + v, 0);
    expect(sum(right)).toBeLessThan(40);
    expect(model.score(X, Y)).toBeCloseTo(sum(right) / 40, 14);
    const weighted = sum(right.map((one, i) => one * sampleWeight[i]!)) / sum(sampleWeight);
    expect(model.score(X, Y, { sampleWeight })).toBeCloseTo(weighted, 14);
  });

  it("takes a list as one output, with the methods of its estimator", () => {
    const estimator = new GaussianNB();
    const [model, alone] = [
      new MultiOutputClassifier({ estimator }).fit(X, colour),
      estimator.fit(X, colour),
    ];
    expect(model.classes).toEqual(["blue", "green", "red"]);
    expect(model.predict(X)).toEqual(alone.predict(X));
    expect(model.predictProba!(X)).toEqual(alone.predictProba(X));
    expect(
      new MultiOutputClassifier({ estimator: new LinearSVC() }).fit(X, colour).predictProba,
    ).toBeUndefined();
  });

  it("takes tables with categories and gaps, and outputs by name", () => {
    const table = Table.fromRows(
      X.map(([a, b], i) => ({ a: i % 4 === 0 ? null : a!, town: "xyz"[b! % 3]! })),
    );
    const labels = Table.fromRows(Y.map(([c, s]) => ({ colour: c!, size: s! })));
    const estimator = new HistGradientBoostingClassifier({ maxIter: 3, minSamplesLeaf: 2 });
    const model = new MultiOutputClassifier({ estimator }).fit(table, labels);
    expect([model.featureNamesIn, model.targetNames]).toEqual([
      ["a", "town"],
      ["colour", "size"],
    ]);
    expect(model.predict(table.select(["town", "a"]))).toEqual(model.predict(table));
    expect(model.score(table, labels)).toBeGreaterThan(0.3);
    const back = loadModel(saveModel(model), FittedClassifierOutputs);
    expect(back.predict(table)).toEqual(model.predict(table));
    expect(back.predictProba(table)).toEqual(model.predictProba(table));
    expect(back.targetNames).toEqual(["colour", "size"]);
  });

  it("takes labels that are there or not", () => {
    const tags = X.map(([a, b]) => [a! > 3, b! > 4, a! + b! > 9]);
    const model = new MultiOutputClassifier().fit(X, tags);
    expect(model.classesPerOutput).toEqual([
      [false, true],
      [false, true],
      [false, true],
    ]);
    expect(model.predict([[6, 10, 0]])).toEqual([[true, true, true]]);
  });

  it("is neither a regressor nor a classifier of one output when it is loaded", () => {
    const bytes = saveModel(new MultiOutputClassifier().fit(X, Y));
    expect(() => loadClassifier(bytes)).toThrow(FormatError);
    expect(() => loadRegressor(bytes)).toThrow("load it with loadModel(bytes, FittedClassifierOutputs)");
  });

  it("says what is wrong, and in which output", () => {
    const one = X.map((_, i) => [colour[i]!, "same"]);
    const estimator = new MultiOutputClassifier();
    expect(() => estimator.fit(X, one)).toThrow(/^MultiOutputClassifier.fit, output 1, /);
    expect(() => estimator.fit(X, one)).toThrow(DataError);
    expect(() => estimator.fit(X, [["a", "b"], ["a"]])).toThrow(ShapeError);
    expect(() => estimator.fit(X, [["a", "b"], ["a"]])).toThrow(
      "Y must be rows of one length (2), got 1 labels in row 1",
    );
    expect(() => estimator.fit(X, Y.slice(1))).toThrow(ShapeError);
    expect(() =>
      estimator.fit(
        [[Number.NaN], [1]],
        [
          ["a", "b"],
          ["b", "a"],
        ],
      ),
    ).toThrow(DataError);
    expect(() => new MultiOutputClassifier({ estimator: new Ridge() as never })).toThrow(ParameterError);
    const model = new MultiOutputClassifier({ estimator: new LinearSVC() }).fit(X, Y);
    expect(() => model.predictProba(X)).toThrow(
      "MultiOutputClassifier.predictProba: estimator must be a classifier with probabilities, got one without (LinearSVC).",
    );
    expect(() => model.score(X, Y.slice(2))).toThrow("Y must be 40 rows of 2 labels, got 38 rows of 2");
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    expect(() => estimator.fit(X, Y, { onProgress, signal: controller.signal })).toThrow(AbortError);
  });
});
