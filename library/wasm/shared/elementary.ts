/**
 * Two-lane exp, log1p and sigmoid. Same operations in the same order as `src/core/elementary.ts`, hence the same
 * bits: change both or neither. Everything here is inlined into the kernels that use it.
 */

// @inline
const LN2_HI: f64 = 6.9314718036912381649e-1;
// @inline
const LN2_LO: f64 = 1.90821492927058770002e-10;
// @inline
const INV_LN2: f64 = 1.442695040888963387;
// @inline
const ROUND: f64 = 6755399441055744;
// @inline
const ROUND_BITS: i64 = 0x4338000000000000;

/**
 * eˣ in both lanes; Infinity above 709.79, 0 below −707 (subnormal numbers cost a hundred cycles each), NaN for NaN.
 * pmin and pmax are one instruction where min and max are eight, and propagate NaN in the first operand.
 */
// @inline
export function vexp(x: v128): v128 {
  const clamped = f64x2.pmax(f64x2.pmin(x, f64x2.splat(709.782712893384)), f64x2.splat(-707));
  const shifted = f64x2.add(f64x2.mul(clamped, f64x2.splat(INV_LN2)), f64x2.splat(ROUND));
  const k = f64x2.sub(shifted, f64x2.splat(ROUND));
  const hi = f64x2.sub(clamped, f64x2.mul(k, f64x2.splat(LN2_HI)));
  const lo = f64x2.mul(k, f64x2.splat(LN2_LO));
  const r = f64x2.sub(hi, lo);
  const t = f64x2.mul(r, r);
  let p = f64x2.add(
    f64x2.splat(-1.6533902205465251539e-6),
    f64x2.mul(t, f64x2.splat(4.13813679705723846039e-8)),
  );
  p = f64x2.add(f64x2.splat(6.61375632143793436117e-5), f64x2.mul(t, p));
  p = f64x2.add(f64x2.splat(-2.77777777770155933842e-3), f64x2.mul(t, p));
  p = f64x2.add(f64x2.splat(1.66666666666666019037e-1), f64x2.mul(t, p));
  const c = f64x2.sub(r, f64x2.mul(t, p));
  const q = f64x2.div(f64x2.mul(r, c), f64x2.sub(f64x2.splat(2), c));
  const y = f64x2.sub(f64x2.splat(1), f64x2.sub(f64x2.sub(lo, q), hi));
  const n = i64x2.sub(shifted, i64x2.splat(ROUND_BITS));
  // 2ⁿ⁻¹ and then 2: 2ⁿ itself may overflow.
  const scale = i64x2.shl(i64x2.add(n, i64x2.splat(1022)), 52);
  const value = f64x2.mul(f64x2.mul(y, scale), f64x2.splat(2));
  const whole = v128.bitselect(f64x2.splat(Infinity), value, f64x2.gt(x, f64x2.splat(709.782712893384)));
  return v128.andnot(whole, f64x2.lt(x, f64x2.splat(-707)));
}

/** log(1 + e) for e in [0, 1], e = e^−|x|. */
// @inline
export function vlog1pUnit(e: v128): v128 {
  const big = f64x2.gt(e, f64x2.splat(0.41421356237309503));
  const k = v128.and(big, f64x2.splat(1));
  const f = v128.bitselect(f64x2.mul(f64x2.sub(e, f64x2.splat(1)), f64x2.splat(0.5)), e, big);
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f));
  const z = f64x2.mul(s, s);
  const w = f64x2.mul(z, z);
  let t1 = f64x2.add(
    f64x2.splat(2.222219843214978396e-1),
    f64x2.mul(w, f64x2.splat(1.531383769920937332e-1)),
  );
  t1 = f64x2.mul(w, f64x2.add(f64x2.splat(3.999999999940941908e-1), f64x2.mul(w, t1)));
  let t2 = f64x2.add(
    f64x2.splat(1.818357216161805012e-1),
    f64x2.mul(w, f64x2.splat(1.479819860511658591e-1)),
  );
  t2 = f64x2.add(f64x2.splat(2.857142874366239149e-1), f64x2.mul(w, t2));
  t2 = f64x2.mul(z, f64x2.add(f64x2.splat(6.66666666666673513e-1), f64x2.mul(w, t2)));
  const half = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f);
  const inner = f64x2.add(
    f64x2.mul(s, f64x2.add(half, f64x2.add(t1, t2))),
    f64x2.mul(k, f64x2.splat(LN2_LO)),
  );
  return f64x2.sub(f64x2.mul(k, f64x2.splat(LN2_HI)), f64x2.sub(f64x2.sub(half, inner), f));
}

/** log(1 + eˣ). */
// @inline
export function vlog1pExp(x: v128): v128 {
  const e = vexp(f64x2.neg(f64x2.abs(x)));
  return f64x2.add(f64x2.pmax(x, f64x2.splat(0)), vlog1pUnit(e));
}

/** 1 / (1 + e^−x). */
// @inline
export function vsigmoid(x: v128): v128 {
  const e = vexp(f64x2.neg(f64x2.abs(x)));
  const one = f64x2.splat(1);
  const top = v128.bitselect(one, e, f64x2.ge(x, f64x2.splat(0)));
  return f64x2.div(top, f64x2.add(one, e));
}

/** Sum of both lanes. */
// @inline
export function vsum(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** Natural logarithm of a normal number ≥ 1; the scalar twin of core/numbers/elementary.ts `log`. */
// @inline
export function logOf(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  const high = <i32>(bits >> 32) + (0x3ff00000 - 0x3fe6a09e);
  const k = <f64>((high >> 20) - 1023);
  const mantissa = ((<u64>((high & 0xfffff) + 0x3fe6a09e)) << 32) | (bits & 0xffffffff);
  const f = reinterpret<f64>(mantissa) - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const t1 = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const t2 =
    z *
    (6.66666666666673513e-1 +
      w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  const half = 0.5 * f * f;
  return (
    k * 6.9314718036912381649e-1 - (half - (s * (half + (t1 + t2)) + k * 1.90821492927058770002e-10) - f)
  );
}
