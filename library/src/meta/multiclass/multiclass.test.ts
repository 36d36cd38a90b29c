import { describe, expect, expectTypeOf, it } from "vitest";
import { GaussianNB } from "../../bayes/index.js";
import { AbortError, DataError, ParameterError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { loadDataset } from "../../datasets/index.js";
import { LinearSVC, LogisticRegression } from "../../linear/index.js";
import { NearestCentroid } from "../../neighbors/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { StandardScaler } from "../../preprocessing/index.js";
import { crossValScore, GridSearch } from "../../selection/index.js";
import { DecisionTreeClassifier } from "../../trees/index.js";
import { OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier } from "../index.js";

const { X, y } = await loadDataset("iris");
const two = y.map((name) => (name === "setosa" ? "setosa" : "other"));
const table = Table.fromColumns({
  length: Array.from(X.column(2)),
  size: Array.from(X.column(3), (v) => (v < 1 ? "small" : v < 1.6 ? "middle" : null)),
});

describe("OneVsRestClassifier", () => {
  it("fits one classifier per class, each to that class against all others", () => {
    const model = new OneVsRestClassifier({ estimator: new GaussianNB() }).fit(X, y);
    expect(model.estimators.length).toBe(3);
    const alone = model.classes.map((name) =>
      new GaussianNB().fit(
        X,
        y.map((label) => (label === name ? 1 : 0)),
      ),
    );
    const P = model.predictProba(X);
    const own = alone.map((one) => one.predictProba(X).column(1));
    for (let i = 0; i < 150; i += 7) {
      const sum = own[0]![i]! + own[1]![i]! + own[2]![i]!;
      own.forEach((p, k) => {
        expect(P.data[3 * i + k]).toBeCloseTo(p[i]! / sum, 14);
      });
    }
    expectTypeOf(model.predict(X)).toEqualTypeOf<("setosa" | "versicolor" | "virginica")[]>();
  });

  it("of two classes is the one classifier of the second", () => {
    const inner = new LogisticRegression();
    const model = new OneVsRestClassifier({ estimator: inner }).fit(X, two);
    const alone = inner.fit(
      X,
      two.map((label) => (label === "setosa" ? 1 : 0)),
    );
    expect(model.estimators.length).toBe(1);
    expect(model.decisionFunction(X)).toEqual(alone.decisionFunction(X));
    expect(model.predictProba(X).column(1)).toEqual(alone.predictProba(X).column(1));
  });

  it("has the scores that its classifiers have", () => {
    expect("predictProba" in new OneVsRestClassifier({ estimator: new LinearSVC() }).fit(X, y)).toBe(false);
    expect("decisionFunction" in new OneVsRestClassifier({ estimator: new GaussianNB() }).fit(X, y)).toBe(
      false,
    );
  });

  it("gives equal probabilities where every classifier says no", () => {
    const never = {
      fit: () => ({
        nFeatures: 4,
        classes: [0, 1],
        predict: (x: Matrix) => Array.from({ length: x.rows }, () => 0),
        predictProba: (x: Matrix) => Matrix.fromRows(Array.from({ length: x.rows }, () => [1, 0])),
        score: () => 0,
        toState: () => new GaussianNB().fit(X, two).toState(),
      }),
    };
    const model = new OneVsRestClassifier({ estimator: never as unknown as GaussianNB }).fit(X, y);
    expect(model.predictProba(X.selectRows([0])).toArray()).toEqual([[1 / 3, 1 / 3, 1 / 3]]);
  });
});

describe("OneVsOneClassifier", () => {
  it("fits one classifier per pair of classes, to their rows alone", () => {
    const model = new OneVsOneClassifier({ estimator: new GaussianNB() }).fit(X, y);
    const rows = [...y.keys()].filter((i) => y[i] !== "versicolor");
    const alone = new GaussianNB().fit(
      X.selectRows(rows),
      rows.map((i) => (y[i] === "virginica" ? 1 : 0)),
    );
    expect(model.estimators.length).toBe(3);
    expect(model.estimators[1]!.predictProba!(X)).toEqual(alone.predictProba(X));
  });

  it("decides by votes, and by confidence among equal votes", () => {
    const model = new OneVsOneClassifier({ estimator: new LinearSVC() }).fit(X, y);
    const { data } = model.decisionFunction(X);
    const votes = [0, 1, 2].map(() => new Float64Array(150));
    const pairs = [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const;
    pairs.forEach(([a, b], m) => {
      model.estimators[m]!.predict(X).forEach((label, i) => {
        votes[label === 1 ? b : a]![i]!++;
      });
    });
    for (let i = 0; i < 150; i++)
      for (let k = 0; k < 3; k++) expect(Math.abs(data[3 * i + k]! - votes[k]![i]!)).toBeLessThan(1 / 3);
  });
});

describe("OutputCodeClassifier", () => {
  it("draws codes that differ, without a constant bit, the same for the same seed", () => {
    const book = (randomState: number, codeSize: number, labels: readonly (string | number)[] = y) =>
      new OutputCodeClassifier({ estimator: new GaussianNB(), codeSize, randomState }).fit(X, labels)
        .codeBook;
    for (let seed = 0; seed < 20; seed++)
      for (const [size, labels] of [
        [1.5, y],
        [0.7, y],
        [4, y],
        [1.5, two],
        [0.5, two],
      ] as const) {
        const codes = book(seed, size, labels).toArray();
        expect(codes.length).toBe(new Set(labels).size);
        expect(codes[0]!.length).toBe(Math.floor(size * codes.length));
        expect(new Set(codes.map(String)).size).toBe(codes.length);
        codes[0]!.forEach((_, b) => {
          expect(new Set(codes.map((row) => row[b])).size).toBe(2);
        });
      }
    expect(book(1, 3)).toEqual(book(1, 3));
    expect(book(1, 3)).not.toEqual(book(2, 3));
  });

  it("predicts the class with the nearest code", () => {
    const codeBook = [
      [0, 0, 1, 1],
      [0, 1, 0, 1],
      [1, 0, 0, 1],
    ] as const;
    // The last bit is constant.
    expect(() => new OutputCodeClassifier({ codeBook })).toThrow("no column of which is constant");
    const useful = codeBook.map((row) => row.slice(0, 3) as (0 | 1)[]);
    for (const [estimator, zero] of [
      [new GaussianNB(), 0],
      [new LinearSVC(), -1],
    ] as const) {
      const model = new OutputCodeClassifier<GaussianNB | LinearSVC>({ estimator, codeBook: useful }).fit(
        X,
        y,
      );
      const scores = model.estimators.map((one) =>
        zero === 0 ? one.predictProba!(X).column(1) : one.decisionFunction!(X).column(0),
      );
      const nearest = y.map((_, i) => {
        const distances = useful.map((code) =>
          code.reduce((sum: number, bit, b) => sum + (scores[b]![i]! - (bit === 1 ? 1 : zero)) ** 2, 0),
        );
        return model.classes[distances.indexOf(Math.min(...distances))]!;
      });
      expect(model.predict(X)).toEqual(nearest);
    }
  });

  it("says what is wrong with codes", () => {
    const codeBook = [
      [0, 1],
      [1, 0],
    ] as const;
    expect(() => new OutputCodeClassifier({ codeBook }).fit(X, y)).toThrow(
      "OutputCodeClassifier.fit: codeBook must be one row per class (3), got 2 rows.",
    );
    expect(() => new OutputCodeClassifier({ codeSize: 1e10 })).toThrow(/codeSize must be .*got 10000000000/);
    expect(() => new OutputCodeClassifier({ codeSize: 0.4 }).fit(X, y)).toThrow(
      "codeSize must be larger, so that 3 classes have different codes, got 0.4.",
    );
    for (const wrong of [
      [
        [0, 2],
        [1, 0],
      ],
      [
        [0, 1],
        [0, 1],
      ],
      [[0], [1, 0]],
      [[0, 1]],
      [[], []],
    ])
      expect(() => new OutputCodeClassifier({ codeBook: wrong as never })).toThrow(ParameterError);
  });
});

describe("many classes made of two", () => {
  for (const type of [OneVsRestClassifier, OneVsOneClassifier, OutputCodeClassifier] as const) {
    const of = (estimator: object) => new type({ estimator } as never) as OneVsRestClassifier;

    it(`${type.id}: sparse rows, tables with categories and gaps, weights and saving`, () => {
      const bayes = of(new GaussianNB());
      const dense = of(new LogisticRegression()).fit(X, y);
      expect(of(new LogisticRegression()).fit(CsrMatrix.fromDense(X), y).predict(X)).toEqual(
        dense.predict(X),
      );
      const trees = of(new DecisionTreeClassifier()).fit(table, y);
      expect(trees.featureNamesIn).toEqual(["length", "size"]);
      expect((loadModel(saveModel(trees)) as typeof trees).predict(table)).toEqual(trees.predict(table));
      const twice = y.map((_, i) => 1 + (i % 2));
      const rows = y.flatMap((_, i) => Array<number>(twice[i]!).fill(i));
      const weighted = bayes.fit(X, y, { sampleWeight: twice });
      const repeated = bayes.fit(
        X.selectRows(rows),
        rows.map((i) => y[i]!),
      );
      expect(weighted.predict(X)).toEqual(repeated.predict(X));
      expect(crossValScore(pipeline(new StandardScaler(), bayes), X, y).every((s) => s > 0.7)).toBe(true);
    });

    it(`${type.id}: class weights of the inner classifier are those of 0 and 1`, () => {
      const plain = of(new LogisticRegression()).fit(X, y);
      const biased = of(new LogisticRegression({ classWeight: { 0: 1, 1: 50 } })).fit(X, y);
      const ones = (model: typeof plain) =>
        model.estimators.map((one) => one.predict(X).filter((label) => label === 1).length);
      const [usual, more] = [ones(plain), ones(biased)];
      more.forEach((count, m) => {
        expect(count).toBeGreaterThanOrEqual(usual[m]!);
      });
      expect(Math.max(...more.map((count, m) => count - usual[m]!))).toBeGreaterThan(5);
    });

    it(`${type.id}: is searched, stops at a signal and refuses what has no scores`, () => {
      const search = new GridSearch({
        estimator: of(new DecisionTreeClassifier()),
        cv: 2,
        grid: { "estimator.maxDepth": [1, 3] } as never,
      });
      expect(search.fit(X, y).results.length).toBe(2);
      expect(() => of(new NearestCentroid())).toThrow(
        "estimator must be a classifier with a decision function or probabilities, got NearestCentroid.",
      );
      const stop = new AbortController();
      const inner = {
        fit: (x: never, labels: never) => {
          stop.abort();
          return new GaussianNB().fit(x, labels);
        },
      };
      expect(() => of(inner).fit(X, y, { signal: stop.signal })).toThrow(AbortError);
      const scoreless = { fit: (x: never, labels: never) => new NearestCentroid().fit(x, labels) };
      expect(() => of(scoreless).fit(X, y)).toThrow(
        "one whose models have a decision function or probabilities",
      );
      expect(() =>
        of(new GaussianNB()).fit(
          X,
          y.map(() => "one"),
        ),
      ).toThrow(DataError);
    });
  }
});
