import type { FitOptions, FittedModel, MatrixLike, RestorePart } from "../../core/contract.js";
import { either, integer, optional, type ParamValues, real } from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import type { Learner } from "../../selection/cross-validate.js";
import { eliminate, FittedElimination, stepOf, stepParam } from "./elimination.js";
import { importanceGetter } from "./importances.js";
import {
  countOf,
  ModelSelector,
  readModelSelection,
  requireColumns,
  type Targets,
  wrappedEstimator,
} from "./selector-rows.js";

export const rfeParams = {
  estimator: wrappedEstimator(
    "The estimator that is fitted again and again, with coef or featureImportances.",
  ),
  nFeaturesToSelect: optional(
    either(
      integer({
        atLeast: 1,
        default: 1,
        doc: "How many columns are kept, or which fraction of them; null for half.",
      }),
      real({ above: 0, below: 1, default: 0.5, doc: "" }),
    ),
  ),
  step: stepParam,
  importanceGetter,
};
type RfeParams = typeof rfeParams;

/**
 * Recursive feature elimination: the estimator is fitted, the columns with the smallest squared coefficients or importances are dropped,
 * and it is fitted again to the others, until nFeaturesToSelect are left [Guyon et al. 2002].
 * Parity: scikit-learn's RFE; of equal importances the first column is dropped first, and at least one is kept.
 */
export class RFE<E extends Learner & object = Learner & object> extends ModelSelector<RfeParams, E> {
  static readonly id = "RFE";
  static readonly table = rfeParams;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedRFE<ReturnType<E["fit"]>> {
    const rows = this.rows(x, y, options);
    const { estimator, nFeaturesToSelect, step, importanceGetter } = this.params;
    const count = countOf(nFeaturesToSelect, rows.x.cols);
    requireColumns(rows.where, "nFeaturesToSelect", count, rows.x.cols);
    let iteration = 0;
    const visit = () => options.onProgress?.({ iteration: ++iteration });
    const by = stepOf(step, rows.x.cols);
    const left = eliminate(rows, estimator, count, by, importanceGetter, visit);
    return new FittedRFE({ ...rows, params: this.params, ...left });
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedRFE {
    return new FittedRFE(readModelSelection(new StateReader(state), restorePart));
  }
}

/** `scores` are the negative ranks. */
export class FittedRFE<M = FittedModel> extends FittedElimination<ParamValues<RfeParams>, M> {
  protected get id(): string {
    return RFE.id;
  }
}
