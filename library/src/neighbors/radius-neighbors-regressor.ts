import { regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import { optional, type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { FittedNeighborsRegressor, readTargeted } from "./fitted-neighbors-regressor.js";
import { NeighborsEstimator, neighborsCapabilities } from "./neighbors-estimator.js";
import { radius, searchParams, weights } from "./params.js";

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
  static readonly capabilities: Capabilities = { ...regressorCapabilities, ...neighborsCapabilities };

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedRadiusNeighborsRegressor {
    const { points, targets } = this.targeted(x, y, options);
    return new FittedRadiusNeighborsRegressor(this.params, points, targets);
  }

  static restore(state: ModelState): FittedRadiusNeighborsRegressor {
    return new FittedRadiusNeighborsRegressor(...readTargeted(radiusNeighborsRegressorParams, state));
  }
}

export class FittedRadiusNeighborsRegressor extends FittedNeighborsRegressor {
  declare readonly params: ParamValues<RadiusParams>;
  protected readonly id = RadiusNeighborsRegressor.id;
}
