import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LogisticRegression, Ridge } from "../linear/index.js";
import { accuracyScore } from "../metrics/index.js";
import { KNeighborsClassifier } from "../neighbors/index.js";
import { pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import {
  compareScores,
  crossValidate,
  crossValPredict,
  KFold,
  learningCurve,
  permutationTestScore,
  ShuffleSplit,
  StratifiedKFold,
  validationCurve,
} from "./index.js";
import { criticalT, twoSided } from "./student-t.js";

const iris = await loadDataset("iris");
const diabetes = await loadDataset("diabetes");

describe("crossValPredict", () => {
  it("predicts every row by the model of the other folds", () => {
    const cv = new StratifiedKFold({ nSplits: 4, shuffle: true });
    const estimator = new KNeighborsClassifier();
    const labels = crossValPredict(estimator, iris.X, iris.y, { cv });
    expectTypeOf(labels).toEqualTypeOf<(typeof iris.y)[number][]>();
    const proba = crossValPredict(estimator, iris.X, iris.y, { cv, method: "predictProba" });
    expectTypeOf(proba).toEqualTypeOf<Matrix>();
    for (const { train, test } of cv.split(iris.X, iris.y)) {
      const model = estimator.fit(
        iris.X.selectRows(train),
        Array.from(train, (i) => iris.y[i]!),
      );
      const held = iris.X.selectRows(test);
      expect(Array.from(test, (i) => labels[i])).toEqual(model.predict(held));
      expect(proba.selectRows(test)).toEqual(model.predictProba(held));
    }
    const { testScore } = crossValidate(estimator, iris.X, iris.y, { cv: 5 });
    const mean = testScore.reduce((sum, s) => sum + s, 0) / 5;
    const all = accuracyScore(iris.y, crossValPredict(estimator, iris.X, iris.y, { cv: 5 }));
    // Folds of one size: the mean of their accuracies is that of all rows.
    expect(all).toBeCloseTo(mean, 12);
  });

  it("returns numbers for regressors, and takes sparse rows, tables and weights", () => {
    const { X, y } = diabetes;
    const sampleWeight = Float64Array.from(y, (_, i) => 1 + (i % 3));
    const dense = crossValPredict(new Ridge(), X, y, { sampleWeight });
    expect(dense).toBeInstanceOf(Float64Array);
    const sparse = crossValPredict(new Ridge(), CsrMatrix.fromDense(X), y, { sampleWeight });
    sparse.forEach((v, i) => {
      expect(v).toBeCloseTo(dense[i]!, 6);
    });
    const names = Array.from({ length: X.cols }, (_, j) => `c${j}`);
    const table = Table.fromColumns(Object.fromEntries(names.map((name, j) => [name, X.column(j)])));
    expect(crossValPredict(new Ridge(), table, y, { sampleWeight })).toEqual(dense);
  });

  it("gives a class that a fold has not seen probability 0", () => {
    // iris is sorted by species: each of three plain folds holds out one of them.
    const cv = new KFold({ nSplits: 3 });
    const proba = crossValPredict(new KNeighborsClassifier(), iris.X, iris.y, { cv, method: "predictProba" });
    expect(proba.cols).toBe(3);
    const classes = ["setosa", "versicolor", "virginica"] as const;
    iris.y.forEach((label, i) => {
      expect(proba.at(i, classes.indexOf(label))).toBe(0);
      expect(proba.row(i).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    });
    const method = "decisionFunction";
    expect(() => crossValPredict(new LogisticRegression(), iris.X, iris.y, { cv, method })).toThrow(
      "Use stratified folds",
    );
  });

  it("refuses folds that are not a partition, and methods that a model lacks", () => {
    const cv = new ShuffleSplit({ nSplits: 2 });
    expect(() => crossValPredict(new Ridge(), diabetes.X, diabetes.y, { cv })).toThrow(
      "cv must be folds that hold out every row once",
    );
    const method = "decisionFunction";
    expect(() => crossValPredict(new KNeighborsClassifier(), iris.X, iris.y, { method })).toThrow(
      ParameterError,
    );
  });
});

describe("learningCurve", () => {
  it("ends at the scores of crossValidate", () => {
    const estimator = pipeline(new StandardScaler(), new LogisticRegression());
    const curve = learningCurve(estimator, iris.X, iris.y, { shuffle: false, trainSizes: [90, 120], cv: 5 });
    const { testScore, trainScore } = crossValidate(estimator, iris.X, iris.y, { returnTrainScore: true });
    expect(Array.from(curve.trainSizes)).toEqual([90, 120]);
    expect(curve.testScores.row(1)).toEqual(testScore);
    expect(curve.trainScores.row(1)).toEqual(trainScore);
  });

  it("draws rows of all classes by default, the smaller sets within the larger", () => {
    const seen: number[][] = [];
    const scoring = (model: { readonly nSamples: number }) => model.nSamples;
    const spy = {
      fit: (x: Matrix, y: ArrayLike<string>) => {
        seen.push(Array.from({ length: x.rows }, (_, i) => x.at(i, 0)));
        return { nSamples: y.length, nFeatures: 1, toState: () => ({}) as never };
      },
    };
    const X = Table.fromColumns({ i: Array.from({ length: 20 }, (_, i) => i) }).toMatrix();
    const y = Array.from({ length: 20 }, (_, i) => (i < 10 ? "a" : "b"));
    const curve = learningCurve(spy, X, y, { cv: 2, scoring, trainSizes: [0.5, 0.21, 0.5] });
    expect(Array.from(curve.trainSizes)).toEqual([2, 5]);
    expect(curve.testScores.toArray()).toEqual([
      [2, 2],
      [5, 5],
    ]);
    expect(seen[2]!.slice(0, 2)).toEqual(seen[0]);
  });

  it("names sizes that cannot be", () => {
    const of = (trainSizes: number[]) => () =>
      learningCurve(new Ridge(), diabetes.X, diabetes.y, { trainSizes });
    expect(of([2, 400])).toThrow("got 400");
    expect(of([0.001])).toThrow(DataError);
    expect(of([])).toThrow("one size or more");
  });
});

describe("validationCurve", () => {
  it("is crossValidate for every value", () => {
    const pipe = pipeline(["scale", new StandardScaler()], ["knn", new KNeighborsClassifier()]);
    const paramRange = [1, 5, 25];
    const curve = validationCurve(pipe, iris.X, iris.y, { paramName: "knn.nNeighbors", paramRange, cv: 3 });
    paramRange.forEach((nNeighbors, p) => {
      const own = pipeline(new StandardScaler(), new KNeighborsClassifier({ nNeighbors }));
      const options = { cv: 3, returnTrainScore: true } as const;
      const { testScore, trainScore } = crossValidate(own, iris.X, iris.y, options);
      expect(curve.testScores.row(p)).toEqual(testScore);
      expect(curve.trainScores.row(p)).toEqual(trainScore);
    });
  });

  it("names parameters that do not exist, to the compiler too", () => {
    // @ts-expect-error: Ridge has no such parameter
    const options = { paramName: "alpa", paramRange: [1] } as const satisfies { paramName: "alpha" };
    expect(() => validationCurve(new Ridge(), diabetes.X, diabetes.y, options as never)).toThrow("alpa");
    expect(() =>
      validationCurve(new Ridge(), diabetes.X, diabetes.y, { paramName: "alpha", paramRange: [] }),
    ).toThrow("paramRange");
  });
});

describe("permutationTestScore", () => {
  it("tells what X says about y from what it does not", () => {
    const real = permutationTestScore(new KNeighborsClassifier(), iris.X, iris.y, { nPermutations: 19 });
    expect(real.pValue).toBe(1 / 20);
    expect(real.score).toBeGreaterThan(0.9);
    const noise = iris.y.map((_, i) => iris.y[(i * 67) % 150]!);
    const none = permutationTestScore(new KNeighborsClassifier(), iris.X, noise, { nPermutations: 19 });
    expect(none.pValue).toBeGreaterThan(0.05);
    expect(none.permutationScores.length).toBe(19);
  });

  it("permutes within groups", () => {
    // Of groups with one label each, every permutation is the same y.
    const { score, permutationScores, pValue } = permutationTestScore(
      new KNeighborsClassifier(),
      iris.X,
      iris.y,
      { nPermutations: 3, groups: iris.y, cv: new StratifiedKFold({ nSplits: 3 }) },
    );
    expect(Array.from(permutationScores)).toEqual([score, score, score]);
    expect(pValue).toBe(1);
  });
});

describe("compareScores", () => {
  it("Student's distribution has the quantiles of R and scipy", () => {
    // scipy.stats.t: 2 * sf(t, df), isf(0.025, df).
    for (const [t, df, p] of [
      [0, 4, 1],
      [1, 1, 0.5],
      [2.5, 9, 0.03386182768298571],
      [0.3, 29, 0.7663170933289678],
      [12, 4, 0.000276428548502973],
    ] as const)
      expect(twoSided(t, df)).toBeCloseTo(p, 12);
    for (const [df, t] of [
      [1, 12.706204736432102],
      [4, 2.7764451051977987],
      [99, 1.9842169515086827],
    ] as const)
      expect(criticalT(0.05, df)).toBeCloseTo(t, 9);
  });

  it("is the corrected resampled t-test by hand", () => {
    const [a, b] = [
      [0.9, 0.8, 0.85, 0.95],
      [0.8, 0.75, 0.85, 0.9],
    ];
    const { difference, t, pValue, interval, standardError, degreesOfFreedom } = compareScores(a, b);
    expect(difference).toBeCloseTo(0.05, 12);
    // Differences 0.1, 0.05, 0, 0.05: variance 1/600; (1/4 + 1/3) / 600.
    expect(standardError).toBeCloseTo(Math.sqrt(7 / 12 / 600), 12);
    expect(t).toBeCloseTo(0.05 / standardError, 9);
    expect(degreesOfFreedom).toBe(3);
    expect(pValue).toBeCloseTo(twoSided(t, 3), 12);
    expect((interval[0] + interval[1]) / 2).toBeCloseTo(difference, 12);
    // A wider interval never excludes what a narrower one holds; the p-value is where it touches 0.
    const touching = compareScores(a, b, { confidence: 1 - pValue }).interval;
    expect(touching[0]).toBeCloseTo(0, 9);
    expect(compareScores(a, b, { testFraction: 0.5 }).t).toBeLessThan(t);
  });

  it("takes results of crossValidate, and equal ones differ by nothing", () => {
    const result = crossValidate(new KNeighborsClassifier(), iris.X, iris.y);
    expect(compareScores(result, result)).toMatchObject({ difference: 0, t: 0, pValue: 1, interval: [0, 0] });
    expect(compareScores([1, 1, 1], [0, 0, 0])).toMatchObject({ pValue: 0, interval: [1, 1] });
    expect(() => compareScores(result, [0.5, 0.6])).toThrow("of the same folds as first (5 scores)");
    expect(() => compareScores([1], [1])).toThrow("two scores or more");
  });
});
