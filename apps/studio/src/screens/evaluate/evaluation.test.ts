import { makeClassification } from "argmax/data";
import { LogisticRegression } from "argmax/linear";
import {
  accuracyScore,
  averagePrecisionScore,
  balancedAccuracyScore,
  brierScoreLoss,
  calibrationCurve,
  confusionMatrix,
  costScore,
  f1Score,
  logLoss,
  matthewsCorrcoef,
  meanAbsoluteError,
  precisionScore,
  r2Score,
  recallScore,
  rocAucScore,
  rocCurve,
  rootMeanSquaredError,
} from "argmax/metrics";
import { describe, expect, test } from "vitest";
import { confusionOf, decisionsOf, topConfusions } from "../../work/measures/confusion.js";
import { decisionMetrics, probabilityMetrics, valueMetrics } from "../../work/measures/metrics.js";
import {
  countsAt,
  curvesOf,
  marginAt,
  pointAt,
  rankingOf,
  thresholdOf,
} from "../../work/measures/ranking.js";
import type { Held } from "../../work/protocol.js";
import { binned } from "./bins.js";
import { candidateThresholds, cheapestThreshold, costAt } from "./costs.js";

/** Probabilities of a model for rows of K classes, some of them rounded so that scores are tied. */
function heldRows(classes: number): Held {
  const { X, y } = makeClassification({
    nSamples: 300,
    nClasses: classes,
    nInformative: 4,
    nFeatures: 6,
    classSep: 0.6,
    randomState: 3,
  });
  const model = new LogisticRegression().fit(X, y);
  const p = model.predictProba(X).data.map((value, k) => (k % 3 === 0 ? Math.round(value * 20) / 20 : value));
  const scores = new Float64Array(p.length);
  for (let i = 0; i < X.rows; i++) {
    const row = p.subarray(i * classes, (i + 1) * classes);
    const sum = row.reduce((total, value) => total + value, 0);
    for (let c = 0; c < classes; c++) scores[i * classes + c] = row[c]! / sum;
  }
  const predicted = Float64Array.from({ length: X.rows }, (_, i) => {
    const row = Array.from(scores.subarray(i * classes, (i + 1) * classes));
    return row.indexOf(Math.max(...row));
  });
  const rows = Int32Array.from({ length: X.rows }, (_, i) => i);
  return { rows, truth: Float64Array.from(y, Number), predicted, scores, scale: "probability" };
}

const named = (metrics: readonly { name: string; value: number }[], name: string): number =>
  metrics.find((metric) => metric.name.startsWith(name))!.value;

describe("two classes", () => {
  const held = heldRows(2);
  const ranking = rankingOf(held, 2, 1)!;
  const curves = curvesOf(ranking)!;
  const truth = Array.from(held.truth);
  const score = Array.from(ranking.position);

  test("curves and their areas are those of the library", () => {
    const { fpr, tpr, thresholds } = rocCurve(truth, score, { dropIntermediate: false });
    expect(Array.from(curves.fpr)).toEqual(Array.from(fpr));
    expect(Array.from(curves.tpr)).toEqual(Array.from(tpr));
    expect(Array.from(curves.thresholds)).toEqual(Array.from(thresholds));
    expect(curves.rocArea).toBeCloseTo(rocAucScore(truth, score), 12);
    expect(curves.averagePrecision).toBeCloseTo(averagePrecisionScore(truth, score), 12);
  });

  test("a point of the curves and its threshold have the same predictions", () => {
    for (const threshold of [0, 0.05, 0.31, 0.5, 0.9, 1]) {
      const { tp, fp } = countsAt(ranking, threshold);
      const point = pointAt(curves, threshold);
      expect(curves.tpr[point]! * ranking.positives.length).toBeCloseTo(tp, 9);
      expect(curves.fpr[point]! * ranking.negatives.length).toBeCloseTo(fp, 9);
    }
    for (let point = 1; point < curves.thresholds.length; point++)
      expect(pointAt(curves, thresholdOf(curves, point))).toBe(point);
  });

  test("metrics at a threshold are those of the library", () => {
    const threshold = 0.37;
    const decided = decisionsOf(held, 2, { ranking, positive: 1, threshold });
    const expected = score.map((p) => (p >= threshold ? 1 : 0));
    expect(Array.from(decided)).toEqual(expected);
    const confusion = confusionOf(held.truth, decided, 2);
    expect(Array.from(confusion.counts)).toEqual(Array.from(confusionMatrix(truth, expected).matrix.data));
    const metrics = decisionMetrics(held.truth, decided, 1);
    expect(named(metrics, "Accuracy")).toBeCloseTo(accuracyScore(truth, expected), 12);
    expect(named(metrics, "Balanced")).toBeCloseTo(balancedAccuracyScore(truth, expected), 12);
    expect(named(metrics, "Precision")).toBeCloseTo(precisionScore(truth, expected), 12);
    expect(named(metrics, "Recall")).toBeCloseTo(recallScore(truth, expected), 12);
    expect(named(metrics, "F1")).toBeCloseTo(f1Score(truth, expected), 12);
    expect(named(metrics, "MCC")).toBeCloseTo(matthewsCorrcoef(truth, expected), 12);
    const proper = probabilityMetrics(held, 2);
    expect(named(proper, "Log loss")).toBeCloseTo(logLoss(truth, score), 9);
    expect(named(proper, "Brier")).toBeCloseTo(brierScoreLoss(truth, score), 12);
  });

  test("the cost of a threshold is that of the library, and no candidate is cheaper than the cheapest", () => {
    const costs = { falsePositive: 1, falseNegative: 5 };
    const at = (threshold: number) =>
      costScore(
        truth,
        score.map((p) => (p >= threshold ? 1 : 0)),
        [
          [0, 1],
          [5, 0],
        ],
        { labels: [0, 1] },
      );
    expect(costAt(ranking, 0.2, costs)).toBeCloseTo(at(0.2), 12);
    const candidates = candidateThresholds(curves, 1000);
    const best = cheapestThreshold(ranking, candidates, costs);
    expect(best.cost).toBeCloseTo(at(best.threshold), 12);
    expect(best.cost).toBeCloseTo(Math.min(...Array.from(candidates, at)), 12);
    // Chosen on other rows, it cannot look better than chosen on the same.
    expect(best.honestCost).toBeGreaterThanOrEqual(best.cost - 1e-12);
  });

  test("calibration bins are those of the library", () => {
    const bins = binned(ranking.position, ranking.isPositive, 10);
    const { probTrue, probPred, weight } = calibrationCurve(truth, score, { nBins: 10 });
    const filled = bins.filter(({ count }) => count > 0);
    // A probability at an edge belongs to the bin above here and below there: compared without those.
    const inner = score.every((p) => (p * 10) % 1 !== 0);
    if (inner) expect(filled.map(({ count }) => count)).toEqual(Array.from(weight));
    expect(filled.reduce((sum, { positives }) => sum + positives, 0)).toBeCloseTo(
      probTrue.reduce((sum, share, b) => sum + share * weight[b]!, 0),
      9,
    );
    expect(probPred.length).toBeGreaterThan(5);
  });
});

describe("four classes", () => {
  const held = heldRows(4);
  const truth = Array.from(held.truth);

  test("predicted classes without a threshold; means over classes are those of the library", () => {
    const decided = decisionsOf(held, 4, undefined);
    const labels = Array.from(decided);
    const metrics = decisionMetrics(held.truth, decided, null);
    expect(named(metrics, "Accuracy")).toBeCloseTo(accuracyScore(truth, labels), 12);
    expect(named(metrics, "Balanced")).toBeCloseTo(balancedAccuracyScore(truth, labels), 12);
    expect(named(metrics, "Precision")).toBeCloseTo(precisionScore(truth, labels, { average: "macro" }), 12);
    expect(named(metrics, "Recall")).toBeCloseTo(recallScore(truth, labels, { average: "macro" }), 12);
    expect(named(metrics, "F1")).toBeCloseTo(f1Score(truth, labels, { average: "macro" }), 12);
    expect(named(metrics, "MCC")).toBeCloseTo(matthewsCorrcoef(truth, labels), 12);
    const p = Array.from({ length: truth.length }, (_, e) =>
      Array.from(held.scores!.subarray(4 * e, 4 * e + 4)),
    );
    expect(named(probabilityMetrics(held, 4), "Log loss")).toBeCloseTo(logLoss(truth, p), 9);
  });

  test("with a threshold, rows below it get the likeliest of the other classes", () => {
    const ranking = rankingOf(held, 4, 2)!;
    const none = decisionsOf(held, 4, { ranking, positive: 2, threshold: 1.1 });
    expect(none.includes(2)).toBe(false);
    const all = decisionsOf(held, 4, { ranking, positive: 2, threshold: 0 });
    expect(new Set(all)).toEqual(new Set([2]));
    const some = decisionsOf(held, 4, { ranking, positive: 2, threshold: 0.4 });
    for (const [e, c] of some.entries()) {
      const row = Array.from(held.scores!.subarray(4 * e, 4 * e + 4));
      if (row[2]! >= 0.4) expect(c).toBe(2);
      else expect(row[c]).toBe(Math.max(row[0]!, row[1]!, row[3]!));
    }
  });

  test("the most frequent confusions come first", () => {
    const confusion = { classes: 3, counts: Float64Array.of(5, 2, 0, 1, 7, 3, 0, 0, 4) };
    expect(topConfusions(confusion, 2)).toEqual([
      { truth: 1, decided: 2, count: 3, share: 3 / 11 },
      { truth: 0, decided: 1, count: 2, share: 2 / 7 },
    ]);
  });
});

test("scores without probabilities are placed by their margin: 0 in the middle, in their order", () => {
  const scores = Float64Array.of(-3, 3, 200, -200, 0, 0, -1e6, 1e6);
  const rows = Int32Array.of(0, 1, 2, 3);
  const truth = Float64Array.of(1, 0, 0, 1);
  const held: Held = { rows, truth, predicted: truth, scores, scale: "score" };
  const { position } = rankingOf(held, 2, 1)!;
  expect(Array.from(position).map(marginAt)).toEqual([3, -200, 0, 1e6].map((m) => expect.closeTo(m, 3)));
  expect(position[2]).toBe(0.5);
  expect(position[3]).toBeLessThan(1);
});

test("of one class there are no curves, and no division by zero", () => {
  const held: Held = {
    rows: Int32Array.of(0, 1),
    truth: Float64Array.of(0, 0),
    predicted: Float64Array.of(0, 1),
    scores: Float64Array.of(0.8, 0.2, 0.4, 0.6),
    scale: "probability",
  };
  expect(curvesOf(rankingOf(held, 2, 1)!)).toBeUndefined();
  expect(rankingOf(held, 1, 0)).toBeUndefined();
  for (const { value } of decisionMetrics(held.truth, held.predicted, 1))
    expect(Number.isFinite(value)).toBe(true);
});

test("values: R², MAE and RMSE are those of the library", () => {
  const truth = Float64Array.from({ length: 50 }, (_, e) => Math.sin(e) * 10);
  const predicted = truth.map((value, e) => value + Math.cos(3 * e));
  const metrics = valueMetrics(truth, predicted);
  expect(named(metrics, "R²")).toBeCloseTo(r2Score(truth, predicted), 12);
  expect(named(metrics, "MAE")).toBeCloseTo(meanAbsoluteError(truth, predicted), 12);
  expect(named(metrics, "RMSE")).toBeCloseTo(rootMeanSquaredError(truth, predicted), 12);
});
