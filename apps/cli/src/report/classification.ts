import {
  accuracyScore,
  averagePrecisionScore,
  balancedAccuracyScore,
  brierScoreLoss,
  type CalibrationCurve,
  type ClassificationReport,
  type ConfusionMatrix,
  calibrationCurve,
  classificationReport,
  confusionMatrix,
  f1Score,
  type Label,
  logLoss,
  Matrix,
  type PrecisionRecallCurve,
  precisionRecallCurve,
  type RocCurve,
  rocAucScore,
  rocCurve,
  type Samples,
  usualPositive,
} from "argmax";
import { UsageError } from "../command.js";
import { usualResamples, wilson } from "./intervals.js";
import { type Metric, type MetricPlan, measure } from "./metric.js";
import { listed, type Predictor, pairsOf } from "./opened-model.js";
import type { Pace } from "./pace.js";

/** Curves of one class against the rest. */
export interface ClassCurves {
  readonly label: Label;
  /** Rows of the class. */
  readonly support: number;
  readonly roc: RocCurve;
  readonly auc: number;
  readonly precisionRecall: PrecisionRecallCurve;
  readonly averagePrecision: number;
  /** Undefined for models without probabilities. */
  readonly calibration: CalibrationCurve | undefined;
}

export interface ClassificationResult {
  readonly classes: readonly Label[];
  readonly truth: readonly Label[];
  readonly predicted: readonly Label[];
  readonly metrics: readonly Metric[];
  readonly report: ClassificationReport<Label>;
  readonly confusion: ConfusionMatrix<Label>;
  /** Of the positive one of two classes, or of all that have rows; empty for models without scores. */
  readonly curves: readonly ClassCurves[];
  /** Of two classes. */
  readonly positive: Label | undefined;
  readonly threshold: number | undefined;
}

export interface ClassificationSettings {
  readonly positive: Label | undefined;
  /** Of two classes: positive from this probability or score on. */
  readonly threshold: number | undefined;
  /** Of the bootstrap; undefined: as many as take about a second. */
  readonly resamples: number | undefined;
  readonly seed: number;
  readonly pace: Pace;
}

/** Every figure and curve of a classifier on rows whose labels it knows. */
export async function evaluateClassifier(
  model: Predictor,
  X: Samples,
  y: readonly Label[],
  settings: ClassificationSettings,
): Promise<ClassificationResult> {
  const classes = model.classes!;
  const isBinary = classes.length === 2;
  const positive = isBinary ? (settings.positive ?? usualPositive(classes)) : undefined;
  const { proba, scores } = scoresOf(model, X);
  const predicted = predictionsOf(model, X, scores, positive, settings.threshold);
  const wanted = positive === undefined ? classes : [positive];
  const ranked = scores === undefined ? [] : wanted.filter((label) => isPartOf(y, label));
  const columnOf = (label: Label) => columnAt(scores!, classes.indexOf(label));
  const curves = ranked.map((label) => curvesOf(y, label, columnOf(label), proba !== undefined));
  const plans = [
    ...labelPlans(y, predicted, positive),
    ...scorePlans(y, ranked, columnOf),
    ...(proba ? probabilityPlans(y, classes, positive, proba) : []),
  ];
  const groups = y.map((label) => classes.indexOf(label));
  const work = y.length * Math.max(1, ranked.length);
  const resamples = settings.resamples ?? usualResamples(work);
  const metrics = await measure(plans, groups, { ...settings, resamples });
  return {
    classes,
    truth: y,
    predicted,
    metrics: [accuracyOf(y, predicted), ...metrics],
    report: classificationReport(y, predicted),
    confusion: confusionMatrix(y, predicted, { labels: classes }),
    curves,
    positive,
    threshold: settings.threshold,
  };
}

/** A class that some rows have and others have not. */
const isPartOf = (y: readonly Label[], label: Label) =>
  y.includes(label) && y.some((other) => other !== label);

interface Scores {
  readonly proba: Matrix | undefined;
  /** One column per class, larger for rather this class; undefined for models that only predict. */
  readonly scores: Matrix | undefined;
}

function scoresOf(model: Predictor, X: Samples): Scores {
  const K = model.classes!.length;
  if (typeof model.predictProba === "function") {
    const proba = model.predictProba(X);
    return { proba, scores: proba };
  }
  const given = model.decisionFunction?.(X);
  if (given === undefined) return { proba: undefined, scores: undefined };
  const data = "data" in given ? given.data : given;
  const isPerClass = "data" in given && given.cols === K && K > 2 && !pairsOf(model).scores;
  if (isPerClass) return { proba: undefined, scores: given };
  // One score per row is that of the second class; one per pair of classes ranks no class.
  if (K > 2) return { proba: undefined, scores: undefined };
  const scores = Matrix.zeros(data.length, 2);
  for (let i = 0; i < data.length; i++) scores.data.set([-data[i]!, data[i]!], 2 * i);
  return { proba: undefined, scores };
}

const columnAt = ({ data, rows, cols }: Matrix, k: number): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => data[i * cols + k]!);

function predictionsOf(
  model: Predictor,
  X: Samples,
  scores: Matrix | undefined,
  positive: Label | undefined,
  threshold: number | undefined,
): readonly Label[] {
  if (threshold === undefined) return model.predict(X) as Label[];
  if (positive === undefined)
    throw new UsageError(
      model.classes!.length === 2
        ? `--threshold needs --positive, the class that is predicted from it on: ${listed(model.classes!)}.`
        : "--threshold is for models of two classes: with more, no single one decides.",
    );
  if (scores === undefined) throw new UsageError("--threshold needs a model that scores its predictions.");
  const classes = model.classes!;
  const negative = classes.find((label) => label !== positive)!;
  const column = columnAt(scores, classes.indexOf(positive));
  return Array.from(column, (score) => (score >= threshold ? positive : negative));
}

function curvesOf(
  y: readonly Label[],
  label: Label,
  scores: Float64Array,
  isProbability: boolean,
): ClassCurves {
  const is = y.map((other) => other === label);
  const positive = { positiveLabel: true };
  return {
    label,
    support: is.filter(Boolean).length,
    roc: rocCurve(is, scores, positive),
    auc: rocAucScore(is, scores, positive),
    precisionRecall: precisionRecallCurve(is, scores, positive),
    averagePrecision: averagePrecisionScore(is, scores, positive),
    calibration: isProbability ? calibrationCurve(is, scores, { ...positive, nBins: 10 }) : undefined,
  };
}

function accuracyOf(y: readonly Label[], predicted: readonly Label[]): Metric {
  const right = accuracyScore(y, predicted, { normalize: false });
  const [largest, count] = largestClass(y);
  return {
    name: "accuracy",
    title: "accuracy",
    value: right / y.length,
    interval: wilson(right, y.length),
    note: `always ${JSON.stringify(largest)}: ${(count / y.length).toFixed(3)}`,
  };
}

function largestClass(y: readonly Label[]): readonly [Label, number] {
  const counts = new Map<Label, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
}

function labelPlans(
  y: readonly Label[],
  predicted: readonly Label[],
  positive: Label | undefined,
): MetricPlan[] {
  // F1 of a positive class that neither list has would be an error; it is 0 there.
  const occurs = positive !== undefined && (y.includes(positive) || predicted.includes(positive));
  return [
    {
      name: "balancedAccuracy",
      title: "balanced accuracy",
      note: "mean recall of the classes",
      figure: (sampleWeight) => balancedAccuracyScore(y, predicted, { sampleWeight }),
    },
    positive === undefined
      ? {
          name: "f1Macro",
          title: "F1, macro",
          note: "mean F1 of the classes",
          figure: (sampleWeight) => f1Score(y, predicted, { average: "macro", sampleWeight }),
        }
      : {
          name: "f1",
          title: "F1",
          note: `of ${JSON.stringify(positive)}`,
          figure: (sampleWeight) =>
            occurs ? f1Score(y, predicted, { positiveLabel: positive, sampleWeight }) : 0,
        },
  ];
}

/** The mean over classes, each against the rest. */
function scorePlans(
  y: readonly Label[],
  labels: readonly Label[],
  columnOf: (label: Label) => Float64Array,
): MetricPlan[] {
  if (labels.length === 0) return [];
  const parts = labels.map((label) => ({ is: y.map((other) => other === label), scores: columnOf(label) }));
  const mean = (score: typeof rocAucScore<boolean>) => (sampleWeight: Float64Array) =>
    parts.reduce((sum, { is, scores }) => sum + score(is, scores, { positiveLabel: true, sampleWeight }), 0) /
    parts.length;
  const note =
    labels.length === 1 ? `of ${JSON.stringify(labels[0])}` : "mean of each class against the rest";
  return [
    {
      name: "rocAuc",
      title: "ROC AUC",
      note,
      figure: mean(rocAucScore),
    },
    {
      name: "averagePrecision",
      title: "average precision",
      note,
      figure: mean(averagePrecisionScore),
    },
  ];
}

function probabilityPlans(
  y: readonly Label[],
  classes: readonly Label[],
  positive: Label | undefined,
  proba: Matrix,
): MetricPlan[] {
  // Of two classes the score is the same for both.
  const isOne = classes.length === 2;
  const scored = (isOne ? [positive ?? classes[1]!] : classes).map((label) => ({
    is: y.map((other) => other === label),
    p: columnAt(proba, classes.indexOf(label)),
  }));
  return [
    {
      name: "logLoss",
      title: "log loss",
      note: "lower is better",
      figure: (sampleWeight) => logLoss(y, proba, { labels: classes, sampleWeight }),
    },
    {
      name: "brier",
      title: "Brier score",
      note: `${isOne ? "" : "summed over the classes; "}lower is better`,
      figure: (sampleWeight) =>
        scored.reduce(
          (sum, { is, p }) => sum + brierScoreLoss(is, p, { positiveLabel: true, sampleWeight }),
          0,
        ),
    },
  ];
}
