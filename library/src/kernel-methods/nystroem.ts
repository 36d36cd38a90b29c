import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { Random } from "../core/numbers/random.js";
import { integer, type Params, randomState } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { unlabelledSet } from "../data/training-set.js";
import { TransformerEstimator } from "../fitted/transformers.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { trainingRows } from "../kernel-functions/training-rows.js";
import { featureMap } from "./feature-map.js";
import { FittedFeatureMap, featureMapCapabilities, readFeatureMap } from "./fitted-feature-map.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const nystroemParams = {
  ...kernelParams,
  nComponents: integer({
    atLeast: 1,
    default: 100,
    doc: "Number of sampled rows: the largest number of columns.",
  }),
  randomState: randomState(),
};

/** Relative trace of the sample's kernel matrix that its factorisation may omit: rounding. */
const TOL = 1e-12;

/**
 * An approximate feature map of a kernel, in the span of a sample b of the rows:
 *
 *   φ(x)·φ(z) = k(x, x_b) K_bb⁺ k(x_b, z) ≈ k(x, z)
 *
 * A linear method on these nComponents columns approximates the kernel method, for any number of rows. The sample is drawn
 * without replacement; sampled rows in the span of the others (duplicates) add no column.
 * Parity: same inner products as scikit-learn's Nystroem on the same sample; its columns are a rotation of these. Its default γ
 * is 1/columns ("auto").
 */
export class Nystroem extends TransformerEstimator<typeof nystroemParams> {
  static readonly id = "Nystroem";
  static readonly table = nystroemParams;
  static readonly capabilities: Capabilities = featureMapCapabilities;

  constructor(params: Params<typeof nystroemParams> = {}) {
    super(params);
    requirePositiveDefinite(this.id, kernelOf(this.id, this.params));
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedNystroem {
    const where = this.where("fit");
    const { params } = this;
    const set = unlabelledSet(where, x, y, options, { sparse: true });
    const kernel = kernelOf(Nystroem.id, params);
    const training = trainingRows(where, kernel, set, set.options.sampleWeight);
    const n = set.x.rows;
    const order = new Random(params.randomState).permutation(n);
    const sample = order.subarray(0, Math.min(n, params.nComponents)).slice();
    const rows = sample.map((i) => training.rows[i]!);
    const sampled = { ...training, x: training.x.selectRows(sample), rows };
    const map = featureMap(sampled, pivotedFeatures(where, sampled, TOL));
    return new FittedNystroem({ id: Nystroem.id, params, map });
  }

  static restore(state: ModelState): FittedNystroem {
    return new FittedNystroem(readFeatureMap(state));
  }
}

export class FittedNystroem extends FittedFeatureMap {}
