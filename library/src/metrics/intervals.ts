import { ParameterError, show } from "../core/errors.js";
import type { NumberArray } from "../core/labels.js";
import { normalQuantile } from "../core/numbers/normal-distribution.js";
import { readOptions } from "../core/params/options.js";
import { real, type TableOf } from "../core/params/params.js";
import { readNumbers } from "./inputs.js";

export interface IntervalOptions {
  /** Probability that the interval covers the true value; 0.95 by default. */
  readonly confidence?: number | undefined;
}

const intervalOptions = {
  confidence: real({
    above: 0,
    below: 1,
    default: 0.95,
    doc: "Probability that the interval covers the true value.",
  }),
} satisfies TableOf<IntervalOptions>;

/** Half the width of a standard normal interval. */
const halfWidth = (where: string, options: IntervalOptions): number =>
  normalQuantile((1 + readOptions(where, intervalOptions, options).confidence) / 2);

const within = (low: number, high: number): [number, number] => [Math.max(0, low), Math.min(1, high)];

/** Throws unless all are finite numbers ≥ 0. */
function requireCounts(where: string, counts: Readonly<Record<string, number>>): void {
  for (const [subject, value] of Object.entries(counts))
    if (!(typeof value === "number" && value >= 0 && value < Infinity))
      throw new ParameterError(where, subject, "a finite number ≥ 0", show(value));
}

/** Confidence interval of a proportion that never leaves [0, 1] and holds for few rows too [Wilson 1927]; [0, 1] of no rows. */
export function wilsonInterval(
  successes: number,
  n: number,
  options: IntervalOptions = {},
): [number, number] {
  const z = halfWidth("wilsonInterval", options);
  requireCounts("wilsonInterval", { successes, n });
  if (n === 0) return [0, 1];
  const p = successes / n;
  const shrink = 1 + z ** 2 / n;
  const middle = (p + z ** 2 / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  // At 0 and n, one end is known exactly.
  return within(successes === 0 ? 0 : middle - half, successes === n ? 1 : middle + half);
}

/** Confidence interval of an area under the ROC curve [Hanley & McNeil 1982]. */
export function rocAucInterval(
  area: number,
  positives: number,
  negatives: number,
  options: IntervalOptions = {},
): [number, number] {
  const z = halfWidth("rocAucInterval", options);
  requireCounts("rocAucInterval", { area, positives, negatives });
  const q1 = area / (2 - area);
  const q2 = (2 * area ** 2) / (1 + area);
  const variance =
    (area * (1 - area) + (positives - 1) * (q1 - area ** 2) + (negatives - 1) * (q2 - area ** 2)) /
    (positives * negatives);
  const half = z * Math.sqrt(Math.max(0, variance));
  return within(area - half, area + half);
}

/** Normal confidence interval of a mean, as of the losses of rows; the mean itself of one value. */
export function meanInterval(values: NumberArray, options: IntervalOptions = {}): [number, number] {
  const where = "meanInterval";
  const z = halfWidth(where, options);
  const list = readNumbers(where, "values", values);
  const n = list.length;
  const mean = list.reduce((sum, value) => sum + value, 0) / n;
  const squares = list.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = n > 1 ? z * Math.sqrt(squares / (n - 1) / n) : 0;
  return [mean - half, mean + half];
}
