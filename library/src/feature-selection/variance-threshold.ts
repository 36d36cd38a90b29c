import { transformer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { type ParamValues, real } from "../core/params/params.js";
import { restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readColumns } from "../data/feature-names-in.js";
import { unlabelledSet } from "../data/training-set.js";
import { ScalerEstimator } from "../fitted/transformers.js";
import { columnMoments } from "../numeric/rows/column-moments.js";
import { FittedSelector, readSelection, requireSome } from "./fitted-selector.js";

export const varianceThresholdParams = {
  threshold: real({ atLeast: 0, default: 0, doc: "Columns with a variance at most this are dropped." }),
};

/**
 * Drops columns whose variance is at most a threshold; at 0, constant columns. Variances are the population's (divisor n), weighted
 * if rows are. Parity: scikit-learn's VarianceThreshold, which at threshold 0 stores the range of a column where that is smaller.
 */
export class VarianceThreshold extends ScalerEstimator<typeof varianceThresholdParams> {
  static readonly id = "VarianceThreshold";
  static readonly table = varianceThresholdParams;
  static readonly capabilities = transformer({ sparse: true, sampleWeight: true });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedVarianceThreshold {
    const where = this.where("fit");
    const known = unlabelledSet(where, x, y, options, { sparse: true });
    const { variance, deviation } = columnMoments(where, known.x, known.weights);
    const { threshold } = this.params;
    // The deviation is positive also where the variance is too small for a double.
    const selected = [...variance.keys()].filter(
      (j) => variance[j]! > threshold || (threshold === 0 && deviation[j]! > 0),
    );
    requireSome(where, selected, `of variance above ${threshold}`, "Lower the threshold, or look at X.");
    return new FittedVarianceThreshold(this.params, known, variance, selected);
  }

  static restore(state: ModelState): FittedVarianceThreshold {
    const { reader, params } = restoring(varianceThresholdParams, state);
    const columns = readColumns(reader);
    const { scores, selected } = readSelection(reader, columns);
    return new FittedVarianceThreshold(params, columns, scores, selected);
  }
}

export class FittedVarianceThreshold extends FittedSelector<ParamValues<typeof varianceThresholdParams>> {
  protected readonly id = VarianceThreshold.id;
}
