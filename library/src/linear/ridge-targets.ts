import type { FitOptions } from "../core/contract.js";
import { passWarnings, runSteps } from "../core/estimator.js";
import type { TargetsSet } from "../data/targets.js";
import { strengthsOf } from "./fits/params.js";
import { type FittedLinearTargets, linearTargets } from "./fitted-targets.js";
import { leastSquaresTargets } from "./least-squares/least-squares.js";
import { nonNegativeRidge, nonNegativeTargetSteps } from "./least-squares/non-negative.js";

interface RidgeEstimator {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>> & {
    readonly fitIntercept: boolean;
    readonly positive: boolean;
  };
}

/** Ridge regression of every target: Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖², with an α for all or for each of them. */
export function fitRidgeTargets(
  where: string,
  estimator: RidgeEstimator,
  set: TargetsSet,
  alpha: number | readonly number[],
  options: FitOptions,
): FittedLinearTargets {
  const { fitIntercept, positive } = estimator.params;
  const alphas = strengthsOf(where, alpha, set.y.length);
  const objectives = alphas.map((own) => nonNegativeRidge(own, fitIntercept));
  const fits = positive
    ? runSteps(where, nonNegativeTargetSteps(where, set, objectives), options)
    : leastSquaresTargets(where, set, alphas, fitIntercept);
  const model = linearTargets(estimator, set, fits);
  passWarnings(model, options);
  return model;
}
