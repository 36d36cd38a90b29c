import { number } from "../../expressions/expression.js";
import { type Aggregate, sumOf } from "../../expressions/sums.js";
import type { TrainingRows } from "../../rows/training-rows.js";

/** What one pass says of the targets and the weights. */
export interface TargetFacts {
  /** The number of rows with a weight above 0. */
  readonly count: number;
  /** Σ of the weights. */
  readonly total: number;
  /** The least weight of a row. */
  readonly leastWeight: number;
  /** Σ of the weights per class; none for a regression. */
  readonly classTotals: Float64Array;
  /** The least and the largest target, and the weighted mean, of a regression. */
  readonly range: readonly [number, number];
  readonly mean: number;
}

export async function targetFacts(rows: TrainingRows): Promise<TargetFacts> {
  const { value, classes } = rows.target!;
  const isClass = classes.length > 0;
  const y = isClass ? number(0) : value;
  const aggregates: Aggregate[] = [
    sumOf(rows.weight),
    sumOf(rows.weighted(y)),
    { kind: "min", of: rows.weight },
    { kind: "min", of: y },
    { kind: "max", of: y },
  ];
  const groupBy = isClass ? [{ of: value, type: "number" as const }] : [];
  const groups = await rows.sums({ groupBy, aggregates });
  const classTotals = new Float64Array(classes.length);
  let [count, total, sum, leastWeight, least, most] = [0, 0, 0, Infinity, Infinity, -Infinity];
  for (const group of groups) {
    const [w, wy, weight, low, high] = group.values as unknown as [number, number, number, number, number];
    if (isClass) classTotals[Number(group.keys[0])] = w;
    count += group.count;
    total += w;
    sum += wy;
    leastWeight = Math.min(leastWeight, weight);
    least = Math.min(least, low);
    most = Math.max(most, high);
  }
  return { count, total, leastWeight, classTotals, range: [least, most], mean: sum / total };
}
