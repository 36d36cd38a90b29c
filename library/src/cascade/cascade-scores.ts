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
  /** Whether members are given the weights. */
  readonly weighted: boolean;
}

export const allRows = ({ y }: LabelledRows<Label>): number[] => Array.from(y.keys());

/** A stage's model, and scores to choose its threshold by. */
export interface ScoredStage {
  readonly model: ScoredClassifier;
  /** Of the rows that thresholds are chosen on, by models that have not seen them. */
  readonly scores: Float64Array;
  /** Of the rows that stages learn from. */
  readonly learned: Float64Array;
}

/** Where the thresholds of a cascade come from. */
export interface ScoreSource<L extends Label> {
  /** The rows that stages learn from. */
  readonly train: LabelledRows<L>;
  /** The rows that thresholds are chosen on. */
  readonly judged: LabelledRows<L>;
  /** Fits an estimator to those of `rows` that it may see, or to all that it may see where those are of one class. */
  fit(estimator: Classifier, rows: readonly number[], columns: readonly number[]): ScoredStage;
}

/** What fits have in common. */
export interface Fitting<L extends Label> {
  readonly positive: L;
  readonly next: () => number;
  readonly options: FitOptions;
}

/** Thresholds from rows that no model learns from. */
export function heldOutScores<L extends Label>(
  train: LabelledRows<L>,
  judged: LabelledRows<L>,
  fitting: Fitting<L>,
): ScoreSource<L> {
  return {
    train,
    judged,
    fit: (estimator, rows, columns) => {
      const model = fitOn(
        estimator,
        train,
        ofBothClasses(train, rows) ? rows : allRows(train),
        columns,
        fitting,
      );
      const score = ({ x }: LabelledRows<L>) => scoresOf(model, x.selectColumns(columns), fitting.positive);
      return { model, scores: score(judged), learned: score(train) };
    },
  };
}

/** Thresholds from all rows: each is scored by a model that was fitted without its fold. The stage's own model sees all folds. */
export function foldScores<L extends Label>(
  all: LabelledRows<L>,
  folds: readonly { readonly train: Int32Array; readonly test: Int32Array }[],
  fitting: Fitting<L>,
): ScoreSource<L> {
  return {
    train: all,
    judged: all,
    fit: (estimator, rows, columns) => {
      const wanted = new Set(rows);
      const scores = new Float64Array(all.y.length);
      for (const { train, test } of folds) {
        const own = Array.from(train).filter((i) => wanted.has(i));
        const seen = ofBothClasses(all, own) ? own : Array.from(train);
        const model = fitOn(estimator, all, seen, columns, fitting);
        const x = all.x.selectRows(test).selectColumns(columns);
        for (const [r, z] of scoresOf(model, x, fitting.positive).entries()) scores[test[r]!] = z;
      }
      const model = fitOn(estimator, all, ofBothClasses(all, rows) ? rows : allRows(all), columns, fitting);
      return { model, scores, learned: scores };
    },
  };
}

const ofBothClasses = (all: LabelledRows<Label>, rows: readonly number[]): boolean =>
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
  return reseeded(estimator, next).fit(x, y, memberOptions(options, weights)) as unknown as ScoredClassifier;
}
