import { describe, expect, it } from "vitest";
import {
  accuracyScore,
  balancedAccuracyScore,
  binaryRates,
  confusionMatrix,
  f1Score,
  logLoss,
  meanAbsoluteError,
  meanSquaredError,
  precisionScore,
  r2Score,
  recallScore,
} from "../../src/metrics/index.js";
import { fc } from "../support/properties.js";

const label = fc.constantFrom("ant", "bee", "cow");
const pairs = fc.array(fc.record({ truth: label, guess: label, weight: fc.integer({ min: 0, max: 3 }) }), {
  minLength: 2,
});
const weighted = pairs.filter((list) => list.some(({ weight }) => weight > 0));
/** Not subnormal: a mean of three subnormal numbers is itself rounded by a third. */
const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((v) => (Math.abs(v) < 1e-290 ? 0 : v));
const numbers = fc.array(
  fc.record({ truth: number, guess: number, weight: fc.integer({ min: 0, max: 3 }) }),
  { minLength: 2 },
);

/** Every entry as often as its weight says. */
const repeated = <T extends { weight: number }>(list: readonly T[]) =>
  list.flatMap((entry) => new Array<T>(entry.weight).fill(entry));
const columns = <T extends { truth: unknown; guess: unknown; weight: number }>(list: readonly T[]) => ({
  truth: list.map(({ truth }) => truth) as T["truth"][],
  guess: list.map(({ guess }) => guess) as T["guess"][],
  sampleWeight: list.map(({ weight }) => weight),
});
const close = (a: number, b: number) =>
  a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

describe("metrics of labels", () => {
  const scores = {
    accuracyScore,
    balancedAccuracyScore,
    "precision, micro": (t: string[], p: string[], o: object) =>
      precisionScore(t, p, { ...o, average: "micro" }),
    "recall, weighted": (t: string[], p: string[], o: object) =>
      recallScore(t, p, { ...o, average: "weighted" }),
    "f1, weighted": (t: string[], p: string[], o: object) => f1Score(t, p, { ...o, average: "weighted" }),
  };

  it.each(Object.entries(scores))(
    "%s: weight k is the entry k times, and the score is in [0, 1]",
    (_, score) => {
      fc.assert(
        fc.property(weighted, (list) => {
          const all = columns(list);
          const value = score(all.truth, all.guess, { sampleWeight: all.sampleWeight });
          const { truth, guess } = columns(repeated(list));
          expect(close(value, score(truth, guess, {}))).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }),
      );
    },
  );

  it("accuracy, micro precision and weighted recall are one and the same", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const { truth, guess } = columns(list);
        const accuracy = accuracyScore(truth, guess);
        expect(close(precisionScore(truth, guess, { average: "micro" }), accuracy)).toBe(true);
        expect(close(recallScore(truth, guess, { average: "weighted" }), accuracy)).toBe(true);
      }),
    );
  });

  it("the confusion matrix holds every entry once, and its diagonal is what is right", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const { truth, guess } = columns(list);
        const { matrix, classes } = confusionMatrix(truth, guess);
        expect(matrix.data.reduce((sum, count) => sum + count, 0)).toBe(list.length);
        const right = classes.reduce((sum, _, k) => sum + matrix.at(k, k), 0);
        expect(right).toBe(accuracyScore(truth, guess, { normalize: false }));
        expect(confusionMatrix(guess, truth).matrix.data).toEqual(matrix.transpose().data);
      }),
    );
  });

  it("the transposed layout and the rates agree", () => {
    const bits = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2 });
    fc.assert(
      fc.property(bits, (list) => {
        const truth = list.map(([t]) => t);
        fc.pre(truth.includes(true) && truth.includes(false));
        const guess = list.map(([, p]) => p);
        const [[tn, fn], [fp, tp]] = confusionMatrix(truth, guess, {
          layout: "rows-are-predictions",
        }).toArray() as [[number, number], [number, number]];
        const rates = binaryRates(truth, guess);
        expect([
          rates.trueNegatives,
          rates.falseNegatives,
          rates.falsePositives,
          rates.truePositives,
        ]).toEqual([tn, fn, fp, tp]);
        expect(rates.tpr).toBe(tp / (tp + fn));
        expect(rates.tpr).toBe(recallScore(truth, guess));
        expect(close(rates.fpr + rates.tnr, 1)).toBe(true);
      }),
    );
  });

  it("log loss is least for the true distribution", () => {
    const shares = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(shares, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (counts, other) => {
        const truth = [...new Array(counts[0]).fill(false), ...new Array(counts[1]).fill(true)];
        const share = counts[1]! / truth.length;
        const constant = (p: number) => truth.map(() => p);
        expect(logLoss(truth, constant(share))).toBeLessThanOrEqual(logLoss(truth, constant(other)) + 1e-12);
      }),
    );
  });
});

describe("metrics of numbers", () => {
  it.each(Object.entries({ meanSquaredError, meanAbsoluteError, r2Score }))(
    "%s: weight k is the entry k times",
    (_, score) => {
      fc.assert(
        fc.property(numbers, (list) => {
          fc.pre(repeated(list).length > 1);
          const all = columns(list);
          const { truth, guess } = columns(repeated(list));
          expect(
            close(score(all.truth, all.guess, { sampleWeight: all.sampleWeight }), score(truth, guess)),
          ).toBe(true);
        }),
      );
    },
  );

  it("R² is at most 1, and 1 − n·MSE / Σ(y − ȳ)²", () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const { truth, guess } = columns(list);
        const score = r2Score(truth, guess);
        expect(score).toBeLessThanOrEqual(1);
        const mean = truth.reduce((sum, y) => sum + y, 0) / truth.length;
        const spread = truth.reduce((sum, y) => sum + (y - mean) ** 2, 0);
        fc.pre(spread > 1e-6);
        expect(close(score, 1 - (truth.length * meanSquaredError(truth, guess)) / spread)).toBe(true);
      }),
    );
  });
});
