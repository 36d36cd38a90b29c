/**
 * The weighted absolute deviation from the weighted median, Σ w|y − m|, of rows that are added one after the other. A row is given by
 * the rank of its target within the node; a Fenwick tree over the ranks stores weights and weighted targets, so that adding a row and
 * finding the median take O(log n).
 */
export class Deviations {
  readonly #targets: Float64Array;
  readonly #weights: Float64Array;
  readonly #sums: Float64Array;
  readonly #top: number;
  #weight = 0;
  #sum = 0;

  /** `targets`: the target of each rank, ascending. */
  constructor(targets: Float64Array) {
    this.#targets = targets;
    this.#weights = new Float64Array(targets.length + 1);
    this.#sums = new Float64Array(targets.length + 1);
    this.#top = 2 ** (31 - Math.clz32(Math.max(1, targets.length)));
  }

  get weight(): number {
    return this.#weight;
  }

  clear(): void {
    this.#weights.fill(0);
    this.#sums.fill(0);
    this.#weight = 0;
    this.#sum = 0;
  }

  add(rank: number, weight: number): void {
    const product = weight * this.#targets[rank]!;
    this.#weight += weight;
    this.#sum += product;
    for (let at = rank + 1; at < this.#weights.length; at += at & -at) {
      this.#weights[at]! += weight;
      this.#sums[at]! += product;
    }
  }

  /** Σ w|y − m| of the added rows. */
  total(): number {
    // The last rank with less than half of the weight up to it: the next one is a median.
    const half = 0.5 * this.#weight;
    let at = 0;
    let below = 0;
    let sum = 0;
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = at + step;
      if (next >= this.#weights.length || below + this.#weights[next]! >= half) continue;
      at = next;
      below += this.#weights[next]!;
      sum += this.#sums[next]!;
    }
    const median = this.#targets[at]!;
    // Rows at the median add 0 on either side.
    return Math.max(0, median * below - sum + (this.#sum - sum) - median * (this.#weight - below));
  }
}

/** The weighted median of rows in the order of their targets; the midpoint of two if half of the weight is on either side. */
export function weightedMedian(
  rows: ArrayLike<number>,
  y: Float64Array,
  weightOf: (row: number) => number,
): number {
  let weight = 0;
  for (let e = 0; e < rows.length; e++) weight += weightOf(rows[e]!);
  let below = 0;
  for (let e = 0; e < rows.length; e++) {
    below += weightOf(rows[e]!);
    if (below > 0.5 * weight) return y[rows[e]!]!;
    if (below === 0.5 * weight && e + 1 < rows.length) return 0.5 * (y[rows[e]!]! + y[rows[e + 1]!]!);
  }
  return y[rows[rows.length - 1]!]!;
}
