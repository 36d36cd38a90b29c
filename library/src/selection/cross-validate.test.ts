import { describe, expect, expectTypeOf, it } from "vitest";
import { type FittedNearestMean, MeanRegressor, NearestMean } from "../../test/support/nearest-mean.js";
import { GaussianNB, MultinomialNB } from "../bayes/index.js";
import { AbortError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import { PredefinedSplit } from "../data/splitters/leave-out.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { accuracyScore } from "../metrics/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { CountVectorizer } from "../text/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import type { CrossValidationProgress } from "./index.js";
import { crossValidate, crossValScore, KFold, StratifiedKFold } from "./index.js";

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

  describe("with several scorers", () => {
    const two = iris.y.map((name) => (name === "setosa" ? "setosa" : "other"));
    const bayes = new GaussianNB();

    it("has the scores of each alone, by name, on the test and the training rows", () => {
      const scoring = ["accuracy", "rocAuc", "negLogLoss"] as const;
      const sampleWeight = two.map((_, i) => 1 + (i % 3));
      const options = { cv: 4, sampleWeight, returnTrainScore: true } as const;
      const { testScore, trainScore, models, fitTime } = crossValidate(bayes, iris.X, two, {
        ...options,
        scoring,
        returnModels: true,
      });
      expectTypeOf(testScore).toEqualTypeOf<
        Readonly<Record<"accuracy" | "rocAuc" | "negLogLoss", Float64Array>>
      >();
      expect(Object.keys(testScore)).toEqual(scoring);
      expect([models.length, fitTime.length]).toEqual([4, 4]);
      for (const name of scoring) {
        const alone = crossValidate(bayes, iris.X, two, { ...options, scoring: name });
        expect(testScore[name]).toEqual(alone.testScore);
        expect(trainScore[name]).toEqual(alone.trainScore);
      }
    });

    it("takes names of the caller's own, with functions among them", () => {
      let fits = 0;
      const counted = {
        fit: (x: Matrix, y: string[]) => {
          fits++;
          return bayes.fit(x, y);
        },
      };
      const { testScore } = crossValidate(counted, iris.X, iris.y, {
        cv: 3,
        scoring: { hits: "accuracy", right: (model, x, y) => accuracyScore(y, model.predict(x)) },
      });
      expectTypeOf(testScore.right).toEqualTypeOf<Float64Array>();
      expect(testScore.hits).toEqual(testScore.right);
      expect(fits).toBe(3);
    });

    it("predicts once for all scorers of the library, and gives functions the model itself", () => {
      let calls = 0;
      const counting = {
        fit: (x: Matrix, y: string[]) => {
          const model = new NearestMean().fit(x, y);
          const predict = (z: Matrix) => {
            calls++;
            return model.predict(z);
          };
          return { ...model, nFeatures: 4, classes: model.classes, toState: () => model.toState(), predict };
        },
      };
      const scoring = { a: "accuracy", b: "balancedAccuracy", c: "f1Macro" } as const;
      crossValidate(counting, iris.X, iris.y, { cv: 2, scoring });
      expect(calls).toBe(2);
      const seen = crossValidate(new NearestMean(), iris.X, iris.y, {
        cv: 2,
        scoring: { model: (model) => (typeof model.toState === "function" ? 1 : 0), other: "accuracy" },
      });
      expect([...seen.testScore.model]).toEqual([1, 1]);
    });

    it("tells of all scores of every fold", () => {
      const seen: number[] = [];
      const { testScore } = crossValidate(bayes, iris.X, iris.y, {
        scoring: ["accuracy", "f1Macro"],
        onProgress: (progress) => {
          expectTypeOf(progress.testScore).toEqualTypeOf<Readonly<Record<"accuracy" | "f1Macro", number>>>();
          seen.push(progress.testScore.f1Macro);
        },
      });
      expect(seen).toEqual([...testScore.f1Macro]);
    });

    it("says what is wrong with them", () => {
      const by = (scoring: unknown) => () =>
        crossValidate(bayes, iris.X, iris.y, { scoring: scoring as never });
      expect(by([])).toThrow("crossValidate: scoring must be one or more scorers, got an empty array.");
      expect(by({})).toThrow(ParameterError);
      expect(by(["accuracy", "accuracy"])).toThrow("scoring must be names that differ");
      expect(by(["accuracy", "roc"])).toThrow("scoring must be a function or one of accuracy");
      expect(by({ mine: 5 })).toThrow("an object of names to scorers (names or functions), got { mine }.");
      expect(by([() => 1])).toThrow("a list of names");
      expect(by(["accuracy", "r2"])).toThrow("one for classification (accuracy");
      expect(by(["accuracy", "rocAuc"])).toThrow('"rocAuc", which is for two');
      expect(() =>
        crossValidate(new NearestMean(), iris.X, iris.y, { scoring: ["accuracy", "negLogLoss"] }),
      ).toThrow("for a FittedNearestMean, which has no probabilities");
      expect(() => crossValScore(bayes, iris.X, iris.y, { scoring: ["accuracy"] as never })).toThrow(
        "crossValScore: scoring must be a name or a function",
      );
    });
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

  it("refuses scores that are not numbers", () => {
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

describe("rows of weight 0", () => {
  const rows = Array.from({ length: 30 }, (_, i) => [i % 5, Math.cos(i)]);
  const labels = rows.map((_, i) => (i % 3 === 0 ? "a" : "b"));
  const sampleWeight = rows.map((_, i) => (i % 4 === 0 ? 0 : 1 + (i % 2)));
  const kept = [...rows.keys()].filter((i) => sampleWeight[i]! > 0);
  const some = <T>(list: readonly T[]): T[] => kept.map((i) => list[i]!);

  it("are in no fold", () => {
    const tree = new DecisionTreeClassifier({ maxDepth: 2 });
    for (const cv of [3, new KFold({ nSplits: 3, shuffle: true })]) {
      const here = crossValScore(tree, rows, labels, { cv, sampleWeight });
      expect(here).toEqual(
        crossValScore(tree, some(rows), some(labels), { cv, sampleWeight: some(sampleWeight) }),
      );
    }
    const testFold = rows.map((_, i) => i % 2);
    const given = crossValScore(tree, rows, labels, { cv: new PredefinedSplit({ testFold }), sampleWeight });
    const cv = new PredefinedSplit({ testFold: some(testFold) });
    expect(given).toEqual(
      crossValScore(tree, some(rows), some(labels), { cv, sampleWeight: some(sampleWeight) }),
    );
  });
});
