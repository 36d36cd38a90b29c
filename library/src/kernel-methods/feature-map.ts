import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { Expansion, expansionOver, requireFiniteValues } from "../kernel-functions/expansion.js";
import type { TrainingRows } from "../kernel-functions/training-rows.js";
import { featuresOfValues, kernelFeatures } from "../numeric/kernel-functions/kernel-features.js";
import { type KernelPoints, kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import type { KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import type { PivotedFeatures } from "./pivoted-features.js";

/** The feature map φ(z) = L⁻¹ k(x_p, z) of the pivots x_p, L Lᵀ their kernel matrix. */
export class FeatureMap {
  #points: KernelPoints | undefined;

  constructor(
    /** The kernel and the pivots, without outputs. */
    readonly pivots: Expansion,
    /** L, row-major: the Cholesky factor of the pivots' kernel matrix. */
    readonly lower: Float64Array,
  ) {}

  get rank(): number {
    return this.pivots.parts.rows.length;
  }

  features(where: string, z: Design): Matrix {
    const { kernel, points } = this.pivots.parts;
    const values =
      kernel.kind === "tree"
        ? kernelFeatures(where, z, this.#placed(points, kernel.tree), kernel.tree, this.lower)
        : featuresOfValues(where, this.pivots.values(where, z), this.lower);
    return requireFiniteValues(where, values);
  }

  /** w·φ + b as a kernel expansion over the pivots, Σ β_t k(x_t, ·) + b with β = L⁻ᵀ w; one row of w per output. */
  expansion(w: Matrix, intercept: Float64Array): Expansion {
    const r = this.rank;
    const coef = new Matrix(w.data.slice(), w.rows, r);
    for (let k = 0; k < w.rows; k++) {
      const beta = coef.data.subarray(k * r, (k + 1) * r);
      for (let t = r - 1; t >= 0; t--) {
        beta[t]! /= this.lower[t * r + t]!;
        for (let s = 0; s < t; s++) beta[s]! -= this.lower[t * r + s]! * beta[t]!;
      }
    }
    return new Expansion({ ...this.pivots.parts, coef, intercept });
  }

  #placed(points: Design, tree: KernelTree): KernelPoints {
    this.#points ??= kernelPoints(points, tree);
    return this.#points;
  }
}

/** The feature map of the pivots of the training rows. */
export function featureMap(
  training: TrainingRows,
  { pivots, lower }: Pick<PivotedFeatures, "pivots" | "lower">,
): FeatureMap {
  const none = { coef: Matrix.zeros(0, pivots.length), intercept: new Float64Array(0) };
  return new FeatureMap(expansionOver(training, pivots, none.coef, none.intercept), lower);
}
