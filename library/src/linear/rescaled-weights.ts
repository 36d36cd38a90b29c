import { DataError } from "../core/errors.js";

/** Weights beyond this (or all below its inverse) are divided by their largest: squares of sums of them must be numbers. */
const LARGE = 1e100;

/**
 * Row weights of a usual size, and the factor that was taken out of them. A penalty that is added to the summed loss must be
 * divided by it, the objective multiplied.
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
    throw new DataError({
      where,
      subject: "sampleWeight",
      expected: "weights that can be added up",
      received: "a sum beyond the largest number",
      advice: "Divide all of them by the same number.",
    });
  }
  if (most <= LARGE && most >= 1 / LARGE) return { set, factor: 1 };
  return { set: { ...set, weights: weights.map((s) => s / most) }, factor: most };
}
