import { DataError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { checkRows, type Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type EventRows, throwOnWrongEntry } from "./feature-rows.js";

/** Where the values of each column stand in a table of all values of all columns. */
export interface Layout {
  /** Number of values of every column. */
  readonly sizes: Int32Array;
  readonly offsets: Int32Array;
  readonly total: number;
}

/** Codes from here on are not codes but a mistake, say an identity number: a table of 2²⁴ values would take 128 MB per class. */
export const LARGEST_CODE = 2 ** 24;
/** What a category is, for messages. */
export const CODE = {
  expected: `a category: a whole number from 0 to ${LARGEST_CODE - 1}`,
  advice: "KBinsDiscretizer makes categories of measurements, OrdinalEncoder of anything else.",
} as const;
/** Counts of all values of all columns in all classes: 1 GB. */
const LARGEST_TABLE = 2 ** 27;

export function layoutOf(where: string, sizes: Int32Array, K: number): Layout {
  const offsets = new Int32Array(sizes.length);
  let total = 0;
  for (let j = 0; j < sizes.length; j++) {
    offsets[j] = total;
    total += sizes[j]!;
    if (total * K <= LARGEST_TABLE) continue;
    const expected = `of at most ${LARGEST_TABLE} values × classes`;
    const advice = "OrdinalEncoder numbers the values of a column from 0.";
    throw new DataError(where, "X", expected, "more", advice);
  }
  return { sizes, offsets, total };
}

/** One more than the largest value of every column. `most` is the number of values allowed. */
export function categoriesOf(
  where: string,
  { x, columns }: EventRows<Label>,
  most: Int32Array | undefined,
): Int32Array {
  if (!(x instanceof Matrix)) checkRows(where, x);
  const sizes = new Int32Array(x.cols).fill(1);
  const { cols } = x;
  const [values, indices] = x instanceof Matrix ? [x.data, undefined] : [x.values, x.indices];
  let fine = true;
  for (let e = 0; e < values.length; e++) {
    const value = values[e]!;
    if (!(value >= 0 && value < LARGEST_CODE) || value !== Math.floor(value)) {
      fine = false;
      break;
    }
    const j = indices === undefined ? e % cols : indices[e]!;
    if (value >= sizes[j]!) sizes[j] = value + 1;
  }
  if (!fine) requireCodes(where, x, columns, true);
  if (most !== undefined) requireCounted(where, sizes, most, (j) => `${columns ? columns[j] : j}`);
  return sizes;
}

/** Throws if a column has more values than there are pseudo-counts for it. */
export function requireCounted(
  where: string,
  sizes: Int32Array,
  most: Int32Array,
  nameOf: (j: number) => string,
): void {
  const j = sizes.findIndex((size, at) => size > most[at]!);
  if (j < 0) return;
  const expected = `below ${most[j]}, the number of its pseudo-counts in alpha`;
  throw new DataError(where, `column ${nameOf(j)} of X`, expected, `${sizes[j]! - 1}`);
}

/** Throws on the first entry that is not a category; after `fit`, negative and large ones are unseen values. */
export function requireCodes(
  where: string,
  x: Design,
  columns: readonly number[] | undefined,
  fitting: boolean,
): void {
  const wrong = (value: number) =>
    value !== Math.floor(value) || (fitting && !(value >= 0 && value < LARGEST_CODE));
  throwOnWrongEntry(where, x, columns, wrong, fitting ? CODE.expected : "a whole number", CODE.advice);
}

/** (Weighted) rows of every class with every value of every column, K × total. */
export function countCategories(
  { x, codes, weights, classes }: EventRows<Label>,
  { offsets, total }: Layout,
  classCount: Float64Array,
): Float64Array {
  const K = classes.length;
  const { rows, cols } = x;
  const counts = new Float64Array(K * total);
  const weightOf = (i: number) => (weights === undefined ? 1 : weights[i]!);
  if (x instanceof Matrix) {
    for (let i = 0, e = 0; i < rows; i++) {
      const at = codes[i]! * total;
      const weight = weightOf(i);
      for (let j = 0; j < cols; j++, e++) counts[at + offsets[j]! + x.data[e]!]! += weight;
    }
    return counts;
  }
  const stored = new Float64Array(K * cols);
  for (let i = 0; i < rows; i++) {
    const k = codes[i]!;
    const weight = weightOf(i);
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) {
      const j = x.indices[e]!;
      counts[k * total + offsets[j]! + x.values[e]!]! += weight;
      stored[k * cols + j]! += weight;
    }
  }
  // What is not stored is a 0. Sums of fractions may differ by a rounding: never below 0.
  for (let k = 0, e = 0; k < K; k++)
    for (let j = 0; j < cols; j++, e++)
      counts[k * total + offsets[j]!]! += Math.max(0, classCount[k]! - stored[e]!);
  return counts;
}

/** The same counts in a layout with more values. */
export function movedCounts(counts: Float64Array, from: Layout, to: Layout, K: number): Float64Array {
  const out = new Float64Array(K * to.total);
  for (let k = 0; k < K; k++) {
    for (let j = 0; j < from.sizes.length; j++) {
      const start = k * from.total + from.offsets[j]!;
      out.set(counts.subarray(start, start + from.sizes[j]!), k * to.total + to.offsets[j]!);
    }
  }
  return out;
}
