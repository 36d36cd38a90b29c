import { DataError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { type Design, requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { addClassSums, eventScoresInto } from "../numeric/bayes/class-sums.js";
import { stretchInto } from "../numeric/rows/far-scores.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { type EventRows, throwOnWrongEntry } from "./feature-rows.js";

/** Σ w x over the rows of each class, K × d: all that the multinomial models learn from rows. One pass over the entries. */
export function featureSums(where: string, rows: EventRows<Label>): Float64Array {
  const K = rows.classes.length;
  const sums = new Float64Array(K * rows.x.cols);
  const least =
    rows.x instanceof Matrix
      ? denseSums(rows.x, rows, sums)
      : addClassSums(where, rows.x, rows.codes, rows.weights, null, sums);
  let total = 0;
  for (let e = 0; e < sums.length; e++) total += sums[e]!;
  if (least < 0 || !Number.isFinite(total)) refuse(where, rows);
  return sums;
}

/** Returns the least entry. */
function denseSums(x: Matrix, { codes, weights }: EventRows<Label>, out: Float64Array): number {
  const { data, rows, cols } = x;
  let least = 0;
  for (let i = 0, e = 0; i < rows; i++) {
    const at = codes[i]! * cols;
    const weight = weights === undefined ? 1 : weights[i]!;
    for (let j = 0; j < cols; j++, e++) {
      const value = data[e]!;
      if (value < least) least = value;
      out[at + j]! += weight * value;
    }
  }
  return least;
}

/** What an entry of a model of counts is, for messages. */
export const COUNT = {
  expected: "a count ≥ 0",
  advice:
    "HashingVectorizer({ alternateSign: false }) and MinMaxScaler make none below 0; GaussianNB takes any number.",
} as const;

function refuseNegative(where: string, x: Design, columns: readonly number[] | undefined): void {
  throwOnWrongEntry(where, x, columns, (value) => value < 0, COUNT.expected, COUNT.advice);
}

function refuse(where: string, { x, columns }: EventRows<Label>): never {
  refuseNegative(where, x, columns);
  throw new DataError(where, "X", "of a sum that fits a double", "Infinity", "Divide it by a constant.");
}

/** W (K × d) as d × K, so that the entries of a row read K neighbours each. Kept: a model scores many documents. */
function byFeature(table: Matrix): Float64Array {
  let out = turned.get(table);
  if (out === undefined) {
    out = table.transpose().data;
    turned.set(table, out);
  }
  return out;
}
const turned = new WeakMap<Matrix, Float64Array>();

/** X Wᵀ for counts x ≥ 0 and log-probabilities W, K × d. Always finite for finite rows. */
export function countScores(where: string, x: Design, w: Matrix, columns?: readonly number[]): Matrix {
  const K = w.rows;
  const out = Matrix.zeros(x.rows, K);
  const least =
    x instanceof Matrix ? leastOf(x.data) : eventScoresInto(where, x, byFeature(w), K, null, out.data);
  if (least < 0) refuseNegative(where, x, columns);
  if (x instanceof Matrix) out.data.set(linearScores(where, x, w.data, new Float64Array(K)).data);
  let check = 0;
  for (let e = 0; e < out.data.length; e++) check += out.data[e]! - out.data[e]!;
  if (check === 0) return out;
  requireFinite(where, x);
  rescueScores(x, w, out);
  return out;
}

function leastOf(values: Float64Array): number {
  let least = 0;
  for (let e = 0; e < values.length; e++) if (values[e]! < least) least = values[e]!;
  return least;
}

/**
 * Rows whose sums overflow: the same sums of the row divided by 2¹⁰⁰⁰, stretched to the largest size that is safe. The class
 * that is best stays best; the posteriors of the others have been 0 for long.
 */
function rescueScores(x: Design, w: Matrix, out: Matrix): void {
  const K = w.rows;
  for (let i = 0; i < x.rows; i++) {
    const row = out.row(i);
    if (row.every(Number.isFinite)) continue;
    const only = x.selectRows([i]);
    const dense = only instanceof Matrix ? only.data : only.toDense().data;
    for (let k = 0; k < K; k++) {
      row[k] = 0;
      for (let j = 0; j < w.cols; j++) row[k]! += dense[j]! * 2 ** -1000 * w.data[k * w.cols + j]!;
    }
    stretchInto(row);
  }
}
