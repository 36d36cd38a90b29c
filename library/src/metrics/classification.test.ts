import { describe, expect, it } from "vitest";
import { DataError, ParameterError, ShapeError } from "../core/errors.js";
import {
  accuracyScore,
  balancedAccuracyScore,
  binaryRates,
  confusionMatrix,
  f1Score,
  logLoss,
  precisionRecallF1,
  precisionScore,
  recallScore,
} from "./index.js";

const truth = ["cat", "dog", "dog", "bird", "cat", "bird", "dog", "cat"] as const;
const guess = ["cat", "cat", "dog", "bird", "bird", "bird", "dog", "dog"] as const;
const sampleWeight = [1, 2, 0.5, 3, 1, 0, 2, 1.5];

/** The figures for animals are those of scikit-learn 1.2.1. */
describe("accuracyScore", () => {
  it("is the weighted fraction of correct predictions", () => {
    expect(accuracyScore(truth, guess)).toBe(0.625);
    expect(accuracyScore(truth, guess, { sampleWeight })).toBeCloseTo(0.5909090909090909, 15);
    expect(accuracyScore(truth, guess, { normalize: false })).toBe(5);
  });

  it("balanced, counts every class the same", () => {
    expect(balancedAccuracyScore(truth, guess, { sampleWeight })).toBeCloseTo(0.6137566137566137, 15);
    expect(balancedAccuracyScore([0, 0, 0, 1], [0, 0, 0, 0])).toBe(0.5);
  });

  it("refuses labels of different types instead of counting them as wrong", () => {
    expect(() => accuracyScore([1, 0], ["1", "0"] as never)).toThrow(
      'accuracyScore: yPred[0] must be a number like yTrue[0] (1), got "1".',
    );
  });

  it("refuses lists that are empty, of different lengths, or no lists", () => {
    expect(() => accuracyScore([], [])).toThrow("accuracyScore: yTrue must be one entry or more, got none.");
    expect(() => accuracyScore([1, 2], [1])).toThrow(
      "accuracyScore: yPred must be as long as yTrue (2), got 1 entries.",
    );
    expect(() => accuracyScore(undefined as never, [1])).toThrow(DataError);
    expect(() => accuracyScore([1], [1], { sampleWeight: [1, 2] })).toThrow(ShapeError);
    expect(() => accuracyScore([1], [1], { sampleWeight: [-1] })).toThrow(DataError);
    expect(() => accuracyScore([1], [1], { sampleWeight: [0] })).toThrow(DataError);
  });
});

describe("confusionMatrix", () => {
  it("has a row for each truth and a column for each prediction", () => {
    const confusion = confusionMatrix(truth, guess, { sampleWeight });
    expect(confusion.classes).toEqual(["bird", "cat", "dog"]);
    expect(confusion.toArray()).toEqual([
      [3, 0, 0],
      [1, 1, 1.5],
      [0, 2, 2.5],
    ]);
    expect(confusion.count("dog", "cat")).toBe(2);
    expect(() => confusion.count("dog", "cow" as never)).toThrow(
      'ConfusionMatrix.count: prediction must be one of the classes ("bird", "cat", "dog"), got "cow".',
    );
  });

  it("with predictions in the rows is the transpose: (TN FN / FP TP) for two classes", () => {
    const yTrue = [false, false, false, true, true];
    const yPred = [false, false, true, true, false];
    const transposed = confusionMatrix(yTrue, yPred, { layout: "rows-are-predictions" });
    expect(transposed.toArray()).toEqual([
      [2, 1],
      [1, 1],
    ]);
    // TN, FP, FN and TP all differ, so that any other layout shows.
    const rows = (count: number, label: boolean) => new Array<boolean>(count).fill(label);
    const [TN, FP, FN, TP] = [4, 3, 1, 2];
    const yes = [...rows(TN + FP, false), ...rows(FN + TP, true)];
    const said = [...rows(TN, false), ...rows(FP, true), ...rows(FN, false), ...rows(TP, true)];
    const asymmetric = confusionMatrix(yes, said, { layout: "rows-are-predictions" });
    expect(asymmetric.toArray()).toEqual([
      [TN, FN],
      [FP, TP],
    ]);
    expect(confusionMatrix(yes, said).toArray()).toEqual([
      [TN, FP],
      [FN, TP],
    ]);
    expect([asymmetric.count(true, false), asymmetric.count(false, true)]).toEqual([FN, FP]);
    const three = confusionMatrix(truth, guess, { layout: "rows-are-predictions" });
    expect(three.matrix).toEqual(confusionMatrix(truth, guess).matrix.transpose());
    expect(three.count("cat", "dog")).toBe(confusionMatrix(truth, guess).count("cat", "dog"));
  });

  it("normalises by truth, by prediction or by everything; empty classes stay 0", () => {
    expect(confusionMatrix(truth, guess, { normalize: "true" }).matrix.row(1)).toEqual(
      new Float64Array([1 / 3, 1 / 3, 1 / 3]),
    );
    expect(confusionMatrix([0, 0], [0, 1], { normalize: "pred" }).toArray()).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(confusionMatrix([0, 1], [0, 0], { normalize: "all" }).toArray()).toEqual([
      [0.5, 0],
      [0.5, 0],
    ]);
    expect(() => confusionMatrix([0], [0], { normalize: "rows" as never })).toThrow(ParameterError);
  });

  it("uses the given labels in the given order and refuses all others", () => {
    expect(confusionMatrix([1, 0], [1, 1], { labels: [1, 0, 2] }).toArray()).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]);
    expect(() => confusionMatrix([1, 3], [1, 1], { labels: [0, 1] })).toThrow(
      "confusionMatrix: yTrue[1] must be one of the labels (0, 1), got 3.",
    );
    expect(() => confusionMatrix([1], [1], { labels: [1, 1] })).toThrow(ParameterError);
    expect(() => confusionMatrix([1, "a"] as never, [1, 1])).toThrow("of one type");
    expect(() => confusionMatrix([null] as never, [1])).toThrow(DataError);
  });
});

describe("binaryRates", () => {
  const yTrue = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
  const yPred = [1, 1, 1, 0, 0, 0, 0, 0, 1, 1];

  it("are fractions of the positives and of the negatives", () => {
    const rates = binaryRates(yTrue, yPred);
    expect(rates).toMatchObject({ truePositives: 3, falseNegatives: 1, trueNegatives: 4, falsePositives: 2 });
    expect(rates.tpr).toBe(3 / 4);
    expect(rates.tnr).toBe(4 / 6);
    expect(rates.tpr + rates.fnr).toBe(1);
    expect(rates.tnr + rates.fpr).toBe(1);
  });

  it("swap their roles with the positive label", () => {
    const [one, zero] = [binaryRates(yTrue, yPred), binaryRates(yTrue, yPred, { positiveLabel: 0 })];
    expect(zero.tpr).toBe(one.tnr);
    expect(zero.fpr).toBe(one.fnr);
  });

  it("of three classes need to know which one is positive", () => {
    expect(() => binaryRates(truth, guess)).toThrow("positiveLabel must be given as one of the labels");
    expect(binaryRates(truth, guess, { positiveLabel: "bird" }).tpr).toBe(1);
    expect(() => binaryRates(truth, guess, { positiveLabel: "cow" as never })).toThrow(DataError);
  });

  it("of one class do not exist", () => {
    expect(() => binaryRates([1, 1], [1, 0])).toThrow(
      "binaryRates: yTrue must be of both classes, got only positives.",
    );
  });
});

describe("precision, recall and F1", () => {
  const scores = [precisionScore, recallScore, f1Score];

  it.each([
    ["micro", [0.5909090909090909, 0.5909090909090909, 0.5909090909090909]],
    ["macro", [0.5694444444444444, 0.6137566137566137, 0.5843568196509373]],
    ["weighted", [0.5662878787878788, 0.5909090909090909, 0.5723100428982781]],
  ] as const)("averaged %s agree with scikit-learn", (average, expected) => {
    for (const [s, score] of scores.entries()) {
      expect(score(truth, guess, { average, sampleWeight })).toBeCloseTo(expected[s]!, 15);
    }
  });

  it("come class by class with their support", () => {
    const all = precisionRecallF1(truth, guess, { sampleWeight });
    expect(all.classes).toEqual(["bird", "cat", "dog"]);
    expect([...all.precision]).toEqual([0.75, 1 / 3, 0.625]);
    expect([...all.support]).toEqual([3, 3.5, 4.5]);
  });

  it("look at the positive class of two, the second unless said otherwise", () => {
    expect(precisionScore([0, 1, 1], [1, 1, 0])).toBe(0.5);
    expect(recallScore(["no", "yes", "yes"], ["yes", "yes", "no"])).toBe(0.5);
    expect(recallScore(["no", "yes", "yes"], ["no", "yes", "no"], { positiveLabel: "no" })).toBe(1);
    expect(() => f1Score(truth, guess)).toThrow(
      'average must be "micro", "macro" or "weighted" for 3 classes',
    );
    expect(() => f1Score([1, 1], [1, 1])).toThrow("positiveLabel must be given");
    expect(f1Score([0, 0], [0, 0], { positiveLabel: 1 })).toBe(0);
  });

  it("count 0 / 0 as told", () => {
    expect(precisionScore([0, 1], [0, 0])).toBe(0);
    expect(precisionScore([0, 1], [0, 0], { zeroDivision: 1 })).toBe(1);
    expect(() => precisionScore([0, 1], [0, 0], { average: "mean" as never })).toThrow(ParameterError);
  });
});

describe("labels", () => {
  it("of classes may be a typed array", () => {
    const labels = Int32Array.of(1, 0) as never;
    const found = confusionMatrix([0, 1, 1], [0, 1, 0], { labels });
    expect(found.classes).toEqual([1, 0]);
    expect(
      logLoss(
        [0, 1],
        [
          [0.2, 0.8],
          [0.8, 0.2],
        ],
        { labels },
      ),
    ).toBeCloseTo(-Math.log(0.8), 12);
  });

  it("that are NaN are refused", () => {
    expect(() => accuracyScore([Number.NaN, 1], [Number.NaN, 1])).toThrow(
      "yTrue[0] must be a string, a number",
    );
    expect(() => accuracyScore([0, 1], [0, Number.NaN])).toThrow("yPred[1]");
  });
});
