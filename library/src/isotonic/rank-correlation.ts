import { ascendingOrder } from "../core/numbers/sort-order.js";
import { relativeWeights } from "../numeric/rows/relative-weights.js";

/** Whether Spearman's rank correlation is ≥ 0. Equal values share their mean rank; a row of weight w has w ranks. */
export function isRising(x: Float64Array, y: Float64Array, given: Float64Array | undefined): boolean {
  const { weights } = relativeWeights(given);
  const [a, b] = [meanRanks(x, weights), meanRanks(y, weights)];
  const total = weights ? weights.reduce((sum, w) => sum + w, 0) : x.length;
  // The mean of all ranks, whatever the ties.
  const centre = total / 2;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (weights ? weights[i]! : 1) * (a[i]! - centre) * (b[i]! - centre);
  return sum >= 0;
}

/** The middle of the weights up to and including each value. */
function meanRanks(values: Float64Array, weights: Float64Array | undefined): Float64Array {
  const order = ascendingOrder(values);
  const ranks = new Float64Array(values.length);
  let before = 0;
  for (let start = 0, end = 0; start < order.length; start = end) {
    let own = 0;
    for (; end < order.length && values[order[end]!] === values[order[start]!]; end++)
      own += weights ? weights[order[end]!]! : 1;
    for (let e = start; e < end; e++) ranks[order[e]!] = before + own / 2;
    before += own;
  }
  return ranks;
}
