import type { Json, ModelState, TensorData } from "argmax/core";
import { describeParams } from "argmax/sums";
import type { AnyEstimator } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";

interface Numbers {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** The state of a fitted model, as `toState` writes it: classes restore themselves from it, with all their checks. */
export function modelState(
  estimator: AnyEstimator,
  { namesIn }: Pick<TrainingRows, "namesIn">,
  values: Readonly<Record<string, Json>>,
  tensors: Readonly<Record<string, TensorData | Numbers>>,
  parts?: readonly ModelState[],
): ModelState {
  const kind = (estimator.constructor as unknown as { readonly id: string }).id;
  const shaped = Object.entries(tensors).map(([name, given]) => [
    name,
    ArrayBuffer.isView(given) ? { shape: [given.length], data: given } : given,
  ]);
  return {
    kind,
    params: describeParams(estimator.params),
    values: { ...values, ...(namesIn && { featureNamesIn: [...namesIn] }) },
    tensors: Object.fromEntries(shaped),
    ...(parts && { parts }),
  };
}

/** Rows of numbers as a matrix. */
export function stacked(rows: readonly Float64Array[]): Numbers {
  const cols = rows[0]?.length ?? 0;
  const data = new Float64Array(rows.length * cols);
  rows.forEach((row, k) => {
    data.set(row, k * cols);
  });
  return { shape: [rows.length, cols], data };
}

/** Groups by class. */
export const classKey = ({ target }: TrainingRows) => ({
  key: target!.value,
  groups: target!.classes.length,
});
