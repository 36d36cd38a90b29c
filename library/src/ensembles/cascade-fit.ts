import type { Classifier, FitOptions, Progress } from "../core/contract.js";
import { pow } from "../core/elementary.js";
import type { Label } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import { type CascadeReport, cascadeReport, singleReport, stageReports } from "./cascade-report.js";
import { type CascadeStage, type ScoredClassifier, scoresOf, thresholdFor } from "./cascade-stage.js";
import { type FittedStage, walkMatrix } from "./cascade-walk.js";
import { memberOptions, reseeded } from "./members.js";

/** Labelled rows. */
export interface LabelledRows<L extends Label> {
  readonly x: Matrix;
  readonly y: readonly L[];
  readonly weights: Float64Array;
  /** Whether members are given the weights. */
  readonly weighted: boolean;
}

export interface CascadeRules<L extends Label> {
  readonly stages: readonly CascadeStage[];
  readonly sensitivity: number;
  readonly cumulative: boolean;
  readonly survivors: boolean;
  /** The classifier on all columns. */
  readonly reference: Classifier;
  readonly positive: L;
}

export interface LearnedCascade {
  readonly stages: readonly FittedStage[];
  readonly single: FittedStage;
}

/** Fits one stage after the other to `train`, and chooses its threshold on `held`. */
export function* fitStages<L extends Label>(
  train: LabelledRows<L>,
  held: LabelledRows<L>,
  rules: CascadeRules<L>,
  next: () => number,
  options: FitOptions,
): Generator<Progress, LearnedCascade, void> {
  const { stages, positive, sensitivity } = rules;
  const positives = rowsOf(held).filter((i) => held.y[i] === positive);
  const total = positives.reduce((sum, i) => sum + held.weights[i]!, 0);
  const fit = (estimator: Classifier, rows: readonly number[], columns: readonly number[]) =>
    fitOn(reseeded(estimator, next), train, rows, columns, options);
  const fitted: FittedStage[] = [];
  let alive = rowsOf(train);
  let kept = positives;
  let needed = 1;
  for (const [s, { features, cost, estimator, sensitivity: own }] of stages.entries()) {
    const columns = rules.cumulative ? stages.slice(0, s + 1).flatMap((stage) => stage.features) : features;
    const enough = rules.survivors && new Set(alive.map((i) => train.y[i])).size === 2;
    const model = fit(estimator, enough ? alive : rowsOf(train), columns);
    const scores = scoresOf(model, held.x.selectColumns(columns), positive);
    needed *= own ?? pow(sensitivity, 1 / stages.length);
    const last = s === stages.length - 1 && own == null;
    const target = last ? sensitivity : Math.max(sensitivity, needed);
    const threshold = thresholdFor(scores, kept, held.weights, target * total);
    kept = kept.filter((i) => scores[i]! >= threshold);
    const ownScores = scoresOf(model, train.x.selectColumns(columns), positive);
    alive = alive.filter((i) => ownScores[i]! >= threshold);
    fitted.push({ features, cost, columns, threshold, model });
    yield { iteration: s + 1, total: stages.length + 1 };
  }
  const columns = stages.flatMap(({ features }) => features);
  const model = fit(rules.reference, rowsOf(train), columns);
  const scores = scoresOf(model, held.x.selectColumns(columns), positive);
  const threshold = thresholdFor(scores, positives, held.weights, sensitivity * total);
  const cost = stages.reduce((sum, stage) => sum + stage.cost, 0);
  yield { iteration: stages.length + 1, total: stages.length + 1 };
  return { stages: fitted, single: { features: columns, cost, columns, threshold, model } };
}

const rowsOf = ({ y }: LabelledRows<Label>): number[] => Array.from(y.keys());

function fitOn<L extends Label>(
  estimator: Classifier,
  train: LabelledRows<L>,
  rows: readonly number[],
  columns: readonly number[],
  options: FitOptions,
): ScoredClassifier {
  const x = train.x.selectRows(rows).selectColumns(columns);
  const y = rows.map((i) => train.y[i]!);
  const weights = train.weighted ? Float64Array.from(rows, (i) => train.weights[i]!) : undefined;
  return estimator.fit(x, y, memberOptions(options, weights)) as unknown as ScoredClassifier;
}

/** How a cascade and the one classifier do on labelled rows. */
export function judge<L extends Label>(
  { stages, single }: LearnedCascade,
  rows: LabelledRows<L>,
  positive: L,
): CascadeReport {
  const truth = { positive: rows.y.map((label) => label === positive), weights: rows.weights };
  const exits = walkMatrix(stages, rows.x, positive);
  const scores = scoresOf(single.model, rows.x.selectColumns(single.columns), positive);
  return cascadeReport(
    rows.y.length,
    stageReports(stages, { ...truth, exits }),
    singleReport(single.cost, single.threshold, scores, truth),
  );
}
