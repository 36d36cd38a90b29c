import { DataError } from "../../core/errors.js";
import { requireFinite } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { gramInto, gramWork } from "../linalg/gram.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { type DenseRows, limits } from "./dense-rows.js";

/** What one class's rows add up to. `mergeClassMoments` adds two of these. */
export interface ClassMoments {
  /** Σ of the row weights. */
  readonly count: number;
  readonly mean: Float64Array;
  /** Σ s (x − mean)(x − mean)ᵀ, d × d: centred, since raw second moments cancel far from the origin. */
  readonly scatter: Float64Array;
}

/** The moments of two sets of rows together [Chan, Golub & LeVeque 1983, eq. 2.1, for matrices]. */
export function mergeClassMoments(a: ClassMoments, b: ClassMoments): ClassMoments {
  const count = a.count + b.count;
  if (count === 0) return a;
  const d = a.mean.length;
  const delta = b.mean.map((m, j) => m - a.mean[j]!);
  const share = b.count / count;
  const mean = a.mean.map((m, j) => m + delta[j]! * share);
  const scatter = new Float64Array(d * d);
  for (let i = 0, e = 0; i < d; i++) {
    const moved = delta[i]! * a.count * share;
    for (let j = 0; j < d; j++, e++) scatter[e] = a.scatter[e]! + b.scatter[e]! + moved * delta[j]!;
  }
  return { count, mean, scatter };
}

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

/** Below this many multiplications plain loops beat a trip to the arena. */
const SMALL = 200_000;
/** (m − c)² may be this many variances: then moving the sums costs less than two digits. */
const LARGEST_SHIFT = 30;
/** Rows of the sample whose mean is subtracted. */
const SAMPLE_ROWS = 512;
/** Squares below this come near the subnormal numbers and lose digits: 2⁻¹⁰²² × 2⁵² ≈ 1e-292. */
const SMALLEST = 1e-290;

/**
 * First and centred second moments of the chosen rows. As in `momentsOf`, rows are centred on the mean c of a sample, and
 * the sums are moved to the true mean m; a second pass is needed only where the sample was far off.
 *
 *   Σ s (x − m)(x − m)ᵀ = Σ s (x − c)(x − c)ᵀ − Σ s · (m − c)(m − c)ᵀ
 *
 * A column that is constant has a scatter of exactly 0. NaN and ±∞ show in the sums and are errors here.
 */
export function classMoments(
  where: string,
  x: Matrix,
  rows: Int32Array,
  weights: Float64Array | undefined,
): ClassMoments {
  const small = rows.length * x.cols * x.cols <= SMALL;
  const pass = small ? smallPass : gramPass;
  let centre = sampleMean(x, rows);
  for (let turn = 0; ; turn++) {
    const { moments, shift } = pass(where, x, rows, weights, centre);
    if (turn > 0 || !(shift > LARGEST_SHIFT)) {
      settle(where, x, rows, moments);
      return moments;
    }
    centre = moments.mean;
  }
}

function sampleMean({ data, cols }: Matrix, rows: Int32Array): Float64Array {
  const count = Math.min(rows.length, SAMPLE_ROWS);
  const mean = new Float64Array(cols);
  const share = 1 / count;
  for (let e = 0; e < count; e++) {
    const at = rows[Math.floor((e * rows.length) / count)]! * cols;
    for (let j = 0; j < cols; j++) mean[j]! += data[at + j]! * share;
  }
  return mean;
}

interface Pass {
  readonly moments: ClassMoments;
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
  return moved(centre, count, offset, scatter);
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
  const offset = new Float64Array(d);
  const scatter = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    scatter.set(sums.subarray(i * side, i * side + d), i * d);
    offset[i] = sums[i * side + d]!;
  }
  return moved(centre, sums[side * side - 1]!, offset, scatter);
}

/** Blocks of gathered rows are a multiple of the Gram kernel's pieces. */
const ALIGN = 2048;

/** The chosen rows of a matrix, copied block by block to where the kernels can reach them: gathering costs no extra copy. */
function gatheredRows(arena: Arena, { data, cols }: Matrix, rows: Int32Array): DenseRows {
  const blockRows = ALIGN * Math.max(1, Math.floor(limits.blockBytes / (8 * cols * ALIGN)));
  const slots: F64[] = [];
  const fetch = (block: number) => {
    const from = block * blockRows;
    if (from >= rows.length) return;
    slots[block % 2] ??= arena.f64(Math.min(rows.length, blockRows) * cols);
    const { array } = slots[block % 2]!;
    const to = Math.min(rows.length, from + blockRows);
    for (let r = from, o = 0; r < to; r++) {
      for (let at = rows[r]! * cols, end = at + cols; at < end; at++) array[o++] = data[at]!;
    }
  };
  return {
    rows: rows.length,
    cols,
    forEachBlock: (visit) => {
      fetch(0);
      for (let block = 0; block * blockRows < rows.length; block++) {
        let fetched = false;
        const meanwhile = () => {
          fetched = true;
          fetch(block + 1);
        };
        const from = block * blockRows;
        visit(slots[block % 2]!.ptr, from, Math.min(blockRows, rows.length - from), meanwhile);
        if (!fetched) fetch(block + 1);
      }
    },
  };
}

/** Moves sums around `centre` to the mean they imply. `offset` is Σ s (x − centre). */
function moved(centre: Float64Array, count: number, offset: Float64Array, scatter: Float64Array): Pass {
  const d = centre.length;
  let shift = 0;
  for (let i = 0; i < d; i++) {
    const share = offset[i]! / count;
    for (let j = 0; j < d; j++) scatter[i * d + j]! -= share * offset[j]!;
    const own = share * offset[i]!;
    if (own > 0) shift = Math.max(shift, own / Math.max(scatter[i * d + i]!, Number.MIN_VALUE));
  }
  const mean = centre.map((c, j) => c + offset[j]! / count);
  return { moments: { count, mean, scatter }, shift };
}

/** Refuses what squares cannot say, and gives constant columns their exact mean and a scatter of exactly 0. */
function settle(where: string, x: Matrix, rows: Int32Array, { count, mean, scatter }: ClassMoments): void {
  const d = x.cols;
  for (let j = 0; j < d; j++) {
    const own = scatter[j * d + j]!;
    const rounding = 1e-14 * Math.abs(mean[j]!);
    if (Number.isFinite(own) && own > SMALLEST && own > count * rounding * rounding) continue;
    if (!Number.isFinite(own)) requireFinite(where, x);
    const only = Number.isFinite(own) ? constantOf(x, rows, j) : undefined;
    if (only !== undefined) {
      mean[j] = only;
      for (let i = 0; i < d; i++) {
        scatter[i * d + j] = 0;
        scatter[j * d + i] = 0;
      }
    } else if (!(own > SMALLEST && own < Infinity)) {
      throw new DataError({
        where,
        subject: `column ${j} of X`,
        expected: "numbers whose squared deviations fit a double",
        received: own < 1 ? "smaller ones" : "larger ones",
        advice: "Scale it (StandardScaler).",
      });
    }
  }
}

function constantOf({ data, cols }: Matrix, rows: Int32Array, j: number): number | undefined {
  const only = data[rows[0]! * cols + j]!;
  for (let r = 1; r < rows.length; r++) if (data[rows[r]! * cols + j] !== only) return undefined;
  return only;
}
