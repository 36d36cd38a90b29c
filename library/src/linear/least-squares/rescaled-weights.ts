import { DataError } from "../../core/errors.js";

/** Weights above this (or all below its inverse) are divided by the largest, so that squares of their sums are finite. */
const LARGE = 1e100;

/**
 * Row weights of moderate size, and the factor they were divided by. A penalty on the summed loss must be divided by that factor,
 * and the objective multiplied by it.
 */
export function rescaledWeights<S extends { readonly weights: Float64Array | undefined }>(
  where: string,
  set: S,
): { readonly set: S; readonly factor: number } {
  const { weights } = set;
  if (weights === undefined) return { set, factor: 1 };
  let most = 0;
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    most = Math.max(most, weights[i]!);
    total += weights[i]!;
  }
  if (total === Infinity) {
    const received = "a sum above the largest number";
    const advice = "Divide all of them by the same number.";
    throw new DataError(where, "sampleWeight", "weights with a finite sum", received, advice);
  }
  if (most <= LARGE && most >= 1 / LARGE) return { set, factor: 1 };
  return { set: { ...set, weights: weights.map((s) => s / most) }, factor: most };
}
