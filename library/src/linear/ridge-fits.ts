import type { FitOptions, MatrixLike } from "../core/contract.js";
import { passWarnings, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { targetsSet } from "../data/targets.js";
import { regressionSet } from "../data/training-set.js";
import { strengthOfOne, strengthsOf } from "./fits/params.js";
import type { RegressorState } from "./fitted-regressor.js";
import { type FittedLinearTargets, linearTargets } from "./fitted-targets.js";
import { leastSquares, leastSquaresRules, leastSquaresTargets } from "./least-squares/least-squares.js";
import { nonNegativeRidge, nonNegativeSteps, nonNegativeTargetSteps } from "./least-squares/non-negative.js";

/** Ridge regression, Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖²; α = 0 is least squares. */

interface RidgeEstimator {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>> & {
    readonly fitIntercept: boolean;
    readonly positive: boolean;
  };
}

export function ridgeState(
  where: string,
  { id, params }: RidgeEstimator,
  strength: number | readonly number[],
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
): RegressorState {
  beginFit(where, options);
  const { fitIntercept, positive } = params;
  const set = regressionSet(where, x, y, options, leastSquaresRules);
  const alpha = strengthOfOne(where, strength);
  const objective = nonNegativeRidge(alpha, fitIntercept);
  const learned = positive
    ? runSteps(
        where,
        nonNegativeSteps(where, set, objective, (fit) => fit),
        options,
      )
    : leastSquares(where, set, alpha, fitIntercept);
  return { id, params, link: "identity", featureNamesIn: set.featureNamesIn, ...learned };
}

/** The same of every target, with an α for all or for each of them. */
export function fitRidgeTargets(
  where: string,
  estimator: RidgeEstimator,
  strength: number | readonly number[],
  x: MatrixLike,
  y: MatrixLike,
  options: FitOptions,
): FittedLinearTargets {
  beginFit(where, options);
  const { fitIntercept, positive } = estimator.params;
  const set = targetsSet(where, x, y, options, leastSquaresRules);
  const alphas = strengthsOf(where, strength, set.y.length);
  const objectives = alphas.map((own) => nonNegativeRidge(own, fitIntercept));
  const fits = positive
    ? runSteps(where, nonNegativeTargetSteps(where, set, objectives), options)
    : leastSquaresTargets(where, set, alphas, fitIntercept);
  const model = linearTargets(estimator, set, fits);
  passWarnings(model, options);
  return model;
}
