import { DataError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { requireFinite } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { centredSums } from "../numeric/bayes/event-scores.js";
import { type ColumnSums, LARGEST_SHIFT, mergeInto } from "../numeric/rows/moments.js";
import { classCounts, type EventRows } from "./feature-rows.js";

/** What Gaussian class densities are estimated from; `mergedMoments` adds two of them. */
export interface GaussianMoments extends ColumnSums {
  /** Σ w of every class. */
  readonly classCount: Float64Array;
  /** Mean of every column in every class, K × d; 0 for a class without rows. */
  readonly mean: Float64Array;
  /** Σ w (x − mean)², K × d. */
  readonly squares: Float64Array;
}

/**
 * One pass over the rows. Sums are taken around c, the first row of the class, and moved to the mean m by
 *
 *   Σ w (x − m)² = Σ w (x − c)² − Σ w (m − c)²
 *
 * A column that is constant in a class has exactly no variance. Where the first row was too far from the others, a second pass
 * takes the sums around m.
 */
export function gaussianMoments(where: string, rows: EventRows<Label>): GaussianMoments {
  const x = rows.x as Matrix;
  const { cols: d } = x;
  const classCount = classCounts(rows);
  const K = classCount.length;
  let centre = firstRows(x, rows.codes, K);
  for (let pass = 0; ; pass++) {
    const { first, second } = centredSums(where, x, rows.codes, rows.weights, centre);
    const mean = new Float64Array(K * d);
    const squares = new Float64Array(K * d);
    let far = false;
    for (let e = 0, k = 0; k < K; k++) {
      const n = classCount[k]!;
      for (let j = 0; j < d && n > 0; j++, e++) {
        const shift = first[e]! / n;
        mean[e] = centre[e]! + shift;
        squares[e] = Math.max(0, second[e]! - shift * first[e]!);
        far ||= shift * first[e]! > LARGEST_SHIFT * squares[e]!;
        if (!(second[e]! < Infinity)) refuse(where, rows, j, "a larger one");
        if (second[e] === 0 && first[e] !== 0) refuse(where, rows, j, "one that underflows");
      }
      if (n === 0) e += d;
    }
    if (pass > 0 || !far) return { classCount, mean, squares };
    centre = mean;
  }
}

function firstRows({ data, cols: d }: Matrix, codes: Int32Array, K: number): Float64Array {
  const out = new Float64Array(K * d);
  const seen = new Uint8Array(K);
  for (let i = 0, found = 0; i < codes.length && found < K; i++) {
    const k = codes[i]!;
    if (seen[k] === 1) continue;
    seen[k] = 1;
    found++;
    out.set(data.subarray(i * d, (i + 1) * d), k * d);
  }
  return out;
}

function refuse(where: string, { x, columns }: EventRows<Label>, j: number, received: string): never {
  requireFinite(where, x);
  const subject = `column ${columns ? columns[j] : j} of X`;
  const expected = "of a variance that fits a double";
  const advice = "StandardScaler scales it.";
  throw new DataError(where, subject, expected, received, advice);
}

/** Moments of all rows together. */
export function mergedMoments(a: GaussianMoments | undefined, b: GaussianMoments): GaussianMoments {
  if (a === undefined) return b;
  const K = a.classCount.length;
  const d = a.mean.length / K;
  const classCount = a.classCount.map((count, k) => count + b.classCount[k]!);
  const out = { classCount, mean: a.mean.slice(), squares: a.squares.slice() };
  for (let k = 0, e = 0; k < K; k++) {
    for (let j = 0; j < d; j++, e++)
      mergeInto(a.classCount[k]!, b.classCount[k]!, b.mean[e]!, b.squares[e]!, e, out);
  }
  return out;
}

/** Population variance of every column over the rows of all classes. */
export function totalVariances({ classCount, mean, squares }: GaussianMoments): Float64Array {
  const K = classCount.length;
  const d = mean.length / K;
  const total = classCount.reduce((sum, count) => sum + count, 0);
  const out = new Float64Array(d);
  for (let j = 0; j < d; j++) {
    // Around the mean of a class that has rows: the numbers are small then, and exact 0 where all are equal.
    const origin =
      mean[
        Math.max(
          0,
          classCount.findIndex((n) => n > 0),
        ) *
          d +
          j
      ]!;
    let shift = 0;
    for (let k = 0; k < K; k++)
      shift += (classCount[k]! / total) * (classCount[k]! > 0 ? mean[k * d + j]! - origin : 0);
    let sum = 0;
    for (let k = 0; k < K; k++) {
      if (classCount[k] === 0) continue;
      const apart = mean[k * d + j]! - origin - shift;
      sum += squares[k * d + j]! + classCount[k]! * apart * apart;
    }
    out[j] = sum / total;
  }
  return out;
}
