import { DataError, ShapeError } from "../core/errors.js";
import { denseWithin } from "../data/dense-within.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import {
  type KernelPoints,
  kernelPoints,
  movedBy,
  productOrigin,
} from "../numeric/kernel-functions/kernel-points.js";
import { kernelRows } from "../numeric/kernel-functions/kernel-scores.js";
import type { KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import type { JsKernelRows } from "../numeric/svm/smo.js";
import { type BoundKernel, bindKernel } from "./kernel-params.js";
import type { Kernel, KernelFunction } from "./kernel-part.js";

/** The rows that a kernel method learns from, and the kernel with its numbers filled in. */
export interface LearningRows {
  readonly kernel: BoundKernel;
  /** With a precomputed kernel: rows of the kernel matrix. */
  readonly x: Design;
  /** The number of each row among those that were given. */
  readonly rows: Int32Array;
  /** Names of the columns, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** What the door left of the rows that were given. */
export interface GivenRows {
  readonly x: Design;
  readonly kept?: Int32Array | undefined;
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** 0 … n − 1. */
function upTo(n: number): Int32Array {
  const list = new Int32Array(n);
  for (let i = 0; i < n; i++) list[i] = i;
  return list;
}

/** Binds the kernel to the rows. `weights` are those of the rows as they were given, if they have any. */
export function learningRows(
  where: string,
  kernel: Kernel,
  { x, kept, featureNamesIn }: GivenRows,
  weights: Float64Array | undefined,
): LearningRows {
  const rows = kept ?? upTo(x.rows);
  const bound = bindKernel(
    kernel,
    x,
    kept && weights ? Float64Array.from(kept, (i) => weights[i]!) : weights,
  );
  if (bound.kind === "tree") return { kernel: bound, x: denseIfFull(x), rows, featureNamesIn };
  const dense = denseWithin(where, x, "a kernel that is a function or precomputed needs");
  if (bound.kind === "precomputed")
    requireSymmetric(where, dense, rows, kept && weights ? weights.length : x.rows);
  return { kernel: bound, x: dense, rows, featureNamesIn };
}

/** Sparse rows this full are faster when they lie dense, and of this many entries they fit. */
const FULL = 0.15;
const DENSE_ENTRIES = 2e7;

/** Products with sparse rows take one entry at a time, those with dense ones eight. */
export function denseIfFull(x: Design): Design {
  if (x instanceof Matrix) return x;
  const entries = x.rows * x.cols;
  return entries <= DENSE_ENTRIES && x.nonZeros > FULL * entries ? x.toDense() : x;
}

/** Largest difference of k(x, y) and k(y, x), relative to the largest value: rounding of the sums behind them. */
const ASYMMETRY = 1e-6;

function requireSymmetric(where: string, { data, cols }: Matrix, rows: Int32Array, given: number): void {
  if (cols !== given) {
    throw new ShapeError({
      where,
      subject: "X",
      expected: `the kernel matrix of the rows, ${given} × ${given}`,
      received: `${given} × ${cols}`,
    });
  }
  const largest = data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  for (let s = 0; s < rows.length; s++) {
    for (let t = 0; t < s; t++) {
      const difference = Math.abs(data[s * cols + rows[t]!]! - data[t * cols + rows[s]!]!);
      if (difference <= ASYMMETRY * largest) continue;
      throw new DataError({
        where,
        subject: "the kernel matrix",
        expected: "symmetric",
        received: `entries [${rows[s]}, ${rows[t]}] and [${rows[t]}, ${rows[s]}] that differ by ${difference}`,
      });
    }
  }
}

/** How the solver gets at the kernel values of some of the rows: those of `part`, or all. */
export interface KernelAccess {
  readonly points: KernelPoints;
  readonly kernel: KernelTree | JsKernelRows;
  /** The points, unless rows of the kernel are made outside. */
  readonly own?: Design | undefined;
  /** What was taken from all points, where only sums with Σ coef = 0 are made of products; null or absent: nothing. */
  readonly origin?: Float64Array | null;
}

/** `zeroSums`: values are only used in sums whose coefficients add up to 0. */
export function kernelAccess(
  where: string,
  { kernel, x, rows }: LearningRows,
  part: Int32Array | undefined,
  zeroSums: boolean,
): KernelAccess {
  if (kernel.kind === "tree") {
    const given = part ? x.selectRows(part) : x;
    const origin = zeroSums ? productOrigin(given, kernel.tree) : null;
    const own = origin ? movedBy(given as Matrix, origin) : given;
    return { points: kernelPoints(own, kernel.tree), kernel: kernel.tree, own, origin };
  }
  const own = part ?? upTo(x.rows);
  const points = {
    count: own.length,
    cols: 0,
    panels: null,
    sparse: null,
    norms: new Float64Array(0),
    origin: null,
  };
  const matrix = x as Matrix;
  if (kernel.kind === "function")
    return { points, kernel: functionRows(where, kernel.value, matrix, own, rows) };
  const value = (s: number, t: number) => matrix.data[own[s]! * matrix.cols + rows[own[t]!]!]!;
  return {
    points,
    kernel: {
      diagonal: Float64Array.from(own, (_, t) => value(t, t)),
      rowInto: (t, out) => {
        for (let s = 0; s < own.length; s++) out[s] = value(t, s);
      },
    },
  };
}

function functionRows(
  where: string,
  value: KernelFunction,
  x: Matrix,
  own: Int32Array,
  rows: Int32Array,
): JsKernelRows {
  const points = Array.from(own, (i) => x.row(i));
  const at = (s: number, t: number) =>
    finiteValue(where, value(points[s]!, points[t]!), () => `rows ${rows[own[s]!]} and ${rows[own[t]!]}`);
  return {
    diagonal: Float64Array.from(points, (_, t) => at(t, t)),
    rowInto: (t, out) => {
      for (let s = 0; s < own.length; s++) out[s] = at(t, s);
    },
  };
}

/** What a user's kernel says must be a number. */
export function finiteValue(where: string, value: number, ofWhat: () => string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new DataError({
    where,
    subject: `the kernel of ${ofWhat()}`,
    expected: "a finite number",
    received: String(value),
  });
}

/** k(x_s, x_t) of the chosen rows with all: one row for each of `chosen`, in doubles. */
export function kernelRowsOf(where: string, learning: LearningRows, chosen: Int32Array): Matrix {
  const { kernel, x, rows } = learning;
  if (kernel.kind === "tree")
    return kernelRows(where, x.selectRows(chosen), kernelPoints(x, kernel.tree), kernel.tree);
  const matrix = x as Matrix;
  const out = Matrix.zeros(chosen.length, x.rows);
  for (let c = 0; c < chosen.length; c++) {
    const s = chosen[c]!;
    for (let t = 0; t < x.rows; t++) {
      out.data[c * x.rows + t] =
        kernel.kind === "precomputed"
          ? matrix.data[s * matrix.cols + rows[t]!]!
          : finiteValue(
              where,
              kernel.value(matrix.row(s), matrix.row(t)),
              () => `rows ${rows[s]} and ${rows[t]}`,
            );
    }
  }
  return out;
}
