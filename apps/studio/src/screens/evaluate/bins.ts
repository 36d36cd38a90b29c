import { binOf } from "./ranking.js";

/** Rows per bin of [0, 1], and what is counted of them. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly positives: number;
  /** Mean of the probabilities in the bin. */
  readonly mean: number;
}

export function binned(position: Float64Array, isPositive: Uint8Array, bins: number): Bin[] {
  const count = new Float64Array(bins);
  const positives = new Float64Array(bins);
  const sum = new Float64Array(bins);
  for (let e = 0; e < position.length; e++) {
    const b = binOf(position[e]!, bins);
    count[b]!++;
    positives[b]! += isPositive[e]!;
    sum[b]! += position[e]!;
  }
  return Array.from(count, (n, b) => ({
    from: b / bins,
    to: (b + 1) / bins,
    count: n,
    positives: positives[b]!,
    mean: n === 0 ? Number.NaN : sum[b]! / n,
  }));
}

/** Mean distance of probability and truth over the bins, by their counts. */
export function calibrationError(bins: readonly Bin[]): number {
  const n = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce(
    (sum, { count, positives, mean }) =>
      count === 0 ? sum : sum + (count / n) * Math.abs(positives / count - mean),
    0,
  );
}

export const brier = (p: Float64Array, isPositive: Uint8Array): number =>
  p.reduce((sum, value, e) => sum + (value - isPositive[e]!) ** 2, 0) / Math.max(1, p.length);

/** Counts of values in equal steps over a range. */
export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

export function histogramOf(
  values: ArrayLike<number>,
  [low, high]: readonly [number, number],
  bins: number,
): Histogram {
  const counts = new Array<number>(bins).fill(0);
  for (let e = 0; e < values.length; e++) counts[stepOf(values[e]!, [low, high], bins)]!++;
  const edges = Array.from({ length: bins + 1 }, (_, b) => low + ((high - low) * b) / bins);
  return { edges, counts };
}

/** The step of a range that holds a value; values outside belong to the nearest. */
export const stepOf = (value: number, [low, high]: readonly [number, number], bins: number): number =>
  binOf((value - low) / (high - low || 1), bins);
