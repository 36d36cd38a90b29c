import type { Capabilities, FitOptions, FittedModel, MatrixLike } from "../../core/contract.js";
import { Estimator } from "../../core/estimator.js";
import {
  either,
  integer,
  optional,
  type ParamsWith,
  type ParamValues,
  real,
} from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state.js";
import type { Selected } from "../../feature-selection/fitted-selector.js";
import type { Learner } from "../../selection/cross-validate.js";
import { eliminate, stepOf, stepParam } from "./elimination.js";
import { importanceGetter } from "./importances.js";
import {
  countOf,
  FittedModelSelector,
  mostOfSelectors,
  readModelSelection,
  refuseColumnParams,
  requireColumns,
  requireEstimator,
  selectorCapabilities,
  selectorRows,
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
export class RFE<E extends Learner & object = Learner & object> extends Estimator<RfeParams> {
  declare readonly partTypes?: { estimator: E };
  static readonly id = "RFE";
  static readonly table = rfeParams;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities: Capabilities = mostOfSelectors;

  constructor(params: ParamsWith<RfeParams, { estimator: E }>) {
    super(params);
    requireEstimator(this.id, this.params.estimator);
    refuseColumnParams(this.id, this.params.estimator);
  }

  get capabilities(): Capabilities {
    return selectorCapabilities(this.params.estimator);
  }

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedRFE<ReturnType<E["fit"]>> {
    const rows = selectorRows(this.id, this.params.estimator, x, y, options);
    const { estimator, nFeaturesToSelect, step, importanceGetter } = this.params;
    const count = countOf(nFeaturesToSelect, rows.x.cols);
    requireColumns(rows.where, "nFeaturesToSelect", count, rows.x.cols);
    let iteration = 0;
    const visit = () => options.onProgress?.({ iteration: ++iteration });
    const by = stepOf(step, rows.x.cols);
    const { selected, ranking, model } = eliminate(rows, estimator, count, by, importanceGetter, visit);
    const scores = Float64Array.from(ranking, (rank) => -rank);
    return new FittedRFE({ ...rows, params: this.params, scores, selected, model });
  }

  /** `fit(x, y).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y: Targets, options?: FitOptions): Selected<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedRFE {
    return new FittedRFE(readModelSelection(new StateReader(state), restorePart));
  }
}

/** `scores` are the negative ranks. */
export class FittedRFE<M = FittedModel> extends FittedModelSelector<ParamValues<RfeParams>, M> {
  protected get id(): string {
    return RFE.id;
  }

  /** 1 for columns that are kept, 2 for those that were dropped last, and so on. */
  get ranking(): Int32Array {
    return Int32Array.from(this.scores, (score) => -score);
  }

  /** The estimator, fitted to the columns that are kept. */
  get model(): M {
    return this.inner;
  }
}
