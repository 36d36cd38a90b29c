import { DataError } from "argmax/core";
import { type Expression, number, shared, subtract } from "../../expressions/expression.js";
import { type Aggregate, sumOf } from "../../expressions/sums.js";
import type { TrainingRows } from "../../rows/training-rows.js";

/** What one pass says of the rows that are learned from, and of those held out. */
export interface BoostingFacts {
  readonly rows: number;
  readonly heldOut: number;
  /** Σ of the weights, and of those of held-out rows. */
  readonly total: number;
  readonly heldOutTotal: number;
  readonly maxWeight: number;
  /** Σ of the weights per class; none for a regression. */
  readonly classTotals: Float64Array;
  /** The weighted mean of the targets, and the plain one. */
  readonly mean: number;
  readonly plainMean: number;
  readonly range: readonly [number, number];
}

/** `heldOut` is 1 for rows that early stopping is decided on, else 0. */
export async function boostingFacts(
  rows: TrainingRows,
  heldOut: Expression | undefined,
): Promise<BoostingFacts> {
  const { value, classes } = rows.target!;
  const isClass = classes.length > 0;
  const [centre] = isClass ? [0] : await rows.centres([value]);
  const around = shared(subtract(value, number(centre!)));
  const aggregates: Aggregate[] = [
    sumOf(rows.weight),
    { kind: "max", of: rows.weight },
    // Around a number near it, so that no digits of the mean are lost.
    sumOf(rows.weighted(around)),
    sumOf(around),
    { kind: "min", of: value },
    { kind: "max", of: value },
  ];
  const groupBy = [heldOut ?? number(0), ...(isClass ? [value] : [])].map((of) => ({
    of,
    type: "number" as const,
  }));
  const groups = await rows.sums({ groupBy, aggregates });
  const classTotals = new Float64Array(classes.length);
  const facts = { rows: 0, heldOut: 0, total: 0, heldOutTotal: 0, maxWeight: 0 };
  let [sum, plain, least, most] = [0, 0, Infinity, -Infinity];
  for (const { keys, count, values } of groups) {
    const [weight, maxWeight, wy, dy, low, high] = values as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    least = Math.min(least, low);
    most = Math.max(most, high);
    facts.maxWeight = Math.max(facts.maxWeight, maxWeight);
    if (keys[0] === 1) {
      facts.heldOut += count;
      facts.heldOutTotal += weight;
      continue;
    }
    facts.rows += count;
    facts.total += weight;
    sum += wy;
    plain += dy;
    if (isClass) classTotals[Number(keys[1])]! += weight;
  }
  if (facts.rows === 0)
    throw new DataError(rows.where, "the rows", "at least one that is not held out", "none");
  return {
    ...facts,
    classTotals,
    mean: centre! + sum / facts.total,
    plainMean: centre! + plain / facts.rows,
    range: [least, most],
  };
}
