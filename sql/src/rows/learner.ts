import type { EstimatorClass, FittedModel } from "argmax/core";
import type { TrainingRows } from "./training-rows.js";

/** An estimator, as learners see it. */
export interface AnyEstimator {
  readonly params: object;
  toJSON(): unknown;
}

/** Learns a model of an estimator's class from sums over rows. */
export type Learn<E> = (estimator: E, rows: TrainingRows, fit: FitPart) => Promise<FittedModel>;

/** Fits a part of an estimator to rows, as the steps of a pipeline are. */
export type FitPart = (estimator: AnyEstimator, rows: TrainingRows) => Promise<FittedModel>;

export interface Learner {
  readonly type: EstimatorClass;
  readonly learn: Learn<never>;
  /** Whether rows may have gaps where the estimator takes them. Others are checked before it learns. */
  readonly gaps: boolean;
  /** Whether it asks for dozens or hundreds of passes with its default parameters. */
  readonly manyPasses: boolean;
}

/** The learner of a class. */
export function learner<E extends AnyEstimator>(
  type: EstimatorClass & (abstract new (...given: never[]) => E),
  learn: Learn<E>,
  { gaps = false, manyPasses = false } = {},
): Learner {
  return { type, learn: learn as Learn<never>, gaps, manyPasses };
}
