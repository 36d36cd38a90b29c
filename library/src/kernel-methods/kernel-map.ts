import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { beginUnlabelledFit } from "../core/params/options.js";
import { type Params, real } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import type { Matrix } from "../data/matrix.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { trainingRows } from "../kernel-functions/training-rows.js";
import { featureMap } from "./feature-map.js";
import { featureMapCapabilities, givenRows } from "./feature-map-rows.js";
import { FittedFeatureMap, readFeatureMap } from "./fitted-feature-map.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const kernelMapParams = {
  ...kernelParams,
  tol: real({
    above: 0,
    below: 1,
    default: 1e-12,
    doc: "Relative trace of the kernel matrix that may be omitted; 1e-12 is rounding.",
  }),
};

/**
 * The feature map of a kernel, exact on the training rows: columns φ(x) with
 *
 *   φ(x)·φ(z) = k(x, z) for every training row x and every z,      φ(z) = L⁻¹ k(x_p, z),   L Lᵀ = K_pp
 *
 * The rows x_p are the pivots of a Cholesky factorisation of the kernel matrix K, as many as its rank: min(n, columns) for the
 * linear kernel, usually n for the Gaussian. A linear method on these columns is the kernel method if its penalty depends on ‖w‖₂
 * only: its solution then lies in the span of the φ(x_i), and the columns are coordinates of that span.
 */
export class KernelMap extends Estimator<typeof kernelMapParams> {
  static readonly id = "KernelMap";
  static readonly table = kernelMapParams;
  static readonly capabilities: Capabilities = featureMapCapabilities;

  constructor(params: Params<typeof kernelMapParams> = {}) {
    super(params);
    requirePositiveDefinite(this.id, kernelOf(this.id, this.params));
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedKernelMap {
    return this.#learn(this.where("fit"), x, y, options).model;
  }

  /** `fit(x).transform(x)`, in one pass. */
  fitTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Matrix {
    return this.#learn(this.where("fitTransform"), x, y, options).X;
  }

  /** Model and transformed X: the fit computes both. */
  fitAndTransform(
    x: MatrixLike,
    y?: Unlabelled,
    options?: FitOptions,
  ): { readonly model: FittedKernelMap; readonly X: Matrix } {
    return this.#learn(this.where("fit"), x, y, options);
  }

  static restore(state: ModelState): FittedKernelMap {
    return new FittedKernelMap(readFeatureMap(state));
  }

  #learn(
    where: string,
    x: MatrixLike,
    y: Unlabelled,
    options: FitOptions | undefined,
  ): { model: FittedKernelMap; X: Matrix } {
    const own = beginUnlabelledFit(where, y, options);
    const { params } = this;
    const { all, given, weights } = givenRows(where, x, own);
    const kernel = kernelOf(KernelMap.id, params);
    const training = trainingRows(where, kernel, given, weights);
    const found = pivotedFeatures(where, training, kernel, params.tol);
    const map = featureMap(training, found);
    const model = new FittedKernelMap({ id: KernelMap.id, params, map });
    return { model, X: given.kept ? map.features(where, all) : found.features };
  }
}

export class FittedKernelMap extends FittedFeatureMap {}
