/**
 * e^x for kernel values that are kept in 32 bits: x is reduced to k ln 2 + r in 64 bits and e^r is a polynomial in 32
 * [Moshier, Cephes expf], four lanes at a time. The relative error is below 1.5e-7, twice that of the rounding to
 * 32 bits. Below −87 the value is 0.
 */

// @inline
const INV_LN2: f64 = 1.442695040888963387;
// @inline
const LN2: f64 = 0.693147180559945309417;
/** 1.5 · 2⁵²: adding it puts the nearest integer into the low bits. */
// @inline
const ROUND: f64 = 6755399441055744;
// @inline
const LEAST: f64 = -87;

/** ‖x‖² + ‖y‖² − 2 x·y, not below 0, for the two points at `z`; its root if the kernel is a function of the distance. */
// @inline
function argument(own: v128, norms: usize, z: usize, scale: v128, roots: bool): v128 {
  const dot = v128.load(z);
  const square = f64x2.pmax(f64x2.sub(f64x2.add(own, v128.load(norms)), f64x2.add(dot, dot)), f64x2.splat(0));
  return f64x2.pmax(f64x2.mul(scale, roots ? f64x2.sqrt(square) : square), f64x2.splat(LEAST));
}

/**
 * out[t] = e^(−a r²), or e^(−a r) with `roots`, as 32-bit floats, for `count` points (a multiple of four); z are their products
 * with the point whose ‖x‖² is `norm`.
 */
export function exponentialRow(
  a: f64,
  roots: bool,
  norm: f64,
  norms: usize,
  count: i32,
  z: usize,
  out: usize,
): void {
  const own = f64x2.splat(norm);
  const scale = f64x2.splat(-a);
  const end = z + ((<usize>count) << 3);
  for (; z < end; z += 32, norms += 32, out += 16) {
    const x0 = argument(own, norms, z, scale, roots);
    const x1 = argument(own, norms + 16, z + 16, scale, roots);
    const s0 = f64x2.add(f64x2.mul(x0, f64x2.splat(INV_LN2)), f64x2.splat(ROUND));
    const s1 = f64x2.add(f64x2.mul(x1, f64x2.splat(INV_LN2)), f64x2.splat(ROUND));
    const r0 = f64x2.sub(x0, f64x2.mul(f64x2.sub(s0, f64x2.splat(ROUND)), f64x2.splat(LN2)));
    const r1 = f64x2.sub(x1, f64x2.mul(f64x2.sub(s1, f64x2.splat(ROUND)), f64x2.splat(LN2)));
    const r = v128.shuffle<i32>(f32x4.demote_f64x2_zero(r0), f32x4.demote_f64x2_zero(r1), 0, 1, 4, 5);
    let p = f32x4.add(f32x4.splat(1.3981999507e-3), f32x4.mul(r, f32x4.splat(1.98756915e-4)));
    p = f32x4.add(f32x4.splat(8.3334519073e-3), f32x4.mul(r, p));
    p = f32x4.add(f32x4.splat(4.1665795894e-2), f32x4.mul(r, p));
    p = f32x4.add(f32x4.splat(1.6666665459e-1), f32x4.mul(r, p));
    p = f32x4.add(f32x4.splat(5.0000001201e-1), f32x4.mul(r, p));
    p = f32x4.add(f32x4.splat(1), f32x4.add(r, f32x4.mul(f32x4.mul(r, r), p)));
    // The low words of the shifted numbers are k; added to the exponent they are a product with 2ᵏ.
    const k = v128.shuffle<i32>(s0, s1, 0, 2, 4, 6);
    const value = i32x4.add(p, i32x4.shl(k, 23));
    const large = v128.shuffle<i32>(
      f64x2.gt(x0, f64x2.splat(LEAST)),
      f64x2.gt(x1, f64x2.splat(LEAST)),
      0,
      2,
      4,
      6,
    );
    v128.store(out, v128.and(value, large));
  }
}
