import { compareScores, type ScoreComparison } from "argmax/selection";
import type { Held } from "../../../work/protocol.js";
import { contingencyOf } from "../../evaluate/contingency.js";
import { rowsWhere } from "../../evaluate/judged.js";
import type { Measured } from "./contenders.js";

/** How two models differ on the same held-out rows. */
export interface Pair {
  readonly first: Measured;
  readonly second: Measured;
  /** Of the scores of the folds; null where there is one fold only, or none. */
  readonly scores: ScoreComparison | null;
  /** Rows of the table on which the first is right and the second is not; of values, on which it is nearer. */
  readonly onlyFirst: readonly number[];
  readonly onlySecond: readonly number[];
  /** Adjusted Rand index of two clusterings; null of other tasks. */
  readonly agreement: number | null;
}

export function pairsOf(models: readonly Measured[]): Pair[] {
  return models.flatMap((first, a) => models.slice(a + 1).map((second) => pairOf(first, second)));
}

function pairOf(first: Measured, second: Measured): Pair {
  const { task } = first.trained;
  const [a, b] = [first.held, second.held];
  if (task === "clustering") {
    const { adjustedRand } = contingencyOf(a.predicted, a.rows, b.predicted);
    return { first, second, scores: null, onlyFirst: [], onlySecond: [], agreement: adjustedRand };
  }
  const isBetter = task === "regression" ? isNearer : isOnlyRight;
  const isComparable =
    first.trained.scores.length > 1 && first.trained.scores.length === second.trained.scores.length;
  return {
    first,
    second,
    scores: isComparable ? compareScores(first.trained.scores, second.trained.scores) : null,
    onlyFirst: rowsWhere(a, (e) => isBetter(a, b, e)),
    onlySecond: rowsWhere(a, (e) => isBetter(b, a, e)),
    agreement: null,
  };
}

type Better = (a: Held, b: Held, e: number) => boolean;
const isOnlyRight: Better = (a, b, e) => a.predicted[e] === a.truth[e] && b.predicted[e] !== b.truth[e];
const isNearer: Better = (a, b, e) =>
  Math.abs(a.predicted[e]! - a.truth[e]!) < Math.abs(b.predicted[e]! - b.truth[e]!);

/** Rows that not all models answer alike. */
export function disputedRows(models: readonly Measured[]): number[] {
  const [first, ...others] = models;
  if (first === undefined) return [];
  return rowsWhere(first.held, (e) =>
    others.some(({ held }) => held.predicted[e] !== first.held.predicted[e]),
  );
}

/** Probability of so unequal a division of the rows on which one of two is right, if both are equally good [McNemar 1947], exact. */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  const least = Math.min(onlyFirst, onlySecond);
  // Terms of the binomial distribution by their logarithms: 2⁻ⁿ itself is too small for many rows.
  let [term, sum] = [-n * Math.LN2, 0];
  for (let k = 0; k <= least; k++) {
    sum += Math.exp(term);
    term += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * sum);
}
