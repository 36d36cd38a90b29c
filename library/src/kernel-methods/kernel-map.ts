import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { type Params, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { Matrix } from "../data/matrix.js";
import { unlabelledSet } from "../data/training-set.js";
import { OnePassEstimator, type Transformed } from "../fitted/transformers.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { trainingRows } from "../kernel-functions/training-rows.js";
import { featureMap } from "./feature-map.js";
import { FittedFeatureMap, featureMapCapabilities, readFeatureMap } from "./fitted-feature-map.js";
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
export class KernelMap extends OnePassEstimator<typeof kernelMapParams, MatrixLike, FittedKernelMap, Matrix> {
  static readonly id = "KernelMap";
  static readonly table = kernelMapParams;
  static readonly capabilities: Capabilities = featureMapCapabilities;

  constructor(params: Params<typeof kernelMapParams> = {}) {
    super(params);
    requirePositiveDefinite(this.id, kernelOf(this.id, this.params));
  }

  /** Model and transformed X: the fit computes both. */
  fitAndTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Transformed<FittedKernelMap, Matrix> {
    const where = this.where("fit");
    const { params } = this;
    const set = unlabelledSet(where, x, y, options, { sparse: true });
    const kernel = kernelOf(KernelMap.id, params);
    const training = trainingRows(where, kernel, set, set.options.sampleWeight);
    const found = pivotedFeatures(where, training, params.tol);
    const map = featureMap(training, found);
    const model = new FittedKernelMap({ id: KernelMap.id, params, map });
    return { model, X: set.kept ? map.features(where, set.given) : found.features };
  }

  static restore(state: ModelState): FittedKernelMap {
    return new FittedKernelMap(readFeatureMap(state));
  }
}

export class FittedKernelMap extends FittedFeatureMap {}
