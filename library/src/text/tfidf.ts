import { DataError } from "../core/errors.js";
import { log } from "../core/numbers/elementary.js";
import type { ParamValues } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import type { tfidfParams } from "./params.js";

export type TfidfParams = ParamValues<typeof tfidfParams>;

/** Number of rows in which each column is not zero. */
export function documentFrequency(x: Design): Int32Array {
  const frequency = new Int32Array(x.cols);
  if (x instanceof CsrMatrix) {
    for (let e = 0; e < x.nonZeros; e++) if (x.values[e] !== 0) frequency[x.indices[e]!]!++;
  } else {
    for (let e = 0; e < x.data.length; e++) if (x.data[e] !== 0) frequency[e % x.cols]!++;
  }
  return frequency;
}

/** idf = log(n / df) + 1; when smooth, with one extra document that contains every term. */
export function inverseFrequency(
  where: string,
  frequency: Int32Array,
  rows: number,
  smooth: boolean,
): Float64Array {
  const more = smooth ? 1 : 0;
  return Float64Array.from(frequency, (df, j) => {
    if (df + more === 0) {
      const expected = "in at least one document, since smoothIdf is false";
      const advice = "smoothIdf: true adds one document that contains every term.";
      throw new DataError(where, `column ${j}`, expected, "in none, which makes its weight infinite", advice);
    }
    return log((rows + more) / (df + more)) + 1;
  });
}

/** Counts into weights, row by row and in place. `idf` is absent where it is not used. */
export function weighInto(
  where: string,
  { sublinearTf, norm }: TfidfParams,
  idf: Float64Array | undefined,
  out: Design,
): void {
  const sparse = out instanceof CsrMatrix ? out : undefined;
  const values = out instanceof CsrMatrix ? out.values : (out.data as Float64Array);
  for (let i = 0; i < out.rows; i++) {
    const from = sparse ? sparse.indptr[i]! : i * out.cols;
    const to = sparse ? sparse.indptr[i + 1]! : from + out.cols;
    if (sublinearTf) dampen(where, values, from, to, i);
    if (idf) {
      for (let e = from; e < to; e++) values[e]! *= idf[sparse ? sparse.indices[e]! : e - from]!;
      refuseOverflow(where, values, from, to, i);
    }
    if (norm !== null) divideByNormInto(norm, from, to, values);
  }
}

function dampen(where: string, values: Float64Array, from: number, to: number, i: number): void {
  for (let e = from; e < to; e++) {
    const value = values[e]!;
    if (value > 0) values[e] = value === 1 ? 1 : log(value) + 1;
    else if (value < 0) {
      const expected = "free of negative values, since sublinearTf takes their logarithm";
      throw new DataError(where, `row ${i}`, expected, `${value}`);
    }
  }
}

function refuseOverflow(where: string, values: Float64Array, from: number, to: number, i: number): void {
  for (let e = from; e < to; e++) {
    if (Number.isFinite(values[e])) continue;
    const expected = "free of numbers that times their idf exceed 1.8e308";
    throw new DataError(where, `row ${i}`, expected, `${values[e]}`);
  }
}

/** Divides finite values by their norm; a row of zeros stays unchanged. */
export function divideByNormInto(norm: "l1" | "l2", from: number, to: number, out: Float64Array): void {
  let sum = 0;
  for (let e = from; e < to; e++) sum += norm === "l1" ? Math.abs(out[e]!) : out[e]! * out[e]!;
  const length = norm === "l1" ? sum : Math.sqrt(sum);
  // Squares between these neither overflow nor lose digits to underflow.
  if (sum > 1e-280 && sum < Infinity) {
    for (let e = from; e < to; e++) out[e]! /= length;
    return;
  }
  let largest = 0;
  for (let e = from; e < to; e++) largest = Math.max(largest, Math.abs(out[e]!));
  if (largest === 0 || largest === 1) return;
  for (let e = from; e < to; e++) out[e]! /= largest;
  divideByNormInto(norm, from, to, out);
}
