import { DataError } from "../../core/errors.js";
import { requireFinite } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { gramInto, gramWork } from "../linalg/gram.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { blocksOfRows, type DenseRows } from "./dense-rows.js";
import type { Scatter } from "./moments.js";
import { ALIGN, LARGEST_SHIFT, recentred, SMALLEST_SQUARES, sampleMean, splitSums } from "./moments.js";

/** Row numbers of every class, in order. */
export function rowsByClass(codes: Int32Array, classes: number): Int32Array[] {
  const sizes = new Int32Array(classes);
  for (let i = 0; i < codes.length; i++) sizes[codes[i]!]!++;
  const rows = Array.from(sizes, (size) => new Int32Array(size));
  sizes.fill(0);
  for (let i = 0; i < codes.length; i++) {
    const k = codes[i]!;
    rows[k]![sizes[k]!++] = i;
  }
  return rows;
}

/** Below this many multiplications plain loops are faster than the kernels. */
const SMALL = 200_000;
/**
 * Weight, mean and scatter of the chosen rows. As in `momentsOf`, rows are centred on the mean c of a sample, and the sums are
 * shifted to the true mean m; a second pass is needed only if c is far from m. A constant column has a scatter of exactly 0.
 * Throws on NaN and ±∞, which are found in the sums.
 */
export function rowScatter(
  where: string,
  x: Matrix,
  rows: Int32Array,
  weights: Float64Array | undefined,
): Scatter {
  const small = rows.length * x.cols * x.cols <= SMALL;
  const pass = small ? smallPass : gramPass;
  let centre = sampleMean(x, rows);
  for (let turn = 0; ; turn++) {
    const { moments, shift } = pass(where, x, rows, weights, centre);
    if (turn > 0 || !(shift > LARGEST_SHIFT)) {
      checkColumns(where, x, rows, moments);
      return moments;
    }
    centre = moments.mean;
  }
}

interface Pass {
  readonly moments: Scatter;
  /** The largest (m − c)² of a column, in variances. */
  readonly shift: number;
}

function smallPass(
  _: string,
  { data, cols }: Matrix,
  rows: Int32Array,
  weights: Float64Array | undefined,
  centre: Float64Array,
): Pass {
  const scatter = new Float64Array(cols * cols);
  const offset = new Float64Array(cols);
  const u = new Float64Array(cols);
  let count = 0;
  for (let r = 0; r < rows.length; r++) {
    const i = rows[r]!;
    const s = weights === undefined ? 1 : weights[i]!;
    count += s;
    for (let j = 0, at = i * cols; j < cols; j++) u[j] = data[at + j]! - centre[j]!;
    for (let a = 0; a < cols; a++) {
      const ua = s * u[a]!;
      offset[a]! += ua;
      for (let b = a, e = a * cols + a; b < cols; b++, e++) scatter[e]! += ua * u[b]!;
    }
  }
  for (let a = 0; a < cols; a++) {
    for (let b = a + 1; b < cols; b++) scatter[b * cols + a] = scatter[a * cols + b]!;
  }
  return recentred(centre, count, offset, scatter);
}

function gramPass(
  where: string,
  x: Matrix,
  rows: Int32Array,
  weights: Float64Array | undefined,
  centre: Float64Array,
): Pass {
  const d = x.cols;
  const side = d + 1;
  const sums = new Float64Array(side * side);
  withArena(where, (arena) => {
    let s: F64 | undefined;
    if (weights !== undefined) {
      s = arena.f64(rows.length);
      const { array } = s;
      for (let r = 0; r < rows.length; r++) array[r] = weights[rows[r]!]!;
    }
    gramInto(gramWork(arena, gatheredRows(arena, x, rows), { weights: s, mean: centre, ones: true }), sums);
  });
  return splitSums(sums, centre);
}

/** The chosen rows of a matrix, copied block by block into the arena, without an intermediate copy. */
function gatheredRows(arena: Arena, { data, cols }: Matrix, rows: Int32Array): DenseRows {
  return blocksOfRows(arena, rows.length, cols, ALIGN, (from, to, out) => {
    for (let r = from, o = 0; r < to; r++)
      for (let at = rows[r]! * cols, end = at + cols; at < end; at++) out[o++] = data[at]!;
  });
}

/** Throws if squares overflow or underflow; sets the exact mean and a scatter of exactly 0 for constant columns. */
function checkColumns(where: string, x: Matrix, rows: Int32Array, { count, mean, scatter }: Scatter): void {
  const d = x.cols;
  for (let j = 0; j < d; j++) {
    const own = scatter[j * d + j]!;
    const rounding = 1e-14 * Math.abs(mean[j]!);
    if (Number.isFinite(own) && own > SMALLEST_SQUARES && own > count * rounding * rounding) continue;
    if (!Number.isFinite(own)) requireFinite(where, x);
    const only = Number.isFinite(own) ? constantOf(x, rows, j) : undefined;
    if (only !== undefined) {
      mean[j] = only;
      for (let i = 0; i < d; i++) {
        scatter[i * d + j] = 0;
        scatter[j * d + i] = 0;
      }
    } else if (!(own > SMALLEST_SQUARES && own < Infinity)) {
      const expected = "numbers whose squared deviations fit a double";
      const received = own < 1 ? "smaller ones" : "larger ones";
      throw new DataError(where, `column ${j} of X`, expected, received, "Scale it (StandardScaler).");
    }
  }
}

function constantOf({ data, cols }: Matrix, rows: Int32Array, j: number): number | undefined {
  const only = data[rows[0]! * cols + j]!;
  for (let r = 1; r < rows.length; r++) if (data[rows[r]! * cols + j] !== only) return undefined;
  return only;
}
