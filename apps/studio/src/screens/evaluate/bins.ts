import { binOf } from "../../work/measures/ranking.js";

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

/** Counts of values in equal steps over a range. */
interface Histogram {
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
