import { describe, expect, it } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import { DataError } from "../../src/index.js";
import * as metrics from "../../src/metrics/index.js";

const random = new Random(11);
const n = 24;
/** Some rows weigh nothing; among them are all rows of the classes "d" and "e", the largest numbers and the largest scores. */
const gone = Uint8Array.from({ length: n }, (_, i) => (i % 4 === 1 ? 1 : 0));
const sampleWeight = Array.from(gone, (none, i) => (none ? 0 : 1 + (i % 3)));
const kept = [...gone.keys()].filter((i) => gone[i] === 0);
const some = <T>(list: readonly T[]): T[] => kept.map((i) => list[i]!);
const draw = <T>(of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));

const three = draw((i) => (gone[i] ? "de"[i % 2]! : "abc"[random.below(3)]!));
const guesses = draw((i) => (gone[i] ? "ed"[i % 2]! : "abc"[random.below(3)]!));
const two = draw((i) => (gone[i] ? "d" : ["no", "yes"][random.below(2)]!));
const twoGuesses = draw((i) => (gone[i] ? "e" : ["no", "yes"][random.below(2)]!));
const numbers = draw((i) => (gone[i] ? 1e3 : 1 + random.uniform()));
const predictions = draw((i) => (gone[i] ? 1e-3 : 1 + random.uniform()));
const scores = draw((i) => (gone[i] ? 50 : random.normal()));
const chances = draw((i) => (gone[i] ? 0.999 : random.uniform()));
const rows = draw((i) => {
  const raw = gone[i] ? [7, 1, 2] : [random.uniform(), random.uniform(), random.uniform()];
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((v) => v / sum);
});
const columns = draw((i) => [numbers[i]!, predictions[i]!]);
const guessedColumns = draw((i) => [predictions[i]!, numbers[i]!]);

type Metric = (truth: unknown, given: unknown, options: object) => unknown;
const all = metrics as unknown as Readonly<Record<string, Metric>>;

/** Metrics with weights: the truth, what is compared with it, and options to try. */
const labels = [{}, { average: "macro" }, { average: "weighted" }, { average: "micro" }];
const averages = labels.slice(1);
const weighted: Readonly<Record<string, readonly (readonly [unknown[], unknown[], object])[]>> = {
  accuracyScore: [
    [three, guesses, {}],
    [three, guesses, { normalize: false }],
  ],
  balancedAccuracyScore: [[three, guesses, {}]],
  cohenKappaScore: [
    [three, guesses, {}],
    [three, guesses, { weights: "linear" }],
    [three, guesses, { weights: "quadratic" }],
  ],
  hammingLoss: [[three, guesses, {}]],
  zeroOneLoss: [
    [three, guesses, {}],
    [three, guesses, { normalize: false }],
  ],
  binaryRates: [[two, twoGuesses, {}]],
  calibrationCurve: [
    [two, chances, {}],
    [two, chances, { strategy: "quantile" }],
  ],
  expectedCalibrationError: [
    [two, chances, {}],
    [three, rows, {}],
    [three, rows, { strategy: "quantile" }],
  ],
  hingeLoss: [
    [two, scores, {}],
    [three, rows, {}],
  ],
  topKAccuracyScore: [
    [two, scores, { k: 1 }],
    [two, chances, { k: 1 }],
    [three, rows, { normalize: false }],
  ],
  classificationReport: [[three, guesses, {}]],
  confusionMatrix: [
    [three, guesses, {}],
    [three, guesses, { normalize: "all" }],
    [three, guesses, { labels: ["c", "b", "a"] }],
  ],
  costScore: [[two, twoGuesses, {}]],
  detCurve: [[two, scores, {}]],
  precisionRecallCurve: [[two, scores, {}]],
  rocCurve: [
    [two, scores, {}],
    [two, scores, { dropIntermediate: false }],
  ],
  meanGammaDeviance: [[numbers, predictions, {}]],
  meanPoissonDeviance: [[numbers, predictions, {}]],
  meanTweedieDeviance: [[numbers, predictions, { power: 1.5 }]],
  d2TweedieScore: [
    [numbers, predictions, {}],
    [numbers, predictions, { power: 1 }],
  ],
  fBetaScore: averages.map((options) => [three, guesses, { ...options, beta: 2 }] as const),
  matthewsCorrcoef: [[three, guesses, {}]],
  f1Score: [[two, twoGuesses, {}], ...averages.map((options) => [three, guesses, options] as const)],
  jaccardScore: averages.map((options) => [three, guesses, options] as const),
  precisionScore: averages.map((options) => [three, guesses, options] as const),
  recallScore: averages.map((options) => [three, guesses, options] as const),
  precisionRecallF1: [[three, guesses, {}]],
  brierScoreLoss: [[two, chances, {}]],
  logLoss: [
    [two, chances, {}],
    [three, rows, {}],
  ],
  d2AbsoluteErrorScore: [
    [numbers, predictions, {}],
    [columns, guessedColumns, {}],
  ],
  meanPinballLoss: [[numbers, predictions, { alpha: 0.2 }]],
  averagePrecisionScore: [
    [two, scores, {}],
    [three, rows, {}],
    [three, rows, { average: "weighted" }],
  ],
  rocAucScore: [
    [two, scores, {}],
    [two, scores, { maxFpr: 0.5 }],
    [two, rows.map(([p]) => [p, 1 - p!]), {}],
    [three, rows, { multiClass: "ovr" }],
    [three, rows, { multiClass: "ovo", average: "weighted" }],
  ],
  explainedVarianceScore: [[numbers, predictions, {}]],
  meanAbsoluteError: [[numbers, predictions, {}]],
  meanSquaredError: [
    [numbers, predictions, {}],
    [columns, guessedColumns, {}],
  ],
  r2Score: [
    [numbers, predictions, {}],
    [columns, guessedColumns, {}],
  ],
  rootMeanSquaredError: [[numbers, predictions, {}]],
  maxError: [[numbers, predictions, {}]],
  meanAbsolutePercentageError: [[numbers, predictions, {}]],
  meanSquaredLogError: [[numbers, predictions, {}]],
  medianAbsoluteError: [[numbers, predictions, {}]],
  rootMeanSquaredLogError: [[numbers, predictions, {}]],
};
/** Scores of partitions, of groups of rows and of a curve, and intervals of known figures, which have no weights. */
const unweighted = [
  "calinskiHarabaszScore daviesBouldinScore silhouetteSamples silhouetteScore contingencyMatrix auc",
  "adjustedMutualInfoScore completenessScore homogeneityCompletenessVMeasure homogeneityScore mutualInfoScore",
  "normalizedMutualInfoScore vMeasureScore adjustedRandScore fowlkesMallowsScore randScore",
  "meanInterval rocAucInterval wilsonInterval",
].flatMap((line) => line.split(" "));

describe("an entry of weight 0 is left out", () => {
  it("in every metric that is exported", () => {
    const functions = Object.keys(metrics).filter((name) => /^[a-z]/.test(name));
    expect(functions.sort()).toEqual([...Object.keys(weighted), ...unweighted].sort());
  });

  for (const [name, cases] of Object.entries(weighted))
    for (const [truth, given, options] of cases)
      it(`${name} ${JSON.stringify(options)}`, () => {
        // The costs of decisions come before the options.
        const costs = [
          [0, 1],
          [5, 0],
        ];
        const metric: Metric =
          name === "costScore"
            ? (t, p, o) => metrics.costScore(t as string[], p as string[], costs, o)
            : all[name]!;
        const without = metric(some(truth), some(given), { ...options, sampleWeight: some(sampleWeight) });
        expect(metric(truth, given, { ...options, sampleWeight })).toEqual(without);
      });

  it("f1Score of one entry that counts is that of this entry", () => {
    const options = { sampleWeight: [1, 0, 0], average: "macro" } as const;
    expect(metrics.f1Score(["a", "b", "c"], ["a", "c", "b"], options)).toBe(1);
  });
});

describe("scores relative to the spread of y need two entries", () => {
  it.each(["r2Score", "d2TweedieScore", "d2AbsoluteErrorScore"])("%s", (name) => {
    const score = all[name]! as (...args: unknown[]) => unknown;
    expect(() => score([1], [2])).toThrow(/yTrue must be two entries or more .* needs a spread\), got 1/);
    expect(() => score([1, 2], [2, 1], { sampleWeight: [1, 0] })).toThrow(DataError);
    expect(score([1, 2], [1, 2])).toBe(1);
  });
});

describe("as many classes as entries", () => {
  const many = Float64Array.from({ length: 2e5 }, (_, i) => i);
  it("are refused by tables of pairs, with the number that fits", () => {
    const expected = /at most 67108864 entries \(8192 × 8192\), got 200000 × 200000 classes/;
    expect(() => metrics.confusionMatrix(many, many)).toThrow(expected);
    expect(() => metrics.contingencyMatrix(many, many)).toThrow(expected);
    expect(() => metrics.confusionMatrix(many, many)).toThrow(DataError);
  });

  it("are scored by all others", () => {
    const many = Float64Array.from({ length: 2e4 }, (_, i) => i);
    const shifted = many.map((v) => (v + 1) % 2e4);
    expect(metrics.cohenKappaScore(many, many)).toBe(1);
    expect(metrics.cohenKappaScore(many, shifted, { weights: "linear" })).toBeCloseTo(1 - 6 / 2e4, 6);
    expect(metrics.matthewsCorrcoef(many, many)).toBe(1);
    expect(metrics.adjustedRandScore(many, many)).toBe(1);
    expect(metrics.adjustedMutualInfoScore(many, many)).toBe(1);
    expect(metrics.normalizedMutualInfoScore(many, many)).toBeCloseTo(1, 12);
    expect(metrics.vMeasureScore(many, shifted)).toBeCloseTo(1, 12);
  });
});

describe("adjustedMutualInfoScore", () => {
  it("is 0 where every labeling of these sizes shares as much, and 1 for the same partition", () => {
    for (const averageMethod of ["min", "geometric", "arithmetic", "max"] as const) {
      expect(metrics.adjustedMutualInfoScore([0, 0, 1], [0, 1, 2], { averageMethod })).toBeCloseTo(0, 12);
      expect(metrics.adjustedMutualInfoScore([0, 1, 2], ["c", "a", "b"], { averageMethod })).toBe(1);
      expect(metrics.adjustedMutualInfoScore([0, 0, 1], [5, 5, 6], { averageMethod })).toBe(1);
      expect(metrics.adjustedMutualInfoScore([0, 0, 0], [0, 1, 2], { averageMethod })).toBe(0);
    }
    expect(metrics.adjustedMutualInfoScore([0, 0, 1], [0, 1, 2], { averageMethod: "min" })).toBe(0);
  });
});
