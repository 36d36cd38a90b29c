import { DataError, show } from "../core/errors.js";
import { firstAtLeast } from "../core/numbers/bisection.js";
import type { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import type { TableColumns } from "../data/table/table-columns.js";
import { type BinnedColumn, sortedColumns } from "../numeric/boosting/bins.js";

/** Quantiles of more rows are estimated from a random sample of this size. */
export const SUBSAMPLE = 200_000;
/** Instead of the midpoint of a number and Infinity. */
const ALMOST_INFINITE = 1e300;

/**
 * Bin edges of each column, at most `maxBins` bins: midpoints of neighbouring values if there are few distinct ones, else quantiles.
 * Missing values are ignored. Parity: scikit-learn's _BinMapper, without its empty bins.
 */
export function binColumns(
  where: string,
  x: Matrix,
  rows: Int32Array | null,
  categorical: readonly number[],
  maxBins: number,
  random: Random,
  table: TableColumns | undefined,
): BinnedColumn[] {
  const isCategorical = new Set(categorical);
  const columns: BinnedColumn[] = new Array(x.cols);
  sortedColumns(where, x, subsample(rows, x.rows, random), (j, values) => {
    if (!isCategorical.has(j)) columns[j] = { edges: edgesOf(values, maxBins), categorical: false };
  });
  // Categories are taken from all rows, held-out ones too, so that none is missed.
  if (categorical.length > 0) {
    const own = x.selectColumns(categorical);
    sortedColumns(where, own, null, (c, values) => {
      const j = categorical[c]!;
      columns[j] = categoryBins(where, j, values, maxBins, table);
    });
  }
  return columns;
}

/** A bin per category of column j; `values`: at least one per category, ascending. */
export function categoryBins(
  where: string,
  j: number,
  values: Float64Array<ArrayBufferLike>,
  maxBins: number,
  table: TableColumns | undefined,
): BinnedColumn {
  const edges = distinct(values, maxBins);
  if (edges === null) tooManyCategories(where, j, values, maxBins, table);
  return { edges, categorical: true };
}

function subsample(rows: Int32Array | null, n: number, random: Random): Int32Array | null {
  const count = rows ? rows.length : n;
  if (count <= SUBSAMPLE) return rows;
  const drawn = random.permutation(count).subarray(0, SUBSAMPLE).sort();
  return rows ? drawn.map((e) => rows[e]!) : drawn;
}

/** The distinct values of a sorted list; null if there are more than `most`. */
function distinct(values: Float64Array<ArrayBufferLike>, most: number): Float64Array | null {
  const out = new Float64Array(Math.min(most, values.length));
  let count = 0;
  for (let e = 0; e < values.length; e++) {
    if (e > 0 && values[e] === values[e - 1]) continue;
    if (count === most) return null;
    out[count++] = values[e]!;
  }
  return out.slice(0, count);
}

function edgesOf(values: Float64Array<ArrayBufferLike>, maxBins: number): Float64Array {
  const few = distinct(values, maxBins);
  if (few)
    return Float64Array.from({ length: Math.max(0, few.length - 1) }, (_, e) =>
      midpoint(few[e]!, few[e + 1]!),
    );
  const edges: number[] = [];
  for (let q = 1; q < maxBins; q++) {
    // Rounds like NumPy's linspace and percentile.
    const place = (values.length - 1) * ((q * (100 / maxBins)) / 100);
    const edge = midpoint(values[Math.floor(place)]!, values[Math.ceil(place)]!);
    if (edges.length === 0 || edge > edges.at(-1)!) edges.push(edge);
  }
  return Float64Array.from(edges);
}

/** The midpoint of a ≤ b, but never b unless they are equal: a must be below the threshold and b above. */
function midpoint(a: number, b: number): number {
  const sum = a + b;
  const half = Number.isFinite(sum) ? sum * 0.5 : a * 0.5 + b * 0.5;
  if (a === b || (half >= a && half < b)) return Math.min(half, ALMOST_INFINITE);
  return Number.isNaN(half) ? 0 : Math.min(a, ALMOST_INFINITE);
}

function tooManyCategories(
  where: string,
  j: number,
  values: Float64Array<ArrayBufferLike>,
  maxBins: number,
  table: TableColumns | undefined,
): never {
  let count = 1;
  for (let e = 1; e < values.length; e++) if (values[e] !== values[e - 1]) count++;
  const known = table?.columns[j];
  const without =
    known?.kind === "categorical" ? `: table.drop([${show(known.name)}])` : " of categoricalFeatures";
  const subject = `categorical column ${known ? show(known.name) : j}`;
  const advice = `Merge rare categories, or leave the column out${without}.`;
  throw new DataError(where, subject, `of at most maxBins (${maxBins}) categories`, `${count}`, advice);
}

/** X with categories replaced by their bins; unknown categories become missing values. */
export function encodeCategories(x: Matrix, columns: readonly BinnedColumn[]): Matrix {
  if (!columns.some(({ categorical }) => categorical)) return x;
  const data = x.data.slice();
  for (const [j, { categorical, edges }] of columns.entries()) {
    if (!categorical) continue;
    for (let at = j; at < data.length; at += x.cols) data[at] = categoryIndex(edges, data[at]!);
  }
  return new Matrix(data, x.rows, x.cols);
}

function categoryIndex(categories: Float64Array, value: number): number {
  const place = firstAtLeast(categories, value);
  return categories[place] === value ? place : Number.NaN;
}
