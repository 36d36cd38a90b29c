/** Bytes between the quads of a packed panel. */
export const PACKED: usize = 32;

/**
 * The 4 × 4 product tile behind GEMM, SYRK and the softmax gradient: C += Σ_k a_k b_kᵀ over `depth` steps, where a and b
 * are quads of doubles, `lda` and `ldb` bytes apart (PACKED in packed panels). Eight accumulators, four splats and two
 * loads fill the sixteen vector registers. c has rows `ldc` bytes apart.
 */
export function tile(a: usize, lda: usize, b: usize, ldb: usize, depth: i32, c: usize, ldc: usize): void {
  let c00 = f64x2.splat(0);
  let c01 = f64x2.splat(0);
  let c10 = f64x2.splat(0);
  let c11 = f64x2.splat(0);
  let c20 = f64x2.splat(0);
  let c21 = f64x2.splat(0);
  let c30 = f64x2.splat(0);
  let c31 = f64x2.splat(0);
  for (let e: i32 = 0; e < depth; e++) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load64_splat(a);
    c00 = f64x2.add(c00, f64x2.mul(s, b0));
    c01 = f64x2.add(c01, f64x2.mul(s, b1));
    s = v128.load64_splat(a, 8);
    c10 = f64x2.add(c10, f64x2.mul(s, b0));
    c11 = f64x2.add(c11, f64x2.mul(s, b1));
    s = v128.load64_splat(a, 16);
    c20 = f64x2.add(c20, f64x2.mul(s, b0));
    c21 = f64x2.add(c21, f64x2.mul(s, b1));
    s = v128.load64_splat(a, 24);
    c30 = f64x2.add(c30, f64x2.mul(s, b0));
    c31 = f64x2.add(c31, f64x2.mul(s, b1));
    a += lda;
    b += ldb;
  }
  v128.store(c, f64x2.add(v128.load(c), c00));
  v128.store(c, f64x2.add(v128.load(c, 16), c01), 16);
  c += ldc;
  v128.store(c, f64x2.add(v128.load(c), c10));
  v128.store(c, f64x2.add(v128.load(c, 16), c11), 16);
  c += ldc;
  v128.store(c, f64x2.add(v128.load(c), c20));
  v128.store(c, f64x2.add(v128.load(c, 16), c21), 16);
  c += ldc;
  v128.store(c, f64x2.add(v128.load(c), c30));
  v128.store(c, f64x2.add(v128.load(c, 16), c31), 16);
}
