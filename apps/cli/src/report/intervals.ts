import { Random, wilsonInterval } from "argmax";
import { noPace, type Pace } from "./pace.js";

/** The ends of a 95% confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly method: "wilson" | "bootstrap";
}

/** The interval of a proportion. */
export function wilson(right: number, rows: number): Interval {
  const [low, high] = wilsonInterval(right, rows);
  return { low, high, method: "wilson" };
}

/** A figure of rows that count as often as their weights say. */
export type WeightedFigure = (sampleWeight: Float64Array) => number;

/** Rows × resamples that take a second or less. */
const WORK = 2e6;

/** How many resamples the figures of that many rows can afford: 100 to 1000. */
export const usualResamples = (rows: number): number =>
  Math.min(1000, Math.max(100, Math.floor(WORK / Math.max(1, rows))));

/**
 * Percentile intervals of figures by the bootstrap [Efron & Tibshirani 1993]: rows are drawn with replacement and count as often as they are drawn.
 * They are drawn within `groups`, so that no class is ever without rows. All figures see the same draws.
 */
export async function bootstrap(
  figures: readonly WeightedFigure[],
  groups: ArrayLike<number>,
  resamples: number,
  seed: number,
  pace: Pace = noPace,
): Promise<(Interval | undefined)[]> {
  const rows = groups.length;
  if (resamples === 0 || rows < 2) return figures.map(() => undefined);
  const members = membersOf(groups);
  const random = new Random(seed);
  const draws = figures.map(() => new Float64Array(resamples));
  const weights = new Float64Array(rows);
  for (let b = 0; b < resamples; b++) {
    weights.fill(0);
    for (const group of members)
      for (let e = 0; e < group.length; e++) weights[group[random.below(group.length)]!]!++;
    for (const [f, figure] of figures.entries()) draws[f]![b] = figure(weights);
    await pace.step(`resample ${b + 1} of ${resamples}`, resamples);
  }
  pace.end();
  return draws.map((values) => percentiles(values));
}

function membersOf(groups: ArrayLike<number>): number[][] {
  const members = new Map<number, number[]>();
  for (let i = 0; i < groups.length; i++) {
    const group = members.get(groups[i]!);
    if (group) group.push(i);
    else members.set(groups[i]!, [i]);
  }
  return [...members.values()];
}

function percentiles(values: Float64Array): Interval {
  const sorted = values.slice().sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { low: at(0.025), high: at(0.975), method: "bootstrap" };
}
