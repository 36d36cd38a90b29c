import { vexp, vlog1pUnit } from "../shared/elementary";

/**
 * exp, log, tanh, … of all lanes. Doubles: the operations of `shared/elementary.ts`. Floats: reductions and polynomials of Cephes
 * (Moshier, single precision: expf.c, logf.c, tanhf.c), errors below 2 ulp.
 */

/** 1.5 × 2²³: adding and subtracting it rounds to the nearest integer. */
// @inline
const ROUND: f32 = 12582912;
// @inline
const ROUND_BITS: i32 = 0x4b400000;
/** log 2 in two pieces; products of the first with whole numbers below 2¹⁵ are exact. */
// @inline
const LN2_HI: f32 = 0.693359375;
// @inline
const LN2_LO: f32 = -2.1219444e-4;
/** Largest float with a finite exponential. */
// @inline
const EXP_MAX: f32 = 88.72283;
/** Results below are subnormal numbers, which are slow: they become 0. */
// @inline
const EXP_MIN: f32 = -87.33654;

/** c + x·p: one step of Horner's rule. */
// @inline
function step<T>(p: v128, x: v128, c: T): v128 {
  return v128.add<T>(v128.mul<T>(p, x), v128.splat<T>(c));
}

function exp32(x: v128): v128 {
  const clamped = f32x4.pmax(f32x4.pmin(x, f32x4.splat(EXP_MAX)), f32x4.splat(EXP_MIN));
  const shifted = f32x4.add(f32x4.mul(clamped, f32x4.splat(1.44269504)), f32x4.splat(ROUND));
  const k = f32x4.sub(shifted, f32x4.splat(ROUND));
  let r = f32x4.sub(clamped, f32x4.mul(k, f32x4.splat(LN2_HI)));
  r = f32x4.sub(r, f32x4.mul(k, f32x4.splat(LN2_LO)));
  let p = step<f32>(f32x4.splat(1.98756915e-4), r, 1.3981999507e-3);
  p = step<f32>(p, r, 8.3334519073e-3);
  p = step<f32>(p, r, 4.1665795894e-2);
  p = step<f32>(p, r, 1.6666665459e-1);
  p = step<f32>(p, r, 5.0000001201e-1);
  const y = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1));
  // 2ᵏ⁻¹ and then 2: 2ᵏ itself may overflow.
  const n = i32x4.sub(shifted, i32x4.splat(ROUND_BITS));
  const scale = i32x4.shl(i32x4.add(n, i32x4.splat(126)), 23);
  const value = f32x4.mul(f32x4.mul(y, scale), f32x4.splat(2));
  const whole = v128.bitselect(f32x4.splat(Infinity), value, f32x4.gt(x, f32x4.splat(EXP_MAX)));
  return v128.andnot(whole, f32x4.lt(x, f32x4.splat(EXP_MIN)));
}

function exp64(x: v128): v128 {
  return vexp(x);
}

/** eˣ; 0 where it would be subnormal. */
// @inline
export function expOf<T>(x: v128): v128 {
  return sizeof<T>() == 4 ? exp32(x) : exp64(x);
}

/** log(1 + f) + k log 2 for 1 + f in [√½, √2]. */
// @inline
function logNear32(f: v128, k: v128): v128 {
  const z = f32x4.mul(f, f);
  let p = step<f32>(f32x4.splat(7.0376836292e-2), f, -1.151461031e-1);
  p = step<f32>(p, f, 1.167699874e-1);
  p = step<f32>(p, f, -1.2420140846e-1);
  p = step<f32>(p, f, 1.4249322787e-1);
  p = step<f32>(p, f, -1.6668057665e-1);
  p = step<f32>(p, f, 2.0000714765e-1);
  p = step<f32>(p, f, -2.4999993993e-1);
  p = step<f32>(p, f, 3.3333331174e-1);
  let y = f32x4.mul(f32x4.mul(p, z), f);
  y = f32x4.add(y, f32x4.mul(k, f32x4.splat(LN2_LO)));
  y = f32x4.sub(y, f32x4.mul(z, f32x4.splat(0.5)));
  return f32x4.add(f32x4.add(f, y), f32x4.mul(k, f32x4.splat(LN2_HI)));
}

function log32(x: v128): v128 {
  const tiny = f32x4.lt(x, f32x4.splat(1.17549435e-38));
  // 2²⁵ lifts subnormal numbers.
  const lifted = v128.bitselect(f32x4.mul(x, f32x4.splat(33554432)), x, tiny);
  // Brings the mantissa into [√½, √2).
  const bits = i32x4.add(lifted, i32x4.splat(0x3f800000 - 0x3f3504f3));
  const shift = v128.and(tiny, i32x4.splat(25));
  const k = i32x4.sub(i32x4.sub(i32x4.shr_s(bits, 23), i32x4.splat(127)), shift);
  const mantissa = i32x4.add(v128.and(bits, i32x4.splat(0x7fffff)), i32x4.splat(0x3f3504f3));
  const y = logNear32(f32x4.sub(mantissa, f32x4.splat(1)), f32x4.convert_i32x4_s(k));
  return logEdges<f32>(x, y);
}

function log64(x: v128): v128 {
  const tiny = f64x2.lt(x, f64x2.splat(2.2250738585072014e-308));
  const lifted = v128.bitselect(f64x2.mul(x, f64x2.splat(18014398509481984)), x, tiny);
  const bits = i64x2.add(lifted, i64x2.splat((0x3ff00000 - 0x3fe6a09e) << 32));
  // The exponent as a double: its bits are the low ones of 2⁵² + exponent.
  const exponent = v128.or(i64x2.shr_u(bits, 52), f64x2.splat(4503599627370496));
  const shift = v128.bitselect(f64x2.splat(1023 + 54), f64x2.splat(1023), tiny);
  const k = f64x2.sub(f64x2.sub(exponent, f64x2.splat(4503599627370496)), shift);
  const mantissa = i64x2.add(v128.and(bits, i64x2.splat(0xfffffffffffff)), i64x2.splat(0x3fe6a09e << 32));
  return logEdges<f64>(x, logNear64(f64x2.sub(mantissa, f64x2.splat(1)), k));
}

/** The operations of `logOnePlus` in `src/core/elementary.ts`. */
// @inline
function logNear64(f: v128, k: v128): v128 {
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f));
  const z = f64x2.mul(s, s);
  const w = f64x2.mul(z, z);
  let t1 = step<f64>(f64x2.splat(1.531383769920937332e-1), w, 2.222219843214978396e-1);
  t1 = f64x2.mul(w, step<f64>(t1, w, 3.999999999940941908e-1));
  let t2 = step<f64>(f64x2.splat(1.479819860511658591e-1), w, 1.818357216161805012e-1);
  t2 = step<f64>(t2, w, 2.857142874366239149e-1);
  t2 = f64x2.mul(z, step<f64>(t2, w, 6.66666666666673513e-1));
  const half = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f);
  const inner = f64x2.add(
    f64x2.mul(s, f64x2.add(half, f64x2.add(t1, t2))),
    f64x2.mul(k, f64x2.splat(1.90821492927058770002e-10)),
  );
  const high = f64x2.mul(k, f64x2.splat(6.9314718036912381649e-1));
  return f64x2.sub(high, f64x2.sub(f64x2.sub(half, inner), f));
}

/** log 0 = −∞, log ∞ = ∞, NaN below 0 and for NaN. */
// @inline
function logEdges<T>(x: v128, y: v128): v128 {
  const infinity = v128.splat<T>(<T>Infinity);
  const zero = v128.splat<T>(0);
  let value = v128.bitselect(v128.neg<T>(infinity), y, v128.eq<T>(x, zero));
  value = v128.bitselect(infinity, value, v128.eq<T>(x, infinity));
  return v128.bitselect(value, v128.splat<T>(<T>NaN), v128.ge<T>(x, zero));
}

/** Natural logarithm. */
// @inline
export function logOf<T>(x: v128): v128 {
  return sizeof<T>() == 4 ? log32(x) : log64(x);
}

/** log(1 + e) for e in [0, 1]. */
// @inline
function log1pUnit<T>(e: v128): v128 {
  if (sizeof<T>() == 8) return vlog1pUnit(e);
  // 1 + e in (√2, 2] is halved, so that one polynomial suffices.
  const large = f32x4.gt(e, f32x4.splat(0.41421357));
  const halved = f32x4.mul(f32x4.sub(e, f32x4.splat(1)), f32x4.splat(0.5));
  return logNear32(v128.bitselect(halved, e, large), v128.and(large, f32x4.splat(1)));
}

/** log(1 + e^−|x|). */
export function log1pExpNegative<T>(x: v128): v128 {
  return log1pUnit<T>(expOf<T>(v128.neg<T>(v128.abs<T>(x))));
}

/** log(1 + eˣ) = max(x, 0) + log(1 + e^−|x|). */
// @inline
export function softplusOf<T>(x: v128): v128 {
  return v128.add<T>(v128.pmax<T>(x, v128.splat<T>(0)), log1pExpNegative<T>(x));
}

/** 1/(1 + e^−x), exact in both tails. */
// @inline
export function sigmoidOf<T>(x: v128): v128 {
  const e = expOf<T>(v128.neg<T>(v128.abs<T>(x)));
  const one = v128.splat<T>(1);
  const top = v128.bitselect(one, e, v128.ge<T>(x, v128.splat<T>(0)));
  return v128.div<T>(top, v128.add<T>(one, e));
}

/** Hyperbolic tangent: a polynomial (doubles: a rational function) of x² below 0.625, 1 − 2/(e^2|x| + 1) above. */
// @inline
export function tanhOf<T>(x: v128): v128 {
  const one = v128.splat<T>(1);
  const size = v128.abs<T>(x);
  const e = expOf<T>(v128.add<T>(size, size));
  const far = v128.sub<T>(one, v128.div<T>(v128.splat<T>(2), v128.add<T>(e, one)));
  const sign = v128.and(x, v128.splat<T>(<T>-0.0));
  const z = v128.mul<T>(x, x);
  const near = v128.add<T>(x, v128.mul<T>(x, v128.mul<T>(z, tanhNear<T>(z))));
  return v128.bitselect(near, v128.or(far, sign), v128.lt<T>(size, v128.splat<T>(<T>0.625)));
}

/** (tanh x − x)/x³ as a function of z = x² [Cephes tanhf.c, tanh.c]. */
// @inline
function tanhNear<T>(z: v128): v128 {
  if (sizeof<T>() == 4) {
    let p = step<f32>(f32x4.splat(-5.70498872745e-3), z, 2.06390887954e-2);
    p = step<f32>(p, z, -5.37397155531e-2);
    p = step<f32>(p, z, 1.33314422036e-1);
    return step<f32>(p, z, -3.33332819422e-1);
  }
  let p = step<f64>(f64x2.splat(-9.64399179425052238628e-1), z, -9.92877231001918586564e1);
  p = step<f64>(p, z, -1.61468768441708447952e3);
  let q = f64x2.add(z, f64x2.splat(1.12811678491632931402e2));
  q = step<f64>(q, z, 2.23548839060100448583e3);
  q = step<f64>(q, z, 4.84406305325125486048e3);
  return f64x2.div(p, q);
}
