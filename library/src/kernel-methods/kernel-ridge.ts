import type { FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, passWarnings } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { flag, type Params } from "../core/params/params.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { type TargetsSet, targetsSet } from "../data/targets.js";
import { regressionSet } from "../data/training-set.js";
import { withRegression } from "../fitted/regressor.js";
import { readExpansion } from "../kernel-functions/expansion.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { trainingRows } from "../kernel-functions/training-rows.js";
import { linearRegressor } from "../linear/fits/capabilities.js";
import { strengthOfOne, strengthPerTarget, strengthsOf } from "../linear/fits/params.js";
import { FittedKernelFunction, FittedKernelRidgeTargets } from "./kernel-ridge-targets.js";
import { type KernelRidgeFit, solveKernelRidge } from "./solve-kernel-ridge.js";

export const kernelRidgeParams = {
  alpha: strengthPerTarget(),
  ...kernelParams,
  fitIntercept: flag({
    default: false,
    doc: "Fit an intercept b, which is not penalised; when false, b = 0.",
  }),
};

/**
 * Ridge regression in the feature space of a kernel:
 *
 *   minimise over (c, b):   Σᵢ sᵢ (yᵢ − f(xᵢ))² + α cᵀKc,      f(x) = Σₜ cₜ k(xₜ, x) + b
 *
 * with solution (K + α S⁻¹) c = y − b, and Σ c = 0 if there is an intercept: with A = K + α S⁻¹, A u = y and A v = 1 it is
 * b = Σu/Σv and c = u − b v. With the linear kernel this is Ridge. α = 0 is least squares with the smallest cᵀKc.
 * Parity: scikit-learn's KernelRidge, which has no intercept and defaults to the linear kernel and γ = 1/columns ("auto").
 */
export class KernelRidge extends Estimator<typeof kernelRidgeParams> {
  static readonly id = "KernelRidge";
  static readonly table = kernelRidgeParams;
  static readonly capabilities = linearRegressor({ manyColumns: false, fitPower: 1.7, form: "rows" });
  static readonly severalTargets = FittedKernelRidgeTargets;

  constructor(params: Params<typeof kernelRidgeParams> = {}) {
    super(params);
    requirePositiveDefinite(this.id, kernelOf(this.id, this.params));
  }

  /** A matrix Y has several targets, one per column. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedKernelRidgeTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedKernelRidge;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedKernelRidge | FittedKernelRidgeTargets {
    const where = this.where("fit");
    beginFit(where, options);
    const { params } = this;
    if (isTargetMatrix(y)) {
      const set = targetsSet(where, x, y, options, { sparse: true });
      const alphas = strengthsOf(where, params.alpha, set.y.length);
      const { targetNames } = set;
      const learned = this.#solve(where, set, alphas, options);
      const model = new FittedKernelRidgeTargets(params, learned, this.id, targetNames);
      passWarnings(model, options);
      return model;
    }
    const set = regressionSet(where, x, y, options, { sparse: true });
    const alpha = strengthOfOne(where, params.alpha);
    const learned = this.#solve(where, { ...set, y: [set.y] }, [alpha], options);
    const model = new FittedKernelRidge(params, learned);
    passWarnings(model, options);
    return model;
  }

  #solve(where: string, set: TargetsSet, alphas: readonly number[], options: FitOptions): KernelRidgeFit {
    const kernel = kernelOf(KernelRidge.id, this.params);
    const training = trainingRows(where, kernel, set, options.sampleWeight);
    return solveKernelRidge(where, training, set, alphas, this.params.fitIntercept);
  }

  static restore(state: ModelState): FittedKernelRidge {
    const reader = new StateReader(state);
    const learned = { expansion: readExpansion(reader, 1), report: readReport(reader) };
    return new FittedKernelRidge(state.params, learned);
  }
}

export class FittedKernelRidge extends /* @__PURE__ */ withRegression(FittedKernelFunction) {
  protected readonly id = KernelRidge.id;

  /** c, one coefficient per training row in `rows`. */
  get dualCoef(): Float64Array {
    return this.expansion.parts.coef.data;
  }

  get intercept(): number {
    return this.expansion.parts.intercept[0]!;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.expansion.scores(where, x).data;
  }

  [structure](): Structure {
    return regressorStructure(this, this.expansion.described());
  }

  toState(): ModelState {
    return this.stateWith({ report: reportJson(this.report) });
  }
}
