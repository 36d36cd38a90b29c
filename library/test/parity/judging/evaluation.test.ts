import * as argmax from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf } from "../fixtures.js";

type Curve<K extends string> = Readonly<Record<K, readonly number[]>>;
type Figures = Readonly<Record<string, number>>;

interface Inputs {
  readonly two: readonly string[];
  readonly score: readonly number[];
  readonly three: readonly string[];
  readonly proba: readonly (readonly number[])[];
  readonly guess: readonly string[];
  readonly classes: readonly string[];
  readonly target: readonly number[];
  readonly estimate: readonly number[];
  readonly sampleWeight: readonly number[];
}

interface Expected {
  readonly ranking: Figures & {
    readonly roc: Curve<"fpr" | "tpr" | "thresholds">;
    readonly everyRoc: Curve<"fpr" | "tpr" | "thresholds">;
    readonly precisionRecall: Curve<"precision" | "recall" | "thresholds">;
    readonly det: Curve<"fpr" | "fnr" | "thresholds">;
    readonly calibration: Curve<"probTrue" | "probPred">;
    readonly quantileCalibration: Curve<"probTrue" | "probPred">;
    readonly probability: readonly number[];
  };
  readonly several: Figures;
  readonly agreement: Figures & { readonly report: string; readonly preciseReport: string };
  readonly numbers: Figures & { readonly deviances: Figures; readonly d2: Figures };
}

// Sums of sixty terms: only rounding differs.
const rounding = 1e-13;
const near = (ours: number, expected: number | undefined) => expectClose([ours], [expected!], rounding);

function expectCurve<K extends string>(
  ours: Readonly<Record<K, ArrayLike<number>>>,
  expected: Curve<K>,
  keys: readonly K[],
): void {
  for (const key of keys) expectClose(ours[key], expected[key], rounding);
}

describe("metrics of scores, agreement and numbers are scikit-learn's", () => {
  for (const fixture of casesOf<Expected>("evaluation")) {
    const { inputs, expected, weighted, name } = fixture as Case<Expected> & { readonly inputs: Inputs };
    const { two, score, three, proba, guess, classes, target, estimate } = inputs;
    const options = weighted ? { sampleWeight: inputs.sampleWeight } : {};

    it(`curves have scikit-learn's points: ${name}`, () => {
      const { roc, everyRoc, precisionRecall, det } = expected.ranking;
      const keys = ["fpr", "tpr"] as const;
      const ours = argmax.rocCurve(two, score, options);
      expectCurve(ours, roc, keys);
      expect(Array.from(ours.thresholds)).toEqual([Infinity, ...roc.thresholds]);
      const every = argmax.rocCurve(two, score, { ...options, dropIntermediate: false });
      expectCurve(every, everyRoc, keys);
      expect(Array.from(every.thresholds)).toEqual([Infinity, ...everyRoc.thresholds]);
      const precision = argmax.precisionRecallCurve(two, score, options);
      expectCurve(precision, precisionRecall, ["precision", "recall", "thresholds"]);
      expectCurve(argmax.detCurve(two, score, options), det, ["fpr", "fnr", "thresholds"]);
    });

    it(`rankings of two classes: ${name}`, () => {
      const { rocAuc, partialRocAuc, averagePrecision, hinge, probability, brier } = expected.ranking;
      near(argmax.rocAucScore(two, score, options), rocAuc);
      const swapped = score.map((z) => -z);
      near(argmax.rocAucScore(two, swapped, { ...options, positiveLabel: "no" }), rocAuc);
      near(argmax.rocAucScore(two, score, { ...options, maxFpr: 0.3 }), partialRocAuc);
      near(argmax.averagePrecisionScore(two, score, options), averagePrecision);
      near(argmax.hingeLoss(two, score, options), hinge);
      near(argmax.brierScoreLoss(two, probability, options), brier);
      const { fpr, tpr } = argmax.rocCurve(two, score, options);
      near(argmax.auc(fpr, tpr), rocAuc);
    });

    it(`calibration curves: ${name}`, () => {
      const { probability, calibration, quantileCalibration } = expected.ranking;
      const keys = ["probTrue", "probPred"] as const;
      expectCurve(argmax.calibrationCurve(two, probability, { nBins: 4 }), calibration, keys);
      const quantiles = argmax.calibrationCurve(two, probability, { nBins: 4, strategy: "quantile" });
      expectCurve(quantiles, quantileCalibration, keys);
    });

    it(`rankings of three classes: ${name}`, () => {
      const { several } = expected;
      const auc = (given: object) => argmax.rocAucScore(three, proba, { labels: classes, ...given });
      near(auc({ ...options, multiClass: "ovr" }), several.rocAucOvr);
      near(auc({ ...options, multiClass: "ovr", average: "weighted" }), several.rocAucOvrWeighted);
      near(auc({ multiClass: "ovo" }), several.rocAucOvo);
      near(auc({ multiClass: "ovo", average: "weighted" }), several.rocAucOvoWeighted);
      near(argmax.averagePrecisionScore(three, proba, options), several.averagePrecision);
      const weightedMean = argmax.averagePrecisionScore(three, proba, { ...options, average: "weighted" });
      near(weightedMean, several.averagePrecisionWeighted);
      near(argmax.topKAccuracyScore(three, proba, options), several.topTwo);
      const count = argmax.topKAccuracyScore(three, proba, { ...options, k: 1, normalize: false });
      near(count, several.topOneCount);
      const margins = proba.map((row) => row.map((p) => 5 * p));
      near(argmax.hingeLoss(three, margins, options), several.hinge);
    });

    it(`agreement of labels: ${name}`, () => {
      const { agreement } = expected;
      near(argmax.matthewsCorrcoef(three, guess, options), agreement.matthews);
      near(argmax.cohenKappaScore(three, guess, options), agreement.kappa);
      near(argmax.cohenKappaScore(three, guess, { ...options, weights: "linear" }), agreement.kappaLinear);
      const quadratic = argmax.cohenKappaScore(three, guess, { ...options, weights: "quadratic" });
      near(quadratic, agreement.kappaQuadratic);
      near(argmax.hammingLoss(three, guess, options), agreement.hamming);
      near(argmax.zeroOneLoss(three, guess, options), agreement.zeroOne);
      near(argmax.zeroOneLoss(three, guess, { ...options, normalize: false }), agreement.zeroOneCount);
      for (const [average, key] of [
        ["macro", "jaccardMacro"],
        ["micro", "jaccardMicro"],
        ["weighted", "jaccardWeighted"],
      ] as const)
        near(argmax.jaccardScore(three, guess, { ...options, average }), agreement[key]);
      const { fBetaMacro, fBetaWeighted } = agreement;
      near(argmax.fBetaScore(three, guess, { ...options, beta: 0.5, average: "macro" }), fBetaMacro);
      near(argmax.fBetaScore(three, guess, { ...options, beta: 2, average: "weighted" }), fBetaWeighted);
    });

    it(`the report prints the same text: ${name}`, () => {
      // Python prints a whole weight as 4.0.
      const whole = (text: string) => text.replaceAll(/ {2}(\d+)\.0$/gm, "    $1");
      const report = argmax.classificationReport(three, guess, options);
      expect(String(report)).toBe(whole(expected.agreement.report));
      const precise = argmax.classificationReport(three, guess, { ...options, digits: 5 });
      expect(String(precise)).toBe(whole(expected.agreement.preciseReport));
    });

    it(`errors, deviances and D² of numbers: ${name}`, () => {
      const { numbers } = expected;
      for (const metric of [
        argmax.medianAbsoluteError,
        argmax.meanAbsolutePercentageError,
        argmax.meanSquaredLogError,
        argmax.rootMeanSquaredLogError,
        argmax.explainedVarianceScore,
        argmax.meanPoissonDeviance,
        argmax.meanGammaDeviance,
        argmax.d2AbsoluteErrorScore,
      ])
        near(metric(target, estimate, options), numbers[metric.name]);
      near(argmax.maxError(target, estimate), numbers.maxError);
      near(argmax.meanPinballLoss(target, estimate, { ...options, alpha: 0.3 }), numbers.meanPinballLoss);
      for (const [power, deviance] of Object.entries(numbers.deviances))
        near(argmax.meanTweedieDeviance(target, estimate, { ...options, power: Number(power) }), deviance);
      for (const [power, d2] of Object.entries(numbers.d2))
        near(argmax.d2TweedieScore(target, estimate, { ...options, power: Number(power) }), d2);
    });
  }
});
