import { DataError, ShapeError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { readOptions } from "../core/params/options.js";
import { flag, type TableOf } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import { codePairs, labels, type MetricOptions, metricOptions } from "./inputs.js";

export interface CostOptions<L extends Label> extends MetricOptions {
  /** The classes of the rows and columns of the costs. Without it: all labels that occur, sorted. */
  readonly labels?: readonly L[] | undefined;
  /** When false, the (weighted) sum of the costs instead of their mean. */
  readonly normalize?: boolean | undefined;
}

const costOptions = {
  ...metricOptions,
  labels,
  normalize: flag({ default: true, doc: "When false, the sum of the costs instead of their mean." }),
} satisfies TableOf<CostOptions<Label>>;

/** Mean cost of the decisions, where `costs[t][p]` is the cost of predicting class p for truth t; a gain is a negative cost. */
export function costScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  costs: readonly (readonly number[])[],
  options: CostOptions<L> = {},
): number {
  const where = "costScore";
  const { normalize } = readOptions(where, costOptions, options);
  const { classes, truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  const { data, cols } = readCosts(where, costs, classes.length);
  let [sum, total] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    sum += weights[i]! * data[truth[i]! * cols + predicted[i]!]!;
    total += weights[i]!;
  }
  return normalize ? sum / total : sum;
}

/** One row per true class, one column per predicted class. */
export function readCosts(where: string, costs: unknown, K: number): Matrix<Float64Array> {
  const rows = isArrayLike(costs) ? Array.from(costs) : [];
  const fits = rows.length === K && rows.every((row) => isArrayLike(row) && row.length === K);
  if (!fits) {
    const advice = "Name the classes of rows and columns in `labels`.";
    throw new ShapeError(where, "costs", `${K} rows (truth) of ${K} costs (prediction)`, show(costs), advice);
  }
  const flat = (rows as ArrayLike<unknown>[]).flatMap((row) => Array.from(row));
  const wrong = flat.find((cost) => typeof cost !== "number" || !Number.isFinite(cost));
  if (wrong === undefined) return new Matrix(Float64Array.from(flat as number[]), K, K);
  throw new DataError(where, "every cost", "a finite number", show(wrong));
}
