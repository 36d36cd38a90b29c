import { exp, log } from "../core/elementary.js";
import { DataError, show } from "../core/errors.js";

/**
 * P scores of positives cut what new positives may score into P + 1 blocks that are equally likely. A threshold at the b-th lowest
 * of them gives up b blocks. What is left can be cut again by other scores, those of the next stage: of the blocks it does not
 * matter who cuts them [Tukey 1947, "Statistically equivalent blocks"]. So a cascade that gave up B blocks in all has the sensitivity
 *
 *   β ~ Beta(P + 1 − B, B),      E β = 1 − B/(P + 1),      P(β ≥ s) = P(Binomial(P, 1 − s) ≥ B)
 *
 * whatever the stages are, as long as positives to come are drawn like these, and no model has seen these. With ties it is more.
 */
export interface SensitivityGuarantee {
  /** Positives that the thresholds were chosen on. With weights: as many equal ones as tell as much, (Σ w)²/Σ w². */
  readonly positives: number;
  /** What the sensitivity for new rows is at least, on average over samples like this one. */
  readonly expected: number;
  /** The probability that it is not below what was asked for. */
  readonly confidence: number;
}

/** What the thresholds may give up, in weight. */
export interface Allowance {
  readonly positives: number;
  /** Blocks; below 1, so few positives allow no threshold. */
  readonly blocks: number;
  /** Weight of a block. */
  readonly unit: number;
}

/** B/(P + 1) ≤ 1 − s, or the same with a confidence. */
export function allowanceFor(
  weights: readonly number[],
  sensitivity: number,
  confidence: number | null,
): Allowance {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const squares = weights.reduce((sum, w) => sum + w * w, 0);
  // Sums of a few thousand weights round to within 1e-12; 1 − s of a few digits to within 1e-16.
  const positives = snapped((total * total) / squares);
  const free = snapped((1 - sensitivity) * (positives + 1));
  const blocks = confidence === null ? free : mostBlocks(Math.floor(positives), sensitivity, confidence);
  return { positives, blocks: Math.min(blocks, positives), unit: total / positives };
}

const snapped = (value: number): number => {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= 1e-9 * Math.max(1, whole) ? whole : value;
};

/** P(Binomial(n, 1 − s) ≤ k) for k = 0, 1, …, while it is asked for. */
function* missesUpTo(n: number, s: number): Generator<number, void, void> {
  let logTerm = n * log(s);
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    if (k > 0) logTerm += log(((n - k + 1) / k) * ((1 - s) / s));
    sum += exp(logTerm);
    yield Math.min(1, sum);
  }
}

/** The most blocks that n positives may give up, so that with this probability a share of s is kept. */
function mostBlocks(n: number, s: number, confidence: number): number {
  if (s === 1) return 0;
  let blocks = 0;
  for (const below of missesUpTo(n, s)) {
    if (below > 1 - confidence) break;
    blocks++;
  }
  return blocks;
}

/** What a cascade that gave up `blocks` of these positives promises. */
export function guaranteeFor(positives: number, blocks: number, sensitivity: number): SensitivityGuarantee {
  const expected = Math.max(0, 1 - blocks / (positives + 1));
  return { positives, expected, confidence: confidenceOf(positives, blocks, sensitivity) };
}

/** With weights the numbers are no whole ones: fewer positives and more blocks are the cautious side. */
function confidenceOf(positives: number, blocks: number, s: number): number {
  if (blocks === 0) return 1;
  if (s === 1) return 0;
  let k = 0;
  for (const below of missesUpTo(Math.floor(positives), s)) if (++k >= blocks) return 1 - below;
  return 0;
}

/** The fewest positives of equal weight that allow a threshold. */
function fewestPositives(sensitivity: number, confidence: number | null): number {
  return confidence === null
    ? Math.ceil(snapped(sensitivity / (1 - sensitivity)))
    : Math.ceil(snapped(log(1 - confidence) / log(sensitivity)));
}

const decimals = (value: number): string => String(Number(value.toFixed(3)));

/** Says how many positives a promise takes. */
export function tooFew(where: string, positives: number, sensitivity: number, confidence: number): DataError {
  const n = Math.floor(positives);
  const most = Math.floor(1000 * exp(log(1 - confidence) / n)) / 1000;
  return new DataError({
    where,
    subject: "the positives that thresholds are chosen on",
    expected:
      sensitivity === 1
        ? `infinitely many to keep all others with a confidence of ${show(confidence)}`
        : `${fewestPositives(sensitivity, confidence)} or more, for a sensitivity of ${show(sensitivity)} with a confidence of ${show(confidence)}`,
    received: decimals(positives),
    advice: most > 0 ? `These allow a sensitivity of ${most}.` : "Give more positives.",
  });
}

/** The same, where no confidence was asked for. */
export function fewWarning(positives: number, sensitivity: number, expected: number): string {
  const needed = sensitivity === 1 ? "no number of them" : `${fewestPositives(sensitivity, null)} or more`;
  const others = sensitivity === 1 ? "could promise" : "promise";
  return (
    `Thresholds keep all of the ${decimals(positives)} positives they were chosen on, which promises a sensitivity of ` +
    `${decimals(expected)} for others; ${needed} ${others} the ${show(sensitivity)} that was asked for.`
  );
}

/** A threshold, and the positives that later stages may choose theirs on. */
export interface Cut {
  readonly threshold: number;
  readonly left: readonly number[];
  readonly spent: number;
}

/**
 * The highest threshold that gives up positives of this weight in all, the one that lies on it included: it passes, but a new one
 * that is a little lower would not. −∞ where nothing may be given up. Of equal scores those come first that do in `positives`.
 */
export function cut(
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
export function lowest(scores: Float64Array, positives: readonly number[]): number {
  return positives.reduce((least, i) => Math.min(least, scores[i]!), Infinity);
}
