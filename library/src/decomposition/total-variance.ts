import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";

/** The population variances of all columns, added up: deviations from the mean, squared, in two passes over what is stored. */
export function totalVariance(x: Design): number {
  const { rows, cols } = x;
  const dense = x instanceof Matrix;
  const values = dense ? x.data : x.values;
  const columnOf = dense ? (e: number) => e % cols : (e: number) => x.indices[e]!;
  const mean = new Float64Array(cols);
  const stored = new Int32Array(cols);
  for (let e = 0; e < values.length; e++) {
    mean[columnOf(e)]! += values[e]! / rows;
    stored[columnOf(e)]!++;
  }
  let sum = 0;
  for (let e = 0; e < values.length; e++) {
    const deviation = values[e]! - mean[columnOf(e)]!;
    sum += deviation * deviation;
  }
  for (let j = 0; j < cols; j++) sum += (rows - stored[j]!) * mean[j]! * mean[j]!;
  return sum / rows;
}
