import type { Progress } from "../../core/contract.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import type { Splitter } from "../../data/splitters/splitter.js";
import type { TargetsSet } from "../../data/targets.js";
import { type regressionScorers, scorers } from "../../metrics/scorers.js";
import { linearScores } from "../../numeric/rows/linear-scores.js";
import { leastSquaresTargets } from "../least-squares/least-squares.js";
import { leaveOneOut } from "../least-squares/leave-one-out.js";
import { FoldRows, foldsOf, inFold } from "./cross-validation.js";

type RegressionScorerName = (typeof regressionScorers)[number];

/** What RidgeCV compares. */
export interface RidgeCandidates {
  readonly alphas: readonly number[];
  readonly fitIntercept: boolean;
  readonly scoring: RegressionScorerName | null;
  readonly cv: number | Splitter | null;
  readonly storeCvValues: boolean;
}

/** Cross-validated scores of every α, by target. */
export interface RidgeScores {
  /** One list per target, one score per α. */
  readonly scores: readonly Float64Array[];
  /** One matrix per target: one row per row of X, one column per α. Undefined unless requested. */
  readonly cvValues?: readonly Matrix[] | undefined;
}

/** Scores by leave-one-out, all from one eigendecomposition. */
export function* leaveOneOutScores(
  where: string,
  set: TargetsSet,
  { alphas, fitIntercept, scoring, storeCvValues }: RidgeCandidates,
): Generator<Progress, RidgeScores, void> {
  const { x, y, weights } = set;
  const all = leaveOneOut(where, set, fitIntercept, alphas);
  refitLostRows(where, set, fitIntercept, alphas, all);
  const scores = y.map(() => new Float64Array(alphas.length));
  const kept = storeCvValues ? y.map(() => Matrix.zeros(x.rows, alphas.length)) : undefined;
  for (let a = 0; a < alphas.length; a++) {
    for (const [t, target] of y.entries()) {
      const errors = Float64Array.from(target, (_, i) => all[t]!.at(i, a));
      const predictions = target.map((v, i) => v - errors[i]!);
      scores[t]![a] = scoreOf(scoring ?? "negMeanSquaredError", predictions, x, target, weights);
      const values = scoring === null ? errors.map((e) => e * e) : predictions;
      const own = kept?.[t];
      for (let i = 0; own && i < x.rows; i++) own.data[i * own.cols + a] = values[i]!;
    }
    yield { iteration: a + 1, total: alphas.length };
  }
  return { scores, cvValues: kept };
}

/** Errors of rows for which the formula has no digits left: by a fit without the row. */
function refitLostRows(
  where: string,
  set: TargetsSet,
  intercept: boolean,
  alphas: readonly number[],
  errors: readonly Matrix[],
): void {
  for (let i = 0; i < set.x.rows; i++) {
    const lost = alphas.flatMap((alpha, a) =>
      errors.some((own) => !Number.isFinite(own.at(i, a))) ? [{ alpha, a }] : [],
    );
    if (lost.length === 0) continue;
    const others = Int32Array.from(set.y[0]!.keys()).filter((other) => other !== i);
    const train = targetRows(set, others, set.x.selectRows(others));
    const row = set.x.selectRows([i]);
    for (const { alpha, a } of lost) {
      const same = set.y.map(() => alpha);
      for (const [t, fit] of leastSquaresTargets(where, train, same, intercept).entries()) {
        const prediction = linearScores(where, row, fit.coef, Float64Array.of(fit.intercept)).data[0]!;
        errors[t]!.data[i * alphas.length + a] = set.y[t]![i]! - prediction;
      }
    }
  }
}

/** Mean scores of the folds. */
export function* foldScores(
  where: string,
  set: TargetsSet,
  { alphas, fitIntercept, scoring, cv }: RidgeCandidates,
): Generator<Progress, RidgeScores, void> {
  const folds = foldsOf(where, cv, set.y[0]!);
  const scores = set.y.map(() => new Float64Array(alphas.length));
  const rows = new FoldRows(set.x);
  const total = folds.length * alphas.length;
  for (const [f, fold] of folds.entries()) {
    const train = targetRows(set, fold.train, rows.train(fold));
    const test = targetRows(set, fold.test, rows.test(fold));
    for (const [a, alpha] of alphas.entries()) {
      const same = set.y.map(() => alpha);
      const fits = inFold(where, f, () => leastSquaresTargets(where, train, same, fitIntercept));
      for (const [t, { coef, intercept }] of fits.entries()) {
        const predictions = linearScores(where, test.x, coef, Float64Array.of(intercept)).data;
        const score = scoreOf(scoring ?? "r2", predictions, test.x, test.y[t]!, test.weights);
        scores[t]![a]! += score / folds.length;
      }
      yield { iteration: f * alphas.length + a + 1, total };
    }
  }
  return { scores };
}

function scoreOf(
  scoring: RegressionScorerName,
  predictions: Float64Array,
  x: Design,
  y: Float64Array,
  weights: Float64Array | undefined,
): number {
  return scorers[scoring]({ predict: () => predictions } as never, x, y, { sampleWeight: weights });
}

/** Some rows of a training set, of which X is selected already. */
function targetRows({ y, weights }: TargetsSet, rows: ArrayLike<number>, x: Design): TargetsSet {
  const list = Int32Array.from(rows);
  const some = (values: Float64Array) => Float64Array.from(list, (i) => values[i]!);
  return { x, y: y.map(some), weights: weights && some(weights) };
}
