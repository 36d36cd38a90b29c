import { DataError, ShapeError } from "../core/errors.js";
import { type NumberArray, readWeights } from "../core/labels.js";
import { denseWithin } from "../data/dense-within.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { KernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { centredAt, kernelPoints, productOrigin } from "../numeric/kernel-functions/kernel-points.js";
import { kernelRows } from "../numeric/kernel-functions/kernel-scores.js";
import type { KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import type { JsKernelRows } from "../numeric/svm/smo.js";
import type { Kernel, KernelFunction } from "./kernel.js";
import { type BoundKernel, bindKernel } from "./kernel-params.js";

/** The training rows of a kernel method, and the kernel bound to them. */
export interface TrainingRows {
  readonly kernel: BoundKernel;
  /** Whether its matrices are known to be positive semidefinite. */
  readonly positiveDefinite: boolean;
  /** For a precomputed kernel: rows of the kernel matrix. */
  readonly x: Design;
  /** The index of each row in the X given to `fit`. */
  readonly rows: Int32Array;
  /** Column names, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** The rows of X with a positive weight; `kept` are their indices, undefined for all rows. */
export interface GivenRows {
  readonly x: Design;
  readonly kept?: Int32Array | undefined;
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** 0 … n − 1. */
const upTo = (n: number): Int32Array => new Int32Array(n).map((_, i) => i);

/** Binds the kernel to the rows. `sampleWeight` are the weights of all rows of X. */
export function trainingRows(
  where: string,
  kernel: Kernel,
  { x, kept, featureNamesIn }: GivenRows,
  sampleWeight: NumberArray | undefined,
): TrainingRows {
  const weights = readWeights(where, sampleWeight, sampleWeight?.length ?? 0);
  const rows = kept ?? upTo(x.rows);
  const bound = bindKernel(
    kernel,
    x,
    kept && weights ? Float64Array.from(kept, (i) => weights[i]!) : weights,
  );
  const known = { kernel: bound, positiveDefinite: kernel.positiveDefinite === true, rows, featureNamesIn };
  if (bound.kind === "tree") return { ...known, x: denseIfFull(x) };
  const dense = denseWithin(where, x, "a kernel that is a function or precomputed needs");
  if (bound.kind === "precomputed")
    requireSymmetric(where, dense, rows, kept && weights ? weights.length : x.rows);
  return { ...known, x: dense };
}

/** Sparse rows with a larger fraction of nonzeros are faster as dense rows, if these have at most DENSE_ENTRIES entries. */
const DENSE_SHARE = 0.15;
const DENSE_ENTRIES = 2e7;

/** Dense products use SIMD, eight entries at a time; sparse ones do not. */
export function denseIfFull(x: Design): Design {
  if (x instanceof Matrix) return x;
  const entries = x.rows * x.cols;
  return entries <= DENSE_ENTRIES && x.nonZeros > DENSE_SHARE * entries ? x.toDense() : x;
}

/** Largest accepted |k(x, y) − k(y, x)|, relative to the largest entry: rounding. */
const ASYMMETRY = 1e-6;

function requireSymmetric(where: string, { data, cols }: Matrix, rows: Int32Array, given: number): void {
  if (cols !== given) {
    const expected = `the kernel matrix of the rows, ${given} × ${given}`;
    throw new ShapeError(where, "X", expected, `${given} × ${cols}`);
  }
  const largest = data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  for (let s = 0; s < rows.length; s++) {
    for (let t = 0; t < s; t++) {
      const difference = Math.abs(data[s * cols + rows[t]!]! - data[t * cols + rows[s]!]!);
      if (difference <= ASYMMETRY * largest) continue;
      const expected = "symmetric";
      const received = `entries [${rows[s]}, ${rows[t]}] and [${rows[t]}, ${rows[s]}] that differ by ${difference}`;
      throw new DataError(where, "the kernel matrix", expected, received);
    }
  }
}

/** The solver's access to the kernel values of some or all training rows. */
export interface KernelAccess {
  readonly points: KernelPoints;
  readonly kernel: KernelTree | JsKernelRows;
  /** The rows of the points, unless kernel rows are computed in JavaScript. */
  readonly x?: Design | undefined;
  /** The origin that was subtracted from all points (only where Σ coef = 0); null or absent for none. */
  readonly origin?: Float64Array | null;
}

/** `subset`: indices of the rows, undefined for all. `zeroSums`: values are only used in sums whose coefficients sum to 0. */
export function kernelAccess(
  where: string,
  { kernel, x, rows }: TrainingRows,
  subset: Int32Array | undefined,
  zeroSums: boolean,
): KernelAccess {
  if (kernel.kind === "tree") {
    const given = subset ? x.selectRows(subset) : x;
    const origin = zeroSums ? productOrigin(given, kernel.tree) : null;
    const centred = origin ? centredAt(given as Matrix, origin) : given;
    return { points: kernelPoints(centred, kernel.tree), kernel: kernel.tree, x: centred, origin };
  }
  const own = subset ?? upTo(x.rows);
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

/** Requires the value of a custom kernel to be finite. */
export function finiteValue(where: string, value: number, ofWhat: () => string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new DataError(where, `the kernel of ${ofWhat()}`, "a finite number", String(value));
}

/** k(x_s, x_t) in doubles: one row per index s of `chosen`, one column per training row t. */
export function kernelRowsOf(where: string, training: TrainingRows, chosen: Int32Array): Matrix {
  const { kernel, x, rows } = training;
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
