import type { Matrix } from "../../data/matrix.js";
import { spaced } from "../b-splines.js";
import { quantileOf, type Ranked } from "../scalers/quantiles.js";
import { requireRange } from "../scalers/scaled-columns.js";

/** Percentiles as numpy.percentile computes them. `sorted` ascends. */
export const quantiles = (sorted: Ranked, bins: number): Float64Array =>
  Float64Array.from({ length: bins + 1 }, (_, k) =>
    quantileOf(sorted, k === bins ? 1 : (k * (100 / bins)) / 100),
  );

/** scikit-learn's limits for k-means: 300 iterations, or until the centres move by less than 1e-4 variances. */
const ROUNDS = 300;
const TOLERANCE = 1e-4;

/**
 * Edges half-way between the centres of one-dimensional k-means, initialised at the midpoints of equal-width bins [Lloyd 1982].
 * In sorted order a cluster is a run of rows, so an iteration costs k bisections. An empty cluster receives the row that
 * is farthest from its centre.
 */
export function clustered(sorted: Float64Array, bins: number): Float64Array {
  const n = sorted.length;
  const low = sorted[0]!;
  const high = sorted[n - 1]!;
  const values = sorted.filter((value, i) => i === 0 || value !== sorted[i - 1]);
  // A cluster per value is the optimum, and more clusters would be empty.
  if (values.length <= bins) return withEnds(values, low, high);
  const even = spaced(low, high, bins + 1);
  let mean = 0;
  for (let i = 0; i < n; i++) mean += (sorted[i]! - mean) / (i + 1);
  const centred = sorted.map((value) => value - mean);
  const sums = new Float64Array(n + 1);
  let variance = 0;
  for (let i = 0; i < n; i++) {
    sums[i + 1] = sums[i]! + centred[i]!;
    variance += (centred[i]! * centred[i]!) / n;
  }
  let centres: Float64Array = Float64Array.from(
    { length: bins },
    (_, k) => (even[k]! + even[k + 1]!) / 2 - mean,
  );
  let cuts: Int32Array | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const next = runs(centred, centres);
    const moved = centresOf(centred, sums, centres, next);
    const same = cuts?.every((cut, k) => cut === next[k]);
    let shift = 0;
    for (let k = 0; k < bins; k++) shift += (moved[k]! - centres[k]!) * (moved[k]! - centres[k]!);
    centres = moved;
    cuts = next;
    if (same || shift <= TOLERANCE * variance) break;
  }
  return withEnds(
    centres.map((centre) => centre + mean),
    low,
    high,
  );
}

/** The ends, and what lies half-way between centres. */
function withEnds(centres: Float64Array, low: number, high: number): Float64Array {
  const k = centres.length;
  return Float64Array.from({ length: k + 1 }, (_, c) =>
    c === 0 ? low : c === k ? high : (centres[c - 1]! + centres[c]!) * 0.5,
  );
}

/** Where each cluster begins in the sorted rows: entry k for cluster k, and n at the end. A tie goes to the lower centre. */
function runs(sorted: Float64Array, centres: Float64Array): Int32Array {
  const k = centres.length;
  const starts = new Int32Array(k + 1);
  starts[k] = sorted.length;
  for (let c = 1; c < k; c++) {
    const middle = (centres[c - 1]! + centres[c]!) / 2;
    let from = starts[c - 1]!;
    let to = sorted.length;
    while (from < to) {
      const half = (from + to) >> 1;
      if (sorted[half]! <= middle) from = half + 1;
      else to = half;
    }
    starts[c] = from;
  }
  return starts;
}

function centresOf(
  sorted: Float64Array,
  sums: Float64Array,
  centres: Float64Array,
  starts: Int32Array,
): Float64Array {
  const k = centres.length;
  const totals = Float64Array.from(centres, (_, c) => sums[starts[c + 1]!]! - sums[starts[c]!]!);
  const counts = Float64Array.from(centres, (_, c) => starts[c + 1]! - starts[c]!);
  const empty = Array.from(counts.keys()).filter((c) => counts[c] === 0);
  if (empty.length > 0) {
    const far: { i: number; c: number; distance: number }[] = [];
    for (let c = 0; c < k; c++) {
      for (let i = starts[c]!; i < starts[c + 1]!; i++)
        far.push({ i, c, distance: (sorted[i]! - centres[c]!) * (sorted[i]! - centres[c]!) });
    }
    far.sort((a, b) => b.distance - a.distance || a.i - b.i);
    empty.forEach((to, e) => {
      const { i, c } = far[e]!;
      totals[c]! -= sorted[i]!;
      counts[c]!--;
      totals[to] = sorted[i]!;
      counts[to] = 1;
    });
  }
  const moved = centres.map((old, c) => (counts[c]! > 0 ? totals[c]! / counts[c]! : old));
  return moved.sort();
}

/** Drops edges that are hardly larger than the previous one. Parity: scikit-learn's 1e-8, or less for columns of a small range. */
export function distinct(edges: Float64Array): Float64Array {
  const range = edges[edges.length - 1]! - edges[0]!;
  const least = 1e-8 * Math.min(1, range);
  return edges.filter((edge, k) => k === 0 || edge - edges[k - 1]! > least);
}

/** Column j in ascending order; throws if the range overflows a double. */
export function sortedColumn(where: string, x: Matrix, j: number): Float64Array {
  const column = x.column(j).sort();
  requireRange(where, j, column[0]!, column.at(-1)!);
  return column;
}
