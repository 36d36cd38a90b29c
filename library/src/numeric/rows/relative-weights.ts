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
  let most = 0;
  for (let i = 0; i < weights.length; i++) most = Math.max(most, weights[i]!);
  const scale = scaleOf(most);
  return { weights: scale === 1 ? weights : weights.map((w) => w * scale), scale };
}

/** The power of two that scales a number to between 1 and 2, if that power is finite; 1 for 0. */
function scaleOf(most: number): number {
  let scale = 1;
  if (!(most > 0 && most < Infinity)) return scale;
  for (const step of [2 ** 256, 2 ** 64, 2 ** 16, 2 ** 4, 2]) {
    while (most * scale >= step) scale /= step;
    while (most * scale * step < 2 && scale * step < 2 ** 1000) scale *= step;
  }
  return scale;
}

/** Converts a statistic of the scaled weights to the original weights. */
export const inOwnSize = (sums: Float64Array, scale: number): Float64Array =>
  scale === 1 ? sums : sums.map((w) => w / scale);
