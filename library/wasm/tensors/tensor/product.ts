import { at, lanes, loadUpTo, storeUpTo } from "../../shared/lanes";
import { DEPTH, ENDS_BYTES, ROWS, TILE_BYTES } from "../tensor.layout";
import { fewColumns } from "./few-columns";
import { sliceStart, transpose } from "./pack";
import { gatherSteps, stepBytes, stepTile } from "./steps";
import { narrowTiles, panel, SHALLOW, STEP, tiles } from "./tile";
import { RELU, unaryChunk } from "./unary";

/**
 * Rows [i0, i1) and panels [q0, q1) of C = f(A·B + bias), or C += A·B + bias, where B and the bias are packed
 * by `packPanels`.
 * a         rows `lda` bytes apart: m × k, or k × m if `transposed`, whose rows are then transposed into
 *           `work`
 * c         m × n; exactly the given part of it is written
 * code      of f, with its constants f1 and f2; 0 is the identity; that of relu bounds the product as it is written
 * skip      zeros of A are left out where four rows have one; not for a B that is not finite
 * work      a tile, then (if transposed) ROWS × DEPTH entries, or (if skip) the ends and steps of ROWS rows
 * The sum over k is in slices of DEPTH: its order depends on k alone.
 */
export function productPart<T>(
  a: usize,
  lda: usize,
  transposed: bool,
  skip: bool,
  k: i32,
  b: usize,
  n: i32,
  c: usize,
  add: bool,
  code: i32,
  f1: f64,
  f2: f64,
  work: usize,
  i0: i32,
  i1: i32,
  q0: i32,
  q1: i32,
): void {
  const panels = (n + panel<T>() - 1) / panel<T>();
  const ldc = <usize>n * sizeof<T>();
  const j0 = q0 * panel<T>();
  const width = min(n, q1 * panel<T>()) - j0;
  // Rows of Aᵀ that serve few panels are read where they are.
  const copied = transposed && !skip && q1 - q0 > 2;
  const rectified = code == RELU;
  // Few terms per entry: calls of `tiles` are worth more rows.
  const block = k <= SHALLOW && !copied && !skip ? 4 * ROWS : ROWS;
  for (let i = i0; i < i1; i += block) {
    const rows = min(block, i1 - i);
    const out = at<T>(c + <usize>i * ldc, j0);
    for (let l = 0; l < max(k, 1); l += DEPTH) {
      const depth = min(DEPTH, k - l);
      let left = at<T>(a + <usize>i * lda, l);
      let row = lda;
      let step = sizeof<T>();
      if (transposed) {
        left = at<T>(a + <usize>l * lda, i);
        row = sizeof<T>();
        step = lda;
      }
      if (copied) {
        row = <usize>depth * sizeof<T>();
        step = sizeof<T>();
        transposeLeft<T>(left, lda, rows, depth, work + TILE_BYTES);
        left = work + TILE_BYTES;
      }
      const right = b + sliceStart(l, panels) + <usize>q0 * <usize>(depth + 1) * STEP;
      const floor: T = rectified && l + DEPTH >= k ? 0 : <T>-Infinity;
      const more = add || l > 0;
      if (skip) sliceWithoutZeros<T>(left, row, step, rows, right, depth, out, ldc, width, more, floor, work);
      else slicePart<T>(left, row, step, rows, right, depth, out, ldc, width, more, floor, work);
    }
    if (code != 0 && !rectified) activate<T>(code, f1, f2, out, ldc, rows, width, n);
  }
}

/**
 * The whole panels of C = A·B, or C += A·B, with B as it is: packing costs as much as a product with few rows. The order of the sum is that
 * of `productPart`.
 * work   a tile, whose first row becomes zeros
 */
export function unpackedProduct<T>(
  a: usize,
  lda: usize,
  transposed: bool,
  m: i32,
  k: i32,
  b: usize,
  n: i32,
  c: usize,
  add: bool,
  work: usize,
): void {
  const ldb = <usize>n * sizeof<T>();
  const row = transposed ? sizeof<T>() : lda;
  const step = transposed ? lda : sizeof<T>();
  memory.fill(work, 0, STEP);
  for (let l = 0; l < k; l += DEPTH) {
    const left = a + <usize>l * step;
    const right = b + <usize>l * ldb;
    const depth = min(DEPTH, k - l);
    for (let j: usize = 0; j + STEP <= ldb; j += STEP)
      tiles<T>(left, row, step, m, work, right + j, ldb, depth, c + j, ldb, add || l > 0, <T>-Infinity);
  }
}

/** One slice of the sum for up to ROWS rows and `width` columns; see `tiles`. */
function slicePart<T>(
  a: usize,
  row: usize,
  step: usize,
  rows: i32,
  b: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  width: i32,
  add: bool,
  floor: T,
  scratch: usize,
): void {
  const bytes = <usize>(depth + 1) * STEP;
  for (let left = width; left > 0; left -= panel<T>(), b += bytes, c += STEP) {
    if (left >= panel<T>()) {
      tiles<T>(a, row, step, rows, b, b + STEP, STEP, depth, c, ldc, add, floor);
    } else if (left <= lanes<T>()) {
      let done = 0;
      if (sizeof<T>() == 4 && left < 4)
        done = fewColumns(a, row, step, rows, b, depth, c, ldc, left, add, v128.splat<T>(floor));
      const first = a + <usize>done * row;
      const out = c + <usize>done * ldc;
      if (done < rows) narrowTiles<T>(first, row, step, rows - done, b, depth, out, ldc, left, add, floor);
    } else {
      for (let p = 0; p < rows; p += 4) {
        const count = min(4, rows - p);
        const first = a + <usize>p * row;
        tiles<T>(first, row, step, count, b, b + STEP, STEP, depth, scratch, STEP, false, <T>-Infinity);
        for (let r = 0; r < count; r++)
          copyOut<T>(scratch + <usize>r * STEP, c + <usize>(p + r) * ldc, left, add, floor);
      }
    }
  }
}

/** What `slicePart` computes; the steps of every four rows are gathered once for all panels. */
function sliceWithoutZeros<T>(
  a: usize,
  row: usize,
  step: usize,
  rows: i32,
  b: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  width: i32,
  add: bool,
  floor: T,
  work: usize,
): void {
  const ends = work + TILE_BYTES;
  const steps = ends + ENDS_BYTES;
  const most = <usize>depth * stepBytes<T>();
  for (let p = 0; p < rows; p += 4) {
    const from = steps + <usize>(p >> 2) * most;
    store<usize>(ends + <usize>p, gatherSteps<T>(a + <usize>p * row, row, step, rows - p, depth, from));
  }
  const bytes = <usize>(depth + 1) * STEP;
  for (let left = width; left > 0; left -= panel<T>(), b += bytes, c += STEP) {
    for (let p = 0; p < rows; p += 4) {
      const from = steps + <usize>(p >> 2) * most;
      const end = load<usize>(ends + <usize>p);
      const out = c + <usize>p * ldc;
      const count = min(4, rows - p);
      if (left >= panel<T>()) {
        stepTile<T>(from, end, b, count, out, ldc, add, floor);
      } else {
        stepTile<T>(from, end, b, count, work, STEP, false, <T>-Infinity);
        for (let r = 0; r < count; r++)
          copyOut<T>(work + <usize>r * STEP, out + <usize>r * ldc, left, add, floor);
      }
    }
  }
}

/** out = max(x, floor), or out = max(out + x, floor), for `count` entries, fewer than a panel has. */
// @inline
function copyOut<T>(x: usize, out: usize, count: i32, add: bool, floor: T): void {
  for (let e = 0; e < count; e += lanes<T>()) {
    const to = at<T>(out, e);
    let value = v128.load(at<T>(x, e));
    if (add) value = v128.add<T>(value, loadUpTo<T>(to, count - e, 0));
    storeUpTo<T>(to, v128.pmax<T>(value, v128.splat<T>(floor)), count - e);
  }
}

/** Rows of Aᵀ: out[r·depth + e] = from[e·lda + r]. */
function transposeLeft<T>(from: usize, lda: usize, rows: i32, depth: i32, out: usize): void {
  const step = <usize>depth * sizeof<T>();
  let e = 0;
  for (; e <= depth - lanes<T>(); e += lanes<T>()) {
    transpose<T>(from + <usize>e * lda, lda, lanes<T>(), rows, at<T>(out, e), step);
  }
  for (; e < depth; e++) {
    const source = from + <usize>e * lda;
    for (let r = 0; r < rows; r++) store<T>(at<T>(out + <usize>r * step, e), load<T>(at<T>(source, r)));
  }
}

/** c = f(c) for rows of `width` entries, in one call if the rows are adjacent. */
function activate<T>(code: i32, f1: f64, f2: f64, c: usize, ldc: usize, rows: i32, width: i32, n: i32): void {
  if (width == n) {
    unaryChunk<T>(code, f1, f2, c, rows * n, c, rows * n, 0);
    return;
  }
  for (let r = 0; r < rows; r++) {
    const row = c + <usize>r * ldc;
    unaryChunk<T>(code, f1, f2, row, width, row, width, 0);
  }
}

/**
 * Columns [j0, j1) of the row c = f(a·B + bias), or c += a·B + bias; B is k × n with rows `ldb` bytes apart,
 * not packed.
 */
export function rowProduct<T>(
  a: usize,
  k: i32,
  b: usize,
  ldb: usize,
  bias: usize,
  c: usize,
  add: bool,
  code: i32,
  f1: f64,
  f2: f64,
  j0: i32,
  j1: i32,
): void {
  const wide = 8 * lanes<T>();
  let j = j0;
  for (; j <= j1 - wide; j += wide) {
    const initial = bias == 0 ? 0 : at<T>(bias, j);
    eightVectors<T>(a, k, at<T>(b, j), ldb, initial, at<T>(c, j), add);
  }
  for (; j < j1; j += lanes<T>()) {
    const left = j1 - j;
    let sum = bias == 0 ? v128.splat<T>(0) : loadUpTo<T>(at<T>(bias, j), left, 0);
    let from = at<T>(b, j);
    for (let e = 0; e < k; e++, from += ldb) {
      const s = v128.load_splat<T>(at<T>(a, e));
      sum = v128.add<T>(sum, v128.mul<T>(s, loadUpTo<T>(from, left, 0)));
    }
    const to = at<T>(c, j);
    if (add) sum = v128.add<T>(sum, loadUpTo<T>(to, left, 0));
    storeUpTo<T>(to, sum, left);
  }
  if (code != 0) unaryChunk<T>(code, f1, f2, at<T>(c, j0), j1 - j0, at<T>(c, j0), j1 - j0, 0);
}

/** Eight vectors of a row of the product. */
function eightVectors<T>(a: usize, k: i32, b: usize, ldb: usize, bias: usize, c: usize, add: bool): void {
  const zero = v128.splat<T>(0);
  let c0 = bias == 0 ? zero : v128.load(bias);
  let c1 = bias == 0 ? zero : v128.load(bias, 16);
  let c2 = bias == 0 ? zero : v128.load(bias, 32);
  let c3 = bias == 0 ? zero : v128.load(bias, 48);
  let c4 = bias == 0 ? zero : v128.load(bias, 64);
  let c5 = bias == 0 ? zero : v128.load(bias, 80);
  let c6 = bias == 0 ? zero : v128.load(bias, 96);
  let c7 = bias == 0 ? zero : v128.load(bias, 112);
  const end = at<T>(a, k);
  for (; a < end; a += sizeof<T>(), b += ldb) {
    const s = v128.load_splat<T>(a);
    c0 = v128.add<T>(c0, v128.mul<T>(s, v128.load(b)));
    c1 = v128.add<T>(c1, v128.mul<T>(s, v128.load(b, 16)));
    c2 = v128.add<T>(c2, v128.mul<T>(s, v128.load(b, 32)));
    c3 = v128.add<T>(c3, v128.mul<T>(s, v128.load(b, 48)));
    c4 = v128.add<T>(c4, v128.mul<T>(s, v128.load(b, 64)));
    c5 = v128.add<T>(c5, v128.mul<T>(s, v128.load(b, 80)));
    c6 = v128.add<T>(c6, v128.mul<T>(s, v128.load(b, 96)));
    c7 = v128.add<T>(c7, v128.mul<T>(s, v128.load(b, 112)));
  }
  v128.store(c, add ? v128.add<T>(c0, v128.load(c)) : c0);
  v128.store(c, add ? v128.add<T>(c1, v128.load(c, 16)) : c1, 16);
  v128.store(c, add ? v128.add<T>(c2, v128.load(c, 32)) : c2, 32);
  v128.store(c, add ? v128.add<T>(c3, v128.load(c, 48)) : c3, 48);
  v128.store(c, add ? v128.add<T>(c4, v128.load(c, 64)) : c4, 64);
  v128.store(c, add ? v128.add<T>(c5, v128.load(c, 80)) : c5, 80);
  v128.store(c, add ? v128.add<T>(c6, v128.load(c, 96)) : c6, 96);
  v128.store(c, add ? v128.add<T>(c7, v128.load(c, 112)) : c7, 112);
}
