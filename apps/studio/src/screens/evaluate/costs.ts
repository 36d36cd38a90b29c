import { firstWhere } from "../../data/bisection.js";
import { type Curves, countsAt, type Ranking, thresholdOf } from "../../work/measures/ranking.js";
import { thinned } from "./thinned.js";

interface Costs {
  readonly falsePositive: number;
  readonly falseNegative: number;
}

export const costAt = (ranking: Ranking, threshold: number, costs: Costs): number => {
  const { fp, fn } = countsAt(ranking, threshold);
  return (fp * costs.falsePositive + fn * costs.falseNegative) / ranking.position.length;
};

/** Thresholds to choose from, ascending: one for every different outcome, or an even choice of many. */
export function candidateThresholds(curves: Curves, most = 200): Float64Array {
  const points = thinned(curves.thresholds.length, most);
  const all = points.map((point) => thresholdOf(curves, point));
  return Float64Array.from(new Set([0, ...all, 1])).sort();
}

/** How often thresholds are chosen on some rows and judged on others. */
const FOLDS = 5;

interface CheapestThreshold {
  readonly threshold: number;
  /** Per row, on the rows on which the threshold was chosen. */
  readonly cost: number;
  /** Per row, where the threshold was chosen on four fifths of the rows and judged on the last fifth, each in turn. */
  readonly honestCost: number;
}

/**
 * The threshold with the least expected cost. Its cost on the same rows is optimistically biased, since it was chosen to be the least there; the other
 * figure is not.
 */
export function cheapestThreshold(
  ranking: Ranking,
  candidates: Float64Array,
  costs: Costs,
): CheapestThreshold {
  const { position, isPositive } = ranking;
  const C = candidates.length;
  // Cost of each fold by candidate: rows at or above a candidate are predicted positive.
  const folds = Array.from({ length: FOLDS }, () => new Float64Array(C + 1));
  for (let e = 0; e < position.length; e++) {
    const above = candidatesUpTo(candidates, position[e]!);
    const fold = folds[e % FOLDS]!;
    // Below its position every candidate predicts positive, above it negative: stored as differences.
    if (isPositive[e] === 1) fold[above]! += costs.falseNegative;
    else {
      fold[0]! += costs.falsePositive;
      fold[above]! -= costs.falsePositive;
    }
  }
  for (const fold of folds) for (let c = 1; c <= C; c++) fold[c]! += fold[c - 1]!;
  const total = new Float64Array(C);
  for (const fold of folds) for (let c = 0; c < C; c++) total[c]! += fold[c]!;
  const best = least(total);
  let honest = 0;
  for (const fold of folds) honest += fold[least(total.map((cost, c) => cost - fold[c]!))]!;
  const n = Math.max(1, position.length);
  return { threshold: candidates[best]!, cost: total[best]! / n, honestCost: honest / n };
}

/** How many candidates are not above a position. */
const candidatesUpTo = (candidates: Float64Array, position: number): number =>
  firstWhere(candidates.length, (c) => candidates[c]! > position);

/** The middle one of the longest run of least costs: a threshold that small changes of the scores do not matter to. */
function least(costs: Float64Array): number {
  let lowest = Infinity;
  for (const cost of costs) if (cost < lowest) lowest = cost;
  // Sums of differences may miss equality in the last bits.
  const isLeast = (c: number) => costs[c]! <= lowest + 1e-9 * (1 + Math.abs(lowest));
  let [start, length] = [0, 0];
  for (let c = 0; c < costs.length; c++) {
    if (!isLeast(c)) continue;
    let end = c;
    while (end + 1 < costs.length && isLeast(end + 1)) end++;
    if (end - c + 1 > length) [start, length] = [c, end - c + 1];
    c = end;
  }
  return start + (length >> 1);
}
