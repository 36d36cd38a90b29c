import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { beginUnlabelledFit } from "../core/options.js";
import { type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import type { Matrix } from "../data/matrix.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { learningRows } from "../kernel-functions/learning-rows.js";
import { FittedFeatureMap, featureMap, readFeatureMap } from "./feature-map.js";
import { featureMapCapabilities, givenRows } from "./fitted-feature-map.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const kernelMapParams = {
  ...kernelParams,
  tol: real({
    above: 0,
    below: 1,
    default: 1e-12,
    doc: "Share of the kernel matrix's trace that may be left out; 1e-12 is rounding.",
  }),
};

/**
 * The map behind a kernel, written out for the training rows: columns φ(x) with
 *
 *   φ(x)·φ(z) = k(x, z) for every training row x and every z,      φ(z) = L⁻¹ k(x_p, z),   L Lᵀ = K_pp
 *
 * The rows x_p are the pivots of a Cholesky factorisation of the kernel matrix K, as many as it has rank: min(n, columns) for
 * the linear kernel, mostly all n for the Gaussian. Any linear method on these columns is its kernelised form, as long as what it
 * adds for w depends on ‖w‖₂ only: its solution then lies in the span of the φ(x_i), and the columns are coordinates in it.
 */
export class KernelMap extends Estimator<typeof kernelMapParams> {
  static readonly id = "KernelMap";
  static readonly table = kernelMapParams;
  static readonly capabilities: Capabilities = featureMapCapabilities;

  constructor(params: Params<typeof kernelMapParams> = {}) {
    super(KernelMap.id, kernelMapParams, params);
    requirePositiveDefinite(KernelMap.id, kernelOf(KernelMap.id, this.params));
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedKernelMap {
    return this.#learn("KernelMap.fit", x, y, options).model;
  }

  /** `fit(x).transform(x)`, in one go. */
  fitTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Matrix {
    return this.#learn("KernelMap.fitTransform", x, y, options).X;
  }

  /** Both: the features of the training rows are known when the map is. */
  fitAndTransform(
    x: MatrixLike,
    y?: Unlabelled,
    options?: FitOptions,
  ): { readonly model: FittedKernelMap; readonly X: Matrix } {
    return this.#learn("KernelMap.fit", x, y, options);
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
    const learning = learningRows(where, kernel, given, weights);
    const found = pivotedFeatures(where, learning, kernel, params.tol);
    const map = featureMap(learning, found);
    const model = new FittedKernelMap({ id: KernelMap.id, params, map });
    return { model, X: given.kept ? map.features(where, all) : found.features };
  }
}

export class FittedKernelMap extends FittedFeatureMap {}
