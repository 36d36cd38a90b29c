/** Bytes between the quads of a packed panel. */
export const PACKED: usize = 32;

/**
 * The loop behind products of quads: Σ_k a_k b_kᵀ over `depth` steps, where a are four numbers of T and b two vectors, `lda` and `ldb`
 * bytes apart. Eight accumulators, four splats and two loads fill the sixteen vector registers. The class F has a method `row`,
 * which gets the number of a row, x, y, z and the sums of the row.
 */
// @inline
export function quads<T, F>(
  a: usize,
  lda: usize,
  b: usize,
  ldb: usize,
  depth: i32,
  x: usize,
  y: usize,
  z: usize,
): void {
  let c00 = v128.splat<T>(0);
  let c01 = v128.splat<T>(0);
  let c10 = v128.splat<T>(0);
  let c11 = v128.splat<T>(0);
  let c20 = v128.splat<T>(0);
  let c21 = v128.splat<T>(0);
  let c30 = v128.splat<T>(0);
  let c31 = v128.splat<T>(0);
  for (const end = b + <usize>depth * ldb; b < end; a += lda, b += ldb) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load_splat<T>(a);
    c00 = v128.add<T>(c00, v128.mul<T>(s, b0));
    c01 = v128.add<T>(c01, v128.mul<T>(s, b1));
    s = v128.load_splat<T>(a, sizeof<T>());
    c10 = v128.add<T>(c10, v128.mul<T>(s, b0));
    c11 = v128.add<T>(c11, v128.mul<T>(s, b1));
    s = v128.load_splat<T>(a, 2 * sizeof<T>());
    c20 = v128.add<T>(c20, v128.mul<T>(s, b0));
    c21 = v128.add<T>(c21, v128.mul<T>(s, b1));
    s = v128.load_splat<T>(a, 3 * sizeof<T>());
    c30 = v128.add<T>(c30, v128.mul<T>(s, b0));
    c31 = v128.add<T>(c31, v128.mul<T>(s, b1));
  }
  const f = changetype<F>(0);
  f.row(0, x, y, z, c00, c01);
  f.row(1, x, y, z, c10, c11);
  f.row(2, x, y, z, c20, c21);
  f.row(3, x, y, z, c30, c31);
}

/**
 * The 4 × 4 product tile behind GEMM, SYRK and the softmax gradient: C += Σ_k a_k b_kᵀ over `depth` steps, where a and b
 * are quads of doubles, `lda` and `ldb` bytes apart (PACKED in packed panels). c has rows `ldc` bytes apart.
 */
export function tile(a: usize, lda: usize, b: usize, ldb: usize, depth: i32, c: usize, ldc: usize): void {
  quads<f64, AddTo>(a, lda, b, ldb, depth, c, ldc, 0);
}

class AddTo {
  // @inline
  row(r: usize, c: usize, ldc: usize, _z: usize, u: v128, v: v128): void {
    const at = c + r * ldc;
    v128.store(at, f64x2.add(v128.load(at), u));
    v128.store(at, f64x2.add(v128.load(at, 16), v), 16);
  }
}
