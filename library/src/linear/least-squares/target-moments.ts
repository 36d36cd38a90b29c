import type { Moments, TargetMoments } from "../../numeric/rows/moments.js";

/** Targets whose moments are computed together: with many more, the products of targets with each other would dominate. */
export const targetsAtOnce = (d: number): number => Math.max(32, d);

/** The first d rows and columns of a matrix with rows of `wide` numbers: of the moments of [X, Y], the block of X. */
export function gramBlock(scatter: Float64Array, d: number, wide: number): Float64Array {
  const q = new Float64Array(d * d);
  for (let i = 0; i < d; i++) q.set(scatter.subarray(i * wide, i * wide + d), i * d);
  return q;
}

/** The moments of X and target t. */
export function momentsOfTarget({ total, mean, yMean, scatter }: TargetMoments, t: number): Moments {
  const d = mean.length;
  const wide = d + yMean.length;
  const kept = (j: number) => (j < d ? j : d + t);
  const own = new Float64Array((d + 1) * (d + 1));
  for (let i = 0, e = 0; i <= d; i++) {
    for (let j = 0; j <= d; j++, e++) own[e] = scatter[kept(i) * wide + kept(j)]!;
  }
  return { total, mean, yMean: yMean[t]!, scatter: own };
}
