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

/** Numbers by the weight of all up to them. */
export interface Weighed {
  /** Σ of the weights. */
  readonly total: number;
  /** The smallest number such that the weight of all up to it is more than this; the largest if there is none. */
  beyond(weight: number): number;
  /** The smallest such that the weight of all up to it is at least this. */
  reaching(weight: number): number;
}

function weighed(values: Float64Array, weights: Float64Array): Weighed {
  const { sorted, upTo, total } = cumulated(values, weights);
  const first = (isPast: (w: number) => boolean) => {
    const e = upTo.findIndex(isPast);
    return sorted[e < 0 ? sorted.length - 1 : e]!;
  };
  return {
    total,
    beyond: (weight) => first((w) => w > weight),
    reaching: (weight) => first((w) => w >= weight),
  };
}

/**
 * Quantiles, linear between the values on both sides, of a list in which each value stands as often as its weight says: with weights
 * of 1 numpy's. `fractions` ascend.
 */
export const expandedQuantile = (
  values: Float64Array,
  weights: Float64Array,
  fractions: Float64Array,
): Float64Array => expandedQuantilesOf(weighed(values, weights), fractions);

export function expandedQuantilesOf({ total, beyond }: Weighed, fractions: Float64Array): Float64Array {
  return fractions.map((fraction) => {
    const place = Math.max(0, fraction * (total - 1));
    const below = Math.floor(place);
    return beyond(below) + (place - below) * (beyond(below + 1) - beyond(below));
  });
}

/** The middle of all values with half of the weight on both sides: with weights of 1 the usual median. */
export const weightedMedian = (values: Float64Array, weights: Float64Array): number =>
  weighedMedian(weighed(values, weights));

export function weighedMedian({ total, beyond, reaching }: Weighed): number {
  const [low, high] = [reaching(total / 2), beyond(total / 2)];
  return low === high ? low : (low + high) / 2;
}
