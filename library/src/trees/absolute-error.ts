/**
 * Weighted absolute deviations from the weighted median, Σ w|y − m|, of rows that come one after the other. Rows are told by the
 * rank of their target among those of the node; a Fenwick tree over the ranks keeps weights and weighted targets, so that a row
 * costs O(log n), and so does the median.
 */
export class Deviations {
  readonly #targets: Float64Array;
  readonly #weights: Float64Array;
  readonly #sums: Float64Array;
  readonly #top: number;
  #weight = 0;
  #sum = 0;

  /** `targets` ascend: that of every rank. */
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

  /** Σ w|y − m| of what has been added. */
  total(): number {
    // The last rank that leaves less than half of the weight behind it: the next one is a median.
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
    // Rows of the median itself add 0, on whichever side they are counted.
    return Math.max(0, median * below - sum + (this.#sum - sum) - median * (this.#weight - below));
  }
}

/** The weighted median of rows whose targets ascend; half-way between two where half of the weight lies on either side. */
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
