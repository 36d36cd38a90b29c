import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { restoring } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { readColumns } from "../../data/feature-names-in.js";
import { unlabelledSet } from "../../data/training-set.js";
import { ScalerEstimator } from "../../fitted/transformers.js";
import { FittedShiftAndScale, readShiftAndScale } from "./fitted-shift-and-scale.js";

export const maxAbsScalerParams = {};

/**
 * Columns divided by their largest absolute value, so that they are within [−1, 1]. Zeros stay zeros, and sparse rows sparse.
 *
 *   z = x / max |x|
 *
 * A column of zeros stays as it is. Rows of weight 0 are ignored; other weights have no effect. Parity: scikit-learn's MaxAbsScaler.
 */
export class MaxAbsScaler extends ScalerEstimator<typeof maxAbsScalerParams> {
  static readonly id = "MaxAbsScaler";
  static readonly table = maxAbsScalerParams;
  static readonly capabilities = transformer({ sparse: true, sampleWeight: true, invertible: true });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedMaxAbsScaler {
    const known = unlabelledSet(this.where("fit"), x, y, options, { sparse: true });
    const rows = known.x;
    const largest = new Float64Array(rows.cols);
    const [values, place] =
      rows instanceof CsrMatrix
        ? [rows.values, (e: number) => rows.indices[e]!]
        : [rows.data, (e: number) => e % rows.cols];
    for (let e = 0; e < values.length; e++) {
      const j = place(e);
      largest[j] = Math.max(largest[j]!, Math.abs(values[e]!));
    }
    const scale = largest.map((value) => value || 1);
    return new FittedMaxAbsScaler(this.params, known, undefined, scale);
  }

  static restore(state: ModelState): FittedMaxAbsScaler {
    const { reader, params } = restoring(maxAbsScalerParams, state);
    const columns = readColumns(reader);
    const { scale } = readShiftAndScale(reader, columns.nFeatures, false);
    return new FittedMaxAbsScaler(params, columns, undefined, scale);
  }
}

export class FittedMaxAbsScaler extends FittedShiftAndScale<object> {
  protected readonly id = MaxAbsScaler.id;
}
