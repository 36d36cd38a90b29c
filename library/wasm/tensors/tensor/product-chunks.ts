import { Bytes } from "../../shared/bytes";
import { packPanels } from "./pack";
import { productPart, rowProduct, unpackedProduct } from "./product";
import { panel } from "./tile";

/** Rows of A for which whole panels of B are read where they are: measured 1.4 times as fast for 4 rows, 1.25 times for 8. */
const FEW = 8;

/** Packs a chunk of B's panels; see `packPanels`. */
// @inline
export function packChunk<T>(
  b: usize,
  ldb: Bytes,
  transposed: i32,
  k: i32,
  n: i32,
  bias: usize,
  out: usize,
  size: i32,
  chunk: i32,
): void {
  const last = min((chunk + 1) * size, (n + panel<T>() - 1) / panel<T>());
  packPanels<T>(b, ldb, transposed != 0, k, n, bias, out, chunk * size, last);
}

/**
 * A chunk of C: `size` rows and `width` panels; chunks along a row of chunks first. `area`: bytes of `work`
 * per chunk. See `productPart`.
 */
// @inline
export function productChunk<T>(
  a: usize,
  lda: Bytes,
  transposed: i32,
  skip: i32,
  m: i32,
  k: i32,
  b: usize,
  n: i32,
  c: usize,
  add: i32,
  code: i32,
  f1: f64,
  f2: f64,
  work: usize,
  area: Bytes,
  size: i32,
  width: i32,
  chunk: i32,
): void {
  const panels = (n + panel<T>() - 1) / panel<T>();
  const across = (panels + width - 1) / width;
  const i = (chunk / across) * size;
  const q = (chunk % across) * width;
  const space = work + <usize>chunk * area;
  const i1 = min(m, i + size);
  const q1 = min(panels, q + width);
  productPart<T>(a, lda, transposed != 0, skip != 0, k, b, n, c, add != 0, code, f1, f2, space, i, i1, q, q1);
}

/**
 * A chunk of `count` products of one size: `size` of them. a, b and c advance by the given bytes per product.
 * `work` has `area` bytes per chunk: the packing of B first, then what `productPart` needs, from `packed`
 * bytes on.
 */
// @inline
export function batchChunk<T>(
  count: i32,
  a: usize,
  lda: Bytes,
  aTransposed: i32,
  aNext: Bytes,
  b: usize,
  ldb: Bytes,
  bTransposed: i32,
  bNext: Bytes,
  m: i32,
  k: i32,
  n: i32,
  bias: usize,
  c: usize,
  add: i32,
  code: i32,
  f1: f64,
  f2: f64,
  work: usize,
  packed: Bytes,
  area: Bytes,
  size: i32,
  chunk: i32,
): void {
  const q1 = (n + panel<T>() - 1) / panel<T>();
  // The whole panels that are not packed.
  const isPlain = bTransposed == 0 && bias == 0 && code == 0 && k > 0;
  const q0 = m <= FEW && isPlain ? n / panel<T>() : 0;
  const right = work + <usize>chunk * area;
  const space = right + packed;
  const from = chunk * size;
  const to = min(count, from + size);
  const cNext = <usize>m * <usize>n * sizeof<T>();
  const turned = aTransposed != 0;
  const adds = add != 0;
  for (let p = from; p < to; p++) {
    const left = a + <usize>p * aNext;
    const out = c + <usize>p * cNext;
    const own = b + <usize>p * bNext;
    if (q0 > 0) unpackedProduct<T>(left, lda, turned, m, k, own, n, out, adds, space);
    if (bNext != 0 || p == from) packPanels<T>(own, ldb, bTransposed != 0, k, n, bias, right, q0, q1);
    productPart<T>(left, lda, turned, false, k, right, n, out, adds, code, f1, f2, space, 0, m, q0, q1);
  }
}

/** A chunk of `size` columns of a product with one row; see `rowProduct`. */
// @inline
export function rowChunk<T>(
  a: usize,
  k: i32,
  b: usize,
  ldb: Bytes,
  n: i32,
  bias: usize,
  c: usize,
  add: i32,
  code: i32,
  f1: f64,
  f2: f64,
  size: i32,
  chunk: i32,
): void {
  const from = chunk * size;
  rowProduct<T>(a, k, b, ldb, bias, c, add != 0, code, f1, f2, from, min(n, from + size));
}
