import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { cohenKappaScore, zeroOneLoss } from "./agreement.js";
import { calibrationCurve, expectedCalibrationError } from "./calibration.js";
import { topKAccuracyScore } from "./class-scores.js";
import { classificationReport } from "./classification-report.js";
import { costScore } from "./costs.js";
import { auc, detCurve, precisionRecallCurve, rocCurve } from "./curves.js";
import { fBetaScore } from "./f-beta.js";
import { matthewsCorrcoef } from "./matthews.js";
import { averagePrecisionScore, rocAucScore } from "./ranking-scores.js";
import { maxError, meanSquaredLogError, medianAbsoluteError } from "./regression/regression-errors.js";
import { meanTweedieDeviance } from "./regression/tweedie.js";

describe("rankings of two classes", () => {
  it("AUC counts the pairs in the right order, ties half", () => {
    // 4 pairs: 0.9 > 0.5, 0.9 > 0.5, 0.5 = 0.5 twice.
    expect(rocAucScore([0, 1, 0, 1], [0.5, 0.9, 0.5, 0.5])).toBe(0.75);
    expect(rocAucScore(["b", "a"], [1, 2], { positiveLabel: "b" })).toBe(0);
    expect(rocAucScore([false, true], [3, 3])).toBe(0.5);
  });

  it("a matrix of one or two columns is read as the positive class's", () => {
    const y = ["a", "b", "a", "b"];
    const p = [0.2, 0.4, 0.6, 0.9];
    const both = p.map((v) => [1 - v, v]);
    const ofB = { positiveLabel: "b" };
    const expected = rocAucScore(y, p, ofB);
    expect(rocAucScore(y, both)).toBe(expected);
    expect(
      rocAucScore(
        y,
        p.map((v) => [v]),
      ),
    ).toBe(expected);
    expect(rocAucScore(y, both, { positiveLabel: "a" })).toBe(expected);
    expect(averagePrecisionScore(y, both, ofB)).toBe(averagePrecisionScore(y, p, ofB));
  });

  it("labels that have no positive one by their meaning must be told, except where both columns give the same", () => {
    const y = ["fraud", "legit", "legit", "fraud"];
    const p = [0.2, 0.4, 0.6, 0.9];
    const message =
      /positiveLabel must be given as one of the labels \("fraud", "legit"\), got nothing.*"fraud" }/;
    for (const score of [rocAucScore, averagePrecisionScore, rocCurve, detCurve, precisionRecallCurve])
      expect(() => score(y, p)).toThrow(message);
    const both = p.map((v) => [v, 1 - v]);
    expect(() => averagePrecisionScore(y, both)).toThrow(message);
    expect(rocAucScore(y, both)).toBe(rocAucScore(y, p, { positiveLabel: "fraud" }));
  });

  it("one class alone is an error, or for precision a documented value", () => {
    const options = { positiveLabel: 1 };
    expect(() => rocAucScore([1, 1], [0.1, 0.2], options)).toThrow("of both classes, got only positives");
    expect(() => rocCurve([0, 0], [0.1, 0.2], options)).toThrow("of both classes, got only negatives");
    expect(() => detCurve([0, 0], [0.1, 0.2], options)).toThrow("of both classes, got only negatives");
    expect(() => rocAucScore([1, 1], [0.1, 0.2])).toThrow("of both classes, got only 1");
    expect(averagePrecisionScore([0, 0], [0.1, 0.2], options)).toBe(0);
    expect(Array.from(precisionRecallCurve([0, 0], [0.1, 0.2], options).recall)).toEqual([1, 1, 0]);
  });

  it("scores must be finite, as many as labels, and of two classes", () => {
    expect(() => rocAucScore([0, 1], [0.1, Number.NaN])).toThrow(
      "yScore[1] must be a finite number, got NaN",
    );
    expect(() => rocAucScore([0, 1], [0.1])).toThrow("yScore must be as long as yTrue (2), got 1 entries");
    expect(() => rocAucScore([0, 1, 2], [0.1, 0.2, 0.3])).toThrow("of two classes, got 3 classes");
    expect(() => rocAucScore([0, 1], [0, 1], { maxFpr: 0 })).toThrow("maxFpr");
  });

  it("the points of a curve are those of its thresholds", () => {
    const y = [0, 0, 1, 1, 0, 1];
    const score = [0.1, 0.4, 0.35, 0.8, 0.8, 0.9];
    const { fpr, tpr, thresholds } = rocCurve(y, score, { dropIntermediate: false });
    thresholds.forEach((t, e) => {
      const positives = score.map((s) => s >= t);
      const rate = (k: number) => positives.filter((p, i) => p && y[i] === k).length / 3;
      expect([fpr[e], tpr[e]]).toEqual([rate(0), rate(1)]);
    });
  });

  it("auc reads curves from either end and refuses others", () => {
    expect(auc([0, 1, 2], [0, 1, 0])).toBe(1);
    expect(auc([2, 1, 0], [0, 1, 0])).toBe(1);
    expect(() => auc([0, 2, 1], [0, 1, 0])).toThrow("x must be ascending or descending");
    expect(() => auc([0], [1])).toThrow("two points or more");
  });

  it("weights count as repeated entries, 0 as none", () => {
    const random = new Random(5);
    const n = 40;
    const y = Array.from({ length: n }, () => random.below(3));
    const two = y.map((k) => (k === 2 ? 1 : k));
    const score = y.map((k) => Math.round(2 * random.normal() + k) / 2);
    const p = y.map(() => random.below(17) / 16);
    const rows = y.map(() => {
      const a = random.below(9) / 16;
      const b = random.below(8) / 16;
      return [a, b, 1 - a - b];
    });
    const numbers = y.map(() => 1 + random.below(50) / 8);
    const guess = y.map(() => random.below(3));
    const w = y.map(() => random.below(4));
    const repeat = <V>(list: readonly V[]) => list.flatMap((v, i) => new Array<V>(w[i]!).fill(v));
    const same = <A, B>(f: (a: A[], b: B[], o: { sampleWeight?: number[] }) => unknown, a: A[], b: B[]) => {
      const flat = (value: unknown) =>
        JSON.stringify(value, (_, v) => (typeof v === "number" ? v.toPrecision(12) : v));
      expect(flat(f(a, b, { sampleWeight: w }))).toBe(flat(f(repeat(a), repeat(b), {})));
    };
    same((a, b, o) => rocCurve(a, b, o), two, score);
    same((a, b, o) => precisionRecallCurve(a, b, o), two, score);
    same((a, b, o) => detCurve(a, b, o), two, score);
    same((a, b, o) => rocAucScore(a, b, { ...o, maxFpr: 0.4 }), two, score);
    same((a, b, o) => rocAucScore(a, b, { ...o, multiClass: "ovo", average: "weighted" }), y, rows);
    same((a, b, o) => rocAucScore(a, b, { ...o, multiClass: "ovr", average: "weighted" }), y, rows);
    same((a, b, o) => averagePrecisionScore(a, b, { ...o, average: "weighted" }), y, rows);
    same((a, b, o) => topKAccuracyScore(a, b, o), y, rows);
    same((a, b, o) => calibrationCurve(a, b, { ...o, strategy: "quantile" }), two, p);
    same((a, b, o) => expectedCalibrationError(a, b, o), y, rows);
    same((a, b, o) => matthewsCorrcoef(a, b, o), y, guess);
    same((a, b, o) => cohenKappaScore(a, b, { ...o, weights: "linear" }), y, guess);
    same((a, b, o) => fBetaScore(a, b, { ...o, beta: 2, average: "macro" }), y, guess);
    same((a, b, o) => classificationReport(a, b, o), y, guess);
    same((a, b, o) => medianAbsoluteError(a, b, o), numbers, score);
    same((a, b, o) => maxError(a, b, o), numbers, score);
  });
});

describe("rankings of more classes", () => {
  const y = [0, 1, 2];
  const P = [
    [0.8, 0.1, 0.1],
    [0.2, 0.5, 0.3],
    [0.1, 0.1, 0.8],
  ];

  it("AUC asks how, and for probabilities", () => {
    expect(rocAucScore(y, P, { multiClass: "ovo" })).toBe(1);
    expect(() => rocAucScore(y, P)).toThrow('multiClass must be "ovr" or "ovo" for more than two classes');
    const margins = P.map((row) => row.map((p) => 2 * p));
    expect(() => rocAucScore(y, margins, { multiClass: "ovr" })).toThrow("of sum 1");
    expect(() => rocAucScore(y, P, { multiClass: "ovr", maxFpr: 0.5 })).toThrow("maxFpr");
    expect(() => rocAucScore([0, 1, 1], P, { multiClass: "ovr", labels: y })).toThrow("both classes");
  });

  it("top-k takes later classes first among equal scores", () => {
    expect(
      topKAccuracyScore(
        [0, 1, 2],
        [
          [1, 1, 1],
          [1, 1, 1],
          [1, 1, 1],
        ],
        { k: 1 },
      ),
    ).toBe(1 / 3);
    expect(topKAccuracyScore([0, 1], [0.4, 0.6], { k: 1 })).toBe(1);
    expect(topKAccuracyScore([0, 1], [-3, 0.6], { k: 1 })).toBe(1);
    expect(() => topKAccuracyScore(y, P, { k: 4 })).toThrow("at most the number of classes (3)");
  });
});

describe("calibration", () => {
  it("probabilities that come true as often as they say have no error", () => {
    const p = [0.25, 0.25, 0.25, 0.25, 0.5, 0.5];
    const y = [0, 0, 0, 1, 0, 1];
    expect(expectedCalibrationError(y, p)).toBe(0);
    expect(calibrationCurve(y, p)).toEqual({
      probTrue: Float64Array.of(0.25, 0.5),
      probPred: Float64Array.of(0.25, 0.5),
      weight: Float64Array.of(4, 2),
    });
  });

  it("of a matrix the error is confidence less accuracy", () => {
    expect(
      expectedCalibrationError(
        ["a", "b"],
        [
          [0.9, 0.1],
          [0.9, 0.1],
        ],
      ),
    ).toBeCloseTo(0.4, 12);
    expect(() => calibrationCurve([0, 1], [0.5, 1.5])).toThrow("probability[1] must be a number in [0, 1]");
  });
});

describe("agreement and costs", () => {
  it("a cost matrix has rows of truths", () => {
    const costs = [
      [0, 1],
      [10, -1],
    ];
    // One false alarm, one miss, one hit.
    expect(costScore(["a", "b", "b"], ["b", "a", "b"], costs)).toBeCloseTo(10 / 3, 12);
    expect(costScore(["a", "b"], ["b", "b"], costs, { normalize: false })).toBe(0);
    expect(() => costScore(["a", "b"], ["a", "b"], [[0, 1]])).toThrow(
      "2 rows (truth) of 2 costs (prediction)",
    );
    expect(() =>
      costScore(
        [0, 1],
        [0, 1],
        [
          [0, 1],
          [Number.NaN, 0],
        ],
      ),
    ).toThrow("every cost must be a finite");
  });

  it("undefined cases have the values that are documented", () => {
    expect(matthewsCorrcoef([1, 1], [1, 0])).toBe(0);
    expect(cohenKappaScore([1, 1], [1, 1])).toBe(1);
    expect(zeroOneLoss(["x", "y"], ["x", "x"], { normalize: false })).toBe(1);
    expect(() => fBetaScore([0, 1], [0, 1], {} as { beta: number })).toThrow("beta must be");
    expect(fBetaScore([0, 1, 1], [0, 1, 0], { beta: Infinity })).toBe(0.5);
    expect(fBetaScore([0, 1, 1], [0, 1, 0], { beta: 0 })).toBe(1);
  });

  it("the report rounds halves to even, as Python does", () => {
    const report = classificationReport([0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(report.byClass.get(0)!.recall).toBe(0.125);
    expect(String(report).split("\n")[2]).toBe("           0       1.00      0.12      0.22         8");
    expect(report.macroAverage.recall).toBe(0.5625);
  });
});

describe("errors of numbers outside a metric's domain", () => {
  it("names the first such number", () => {
    expect(() => meanSquaredLogError([1, -2], [1, 1])).toThrow("yTrue[1] must be a number ≥ 0, got -2");
    expect(() => meanTweedieDeviance([0, 1], [1, 1], { power: 2 })).toThrow("yTrue[0] must be a number > 0");
    expect(() => meanTweedieDeviance([0, 1], [1, 0], { power: 1 })).toThrow("yPred[1] must be a number > 0");
    expect(() => meanTweedieDeviance([1], [1], { power: 0.5 })).toThrow("power must be ≤ 0 or ≥ 1");
    expect(meanTweedieDeviance([-1], [1], { power: -1 })).toBeGreaterThan(0);
  });
});
