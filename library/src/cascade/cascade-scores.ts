import type { Classifier, FitOptions } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import { memberOptions, reseeded } from "../ensembles/members.js";
import { type ScoredClassifier, scoresOf } from "./cascade-stage.js";

/** Labelled rows. */
export interface LabelledRows<L extends Label> {
  readonly x: Matrix;
  readonly y: readonly L[];
  readonly weights: Float64Array;
  /** Whether stages are fitted with the weights. */
  readonly weighted: boolean;
}

export const allRows = ({ y }: LabelledRows<Label>): number[] => Array.from(y.keys());

/** A stage's model, and scores to choose its threshold by. */
export interface ScoredStage {
  readonly model: ScoredClassifier;
  /** Of the calibration rows, by models that were not fitted to them. */
  readonly scores: Float64Array;
  /** Of the training rows. */
  readonly trainScores: Float64Array;
}

/** Fits stages and scores the rows that thresholds are chosen on. */
export interface ScoreSource<L extends Label> {
  /** The rows that stages are fitted to. */
  readonly train: LabelledRows<L>;
  /** The rows that thresholds are chosen on. */
  readonly calibration: LabelledRows<L>;
  /** Fits an estimator to `rows` (cross-validated: those outside the fold), or to all rows if these are of one class. */
  fit(estimator: Classifier, rows: readonly number[], columns: readonly number[]): ScoredStage;
}

/** What all fits share. */
export interface Fitting<L extends Label> {
  readonly positive: L;
  /** The next random seed. */
  readonly next: () => number;
  readonly options: FitOptions;
}

/** Thresholds are chosen on held-out rows. */
export function heldOutScores<L extends Label>(
  train: LabelledRows<L>,
  calibration: LabelledRows<L>,
  fitting: Fitting<L>,
): ScoreSource<L> {
  return {
    train,
    calibration,
    fit: (estimator, rows, columns) => {
      const model = fitOn(
        estimator,
        train,
        hasBothClasses(train, rows) ? rows : allRows(train),
        columns,
        fitting,
      );
      const score = ({ x }: LabelledRows<L>) => scoresOf(model, x.selectColumns(columns), fitting.positive);
      return { model, scores: score(calibration), trainScores: score(train) };
    },
  };
}

/** Thresholds are chosen on cross-validated scores of all rows. The stage's own model is fitted to all folds. */
export function foldScores<L extends Label>(
  all: LabelledRows<L>,
  folds: readonly { readonly train: Int32Array; readonly test: Int32Array }[],
  fitting: Fitting<L>,
): ScoreSource<L> {
  return {
    train: all,
    calibration: all,
    fit: (estimator, rows, columns) => {
      const selected = new Set(rows);
      const scores = new Float64Array(all.y.length);
      for (const { train, test } of folds) {
        const own = Array.from(train).filter((i) => selected.has(i));
        const seen = hasBothClasses(all, own) ? own : Array.from(train);
        const model = fitOn(estimator, all, seen, columns, fitting);
        const x = all.x.selectRows(test).selectColumns(columns);
        for (const [r, z] of scoresOf(model, x, fitting.positive).entries()) scores[test[r]!] = z;
      }
      const model = fitOn(estimator, all, hasBothClasses(all, rows) ? rows : allRows(all), columns, fitting);
      return { model, scores, trainScores: scores };
    },
  };
}

const hasBothClasses = (all: LabelledRows<Label>, rows: readonly number[]): boolean =>
  rows.some((i) => all.y[i] !== all.y[rows[0]!]);

function fitOn<L extends Label>(
  estimator: Classifier,
  all: LabelledRows<L>,
  rows: readonly number[],
  columns: readonly number[],
  { next, options }: Fitting<L>,
): ScoredClassifier {
  const x = all.x.selectRows(rows).selectColumns(columns);
  const y = rows.map((i) => all.y[i]!);
  const weights = all.weighted ? Float64Array.from(rows, (i) => all.weights[i]!) : undefined;
  return reseeded(estimator, next).fit(x, y, memberOptions(options, weights));
}
