import type { DefaultCandidate, FitOptions, MatrixLike } from "../../core/contract.js";
import { Estimator, runSteps } from "../../core/estimator.js";
import type { NumberArray } from "../../core/labels.js";
import type { Params } from "../../core/params/params.js";
import type { ModelState } from "../../core/state/state.js";
import type { Matrix } from "../../data/matrix.js";
import { linearRegressor } from "../fits/capabilities.js";
import { requireCandidates } from "./cross-validation.js";
import { FittedPathSearch, pathCVParams, readSearch, searchSteps } from "./elastic-net-cv.js";

export const lassoCVParams = pathCVParams;

/**
 * Lasso whose α has the least mean squared error over the folds: one path per fold, each fit started from the one before. Then one
 * fit on all rows.
 *
 * Parity: scikit-learn's LassoCV, with the exceptions of ElasticNetCV.
 */
export class LassoCV extends Estimator<typeof lassoCVParams> {
  static readonly id = "LassoCV";
  static readonly table = lassoCVParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });
  static readonly candidate: DefaultCandidate = { cost: 3, mostRows: 100_000 };

  constructor(params: Params<typeof lassoCVParams> = {}) {
    super(params);
    const { alphas } = this.params;
    if (alphas !== null) requireCandidates(this.id, "alphas", alphas);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedLassoCV {
    const steps = searchSteps(this, [1], x, y, options, (state, search) => new FittedLassoCV(state, search));
    return runSteps(this.where("fit"), steps, options);
  }

  static restore(state: ModelState): FittedLassoCV {
    return new FittedLassoCV(...readSearch(state));
  }
}

export class FittedLassoCV extends FittedPathSearch {
  /** The strengths compared, largest first. */
  get alphas(): Float64Array {
    return this.search.alphas.data;
  }

  /** Mean squared errors of held-out rows: one row per α, one column per fold. */
  get msePath(): Matrix {
    return this.search.msePaths[0]!;
  }
}
