import { DataError } from "argmax/core";
import { compare, type Expression, number, subtract, when } from "../../expressions/expression.js";
import { type Aggregate, sumOf } from "../../expressions/sums.js";
import type { TrainingRows } from "../../fit/training-rows.js";

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
  readonly mean: number;
  readonly range: readonly [number, number];
}

/** Key of held-out rows: 1, else 0. */
export async function boostingFacts(
  rows: TrainingRows,
  heldOut: Expression | undefined,
): Promise<BoostingFacts> {
  const { value, classes } = rows.target!;
  const isClass = classes.length > 0;
  const [centre] = isClass ? [0] : await rows.centres([value]);
  const aggregates: Aggregate[] = [
    sumOf(rows.weight),
    { kind: "max", of: rows.weight },
    // Around a number near it, so that no digits of the mean are lost.
    sumOf(rows.weighted(subtract(value, number(centre!)))),
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
  let [sum, least, most] = [0, Infinity, -Infinity];
  for (const { keys, count, values } of groups) {
    const [weight, maxWeight, wy, low, high] = values as unknown as [number, number, number, number, number];
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
    if (isClass) classTotals[Number(keys[1])]! += weight;
  }
  if (facts.rows === 0)
    throw new DataError(rows.where, "the rows", "at least one that is not held out", "none");
  return { ...facts, classTotals, mean: centre! + sum / facts.total, range: [least, most] };
}

/** 1 for rows that early stopping is decided on: a fraction of them, by a hash of the row, so that every pass takes the same ones. */
export function heldOutKey(rows: TrainingRows, fraction: number): Expression {
  const of = [...rows.features.map(({ given, number: own }) => given?.text ?? own), rows.target!.value];
  return when(compare({ kind: "hash", of }, "<", number(fraction * 2 ** 32)), number(1), number(0));
}
