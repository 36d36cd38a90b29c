import { describe, expect, expectTypeOf, it } from "vitest";
import { type FittedNearestMean, MeanRegressor, NearestMean } from "../../test/support/nearest-mean.js";
import { MultinomialNB } from "../bayes/index.js";
import { AbortError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { Table } from "../data/table.js";
import { loadDataset } from "../datasets/index.js";
import { accuracyScore } from "../metrics/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { CountVectorizer } from "../text/index.js";
import {
  type CrossValidationProgress,
  crossValidate,
  crossValScore,
  KFold,
  StratifiedKFold,
} from "./index.js";

const iris = await loadDataset("iris");
const estimator = pipeline(new StandardScaler(), new NearestMean());

describe("crossValidate", () => {
  it("scores each fold with a model of the others", () => {
    const { testScore } = crossValidate(estimator, iris.X, iris.y);
    const folds = new StratifiedKFold().split(iris.X, iris.y);
    folds.forEach(({ train, test }, f) => {
      const of = (rows: Int32Array) => Array.from(rows, (i) => iris.y[i]!);
      const model = estimator.fit(iris.X.selectRows(train), of(train));
      expect(testScore[f]).toBe(accuracyScore(of(test), model.predict(iris.X.selectRows(test))));
    });
    expect(testScore.length).toBe(5);
  });

  it("takes a column of a table as y", () => {
    const column = Table.fromColumns({ y: iris.y }).column("y");
    const { testScore } = crossValidate(estimator, iris.X, iris.y);
    expect(crossValScore(estimator, iris.X, column)).toEqual(testScore);
  });

  it("gives train scores, models and times as asked", () => {
    const plain = crossValidate(estimator, iris.X, iris.y, { cv: 3 });
    expectTypeOf(plain.trainScore).toEqualTypeOf<Float64Array | undefined>();
    expect(plain.trainScore).toBeUndefined();
    const full = crossValidate(new NearestMean(), iris.X, iris.y, {
      cv: 3,
      returnTrainScore: true,
      returnModels: true,
    });
    expectTypeOf(full.trainScore).toEqualTypeOf<Float64Array>();
    expectTypeOf(full.models).toEqualTypeOf<readonly FittedNearestMean<Label>[]>();
    expect(full.models).toHaveLength(3);
    for (const list of [full.trainScore, full.fitTime, full.scoreTime]) {
      expect(list.length).toBe(3);
      expect(list.every((value) => value >= 0)).toBe(true);
    }
  });

  it("uses plain folds for regressors", () => {
    const y = [0, 0, 2, 2];
    const X = y.map((value) => [value]);
    const scores = crossValScore(new MeanRegressor(), X, y, { cv: 2, scoring: "negMeanSquaredError" });
    expect([...scores]).toEqual([-4, -4]);
  });

  it("takes scorers by name and as functions", () => {
    const named = crossValScore(estimator, iris.X, iris.y, { scoring: "accuracy" });
    const own = crossValScore(estimator, iris.X, iris.y, {
      scoring: (model, x, y: string[]) => accuracyScore(y, model.predict(x)),
    });
    expect(own).toEqual(named);
    expect(crossValScore(estimator, iris.X, iris.y)).toEqual(named);
    const f1 = crossValScore(estimator, iris.X, iris.y, { scoring: "f1Macro" });
    const single = { split: () => [{ train: Int32Array.of(0, 1, 50, 51), test: Int32Array.of(2, 3) }] };
    const two = iris.y.map((name) => name === "setosa");
    expect([...crossValScore(estimator, iris.X, two, { cv: single, scoring: "f1" })]).toEqual([1]);
    expect(f1.every((score) => score > 0.7 && score <= 1)).toBe(true);
  });

  it("weights rows in fitting and in scoring", () => {
    const y = ["a", "b", "a", "a", "b", "a"];
    const X = [[0], [10], [1000], [0], [10], [1000]];
    const cv = new KFold({ nSplits: 2 });
    const sampleWeight = [1, 1, 0, 1, 1, 0];
    expect([...crossValScore(new NearestMean(), X, y, { cv, sampleWeight })]).toEqual([1, 1]);
    expect([...crossValScore(new NearestMean(), X, y, { cv })]).not.toEqual([1, 1]);
    expect(() => crossValScore(new NearestMean(), X, y, { sampleWeight: [1] })).toThrow(ShapeError);
  });

  it("tells of every fold and stops when told to", () => {
    const seen: CrossValidationProgress[] = [];
    const controller = new AbortController();
    const run = () =>
      crossValidate(estimator, iris.X, iris.y, {
        signal: controller.signal,
        onProgress: (progress) => {
          seen.push(progress);
          if (progress.iteration === 2) controller.abort();
        },
      });
    expect(run).toThrow(AbortError);
    expect(seen.map(({ iteration, total }) => [iteration, total])).toEqual([
      [1, 5],
      [2, 5],
    ]);
    expect(seen[0]!.testScore).toBeGreaterThan(0.5);
  });

  it("names the fold in which something fails", () => {
    const badly = { split: () => [{ train: Int32Array.of(0, 1), test: Int32Array.of(999) }] };
    expect(() => crossValidate(estimator, iris.X, iris.y, { cv: badly })).toThrow(
      "crossValidate, fold 1, crossValidate: test must be",
    );
    const y = iris.y.map((_, i) => (i === 77 ? Number.NaN : i));
    expect(() => crossValScore(new MeanRegressor(), iris.X, y)).toThrow(
      "crossValScore, fold 1, MeanRegressor.fit: y[47]",
    );
  });

  it("says what is wrong with its arguments", () => {
    expect(() => crossValidate(estimator, iris.X, iris.y.slice(1))).toThrow(ShapeError);
    expect(() => crossValidate(estimator, iris.X, iris.y, { cv: 51 })).toThrow(
      'StratifiedKFold.split: nSplits must be at most 50, the rows of the rarest class ("setosa"), got 51.',
    );
    expect(() => crossValidate(estimator, iris.X, iris.y, { cv: "5" as never })).toThrow(ParameterError);
    expect(() => crossValidate(estimator, iris.X, iris.y, { scoring: "roc" as never })).toThrow(
      "crossValidate: scoring must be a function or one of accuracy, balancedAccuracy",
    );
    expect(() => crossValidate(estimator, iris.X, iris.y, { scoring: "negLogLoss" })).toThrow(
      "one that needs no probabilities",
    );
    expect(() => crossValidate(new StandardScaler(), iris.X, iris.y)).toThrow("has no score of its own");
    // @ts-expect-error: a regressor learns numbers
    expect(() => crossValScore(new MeanRegressor(), iris.X, iris.y)).toThrow(DataError);
  });

  it("takes documents from any iterable, but not one string", () => {
    const texts = [
      "free money",
      "cheap offer",
      "noon meeting",
      "lunch at noon",
      "free offer",
      "meeting notes",
    ];
    const y = ["spam", "spam", "ham", "ham", "spam", "ham"];
    const spam = pipeline(new CountVectorizer(), new MultinomialNB());
    const expected = crossValScore(spam, texts, y, { cv: 3 });
    expect(crossValScore(spam, new Set(texts), y, { cv: 3 })).toEqual(expected);
    expect(() => crossValScore(spam, "free money" as never, y)).toThrow(
      'crossValScore: X must be rows of numbers, or an array of documents, got "free money".',
    );
  });

  it("refuses scores that are no numbers", () => {
    const wrong = (score: unknown) => () =>
      crossValidate(estimator, iris.X, iris.y, { scoring: (() => score) as never });
    expect(wrong("0.9")).toThrow('what scoring returns must be a number, got "0.9"');
    expect(wrong(undefined)).toThrow(DataError);
    expect(wrong(Promise.resolve(1))).toThrow("A scorer cannot be asynchronous.");
  });

  it("checks what splitters give", () => {
    const by = (folds: unknown) => () =>
      crossValidate(estimator, iris.X, iris.y, { cv: { split: () => folds as never } });
    for (const folds of [[], undefined, [1, 2], [{ train: [0.5, 1, 60], test: [2] }], [{ train: [0, 60] }]]) {
      expect(by(folds)).toThrow(DataError);
    }
  });
});
