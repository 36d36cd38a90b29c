import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import {
  compare,
  crossValidate,
  crossValScore,
  DecisionTreeClassifier,
  GaussianNB,
  GridSearch,
  HalvingSearch,
  HistGradientBoostingClassifier,
  type Label,
  LinearSVC,
  LogisticRegression,
  LogisticRegressionCV,
  learningCurve,
  permutationImportance,
  permutationTestScore,
  precisionScore,
  RandomSearch,
  RFECV,
  recallScore,
  SequentialFeatureSelector,
  ThresholdClassifier,
  uniform,
  validationCurve,
} from "../../src/index.js";
import type { ScorerName } from "../../src/metrics/scorers.js";
import { classificationScorers, positiveScorers, scorers } from "../../src/metrics/scorers.js";

/** One row in five is of the first label, which is hard to find. */
function rare(n: number, labels: readonly [Label, Label], seed = 1) {
  const random = new Random(seed);
  const y = Array.from({ length: n }, (_, i) => labels[i % 5 === 0 ? 0 : 1]);
  const X = y.map((label) => [random.normal() + (label === labels[0] ? 1.2 : 0), random.normal()]);
  return { X, y: y as Label[] };
}

const binary = classificationScorers.filter((name) => !/Ovr|Ovo/.test(name));

describe("every scorer × label type", () => {
  const pairs: readonly [Label, Label][] = [
    ["fraud", "legit"],
    ["zebra", "ant"],
    [2, 1],
    [7, 9],
    ["no", "yes"],
    ["yes", "no"],
    [0, 1],
    [1, 0],
    [-1, 1],
    [1, -1],
    [true, false],
    [false, true],
  ];
  // The truth is that of labels 0 and 1, where 1 is the label to find.
  test.each(pairs)(
    "%s to be found among %s: what is measured is that label's, whatever the names",
    (first, second) => {
      const { X, y } = rare(200, [first, second]);
      const coded = y.map((label) => (label === first ? 1 : 0));
      for (const estimator of [new GaussianNB(), new LinearSVC()]) {
        const model = estimator.fit(X, y as never);
        const twin = estimator.fit(X, coded);
        for (const name of binary) {
          if (/Log|Brier/.test(name) && estimator instanceof LinearSVC) continue;
          const expected = scorers[name](twin, X, coded, {});
          const found = scorers[name](model, X, y as never, { positiveLabel: first });
          // Probabilities of both classes have one sum, but not the same last digits.
          expect(found, name).toBeCloseTo(expected, 12);
        }
      }
    },
  );

  test("precision, recall, F1, Jaccard and average precision depend on the positive label; no other scorer does", () => {
    const { X, y } = rare(200, ["fraud", "legit"]);
    const model = new GaussianNB().fit(X, y as never);
    const differ = binary.filter((name) => {
      const [a, b] = ["fraud", "legit"].map((positiveLabel) =>
        scorers[name](model, X, y as never, { positiveLabel }),
      );
      return Math.abs(a! - b!) > 1e-9;
    });
    expect(differ.sort()).toEqual([...positiveScorers].sort());
  });

  test("labels that do not say which one is positive are refused by exactly these scorers", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<readonly [Label, Label]>(
          ["fraud", "legit"],
          ["b", "a"],
          [1, 2],
          ["benign", "malignant"],
        ),
        fc.constantFrom<ScorerName>(...binary),
        (labels, scoring) => {
          const { X, y } = rare(60, labels);
          const run = () => crossValScore(new GaussianNB(), X, y as never, { scoring, cv: 2 });
          if (!positiveScorers.some((name) => name === scoring)) return run().every(Number.isFinite);
          expect(run).toThrow(/^crossValScore: positiveLabel must be given as one of the labels/);
          return true;
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("the positive label reaches every search and every fold", () => {
  const { X, y } = rare(150, ["fraud", "legit"]);
  const names = y as string[];
  // In the order of the labels, so that ties end alike; "+" is positive by its meaning.
  const coded = names.map((label) => (label === "fraud" ? "+" : "-"));
  const tree = new DecisionTreeClassifier({ maxDepth: 2 });
  const expected = crossValScore(tree, X, coded, { scoring: "recall", cv: 3 });

  test("crossValidate: the recall of fraud, not of the label that sorts second", () => {
    const { testScore } = crossValidate(tree, X, names, { scoring: "recall", positiveLabel: "fraud", cv: 3 });
    expect(testScore).toEqual(expected);
    const model = tree.fit(X, names);
    const found = recallScore(names, model.predict(X), { positiveLabel: "fraud" });
    expect(scorers.recall(model, X, names, { positiveLabel: "fraud" })).toBe(found);
    const custom = crossValidate(tree, X, names, {
      scoring: (fitted, rows, truth, options) =>
        precisionScore(truth as string[], fitted.predict(rows), options as { positiveLabel: string }),
      positiveLabel: "fraud",
      cv: 3,
    });
    expect(custom.testScore).toEqual(crossValScore(tree, X, coded, { scoring: "precision", cv: 3 }));
  });

  test("searches, curves, selectors and tests refuse to guess, before the first fit", async () => {
    const wrong = /positiveLabel must be given as one of the labels \("fraud", "legit"\), got nothing/;
    const scoring = "recall";
    const grid = { maxDepth: [1, 2] };
    const runs: (() => unknown)[] = [
      () => crossValidate(tree, X, names, { scoring }),
      () => crossValidate(tree, X, names, { scoring: ["accuracy", "f1"] }),
      () => crossValidate(tree, X, names, { scoring: { own: "averagePrecision" } }),
      () => new GridSearch({ estimator: tree, grid, scoring }).fit(X, names),
      () => new GridSearch({ estimator: tree, grid, scoring, onError: "skip" }).fit(X, names),
      () => new RandomSearch({ estimator: tree, space: { minSamplesLeaf: [1, 2] }, scoring }).fit(X, names),
      () => new HalvingSearch({ estimator: tree, space: { minSamplesLeaf: [1, 2] }, scoring }).fit(X, names),
      () => learningCurve(tree, X, names, { scoring }),
      () => validationCurve(tree, X, names, { paramName: "maxDepth", paramRange: [1, 2], scoring }),
      () => permutationTestScore(tree, X, names, { scoring, nPermutations: 2 }),
      () => permutationImportance(tree.fit(X, names), X, names, { scoring }),
      () => new RFECV({ estimator: new LogisticRegression(), scoring }).fit(X, names),
      () => new SequentialFeatureSelector({ estimator: tree, nFeaturesToSelect: 1, scoring }).fit(X, names),
      () => new LogisticRegressionCV({ scoring }).fit(X, names),
      () => new HistGradientBoostingClassifier({ scoring }).fit(X, names),
      () => new ThresholdClassifier({ scoring: "f1" }).fit(X, names),
    ];
    for (const run of runs) expect(run).toThrow(wrong);
    await expect(compare(X, names, { scoring, models: { tree } })).rejects.toThrow(wrong);
  });

  test("a label that y does not have is refused", () => {
    const wrong = /positiveLabel must be one of the labels \("fraud", "legit"\), got "Fraud"/;
    expect(() => crossValidate(tree, X, names, { scoring: "recall", positiveLabel: "Fraud" })).toThrow(wrong);
    expect(() => crossValidate(tree, X, names, { positiveLabel: "Fraud" })).toThrow(wrong);
  });

  test("what is said is what is measured, as with labels + and −", () => {
    const [positiveLabel, scoring] = ["fraud", "recall"] as const;
    const search = { estimator: tree, grid: { minSamplesLeaf: [1, 20] }, scoring, cv: 3 } as const;
    const scoresOf = (found: { results: { candidates: readonly { meanScore: number }[] } }) =>
      found.results.candidates.map(({ meanScore }) => meanScore);
    expect(scoresOf(new GridSearch({ ...search, positiveLabel }).fit(X, names))).toEqual(
      scoresOf(new GridSearch(search).fit(X, coded)),
    );
    const curve = { paramName: "maxDepth", paramRange: [1, 2], scoring, cv: 3 } as const;
    expect(validationCurve(tree, X, names, { ...curve, positiveLabel })).toEqual(
      validationCurve(tree, X, coded, curve),
    );
    const cv = new LogisticRegressionCV({ scoring: "averagePrecision", Cs: 3, cv: 3 });
    const told = new LogisticRegressionCV({ ...cv.params, positiveLabel });
    expect(told.fit(X, names).C).toEqual(cv.fit(X, coded).C);
    const boosted = { scoring: "f1", maxIter: 5, earlyStopping: false } as const;
    const hist = new HistGradientBoostingClassifier({ ...boosted, positiveLabel }).fit(X, names);
    expect(hist.trainScore).toEqual(new HistGradientBoostingClassifier(boosted).fit(X, coded).trainScore);
    const rows = { scoring, nRepeats: 2 } as const;
    expect(permutationImportance(tree.fit(X, names), X, names, { ...rows, positiveLabel }).mean).toEqual(
      permutationImportance(tree.fit(X, coded), X, coded, rows).mean,
    );
    const drawn = {
      estimator: tree,
      space: { minImpurityDecrease: uniform(0, 0.1) },
      nIter: 3,
      scoring,
      cv: 3,
    } as const;
    expect(scoresOf(new RandomSearch({ ...drawn, positiveLabel }).fit(X, names))).toEqual(
      scoresOf(new RandomSearch(drawn).fit(X, coded)),
    );
  });
});
