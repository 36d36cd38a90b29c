import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { beginUnlabelledFit } from "../core/options.js";
import { integer, type Params, randomState } from "../core/params.js";
import { Random } from "../core/random.js";
import type { ModelState } from "../core/state.js";
import type { Matrix } from "../data/matrix.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { learningRows } from "../kernel-functions/learning-rows.js";
import { FittedFeatureMap, featureMap, readFeatureMap } from "./feature-map.js";
import { featureMapCapabilities, givenRows } from "./fitted-feature-map.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const nystroemParams = {
  ...kernelParams,
  nComponents: integer({ atLeast: 1, default: 100, doc: "Rows of the sample: columns at most." }),
  randomState: randomState(),
};

/** What the sample's own kernel matrix may lose of its trace: rounding. */
const TOL = 1e-12;

/**
 * The map behind a kernel, in the space that a sample b of the rows spans:
 *
 *   φ(x)·φ(z) = k(x, x_b) K_bb⁺ k(x_b, z) ≈ k(x, z)
 *
 * So a linear method with nComponents columns stands for the kernelised one, however many rows there are. The sample is drawn
 * without replacement; rows of it that the others span (copies) give no column.
 * Parity: the products of scikit-learn's Nystroem with the same rows; its columns are a rotation of these. Its default γ is
 * 1/columns ("auto").
 */
export class Nystroem extends Estimator<typeof nystroemParams> {
  static readonly id = "Nystroem";
  static readonly table = nystroemParams;
  static readonly capabilities: Capabilities = featureMapCapabilities;

  constructor(params: Params<typeof nystroemParams> = {}) {
    super(Nystroem.id, nystroemParams, params);
    requirePositiveDefinite(Nystroem.id, kernelOf(Nystroem.id, this.params));
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedNystroem {
    const where = "Nystroem.fit";
    const own = beginUnlabelledFit(where, y, options);
    const { params } = this;
    const { given, weights } = givenRows(where, x, own);
    const kernel = kernelOf(Nystroem.id, params);
    const learning = learningRows(where, kernel, given, weights);
    const n = given.x.rows;
    const order = new Random(params.randomState).permutation(n);
    const sample = order.subarray(0, Math.min(n, params.nComponents)).slice();
    const rows = sample.map((i) => learning.rows[i]!);
    const part = { ...learning, x: learning.x.selectRows(sample), rows };
    const map = featureMap(part, pivotedFeatures(where, part, kernel, TOL));
    return new FittedNystroem({ id: Nystroem.id, params, map });
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Matrix {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedNystroem {
    return new FittedNystroem(readFeatureMap(state));
  }
}

export class FittedNystroem extends FittedFeatureMap {}
