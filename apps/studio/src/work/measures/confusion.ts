import { confusionMatrix } from "argmax/metrics";
import type { Held } from "../protocol.js";
import type { Ranking } from "./ranking.js";

/**
 * The class decided for each held-out row: the one that the model predicted, or, with a threshold, the positive class from this on and else
 * the likeliest of the others.
 */
export function decisionsOf(
  held: Held,
  classes: number,
  decide: { readonly ranking: Ranking; readonly positive: number; readonly threshold: number } | undefined,
): Int32Array {
  if (decide === undefined) return Int32Array.from(held.predicted);
  const { ranking, positive, threshold } = decide;
  const out = new Int32Array(held.truth.length);
  const scores = held.scores!;
  for (let e = 0; e < out.length; e++) {
    if (ranking.position[e]! >= threshold) {
      out[e] = positive;
      continue;
    }
    let best = positive === 0 ? 1 : 0;
    for (let c = best + 1; c < classes; c++)
      if (c !== positive && scores[e * classes + c]! > scores[e * classes + best]!) best = c;
    out[e] = best;
  }
  return out;
}

/** Counts by true class (rows) and decided class (columns). */
export interface Confusion {
  readonly classes: number;
  readonly counts: Float64Array;
}

export function confusionOf(
  truth: ArrayLike<number>,
  decided: ArrayLike<number>,
  classes: number,
): Confusion {
  if (truth.length === 0) return { classes, counts: new Float64Array(classes ** 2) };
  const labels = Array.from({ length: classes }, (_, c) => c);
  return { classes, counts: confusionMatrix(truth, decided, { labels }).matrix.data };
}

interface Confused {
  readonly truth: number;
  readonly decided: number;
  readonly count: number;
  /** Of the rows of the true class. */
  readonly share: number;
}

/** The cells beside the diagonal with most rows. */
export function topConfusions({ classes, counts }: Confusion, most: number): Confused[] {
  const found: Confused[] = [];
  for (let t = 0; t < classes; t++) {
    const total = rowSum(counts, classes, t);
    for (let d = 0; d < classes; d++) {
      const count = counts[t * classes + d]!;
      if (t !== d && count > 0) found.push({ truth: t, decided: d, count, share: count / total });
    }
  }
  return found.sort((a, b) => b.count - a.count || b.share - a.share).slice(0, most);
}

export function rowSum(counts: Float64Array, classes: number, row: number): number {
  let sum = 0;
  for (let c = 0; c < classes; c++) sum += counts[row * classes + c]!;
  return sum;
}
