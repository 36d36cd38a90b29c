import { DataError, show } from "../core/errors.js";
import { exp, log } from "../core/numbers/elementary.js";

/**
 * The scores of P positives divide the range of scores into P + 1 blocks, each of which contains a new positive with the same
 * probability. A threshold at the b-th lowest score gives up b blocks. The remaining blocks can be divided again by the scores of the
 * next stage: the result does not depend on which scores divide them [Tukey 1947, "Statistically equivalent blocks"]. So a cascade
 * that gave up B blocks in total has the sensitivity
 *
 *   β ~ Beta(P + 1 − B, B),      E β = 1 − B/(P + 1),      P(β ≥ s) = P(Binomial(P, 1 − s) ≥ B)
 *
 * for any stages, if new positives have the same distribution and no model was fitted to the P. With ties it is larger.
 */
export interface SensitivityGuarantee {
  /** Number of positives that the thresholds were chosen on; with weights the effective number, (Σ w)²/Σ w². */
  readonly positives: number;
  /** Lower bound of the expected sensitivity on new rows. */
  readonly expected: number;
  /** Probability that the sensitivity on new rows is at least the requested one. */
  readonly confidence: number;
}

/** What the thresholds may give up. */
export interface Allowance {
  readonly positives: number;
  /** Number of blocks; below 1, there are too few positives for any threshold. */
  readonly blocks: number;
  /** Weight of a block. */
  readonly unit: number;
}

/** The largest B with B/(P + 1) ≤ 1 − s, or with the given confidence. */
export function allowanceFor(
  weights: readonly number[],
  sensitivity: number,
  confidence: number | null,
): Allowance {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const squares = weights.reduce((sum, w) => sum + w * w, 0);
  // Sums of a few thousand weights round to within 1e-12; 1 − s of a few digits to within 1e-16.
  const positives = nearInteger((total * total) / squares);
  const free = nearInteger((1 - sensitivity) * (positives + 1));
  const blocks = confidence === null ? free : maxBlocks(Math.floor(positives), sensitivity, confidence);
  return { positives, blocks: Math.min(blocks, positives), unit: total / positives };
}

const nearInteger = (value: number): number => {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= 1e-9 * Math.max(1, whole) ? whole : value;
};

/** P(Binomial(n, 1 − s) ≤ k) for k = 0, 1, … */
function* binomialCdf(n: number, s: number): Generator<number, void, void> {
  let logTerm = n * log(s);
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    if (k > 0) logTerm += log(((n - k + 1) / k) * ((1 - s) / s));
    sum += exp(logTerm);
    yield Math.min(1, sum);
  }
}

/** The largest number of blocks for which the sensitivity is ≥ s with this confidence. */
function maxBlocks(n: number, s: number, confidence: number): number {
  if (s === 1) return 0;
  let blocks = 0;
  for (const below of binomialCdf(n, s)) {
    if (below > 1 - confidence) break;
    blocks++;
  }
  return blocks;
}

/** The guarantee of a cascade that gave up `blocks` blocks. */
export function guaranteeFor(positives: number, blocks: number, sensitivity: number): SensitivityGuarantee {
  const expected = Math.max(0, 1 - blocks / (positives + 1));
  return { positives, expected, confidence: confidenceOf(positives, blocks, sensitivity) };
}

/** With weights the numbers are not integers: positives are rounded down and blocks up, which is conservative. */
function confidenceOf(positives: number, blocks: number, s: number): number {
  if (blocks === 0) return 1;
  if (s === 1) return 0;
  let k = 0;
  for (const below of binomialCdf(Math.floor(positives), s)) if (++k >= blocks) return 1 - below;
  return 0;
}

/** The smallest number of positives of equal weight that allow a threshold. */
function minPositives(sensitivity: number, confidence: number | null): number {
  return confidence === null
    ? Math.ceil(nearInteger(sensitivity / (1 - sensitivity)))
    : Math.ceil(nearInteger(log(1 - confidence) / log(sensitivity)));
}

const decimals = (value: number): string => String(Number(value.toFixed(3)));

/** The error for too few positives, with the number required. */
export function tooFewPositives(
  where: string,
  positives: number,
  sensitivity: number,
  confidence: number,
): DataError {
  const n = Math.floor(positives);
  const most = Math.floor(1000 * exp(log(1 - confidence) / n)) / 1000;
  return new DataError({
    where,
    subject: "the positives that thresholds are chosen on",
    expected:
      sensitivity === 1
        ? `infinitely many to keep all others with a confidence of ${show(confidence)}`
        : `${minPositives(sensitivity, confidence)} or more, for a sensitivity of ${show(sensitivity)} with a confidence of ${show(confidence)}`,
    received: decimals(positives),
    advice: most > 0 ? `These allow a sensitivity of ${most}.` : "Give more positives.",
  });
}

/** The warning for too few positives without `confidence`. */
export function fewPositivesWarning(positives: number, sensitivity: number, expected: number): string {
  const needed = sensitivity === 1 ? "infinitely many" : `${minPositives(sensitivity, null)} or more`;
  return (
    `Thresholds keep all of the ${decimals(positives)} positives they were chosen on, which guarantees a sensitivity of ` +
    `${decimals(expected)} on new rows; a sensitivity of ${show(sensitivity)} requires ${needed} positives.`
  );
}

/** A threshold, the positives that remain for later stages, and the weight given up. */
export interface Cut {
  readonly threshold: number;
  readonly left: readonly number[];
  readonly spent: number;
}

/**
 * The highest threshold that gives up positives of at most this total weight, the one on the threshold included: it passes, but a new
 * positive that scores slightly lower would not. −∞ if nothing may be given up. Ties are in the order of `positives`.
 */
export function cutBlocks(
  scores: Float64Array,
  positives: readonly number[],
  weights: Float64Array,
  budget: number,
): Cut {
  const order = [...positives].sort((a, b) => scores[a]! - scores[b]!);
  let spent = 0;
  let taken = 0;
  for (const i of order) {
    // Sums of a few thousand weights round to within 1e-12.
    if (spent + weights[i]! > budget * (1 + 1e-12)) break;
    spent += weights[i]!;
    taken++;
  }
  const threshold = taken === 0 ? -Infinity : scores[order[taken - 1]!]!;
  return { threshold, left: order.slice(taken), spent };
}

/** The highest threshold that keeps all positives. */
export function lowestScore(scores: Float64Array, positives: readonly number[]): number {
  return positives.reduce((least, i) => Math.min(least, scores[i]!), Infinity);
}
