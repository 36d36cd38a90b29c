import { ParameterError, show } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { readOptions } from "../core/params/options.js";
import { randomState } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import type { Gaussians } from "./gaussians.js";
import { whiteningOf } from "./quantities.js";

export interface SampleOptions {
  /** Seed of the random numbers. */
  readonly randomState?: number | undefined;
}

export interface MixtureSample {
  readonly X: Matrix;
  /** The component that each row was drawn from. */
  readonly components: Int32Array;
}

const sampleOptions = { randomState: randomState() };

/** Draws a component by the weights, then x = μ + W⁻ᵀz of a standard normal z, whose covariance is (W Wᵀ)⁻¹ = Σ. */
export function drawRows(
  where: string,
  mixture: Gaussians,
  n: number,
  options: SampleOptions,
): MixtureSample {
  if (!Number.isSafeInteger(n) || n < 0) throw new ParameterError(where, "n", "an integer ≥ 0", show(n));
  const random = new Random(readOptions(where, sampleOptions, options).randomState);
  const { weights, means } = mixture;
  const K = weights.length;
  const d = means.length / K;
  const factors = Array.from({ length: K }, (_, k) => whiteningOf(where, mixture, k).data);
  const X = Matrix.zeros(n, d);
  const components = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    let rest = random.uniform();
    let k = 0;
    while (k < K - 1 && rest >= weights[k]!) rest -= weights[k++]!;
    components[i] = k;
    const row = X.row(i);
    // Wᵀ is a lower triangle: forward substitution.
    for (let j = 0; j < d; j++) {
      let value = random.normal();
      for (let c = 0; c < j; c++) value -= factors[k]![c * d + j]! * row[c]!;
      row[j] = value / factors[k]![j * d + j]!;
    }
    for (let j = 0; j < d; j++) row[j]! += means[k * d + j]!;
  }
  return { X, components };
}
