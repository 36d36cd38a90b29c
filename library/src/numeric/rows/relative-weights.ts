import { largestSize, unitScale } from "./unit-scale.js";

/** Row weights times a power of two, which is exact. */
export interface RelativeWeights {
  readonly weights: Float64Array | undefined;
  readonly scale: number;
}

/**
 * Weights scaled so that the largest is between 1 and 2: products and sums neither overflow nor underflow, and scaling all weights
 * by a power of two does not change the bits.
 */
export function relativeWeights(weights: Float64Array | undefined): RelativeWeights {
  if (weights === undefined) return { weights, scale: 1 };
  const scale = unitScale(largestSize(weights));
  return { weights: scale === 1 ? weights : weights.map((w) => w * scale), scale };
}

/** Converts a statistic of the scaled weights to the original weights. */
export const inOwnSize = (sums: Float64Array, scale: number): Float64Array =>
  scale === 1 ? sums : sums.map((w) => w / scale);
