import type { Label, Labels } from "../core/labels.js";
import { type Margins, marginsOf } from "./contingency.js";

/** Ordered pairs of rows, by whether they are together in the truth and in the prediction. */
interface PairCounts {
  readonly both: number;
  readonly truthOnly: number;
  readonly predictionOnly: number;
  readonly neither: number;
}

const squares = (list: Float64Array): number => list.reduce((sum, count) => sum + count * count, 0);

function pairCounts({ n, cells, rows, columns }: Margins): PairCounts {
  const together = cells.reduce((sum, [, , count]) => sum + count * count, 0);
  const truthOnly = squares(rows) - together;
  const predictionOnly = squares(columns) - together;
  const neither = n * n - truthOnly - predictionOnly - together;
  return { both: together - n, truthOnly, predictionOnly, neither };
}

/** Rand index [Rand 1971]: fraction of pairs of rows on which the two labelings agree, together or apart. 1 for one row. */
export function randScore<T extends Label, P extends Label>(yTrue: Labels<T>, yPred: Labels<P>): number {
  const { both, truthOnly, predictionOnly, neither } = pairCounts(marginsOf("randScore", yTrue, yPred));
  const total = both + truthOnly + predictionOnly + neither;
  return total === 0 ? 1 : (both + neither) / total;
}

/**
 * Rand index adjusted for chance [Hubert & Arabie 1985]: 1 for the same partition, about 0 for random labels, may be negative.
 */
export function adjustedRandScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): number {
  const counts = pairCounts(marginsOf("adjustedRandScore", yTrue, yPred));
  const { both: tp, truthOnly: fn, predictionOnly: fp, neither: tn } = counts;
  if (fn === 0 && fp === 0) return 1;
  return (2 * (tp * tn - fn * fp)) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn));
}

/** Fowlkes–Mallows index: geometric mean of the precision and the recall of pairs; 0 if no pair is together in both. */
export function fowlkesMallowsScore<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): number {
  const { both, truthOnly, predictionOnly } = pairCounts(marginsOf("fowlkesMallowsScore", yTrue, yPred));
  if (both === 0) return 0;
  return Math.sqrt(both / (both + predictionOnly)) * Math.sqrt(both / (both + truthOnly));
}
