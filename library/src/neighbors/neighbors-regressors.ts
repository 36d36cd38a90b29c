import { regressor } from "../core/capabilities.js";
import type { DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import { optional, type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { FittedNeighborsRegressor, readTargeted } from "./fitted-neighbors-regressor.js";
import { NeighborsEstimator, neighborsCapabilities, neighborsSpace } from "./neighbors-estimator.js";
import { nNeighbors, radius, searchParams, weights } from "./params.js";

export const kNeighborsRegressorParams = { nNeighbors, weights, ...searchParams };
type KNeighborsParams = typeof kNeighborsRegressorParams;

/**
 * The mean target of the k nearest training rows:
 *
 *   ŷ(x) = Σ_{i ∈ N_k(x)} w_i y_i / Σ_{i ∈ N_k(x)} w_i,      w_i = 1 or 1/d(x, x_i)
 *
 * Parity: scikit-learn's KNeighborsRegressor; of equally near rows the one with the smaller number is a neighbour.
 */
export class KNeighborsRegressor extends NeighborsEstimator<KNeighborsParams> {
  static readonly id = "KNeighborsRegressor";
  static readonly table = kNeighborsRegressorParams;
  static readonly title = "k nearest neighbours";
  static readonly capabilities = regressor(neighborsCapabilities);
  static readonly starter = { place: 3 } as const;
  static readonly candidate: DefaultCandidate = { cost: 5, mostRows: 50_000 };
  static readonly searchSpace = neighborsSpace;

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedKNeighborsRegressor {
    return new FittedKNeighborsRegressor(...this.targeted(x, y, options));
  }

  static restore(state: ModelState): FittedKNeighborsRegressor {
    return new FittedKNeighborsRegressor(...readTargeted(kNeighborsRegressorParams, state));
  }
}

export class FittedKNeighborsRegressor extends FittedNeighborsRegressor {
  declare readonly params: ParamValues<KNeighborsParams>;
  protected readonly id = KNeighborsRegressor.id;
}

export const radiusNeighborsRegressorParams = {
  radius,
  weights,
  outlierValue: optional(
    real({ default: 0, doc: "Prediction for rows without a neighbour; null makes them an error." }),
  ),
  ...searchParams,
};
type RadiusParams = typeof radiusNeighborsRegressorParams;

/**
 * The mean target of all training rows within a radius r:
 *
 *   ŷ(x) = Σ_{i: d(x, x_i) ≤ r} w_i y_i / Σ_{i: d(x, x_i) ≤ r} w_i,      w_i = 1 or 1/d(x, x_i)
 *
 * Parity: scikit-learn's RadiusNeighborsRegressor, which returns NaN for rows without a neighbour.
 */
export class RadiusNeighborsRegressor extends NeighborsEstimator<RadiusParams> {
  static readonly id = "RadiusNeighborsRegressor";
  static readonly table = radiusNeighborsRegressorParams;
  static readonly capabilities = regressor(neighborsCapabilities);

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedRadiusNeighborsRegressor {
    return new FittedRadiusNeighborsRegressor(...this.targeted(x, y, options));
  }

  static restore(state: ModelState): FittedRadiusNeighborsRegressor {
    return new FittedRadiusNeighborsRegressor(...readTargeted(radiusNeighborsRegressorParams, state));
  }
}

export class FittedRadiusNeighborsRegressor extends FittedNeighborsRegressor {
  declare readonly params: ParamValues<RadiusParams>;
  protected readonly id = RadiusNeighborsRegressor.id;
}
