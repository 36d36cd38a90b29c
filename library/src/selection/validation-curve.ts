import { changed, type ParamName, type ParamOf } from "../core/composite.js";
import type { Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { option, readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import type { Matrix } from "../data/matrix.js";
import { findScorer } from "../metrics/scorers.js";
import type { Learner, TargetsOf } from "./cross-validate.js";
import { planFolds, requireLearner } from "./folds.js";
import { type CurveOptions, curveOptions } from "./learning-curve.js";
import { measureGrid } from "./measure-grid.js";

export interface ValidationCurveOptions<E extends Learner, K extends ParamName<E>> extends CurveOptions<E> {
  /** The parameter that changes; `step.param` is that of a part. */
  readonly paramName: K;
  /** Its values. */
  readonly paramRange: readonly ParamOf<E, K>[];
}

const validationCurveOptions = {
  ...curveOptions,
  paramName: option<string>("text", "The parameter that changes.", "a name", (v) => typeof v === "string"),
  paramRange: option<readonly unknown[]>(
    "list",
    "Its values.",
    "a list of values",
    (v) => Array.isArray(v) && v.length > 0,
  ),
} satisfies TableOf<ValidationCurveOptions<Learner, never>>;

export interface ValidationCurve<V> {
  readonly paramRange: readonly V[];
  /** One row per value, one column per fold. */
  readonly trainScores: Matrix;
  readonly testScores: Matrix;
}

/**
 * Scores for every value of one parameter. Where the training score is high and the test score low, the model overfits; where both are
 * low, it underfits.
 */
export function validationCurve<E extends Learner, K extends ParamName<E>>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: TargetsOf<E>,
  options: ValidationCurveOptions<E, K>,
): ValidationCurve<ParamOf<E, K>> {
  const where = "validationCurve";
  requireLearner(where, estimator);
  const { paramName, paramRange } = readOptions(where, validationCurveOptions, options);
  for (const [subject, value] of Object.entries({ paramName, paramRange })) {
    if (value !== undefined) continue;
    const { expected } = validationCurveOptions[subject as "paramName" | "paramRange"];
    throw new ParameterError(where, subject, expected, show(value));
  }
  const scorer = findScorer(where, options.scoring, estimator, options.positiveLabel);
  const plan = planFolds(where, estimator, x as Samples, y, options);
  const points = paramRange!.map((value) => ({
    estimator: changed(where, estimator, new Map([[paramName!, value]])) as Learner,
    plan,
  }));
  return { paramRange: options.paramRange, ...measureGrid(where, points, scorer, options.signal) };
}
