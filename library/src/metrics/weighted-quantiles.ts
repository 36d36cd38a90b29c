import { ascendingOrder } from "../core/numbers/sort-order.js";

/** Values of positive weight, ascending, with the weight of all up to each. */
function cumulated(values: Float64Array, weights: Float64Array) {
  const order = ascendingOrder(values).filter((i) => weights[i]! > 0);
  let total = 0;
  const upTo = Float64Array.from(order, (i) => {
    total += weights[i]!;
    return total;
  });
  return { sorted: Float64Array.from(order, (i) => values[i]!), upTo, total };
}

/**
 * Quantiles, linear between the values on both sides, of a list in which each value stands as often as its weight says: with weights
 * of 1 numpy's. `fractions` ascend.
 */
export function expandedQuantile(
  values: Float64Array,
  weights: Float64Array,
  fractions: Float64Array,
): Float64Array {
  const { sorted, upTo, total } = cumulated(values, weights);
  const last = sorted.length - 1;
  const at = (place: number) => {
    const e = upTo.findIndex((w) => w > place);
    return sorted[e < 0 ? last : e]!;
  };
  return fractions.map((fraction) => {
    const place = Math.max(0, fraction * (total - 1));
    const below = Math.floor(place);
    return at(below) + (place - below) * (at(below + 1) - at(below));
  });
}

/** The middle of all values with half of the weight on both sides: with weights of 1 the usual median. */
export function weightedMedian(values: Float64Array, weights: Float64Array): number {
  const { sorted, upTo, total } = cumulated(values, weights);
  const e = upTo.findIndex((w) => w >= total / 2);
  return upTo[e] === total / 2 ? (sorted[e]! + sorted[e + 1]!) / 2 : sorted[e]!;
}
