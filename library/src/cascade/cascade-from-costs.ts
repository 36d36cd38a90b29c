import { listOf } from "../core/column-like.js";
import type { Classifier, MatrixLike } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { checkLength, type Label, type Labels, type NumberArray } from "../core/labels.js";
import { log, pow } from "../core/numbers/elementary.js";
import type { Params } from "../core/params/params.js";
import type { Matrix } from "../data/matrix.js";
import { classificationSet } from "../data/training-set.js";
import { Cascade, type cascadeParams } from "./cascade.js";
import type { CascadeStage } from "./cascade-stage.js";

export interface CascadeFromCostsOptions extends Omit<Params<typeof cascadeParams>, "stages"> {
  /** Cost of acquiring each column of X for one sample. */
  readonly costs: NumberArray;
  /** The classifier of every stage. */
  readonly estimator: Classifier;
  /** Maximum number of stages; 3 by default. */
  readonly stages?: number | undefined;
}

/** Bins of equal size for the mutual information. */
const BINS = 8;

/**
 * Proposes the stages of a cascade from feature costs: columns are ordered greedily by
 *
 *   I(y; xⱼ) (1 − max r²) / costⱼ
 *
 * I is the mutual information of y and the column in eight bins, r the correlation with a column chosen before. The order is divided
 * into stages so that the cumulative cost grows by equal factors, which makes early stages cheap; columns without cost are a stage of
 * their own. Columns that are independent of y up to chance are left out. The result is an estimator, to be fitted and evaluated.
 */
export function cascadeFromCosts<L extends Label>(
  x: MatrixLike,
  y: Labels<L>,
  options: CascadeFromCostsOptions,
): Cascade {
  const where = "cascadeFromCosts";
  if (options === null || typeof options !== "object") {
    throw new ParameterError(where, "the options", "an object with costs and estimator", show(options));
  }
  const { costs, estimator, stages = 3, ...params } = options;
  if (!Number.isSafeInteger(stages) || stages < 1) {
    throw new ParameterError(where, "stages", "an integer ≥ 1", show(stages));
  }
  const set = classificationSet(where, x, y, {}, {}, null);
  const design = set.x as Matrix;
  const price = readCosts(where, costs, design.cols);
  const order = greedyOrder(design, set.codes, set.classes.length, price);
  if (order.length === 0) {
    const expected = "informative about y";
    const received = "none that is more informative than chance";
    throw new DataError(where, "at least one column of X", expected, received);
  }
  const cut = cutByCost(order, price, stages);
  const proposed = cut.map(
    (features): CascadeStage => ({
      features,
      cost: features.reduce((sum, j) => sum + price[j]!, 0),
      estimator,
    }),
  );
  return new Cascade({ ...params, stages: proposed });
}

function readCosts(where: string, costs: NumberArray, cols: number): Float64Array {
  if (costs?.length !== cols) {
    throw new ParameterError(where, "costs", `one number for each of the ${cols} columns`, show(costs));
  }
  checkLength(where, "costs", costs, cols);
  const list = listOf(costs);
  return Float64Array.from({ length: cols }, (_, j) => {
    const cost: unknown = list[j];
    if (typeof cost === "number" && Number.isFinite(cost) && cost >= 0) return cost;
    throw new ParameterError(where, `costs[${j}]`, "a finite number ≥ 0", show(cost));
  });
}

/** The informative columns, best first. */
function greedyOrder(x: Matrix, codes: Int32Array, K: number, costs: Float64Array): number[] {
  const columns = Array.from({ length: x.cols }, (_, j) => x.column(j));
  const mutual = columns.map((column) => mutualInformation(column, codes, K));
  const unit = columns.map(standardized);
  const left = new Set([...mutual.keys()].filter((j) => mutual[j]! > 0));
  const overlap = new Float64Array(x.cols);
  const order: number[] = [];
  while (left.size > 0) {
    let best = -1;
    const value = (j: number) => mutual[j]! * (1 - overlap[j]!);
    for (const j of left) if (best < 0 || value(j) * costs[best]! > value(best) * costs[j]!) best = j;
    order.push(best);
    left.delete(best);
    for (const j of left) {
      const r = unit[j]!.reduce((sum, value, i) => sum + value * unit[best]![i]!, 0);
      overlap[j] = Math.max(overlap[j]!, Math.min(1, r * r));
    }
  }
  return order;
}

/** The column with mean 0 and norm 1; zeros if it is constant. */
function standardized(column: Float64Array): Float64Array {
  const mean = column.reduce((sum, v) => sum + v, 0) / column.length;
  const length = Math.sqrt(column.reduce((sum, v) => sum + (v - mean) ** 2, 0));
  return column.map((v) => (length > 0 ? (v - mean) / length : 0));
}

/** I(y; x) in nats, x in bins of equal size; 0 if it is not significantly above that of independent columns. */
function mutualInformation(column: Float64Array, codes: Int32Array, K: number): number {
  const n = column.length;
  const sorted = column.slice().sort();
  const quantiles = Array.from({ length: BINS - 1 }, (_, b) => sorted[Math.floor(((b + 1) * n) / BINS)]!);
  const edges = [...new Set(quantiles)].filter((edge) => edge > sorted[0]!);
  const bins = edges.length + 1;
  const joint = new Float64Array(bins * K);
  for (let i = 0; i < n; i++) {
    const bin = edges.filter((edge) => column[i]! >= edge).length;
    joint[bin * K + codes[i]!]! += 1 / n;
  }
  let information = 0;
  for (let b = 0; b < bins; b++) {
    const inBin = joint.subarray(b * K, (b + 1) * K).reduce((sum, p) => sum + p, 0);
    for (let k = 0; k < K; k++) {
      const p = joint[b * K + k]!;
      let ofClass = 0;
      for (let at = k; at < joint.length; at += K) ofClass += joint[at]!;
      if (p > 0) information += p * log(p / (inBin * ofClass));
    }
  }
  // 2 n I of independent columns is χ² with this many degrees of freedom: its mean and three standard deviations.
  const freedom = (bins - 1) * (K - 1);
  return 2 * n * information > freedom + 3 * Math.sqrt(2 * freedom) ? information : 0;
}

/** Divides the order into at most `count` groups, over which the cumulative cost grows by equal factors. Free columns are a group of their own. */
function cutByCost(order: readonly number[], costs: Float64Array, count: number): number[][] {
  const total = order.reduce((sum, j) => sum + costs[j]!, 0);
  const least = order.map((j) => costs[j]!).find((cost) => cost > 0) ?? 1;
  const cut: number[][] = [[]];
  let free = 0;
  let spent = 0;
  for (const j of order) {
    const first = spent === 0 && costs[j]! > 0;
    if (first && cut[0]!.length > 0) free = 1;
    spent += costs[j]!;
    const limit = least * pow(total / least, (cut.length - free) / (count - free));
    const full = (first && free === 1) || spent > limit;
    if (cut.at(-1)!.length > 0 && full && cut.length < count) cut.push([]);
    cut.at(-1)!.push(j);
  }
  return cut;
}
