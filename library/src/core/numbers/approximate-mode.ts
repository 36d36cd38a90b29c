import type { Random } from "./random.js";

/**
 * How many of `draws` to take from each class so that the class proportions are kept: the most likely outcome of drawing without
 * replacement, nearly. Every class gets its share rounded down; what is left goes to the largest remainders, ties in
 * random order. Parity: scikit-learn's _approximate_mode.
 */
export function approximateMode(counts: ArrayLike<number>, draws: number, random: Random): Int32Array {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0);
  const exact = Float64Array.from(counts, (count) => (count / total) * draws);
  const taken = Int32Array.from(exact, Math.floor);
  let left = draws - taken.reduce((sum, count) => sum + count, 0);
  const order = Array.from(random.permutation(taken.length));
  order.sort((a, b) => exact[b]! - taken[b]! - (exact[a]! - taken[a]!));
  for (const k of order) {
    if (left === 0) break;
    if (taken[k]! >= counts[k]!) continue;
    taken[k]!++;
    left--;
  }
  return taken;
}
