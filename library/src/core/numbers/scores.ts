import { exp, log, log1p, log1pExp } from "./elementary.js";

/**
 * From scores to classes, probabilities and their logarithms.
 *
 *   softmax      p_k = e^{z_k} / Σⱼ e^{z_j},      log p_k = z_k − log Σⱼ e^{z_j}
 *   log-odds     p = 1/(1 + e^−z),                1 − p = 1/(1 + e^z)
 *   one-vs-rest  p_k = σ(z_k) / Σⱼ σ(z_j)
 *
 * Exponents are relative to the largest score, so that nothing overflows; no probability is computed as 1 − p, which
 * would lose all of a small one; and log p of a probability near 1 comes from the sum of the others. Lists are row-major
 * matrices with `count` or K entries per row, a row beginning at `at`.
 */

/** Index (relative to `at`) of the largest of `count` entries, the first of equal ones. */
export function argmax(z: ArrayLike<number>, at = 0, count = z.length - at): number {
  let best = 0;
  for (let k = 1; k < count; k++) if (z[at + k]! > z[at + best]!) best = k;
  return best;
}

/** Index (relative to `at`) of the largest of `count` entries, the first of equal ones, or −1 where none is above 0. */
export function largestPositive(data: ArrayLike<number>, at: number, count: number): number {
  let best = -1;
  let top = 0;
  for (let k = 0; k < count; k++) {
    if (data[at + k]! > top) {
      top = data[at + k]!;
      best = k;
    }
  }
  return best;
}

/**
 * The class of every row: with one score per row its sign decides (positive: the second class), with one score per class the
 * largest, the first of equal ones.
 */
export function predictedClasses<L>(classes: readonly L[], scores: Float64Array, cols: number): L[] {
  const rows = scores.length / cols;
  const out = new Array<L>(rows);
  if (cols === 1) for (let i = 0; i < rows; i++) out[i] = classes[scores[i]! > 0 ? 1 : 0]!;
  else for (let i = 0, at = 0; i < rows; i++, at += cols) out[i] = classes[argmax(scores, at, cols)]!;
  return out;
}

/** Softmax of `count` scores from `at`, written to the same places of `out`, which may be `z`. */
export function softmaxInto(z: Float64Array, at: number, count: number, out: Float64Array): void {
  const top = z[at + argmax(z, at, count)]!;
  let sum = 0;
  for (let k = at; k < at + count; k++) {
    const e = exp(z[k]! - top);
    out[k] = e;
    sum += e;
  }
  for (let k = at; k < at + count; k++) out[k]! /= sum;
}

/** Logarithms of the softmax of `count` scores from `at`, written to the same places of `out`, which may be `z`. */
export function logSoftmaxInto(z: Float64Array, at: number, count: number, out: Float64Array): void {
  const best = at + argmax(z, at, count);
  const top = z[best]!;
  const tail = log1p(sumOfOthers(z, at, count, best));
  for (let k = at; k < at + count; k++) out[k] = z[k]! - top - tail;
}

/** log Σ e^{z_k} of `count` scores from `at`. */
export function logSumExp(z: Float64Array, at = 0, count = z.length - at): number {
  const best = at + argmax(z, at, count);
  // All −∞: the sum is 0. Differences of infinities would be NaN.
  if (z[best] === -Infinity) return -Infinity;
  return z[best]! + log1p(sumOfOthers(z, at, count, best));
}

/** log(e^a + e^b). */
export function logAddExp(a: number, b: number): number {
  const top = Math.max(a, b);
  return top === -Infinity ? top : top + log1pExp(Math.min(a, b) - top);
}

/** Σ e^{z_k − z_best} over all k but the best one: what the softmax's denominator exceeds 1 by. */
function sumOfOthers(z: Float64Array, at: number, count: number, best: number): number {
  const top = z[best]!;
  let sum = 0;
  for (let k = at; k < best; k++) sum += exp(z[k]! - top);
  for (let k = best + 1; k < at + count; k++) sum += exp(z[k]! - top);
  return sum;
}

/** 1 − p and p of log-odds z[i], written to out[2i] and out[2i + 1]. */
function sigmoidPairsInto(z: Float64Array, out: Float64Array): void {
  for (let i = 0; i < z.length; i++) {
    const e = exp(-Math.abs(z[i]!));
    const second = z[i]! >= 0 ? 1 : 0;
    out[2 * i + second] = 1 / (1 + e);
    out[2 * i + 1 - second] = e / (1 + e);
  }
}

/** log(1 − p) and log p of log-odds z[i], written to out[2i] and out[2i + 1]. */
function logSigmoidPairsInto(z: Float64Array, out: Float64Array): void {
  for (let i = 0; i < z.length; i++) {
    const size = Math.abs(z[i]!);
    const tail = log1pExp(-size);
    const second = z[i]! >= 0 ? 1 : 0;
    out[2 * i + second] = 0 - tail;
    out[2 * i + 1 - second] = -(size + tail);
  }
}

/**
 * Probabilities of the classes, one column per class, from log-odds of the second class (`cols` = 1) or from log posteriors
 * up to a constant per row (one column per class).
 */
export const posteriors = (scores: Float64Array, cols: number): Float64Array =>
  perRow(scores, cols, sigmoidPairsInto, softmaxInto);

/** Logarithms of `posteriors`, also where those underflow to 0. */
export const logPosteriors = (scores: Float64Array, cols: number): Float64Array =>
  perRow(scores, cols, logSigmoidPairsInto, logSoftmaxInto);

function perRow(
  scores: Float64Array,
  cols: number,
  pairsInto: typeof sigmoidPairsInto,
  rowInto: typeof softmaxInto,
): Float64Array {
  const out = new Float64Array((cols === 1 ? 2 : 1) * scores.length);
  if (cols === 1) pairsInto(scores, out);
  else for (let at = 0; at < scores.length; at += cols) rowInto(scores, at, cols, out);
  return out;
}

/** Below this log-odds the sigmoid underflows to 0. */
const LEAST_LOG_ODDS = -707;

/** Probabilities from log-odds of every class against the rest, one column per class: sigmoids divided by their sum. */
export function oneVsRest(logOdds: Float64Array, cols: number): Float64Array {
  const out = new Float64Array(logOdds.length);
  for (let at = 0; at < out.length; at += cols) {
    const top = logOdds[at + argmax(logOdds, at, cols)]!;
    let least = top;
    for (let k = at; k < at + cols; k++) least = Math.min(least, logOdds[k]!);
    // σ(z) = e^z/(1 + e^z), less exactly the factor e^top that all classes share and that alone may underflow.
    const shift = top < 0 && least < LEAST_LOG_ODDS ? top : null;
    for (let k = at; k < at + cols; k++) {
      const z = logOdds[k]!;
      const e = exp(-Math.abs(z));
      out[k] = (shift !== null ? exp(z - shift) : z >= 0 ? 1 : e) / (1 + e);
    }
    normalizeInto(at, cols, out);
  }
  return out;
}

/** Logarithms of `oneVsRest`, also where those underflow to 0. */
export function logOneVsRest(logOdds: Float64Array, cols: number): Float64Array {
  const out = logOdds.map((z) => -log1pExp(-z));
  for (let at = 0; at < out.length; at += cols) logSoftmaxInto(out, at, cols, out);
  return out;
}

/** Divides `count` non-negative entries from `at` by their sum; where all are 0, nothing is known and all become equal. */
export function normalizeInto(at: number, count: number, out: Float64Array): void {
  let sum = 0;
  for (let k = at; k < at + count; k++) sum += out[k]!;
  for (let k = at; k < at + count; k++) out[k] = sum > 0 ? out[k]! / sum : 1 / count;
}

/** Above 1 − this, the logarithm of p would lose 20 bits or more. */
const NEAR_ONE = 2 ** -20;

/**
 * Logarithms of rows of K probabilities that sum to 1, such as proportions of votes; −∞ for a probability of 0. A p near 1 is
 * 1 − the sum of the others, since that sum is known with more digits.
 */
export function logProbabilities(p: Float64Array, K: number): Float64Array {
  const out = new Float64Array(p.length);
  for (let at = 0; at < p.length; at += K) {
    for (let k = at; k < at + K; k++) {
      if (p[k]! <= 1 - NEAR_ONE) {
        out[k] = log(p[k]!);
        continue;
      }
      let others = 0;
      for (let j = at; j < at + K; j++) if (j !== k) others += p[j]!;
      out[k] = log1p(-others);
    }
  }
  return out;
}
