import { describe, expect, expectTypeOf, it } from "vitest";
import { GaussianNB } from "../bayes/index.js";
import { DataError, ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { makeClassification } from "../data/generators/index.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LinearSVC, LogisticRegression } from "../linear/index.js";
import { costScore, f1Score, precisionScore, recallScore } from "../metrics/index.js";
import { labelScorers } from "../metrics/scorers.js";
import { NearestCentroid } from "../neighbors/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { crossValidate, crossValPredict, GridSearch, scorers } from "../selection/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { ThresholdClassifier } from "./index.js";

const cancer = await loadDataset("breastCancer");
// Few positives, much noise: 0.5 is far from the best threshold of most metrics.
const { X, y: numbers } = makeClassification({
  nSamples: 300,
  nFeatures: 5,
  weights: [0.85],
  flipY: 0.15,
  randomState: 4,
});
const y = Array.from(numbers, (k) => (k === 1 ? "yes" : "no"));
const random = new Random(1);
const sampleWeight = y.map(() => 0.5 + random.below(4));

/** Held-out scores of the positive class. */
const heldOut = (estimator: GaussianNB | LinearSVC, weights?: number[]) => {
  const method = estimator instanceof GaussianNB ? "predictProba" : "decisionFunction";
  const P = crossValPredict(estimator, X, y, { method, ...(weights && { sampleWeight: weights }) });
  return Array.from(P.column(P.cols - 1));
};
const decide = (scores: readonly number[], t: number) => scores.map((s) => (s >= t ? "yes" : "no"));
const cuts = (scores: readonly number[]) => [...new Set(scores), Infinity];

describe("ThresholdClassifier", () => {
  for (const scoring of labelScorers)
    it(`${scoring}: no threshold is better on held-out rows, with and without weights`, () => {
      for (const estimator of [new GaussianNB(), new LinearSVC()])
        for (const weights of [undefined, sampleWeight]) {
          const options = weights && { sampleWeight: weights };
          const model = new ThresholdClassifier<GaussianNB | LinearSVC>({ estimator, scoring }).fit(
            X,
            y,
            options,
          );
          const scores = heldOut(estimator, weights);
          const worth = (t: number) =>
            scorers[scoring](
              { classes: ["no", "yes"], predict: () => decide(scores, t) } as never,
              X,
              y,
              options ?? {},
            );
          const best = Math.max(...cuts(scores).map(worth));
          // The same sums in another order.
          expect(model.bestScore!).toBeCloseTo(best, 12);
          expect(worth(model.threshold)).toBeCloseTo(best, 12);
        }
    });

  it("minimises the mean cost, whatever class is the positive one", () => {
    const costMatrix = [
      [0, 1],
      [9, -2],
    ];
    const scores = heldOut(new GaussianNB());
    const cost = (t: number) => costScore(y, decide(scores, t), costMatrix);
    const least = Math.min(...cuts(scores).map(cost));
    const model = new ThresholdClassifier({ estimator: new GaussianNB(), costMatrix }).fit(X, y);
    expect(-model.bestScore!).toBeCloseTo(least, 12);
    expect(cost(model.threshold)).toBeCloseTo(least, 12);
    expect(model.threshold).toBeLessThan(0.5);
    const other = new ThresholdClassifier({
      estimator: new GaussianNB(),
      costMatrix,
      positiveLabel: "no",
    }).fit(X, y);
    expect([other.positiveLabel, model.positiveLabel]).toEqual(["no", "yes"]);
    expect(other.bestScore!).toBeCloseTo(model.bestScore!, 12);
    expect(other.threshold).toBeCloseTo(1 - model.threshold, 12);
    expect(other.predict(X)).toEqual(model.predict(X));
    // Where finding a positive does not pay, nobody is one.
    const never = new ThresholdClassifier({
      estimator: new GaussianNB(),
      costMatrix: [
        [0, 1],
        [0, 1],
      ],
    }).fit(X, y);
    expect(new Set(decide(scores, never.threshold))).toEqual(new Set(["no"]));
    expect(Number.isFinite(never.threshold)).toBe(true);
  });

  it("reaches the recall or precision that was asked for, with as much of the other as possible", () => {
    const scores = heldOut(new GaussianNB());
    const at = (t: number) => {
      const labels = decide(scores, t);
      return { precision: precisionScore(y, labels), recall: recallScore(y, labels) };
    };
    const all = cuts(scores).filter(Number.isFinite).map(at);
    const sensitive = new ThresholdClassifier({ estimator: new GaussianNB(), minRecall: 0.8 }).fit(X, y);
    const { recall, precision } = at(sensitive.threshold);
    expect(recall).toBeGreaterThanOrEqual(0.8);
    expect(precision).toBe(Math.max(...all.filter((one) => one.recall >= 0.8).map((one) => one.precision)));
    const precise = new ThresholdClassifier({ estimator: new GaussianNB(), minPrecision: 0.6 }).fit(X, y);
    expect(at(precise.threshold).precision).toBeGreaterThanOrEqual(0.6);
    expect(at(precise.threshold).recall).toBe(
      Math.max(...all.filter((one) => one.precision >= 0.6).map((one) => one.recall)),
    );
    // As a condition of another metric.
    const both = new ThresholdClassifier({
      estimator: new GaussianNB(),
      minRecall: 0.8,
      scoring: "accuracy",
    }).fit(X, y);
    expect(at(both.threshold).recall).toBeGreaterThanOrEqual(0.8);
    const { curve } = both;
    const allowed = curve!.scores.filter((_, e) => curve!.recall[e]! >= 0.8);
    expect(both.bestScore).toBe(Math.max(...allowed));
    expect(() =>
      new ThresholdClassifier({ estimator: new GaussianNB(), minPrecision: 1, minRecall: 0.9 }).fit(X, y),
    ).toThrow(/ThresholdClassifier\.fit: minPrecision must be at most 0\.\d+, the largest precision/);
  });

  it("shows the curve that it chose from: every division of the held-out rows, once", () => {
    const model = new ThresholdClassifier({ estimator: new GaussianNB(), scoring: "f1" }).fit(X, y);
    const { thresholds, scores, precision, recall } = model.curve!;
    const held = heldOut(new GaussianNB());
    expect(thresholds.length).toBe(new Set(held).size + 1);
    for (const e of [0, 1, 40, thresholds.length - 1]) {
      const labels = decide(held, thresholds[e]!);
      expect(scores[e]).toBeCloseTo(f1Score(y, labels), 12);
      expect(recall[e]).toBeCloseTo(recallScore(y, labels), 12);
      if (e > 0) expect(precision[e]).toBeCloseTo(precisionScore(y, labels), 12);
    }
    expect([recall[0], precision[0], recall.at(-1)]).toEqual([0, 1, 1]);
    expect(Math.max(...scores)).toBe(model.bestScore);
  });

  it("is better on rows that nothing has seen", () => {
    const score = (estimator: GaussianNB | ThresholdClassifier<GaussianNB>) =>
      crossValidate(estimator, X, y, { scoring: "f1" }).testScore.reduce((sum, s) => sum + s / 5, 0);
    const tuned = score(new ThresholdClassifier({ estimator: new GaussianNB(), scoring: "f1" }));
    expect(tuned).toBeGreaterThan(score(new GaussianNB()));
  });

  it("with a fixed threshold only compares", () => {
    const inner = new LogisticRegression();
    const model = new ThresholdClassifier({ threshold: 0.2 }).fit(X, y);
    const p = inner.fit(X, y).predictProba(X);
    expect(model.predictProba(X)).toEqual(p);
    expect(model.predict(X)).toEqual(Array.from(p.column(1), (v) => (v >= 0.2 ? "yes" : "no")));
    expect([model.curve, model.bestScore, model.threshold]).toEqual([undefined, undefined, 0.2]);
    const named = new ThresholdClassifier({ threshold: 0.2, positiveLabel: "b" }).fit([[0], [1]], [
      "a",
      "b",
    ] as ("a" | "b")[]);
    expectTypeOf(named.predict([[0]])).toEqualTypeOf<("a" | "b")[]>();
    // On the threshold means positive: half of the rows of a leaf.
    const stump = new DecisionTreeClassifier({ maxDepth: 1 });
    const tie = new ThresholdClassifier({ estimator: stump, threshold: 0.5 }).fit(
      [[0], [0], [1], [1]],
      [0, 1, 0, 1],
    );
    expect(tie.predict([[0], [1]])).toEqual([1, 1]);
  });

  it("decides by the sign of its decision function", () => {
    for (const positiveLabel of ["yes", "no"]) {
      const model = new ThresholdClassifier({ estimator: new LinearSVC(), positiveLabel, scoring: "f1" }).fit(
        X,
        y,
      );
      const margins = model.decisionFunction(X).data;
      expect(model.predict(X)).toEqual(Array.from(margins, (m) => (m > 0 ? "yes" : "no")));
      expect("predictProba" in model).toBe(false);
      const rejected = (model as { predict(x: unknown, o: object): unknown[] }).predict(X, {
        minMargin: 0.1,
      });
      expect(rejected.filter((l) => l === undefined).length).toBe(
        margins.filter((m) => Math.abs(m) < 0.1).length,
      );
      const copy = loadModel(saveModel(model)) as typeof model;
      expect(copy.decisionFunction(X)).toEqual(model.decisionFunction(X));
      expect(copy.curve).toEqual(model.curve);
    }
  });

  it("takes sparse rows and tables with categories, and is searched", () => {
    const dense = new ThresholdClassifier().fit(X, y);
    const sparse = new ThresholdClassifier().fit(CsrMatrix.fromDense(X), y);
    expect(sparse.threshold).toBeCloseTo(dense.threshold, 4);
    const table = Table.fromColumns({
      size: Array.from(X.column(0)),
      kind: y.map((l, i) => `${l}${i % 3 === 0 ? "" : i % 2}`),
    });
    const trees = new ThresholdClassifier({
      estimator: new DecisionTreeClassifier({ maxDepth: 3 }),
      scoring: "f1",
    });
    const model = trees.fit(table, y);
    expect(model.featureNamesIn).toEqual(["size", "kind"]);
    expect((loadModel(saveModel(model)) as typeof model).predict(table)).toEqual(model.predict(table));
    const search = new GridSearch({
      estimator: trees,
      cv: 2,
      grid: { "estimator.maxDepth": [1, 2], scoring: ["f1", "accuracy"] },
    });
    expect(search.fit(table, y).results.length).toBe(4);
  });

  it("says what is wrong with its parameters and with y", () => {
    const three = cancer.y.map((_, i) => i % 3);
    expect(() => new ThresholdClassifier().fit(cancer.X, three)).toThrow(
      "ThresholdClassifier.fit: y must be of two classes, got 3 classes.",
    );
    expect(() => new ThresholdClassifier({ positiveLabel: "maybe" }).fit(X, y)).toThrow(DataError);
    const named = y.map((label) => (label === "yes" ? "fraud" : "legit"));
    expect(() => new ThresholdClassifier().fit(X, named)).toThrow("positiveLabel must be given");
    expect(() => new ThresholdClassifier({ estimator: new NearestCentroid() as never })).toThrow(
      "estimator must be a classifier with probabilities or a decision function, got NearestCentroid",
    );
    expect(
      () => new ThresholdClassifier({ estimator: new LinearSVC(), responseMethod: "predictProba" }),
    ).toThrow("a classifier with probabilities, got LinearSVC");
    expect(() => new ThresholdClassifier({ threshold: 0.5, minRecall: 0.9 })).toThrow(
      "threshold must be absent where minRecall chooses it, got 0.5.",
    );
    const costMatrix = [
      [0, 1],
      [1, 0],
    ];
    expect(() => new ThresholdClassifier({ scoring: "f1", costMatrix })).toThrow(ParameterError);
    expect(() => new ThresholdClassifier({ costMatrix: [[0, 1]] })).toThrow("two rows of two finite numbers");
    expect(() => new ThresholdClassifier({ scoring: "rocAuc" as never })).toThrow(ParameterError);
  });
});
