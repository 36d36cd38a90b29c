import type { MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import type { Learned } from "../core/state/model-state.js";
import type { StateReader } from "../core/state/state.js";
import { type Scores, undescribed } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import {
  centredAt,
  centredPoints,
  type KernelPoints,
  kernelPoints,
  originTerm,
  productOrigin,
} from "../numeric/kernel-functions/kernel-points.js";
import { type KernelExpansion, kernelRows, kernelScores } from "../numeric/kernel-functions/kernel-scores.js";
import { isLinear, type KernelTree, kernelFormula } from "../numeric/kernel-functions/kernel-tree.js";
import { type BoundKernel, boundKernelJson, readBoundKernel } from "./kernel-params.js";
import { finiteValue, type TrainingRows } from "./training-rows.js";

export interface ExpansionParts {
  readonly kernel: BoundKernel;
  /** The training rows with a nonzero coefficient; without columns for a precomputed kernel. */
  readonly points: Design;
  /** Their indices among the training rows. */
  readonly rows: Int32Array;
  readonly nFeatures: number;
  /** Column names, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
  /** One row per output. */
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  /** Whether the coefficients of every output sum to 0, as with an unpenalised intercept: then rows far from 0 can be centred. */
  readonly zeroSums?: boolean;
}

/** f_k(x) = Σ_t coef[k, t] k(x_t, x) + b_k: the fitted function of every kernel method. */
export class Expansion {
  #points: KernelPoints | undefined;
  #centred: Pick<KernelExpansion, "points" | "intercept"> | undefined;
  #ranges: Int32Array | undefined;

  constructor(readonly parts: ExpansionParts) {}

  /** One row per row of x, one column per output. */
  scores(where: string, x: MatrixLike): Matrix {
    const z = readMatrix(where, x, { like: this.parts, sparse: true });
    return requireFiniteValues(where, this.#scoresOf(where, z));
  }

  /** The scores of the points themselves. */
  ownScores(where: string): Matrix {
    const { kernel, points } = this.parts;
    if (kernel.kind !== "precomputed") return this.#scoresOf(where, points);
    const expected = "a function of rows, since a model stores no precomputed matrix";
    throw new DataError(where, "the kernel", expected, "a precomputed one");
  }

  /** Outputs `from` … `to` − 1 as a structure has them; a kernel that is a function of the caller's own cannot be described. */
  described(from = 0, to = this.parts.coef.rows): Scores {
    const { kernel, points, rows: support, coef, intercept, zeroSums = false } = this.parts;
    if (kernel.kind === "function") return undescribed("its kernel is a function of the caller's own");
    return {
      kind: "kernel",
      kernel: kernel.kind === "tree" ? kernelFormula(kernel.tree) : { name: "precomputed" },
      points,
      support,
      coef: { data: coef.data.subarray(from * coef.cols, to * coef.cols), rows: to - from, cols: coef.cols },
      intercept: intercept.subarray(from, to),
      zeroSums,
    };
  }

  /** w of f(x) = w·x + b, one row per output: a Σ_t coef_t x_t of the kernel a x·z + c. Other kernels have no such w. */
  linearCoef(where: string): Matrix {
    const { kernel, points, coef } = this.parts;
    if (kernel.kind !== "tree" || !isLinear(kernel.tree)) {
      throw new DataError({
        where,
        subject: "the kernel",
        expected:
          "linear, since w of another kernel is in its feature space and not in the space of the columns",
        received: "another kernel",
        advice: "dualCoef and supportVectors exist for every kernel.",
      });
    }
    const { tree } = kernel;
    // Coefficients that sum to 0 have the same w around any origin; far from 0 the products would cancel.
    const origin = this.parts.zeroSums ? expansionOrigin(tree, points, coef) : null;
    const near = origin ? centredAt(points as Matrix, origin) : points;
    const w = Matrix.zeros(coef.rows, points.cols);
    for (let t = 0; t < near.rows; t++) {
      const x = near.row(t);
      for (let k = 0; k < w.rows; k++) {
        const a = tree.a * coef.data[k * coef.cols + t]!;
        if (a !== 0) for (let j = 0; j < w.cols; j++) w.data[k * w.cols + j]! += a * x[j]!;
      }
    }
    return w;
  }

  /** k(z_i, x_t): one row per row of z, one column per point. */
  values(where: string, z: Design): Matrix {
    const { kernel, points, rows } = this.parts;
    if (kernel.kind === "tree") return kernelRows(where, z, this.#placed(kernel.tree), kernel.tree);
    const m = points.rows;
    const out = Matrix.zeros(z.rows, m);
    for (let i = 0; i < z.rows; i++) {
      const row = z.row(i);
      for (let t = 0; t < m; t++) {
        out.data[i * m + t] =
          kernel.kind === "precomputed"
            ? row[rows[t]!]!
            : finiteValue(
                where,
                kernel.value(row, (points as Matrix).row(t)),
                () => `row ${i} of X and training row ${rows[t]}`,
              );
      }
    }
    return out;
  }

  /** What a saved model stores of it, besides the names of the columns. */
  learned(where: string): Record<string, Learned[string]> {
    const { kernel, points, rows, nFeatures, coef, intercept } = this.parts;
    const pointsSparse = points instanceof CsrMatrix;
    const stored = pointsSparse
      ? { pointStarts: points.indptr, pointColumns: points.indices, pointValues: points.values }
      : { points };
    return {
      kernel: boundKernelJson(where, kernel),
      nFeatures,
      pointsSparse,
      ...stored,
      rows,
      coef,
      intercept,
    };
  }

  #scoresOf(where: string, z: Design): Matrix {
    const { kernel, coef } = this.parts;
    if (kernel.kind === "tree") {
      this.#ranges ??= rangesOf(coef);
      const ranges = this.#ranges;
      return kernelScores(where, z, { ...this.#placedForSums(kernel.tree), tree: kernel.tree, coef, ranges });
    }
    const values = this.values(where, z);
    const out = Matrix.zeros(z.rows, coef.rows);
    for (let i = 0; i < z.rows; i++) {
      for (let k = 0; k < coef.rows; k++) {
        let sum = this.parts.intercept[k]!;
        for (let t = 0; t < coef.cols; t++)
          sum += coef.data[k * coef.cols + t]! * values.data[i * coef.cols + t]!;
        out.data[i * coef.rows + k] = sum;
      }
    }
    return out;
  }

  /** Points for sums of products, centred if they are far from 0, and the intercepts of the centred expansion. */
  #placedForSums(tree: KernelTree): Pick<KernelExpansion, "points" | "intercept"> {
    const { points, coef, intercept, zeroSums } = this.parts;
    this.#centred ??= zeroSums ? centredSums(tree, points, coef, intercept) : undefined;
    return this.#centred ?? { points: this.#placed(tree), intercept };
  }

  #placed(tree: KernelTree): KernelPoints {
    this.#points ??= kernelPoints(this.parts.points, tree);
    return this.#points;
  }
}

/** Throws for a row whose kernel values overflow. */
export function requireFiniteValues(where: string, values: Matrix): Matrix {
  const wrong = values.data.findIndex((value) => !Number.isFinite(value));
  if (wrong < 0) return values;
  const expected = "small enough for finite kernel values";
  const received = "larger numbers";
  throw new DataError(where, `row ${Math.floor(wrong / values.cols)} of X`, expected, received);
}

/** The expansion over some training rows (indices; null for all), with one row of `coef` per output. */
export function expansionOver(
  { kernel, x, rows, featureNamesIn }: TrainingRows,
  chosen: Int32Array | null,
  coef: Matrix,
  intercept: Float64Array,
  zeroSums = false,
): Expansion {
  const withoutColumns = kernel.kind === "precomputed";
  return new Expansion({
    kernel,
    points: withoutColumns ? Matrix.zeros(coef.cols, 0) : chosen ? x.selectRows(chosen) : x,
    rows: chosen ? chosen.map((i) => rows[i]!) : rows,
    nFeatures: x.cols,
    featureNamesIn,
    coef,
    intercept,
    zeroSums,
  });
}

/** Coefficients read from a file may sum to something else: above this fraction of Σ|coef| nothing is centred. */
const ZERO_SUM = 1e-9;

function sumsToZero(coef: Float64Array): boolean {
  let sum = 0;
  let size = 0;
  for (const v of coef) {
    sum += v;
    size += Math.abs(v);
  }
  return Math.abs(sum) <= ZERO_SUM * size;
}

function centredSums(
  tree: KernelTree,
  points: Design,
  coef: Matrix,
  intercept: Float64Array,
): Pick<KernelExpansion, "points" | "intercept"> | undefined {
  const origin = expansionOrigin(tree, points, coef);
  if (origin === null) return undefined;
  const terms = originTerms(tree, points, coef, origin);
  return { points: centredPoints(points, origin), intercept: intercept.map((b, k) => b + terms[k]!) };
}

/** The origin for sums over these points; null for 0. */
export function expansionOrigin(tree: KernelTree, points: Design, coef: Matrix): Float64Array | null {
  const origin = productOrigin(points, tree);
  if (origin === null) return null;
  for (let k = 0; k < coef.rows; k++) if (!sumsToZero(coef.row(k))) return null;
  return origin;
}

/** The change of every intercept when its points are centred at the origin. */
export function originTerms(tree: KernelTree, points: Design, coef: Matrix, origin: Float64Array): number[] {
  const moved = centredAt(points as Matrix, origin);
  return Array.from({ length: coef.rows }, (_, k) =>
    isLinear(tree) ? originTerm(tree, moved, coef.row(k), origin) : 0,
  );
}

/** Two ranges per output outside which its coefficients are 0: a binary SVM of two classes has coefficients for their rows only. */
function rangesOf({ data, rows, cols }: Matrix): Int32Array {
  const ranges = new Int32Array(4 * rows);
  for (let k = 0; k < rows; k++) {
    // The two ranges are what surrounds the longest inner run of zeros.
    let [first, last, gapFrom, gapTo] = [-1, -1, 0, 0];
    for (let t = 0; t < cols; t++) {
      if (data[k * cols + t] === 0) continue;
      if (first < 0) first = t;
      else if (t - last > gapTo - gapFrom) [gapFrom, gapTo] = [last + 1, t];
      last = t;
    }
    if (first < 0) continue;
    ranges.set(gapTo > gapFrom ? [first, gapFrom, gapTo, last + 1] : [first, last + 1, 0, 0], 4 * k);
  }
  return ranges;
}

/** Checks and rebuilds what `learned` returns, for the given number of outputs. */
export function readExpansion(reader: StateReader, outputs: number, zeroSums = false): Expansion {
  const rows = reader.integers("rows", [-1]);
  const nFeatures = reader.count("nFeatures");
  const coef = reader.finite("coef", [outputs, rows.length]);
  const intercept = reader.finite("intercept", [outputs]);
  const json: unknown = reader.state.values["kernel"];
  const kernel = readBoundKernel(json) ?? reader.fail("kernel", "a kernel function", typeof json);
  const cols = kernel.kind === "precomputed" ? 0 : nFeatures;
  if (kernel.kind === "precomputed" && rows.some((i) => i < 0 || i >= nFeatures))
    reader.fail("rows", `below ${nFeatures}`, "others");
  const points = (reader.flag("pointsSparse") ? readSparse : readDense)(reader, rows.length, cols);
  return new Expansion({
    kernel,
    points,
    rows,
    nFeatures,
    featureNamesIn: readFeatureNames(reader, nFeatures),
    coef: new Matrix(coef, outputs, rows.length),
    intercept,
    zeroSums,
  });
}

const readDense = (reader: StateReader, count: number, cols: number): Matrix =>
  new Matrix(reader.finite("points", [count, cols]), count, cols);

function readSparse(reader: StateReader, count: number, cols: number): CsrMatrix {
  const indptr = reader.integers("pointStarts", [count + 1]);
  const indices = reader.integers("pointColumns", [-1]);
  const values = reader.finite("pointValues", [indices.length]);
  try {
    return new CsrMatrix({ rows: count, cols, indptr, indices, values });
  } catch {
    return reader.fail("points", "a sparse matrix", "broken ones");
  }
}
