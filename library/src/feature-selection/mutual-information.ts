import { DataError } from "../core/errors.js";
import { log } from "../core/numbers/elementary.js";
import type { Random } from "../core/numbers/random.js";
import { ascendingOrder } from "../core/numbers/sort-order.js";
import { Matrix } from "../data/matrix.js";
import { NeighborIndex, searchMethod } from "../numeric/neighbors/neighbor-index.js";

/** Euler's constant γ. */
const EULER = 0.5772156649015329;
/** Points per leaf of the search tree. */
const LEAF = 30;

/** Noise that separates equal numbers, relative to their mean size [Kraskov et al. 2004, section II.D]. */
const NOISE = 1e-10;

/** ψ(1) … ψ(n): the digamma function of whole numbers, −γ + Σ 1 / k. */
export function digammas(n: number): Float64Array {
  const values = new Float64Array(n + 1);
  values[1] = -EULER;
  for (let k = 1; k < n; k++) values[k + 1] = values[k]! + 1 / k;
  return values;
}

/** Codes 0, 1, … of the different numbers of a column. */
export function codesOf(column: Float64Array): { readonly codes: Int32Array; readonly count: number } {
  const known = new Map<number, number>();
  const codes = Int32Array.from(column, (value) => {
    const code = known.get(value) ?? known.size;
    known.set(value, code);
    return code;
  });
  return { codes, count: known.size };
}

/** A continuous column of deviation 1 with noise that leaves no two numbers equal. */
export function separated(column: Float64Array, random: Random): Float64Array {
  const n = column.length;
  const mean = column.reduce((sum, value) => sum + value / n, 0);
  const variance = column.reduce((sum, value) => sum + (value - mean) ** 2 / n, 0);
  // A constant column, up to its rounding, is not scaled.
  const isConstant = variance <= (10 * 2 ** -52 * Math.abs(mean)) ** 2;
  const scale = isConstant ? 1 : Math.sqrt(variance);
  const scaled = column.map((value) => value / scale);
  const size = Math.max(
    1,
    scaled.reduce((sum, value) => sum + Math.abs(value) / n, 0),
  );
  return scaled.map((value) => value + NOISE * size * random.normal());
}

/** Both discrete: Σ p(a, b) log(p(a, b) / (p(a) p(b))) of the observed frequencies, exactly. */
export function discreteInformation(a: Int32Array, b: Int32Array, aCount: number, bCount: number): number {
  const n = a.length;
  const joint = new Float64Array(aCount * bCount);
  const first = new Float64Array(aCount);
  const second = new Float64Array(bCount);
  for (let i = 0; i < n; i++) {
    joint[a[i]! * bCount + b[i]!]!++;
    first[a[i]!]!++;
    second[b[i]!]!++;
  }
  let sum = 0;
  for (let u = 0; u < aCount; u++)
    for (let v = 0; v < bCount; v++) {
      const count = joint[u * bCount + v]!;
      if (count > 0) sum += (count / n) * (log(count / first[u]!) - log(second[v]! / n));
    }
  return Math.max(0, sum);
}

/** How many numbers of a sorted list are nearer to x than the radius, x itself included. */
function within(sorted: Float64Array, x: number, radius: number): number {
  // Equal numbers are at distance 0: then the ones at the radius count.
  const isNear = (value: number) =>
    radius === 0 ? value === x : (value > x ? value - x : x - value) < radius;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! >= x || isNear(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  const from = low;
  high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= x || isNear(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - from;
}

/** Distance from entry p of a sorted list to the k-th nearest of the others. */
function kthDistance(sorted: Float64Array, p: number, k: number): number {
  let least = Infinity;
  // The k nearest and p are neighbours in the list: k + 1 of them in a row.
  for (let from = Math.max(0, p - k); from <= Math.min(p, sorted.length - 1 - k); from++)
    least = Math.min(least, Math.max(sorted[p]! - sorted[from]!, sorted[from + k]! - sorted[p]!));
  return least;
}

/**
 * A continuous variable and a discrete one: ψ(n) + ⟨ψ(kᵢ)⟩ − ⟨ψ(nᵢ)⟩ − ⟨ψ(mᵢ)⟩ with nᵢ rows of the label of row i, of which kᵢ are within
 * the distance of the k-th, and mᵢ rows of any label within it [Ross 2014]. Labels of a single row do not count; NaN if there are no others.
 */
export function mixedInformation(c: Float64Array, codes: Int32Array, count: number, k: number): number {
  const order = ascendingOrder(c);
  const groups = Array.from({ length: count }, (): number[] => []);
  for (const i of order) groups[codes[i]!]!.push(i);
  const kept = groups.filter((group) => group.length > 1);
  const n = kept.reduce((sum, group) => sum + group.length, 0);
  if (n === 0) return Number.NaN;
  const sorted = Float64Array.from(
    order.filter((i) => groups[codes[i]!]!.length > 1),
    (i) => c[i]!,
  );
  const psi = digammas(n);
  let sum = 0;
  for (const group of kept) {
    const own = Float64Array.from(group, (i) => c[i]!);
    const neighbors = Math.min(k, own.length - 1);
    sum += own.length * (psi[neighbors]! - psi[own.length]!);
    for (let p = 0; p < own.length; p++) sum -= psi[within(sorted, own[p]!, kthDistance(own, p, neighbors))]!;
  }
  return Math.max(0, psi[n]! + sum / n);
}

/**
 * Two continuous variables: ψ(n) + ψ(k) − ⟨ψ(nₓ + 1) + ψ(n_y + 1)⟩, with the numbers nₓ and n_y of other rows that are nearer in one
 * variable than the k-th neighbour is in the larger of both [Kraskov et al. 2004, equation 8].
 */
export function continuousInformation(where: string, x: Float64Array, y: Float64Array, k: number): number {
  const n = x.length;
  const both = Matrix.zeros(n, 2);
  for (let i = 0; i < n; i++) {
    both.data[2 * i] = x[i]!;
    both.data[2 * i + 1] = y[i]!;
  }
  const metric = { name: "chebyshev", p: 2 } as const;
  const index = new NeighborIndex(where, both, metric, searchMethod(metric, both), LEAF);
  const xs = x.slice().sort();
  const ys = y.slice().sort();
  const psi = digammas(n + 1);
  let sum = 0;
  try {
    index.nearest(where, both, k, true, (from, count, distances) => {
      for (let r = 0; r < count; r++) {
        const radius = distances[r * k + k - 1]!;
        sum += psi[within(xs, x[from + r]!, radius)]! + psi[within(ys, y[from + r]!, radius)]!;
      }
    });
  } finally {
    index.close();
  }
  return Math.max(0, psi[n]! + psi[k]! - sum / n);
}

/** Throws unless there are more rows than neighbours. */
export function requireNeighbors(where: string, rows: number, k: number): void {
  if (rows > k) return;
  throw new DataError(where, "X", `more rows than nNeighbors = ${k}`, `${rows} rows`);
}
