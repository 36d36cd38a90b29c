import { regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginUnweightedFit } from "../core/params/options.js";
import { optional, type Params, type ParamValues, real } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import type { Design } from "../data/input.js";
import { regressionSet } from "../data/training-set.js";
import { FittedNeighborsRegressor, readNeighborTargets, weightedMean } from "./fitted-neighbors-regressor.js";
import { radius, searchParams, weights } from "./params.js";
import { noNeighbors } from "./radius-neighbors-classifier.js";
import { readTraining } from "./restore.js";
import { acceptsSparse, requireSearchable, trainingPoints } from "./training-points.js";
import { voteWeights } from "./vote-weights.js";

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
export class RadiusNeighborsRegressor extends Estimator<RadiusParams> {
  static readonly id = "RadiusNeighborsRegressor";
  static readonly table = radiusNeighborsRegressorParams;
  static readonly capabilities: Capabilities = {
    ...regressorCapabilities,
    sparse: true,
    sampleWeight: false,
    scale: "standard",
    form: "rows",
  };

  constructor(params: Params<RadiusParams> = {}) {
    super(params);
    requireSearchable(this.id, this.params);
  }

  get capabilities(): Capabilities {
    return { ...RadiusNeighborsRegressor.capabilities, sparse: acceptsSparse(this.params) };
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedRadiusNeighborsRegressor {
    const where = this.where("fit");
    beginUnweightedFit(where, undefined, options);
    const set = regressionSet(where, x, y, options, { sparse: acceptsSparse(this.params) });
    const points = trainingPoints(where, set, this.params);
    return new FittedRadiusNeighborsRegressor(this.params, points, set.y);
  }

  static restore(state: ModelState): FittedRadiusNeighborsRegressor {
    const reader = new StateReader(state);
    const { params, points, rows } = readTraining(radiusNeighborsRegressorParams, reader);
    return new FittedRadiusNeighborsRegressor(params, points, readNeighborTargets(reader, rows));
  }
}

export class FittedRadiusNeighborsRegressor extends FittedNeighborsRegressor {
  declare readonly params: ParamValues<RadiusParams>;
  protected readonly id = RadiusNeighborsRegressor.id;

  protected means(where: string, z: Design | undefined): Float64Array {
    const out = new Float64Array((z ?? this.points.x).rows);
    const { radius: most, outlierValue } = this.params;
    this.points.within(where, z, most, (from, count, starts, distances, indices) => {
      for (let r = 0; r < count; r++) {
        const [begin, end] = [starts[r]!, starts[r + 1]!];
        if (begin === end) {
          out[from + r] = outlierValue ?? noNeighbors(where, from + r, most, "outlierValue");
          continue;
        }
        const weight = voteWeights(where, this.params.weights, distances.subarray(begin, end));
        out[from + r] = weightedMean(this.targets, indices, weight, begin, end - begin);
      }
    });
    return out;
  }
}
