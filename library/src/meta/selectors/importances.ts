import type { FittedModel } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { pow } from "../../core/numbers/elementary.js";
import { maxOf } from "../../core/numbers/extremes.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import { Matrix } from "../../data/matrix.js";
import { unitScale } from "../../numeric/rows/unit-scale.js";

export const importanceGetter: ParamSpec<string> = {
  kind: "text",
  default: "auto",
  doc: 'Where a fitted model has its importances: "auto" for coef or featureImportances, or the path of a property ("bestModel.coef", "steps.1.coef").',
  expected: '"auto" or the path of a property',
  read: (value) => (typeof value === "string" && /^[^.]+(\.[^.]+)*$/.test(value) ? value : invalid),
};

/** One number per column and output: the rows of coef, or one row. */
type Weights = readonly (ArrayLike<number> | Float64Array)[];

/** Coefficients of several outputs as one number per column. */
export type Combined = (weights: Weights, j: number) => number;

/**
 * The norm of a column's coefficients, (Σ |w|ᵖ)^(1/p) for an order p ≥ 1, the largest for Infinity. Sizes are relative to the largest of the
 * column, so that powers neither overflow nor underflow.
 */
export const normOf =
  (order: number): Combined =>
  (weights, j) => {
    const sizes = weights.map((row) => Math.abs(row[j]!));
    const most = maxOf(sizes);
    if (sizes.length === 1 || order === Infinity || !(most > 0)) return most;
    // The power of two keeps the bits.
    const unit = unitScale(most);
    if (order === 1) return sizes.reduce((sum, size) => sum + size * unit, 0) / unit;
    if (order === 2) return Math.sqrt(sizes.reduce((sum, size) => sum + (size * unit) ** 2, 0)) / unit;
    const relative = sizes.reduce((sum, size) => sum + pow(size / most, order), 0);
    return most * pow(relative, 1 / order);
  };

/** The importance of every column that a model was fitted to. */
export function importancesOf(
  where: string,
  model: FittedModel,
  getter: string,
  cols: number,
  combine: Combined,
): Float64Array {
  const weights = weightsOf(where, model, getter);
  const wrong = weights.length === 0 || weights.some((row) => row.length !== cols);
  const out = wrong
    ? new Float64Array(0)
    : Float64Array.from({ length: cols }, (_, j) => combine(weights, j));
  if (!wrong && out.every(Number.isFinite)) return out;
  const expected = `${cols} finite numbers, one per column`;
  const received = wrong ? `${weights[0]?.length ?? 0} numbers` : "others";
  throw new DataError(where, `the importances of ${model.constructor.name}`, expected, received);
}

function weightsOf(where: string, model: FittedModel, getter: string): Weights {
  const has = model as unknown as Readonly<Record<string, unknown>>;
  const path = getter !== "auto" ? getter : has.coef !== undefined ? "coef" : "featureImportances";
  let value: unknown = model;
  for (const key of path.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[key];
  if (value instanceof Matrix) return Array.from({ length: value.rows }, (_, k) => value.row(k));
  if (isArrayLike(value) && Array.from(value).every((entry) => typeof entry === "number"))
    return [value as ArrayLike<number>];
  throw new DataError({
    where,
    subject: "importanceGetter",
    expected:
      getter === "auto"
        ? `given, since ${model.constructor.name} has neither coef nor featureImportances`
        : `the path of a vector or matrix of ${model.constructor.name}`,
    received: show(getter),
    advice: "Linear models have coef, trees and forests featureImportances.",
  });
}
