import { regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginUnweightedFit } from "../core/params/options.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import type { Design } from "../data/input.js";
import { regressionSet } from "../data/training-set.js";
import { requireRows } from "./enough-rows.js";
import { FittedNeighborsRegressor, readNeighborTargets, weightedMean } from "./fitted-neighbors-regressor.js";
import { nNeighbors, searchParams, weights } from "./params.js";
import { readTraining } from "./restore.js";
import { neighborsSpace } from "./search-space.js";
import { acceptsSparse, requireSearchable, trainingPoints } from "./training-points.js";
import { voteWeightsInto } from "./vote-weights.js";

export const kNeighborsRegressorParams = { nNeighbors, weights, ...searchParams };
type KNeighborsParams = typeof kNeighborsRegressorParams;

/**
 * The mean target of the k nearest training rows:
 *
 *   ŷ(x) = Σ_{i ∈ N_k(x)} w_i y_i / Σ_{i ∈ N_k(x)} w_i,      w_i = 1 or 1/d(x, x_i)
 *
 * Parity: scikit-learn's KNeighborsRegressor; of equally near rows the one with the smaller number is a neighbour.
 */
export class KNeighborsRegressor extends Estimator<KNeighborsParams> {
  static readonly id = "KNeighborsRegressor";
  static readonly table = kNeighborsRegressorParams;
  static readonly title = "k nearest neighbours";
  static readonly capabilities: Capabilities = {
    ...regressorCapabilities,
    sparse: true,
    sampleWeight: false,
    scale: "standard",
    form: "rows",
  };
  static readonly starter = { place: 3 } as const;
  static readonly candidate: DefaultCandidate = { cost: 5, mostRows: 50_000 };
  static readonly searchSpace = neighborsSpace;

  constructor(params: Params<KNeighborsParams> = {}) {
    super(params);
    requireSearchable(this.id, this.params);
  }

  get capabilities(): Capabilities {
    return { ...KNeighborsRegressor.capabilities, sparse: acceptsSparse(this.params) };
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedKNeighborsRegressor {
    const where = this.where("fit");
    beginUnweightedFit(where, undefined, options);
    const set = regressionSet(where, x, y, options, { sparse: acceptsSparse(this.params) });
    requireRows(where, this.params.nNeighbors, set.x.rows);
    const points = trainingPoints(where, set, this.params);
    return new FittedKNeighborsRegressor(this.params, points, set.y);
  }

  static restore(state: ModelState): FittedKNeighborsRegressor {
    const reader = new StateReader(state);
    const { params, points, rows } = readTraining(kNeighborsRegressorParams, reader);
    return new FittedKNeighborsRegressor(params, points, readNeighborTargets(reader, rows));
  }
}

export class FittedKNeighborsRegressor extends FittedNeighborsRegressor {
  declare readonly params: ParamValues<KNeighborsParams>;
  protected readonly id = KNeighborsRegressor.id;

  protected means(where: string, z: Design | undefined): Float64Array {
    const { nNeighbors: k } = this.params;
    const out = new Float64Array((z ?? this.points.x).rows);
    const weight = new Float64Array(k);
    this.points.nearest(where, z, k, (from, count, distances, indices) => {
      for (let r = 0, e = 0; r < count; r++, e += k) {
        voteWeightsInto(where, this.params.weights, distances.subarray(e, e + k), weight);
        out[from + r] = weightedMean(this.targets, indices, weight, e, k);
      }
    });
    return out;
  }
}
