import type { FittedRegressor, MatrixLike } from "../core/contract.js";
import type { StateReader, Tensor } from "../core/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { withRegression } from "../fitted/regressor.js";
import { r2Score } from "../metrics/regression/regression.js";
import { FittedNeighbors } from "./fitted-neighbors.js";
import type { TrainingPoints } from "./training-points.js";

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

  /** The mean of every row of z, or of every training row by the others. */
  protected abstract means(where: string, z: Design | undefined): Float64Array;

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.means(where, this.points.read(where, x));
  }

  /** The target of every training row as the others predict it. */
  predictLeaveOneOut(): Float64Array {
    return this.means(`${this.id}.predictLeaveOneOut`, undefined);
  }

  [structure](): Structure {
    const { outlierValue = null } = this.params as { readonly outlierValue?: number | null };
    const outlier = outlierValue === null ? null : Float64Array.of(outlierValue);
    return regressorStructure(this, this.meansOf(new Matrix(this.targets, this.targets.length, 1), outlier));
  }

  /** R² of `predictLeaveOneOut`. */
  scoreLeaveOneOut(): number {
    return r2Score(this.targets, this.predictLeaveOneOut());
  }

  protected override learnedTensors(): Readonly<Record<string, Tensor>> {
    return { targets: { shape: [this.targets.length], data: this.targets } };
  }
}

/** Σ w t / Σ w; the unweighted mean if all weights are 0. */
export function weightedMean(
  targets: Float64Array,
  indices: Int32Array<ArrayBufferLike>,
  weights: Float64Array,
  from: number,
  count: number,
): number {
  let sum = 0;
  let total = 0;
  let plain = 0;
  for (let e = 0; e < count; e++) {
    const target = targets[indices[from + e]!]!;
    sum += weights[e]! * target;
    total += weights[e]!;
    plain += target;
  }
  const mean = total > 0 ? sum / total : plain / count;
  return Number.isFinite(mean) ? mean : scaledMean(targets, indices, weights, from, count);
}

/** The same for sums that overflow: every term is divided first. */
function scaledMean(
  targets: Float64Array,
  indices: Int32Array<ArrayBufferLike>,
  weights: Float64Array,
  from: number,
  count: number,
): number {
  const own = weights.subarray(0, count);
  const most = own.reduce((top, weight) => Math.max(top, weight), 0);
  const relative = own.map((weight) => (most > 0 ? weight / most : 1));
  const total = relative.reduce((sum, weight) => sum + weight, 0);
  return relative.reduce((sum, weight, e) => sum + (weight / total) * targets[indices[from + e]!]!, 0);
}

export function readNeighborTargets(reader: StateReader, rows: number): Float64Array {
  const targets = reader.floats("targets", [rows]);
  if (!targets.every(Number.isFinite)) reader.fail("targets", "finite", "±∞");
  return targets;
}
