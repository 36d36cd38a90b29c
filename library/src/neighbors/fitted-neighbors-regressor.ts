import type { FittedRegressor, MatrixLike } from "../core/contract.js";
import type { ParamsTable } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { withRegression } from "../fitted/regressor.js";
import { r2Score } from "../metrics/regression/regression.js";
import { FittedNeighbors } from "./fitted-neighbors.js";
import { readTraining } from "./neighbors-estimator.js";
import type { WeightsParam } from "./params.js";
import type { TrainingPoints } from "./training-points.js";
import { voteWeights } from "./vote-weights.js";

/** Means of the targets of neighbours. */
export abstract class FittedNeighborsRegressor
  extends /* @__PURE__ */ withRegression(FittedNeighbors)
  implements FittedRegressor
{
  constructor(
    params: Readonly<Record<string, unknown>>,
    points: TrainingPoints,
    /** Target of every training row. */
    protected readonly targets: Float64Array,
  ) {
    super(params, points);
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.#means(where, this.points.read(where, x));
  }

  /** The target of every training row as the others predict it. */
  predictLeaveOneOut(): Float64Array {
    return this.#means(`${this.id}.predictLeaveOneOut`, undefined);
  }

  /** The mean of every row of z, or of every training row by the others. */
  #means(where: string, z: Design | undefined): Float64Array {
    const out = new Float64Array((z ?? this.points.x).rows);
    this.eachNeighborhood(where, z, (i, indices, distances) => {
      const weights = voteWeights(where, this.params["weights"] as WeightsParam, distances);
      out[i] =
        indices.length === 0
          ? (this.#outlierValue ?? this.refuseLonely(where, i, "outlierValue"))
          : weightedMean(this.targets, indices, weights);
    });
    return out;
  }

  get #outlierValue(): number | null {
    return (this.params as { readonly outlierValue?: number | null }).outlierValue ?? null;
  }

  [structure](): Structure {
    const value = this.#outlierValue;
    const outlier = value === null ? null : Float64Array.of(value);
    return regressorStructure(this, this.meansOf(new Matrix(this.targets, this.targets.length, 1), outlier));
  }

  /** R² of `predictLeaveOneOut`. */
  scoreLeaveOneOut(): number {
    return r2Score(this.targets, this.predictLeaveOneOut());
  }

  protected override learned(): Learned {
    return { targets: this.targets };
  }
}

/** Σ w t / Σ w; the unweighted mean if all weights are 0. */
function weightedMean(
  targets: Float64Array,
  indices: Int32Array<ArrayBufferLike>,
  weights: Float64Array,
): number {
  let sum = 0;
  let total = 0;
  let plain = 0;
  for (let e = 0; e < indices.length; e++) {
    const target = targets[indices[e]!]!;
    sum += weights[e]! * target;
    total += weights[e]!;
    plain += target;
  }
  const mean = total > 0 ? sum / total : plain / indices.length;
  return Number.isFinite(mean) ? mean : scaledMean(targets, indices, weights);
}

/** The same for sums that overflow: every term is divided first. */
function scaledMean(
  targets: Float64Array,
  indices: Int32Array<ArrayBufferLike>,
  weights: Float64Array,
): number {
  const most = weights.reduce((top, weight) => Math.max(top, weight), 0);
  const relative = weights.map((weight) => (most > 0 ? weight / most : 1));
  const total = relative.reduce((sum, weight) => sum + weight, 0);
  return relative.reduce((sum, weight, e) => sum + (weight / total) * targets[indices[e]!]!, 0);
}

/** What a saved regressor of neighbours is made of. */
export function readTargeted<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, params, points, rows } = readTraining(table, state);
  return [params, points, reader.finite("targets", [rows])] as const;
}
