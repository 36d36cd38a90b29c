import { vexp, vlog1pUnit } from "./elementary";

/**
 * exp, log, tanh, … of all lanes. Doubles: the operations of `shared/elementary.ts`. Floats: reductions and
 * polynomials of Cephes (Moshier, single precision: expf.c, logf.c, tanhf.c), errors below 2 ulp.
 */

/*
 * Constants are read from tables in memory: an instruction each, where V8 builds a constant vector of five.
 */

/** Entry i of a table, in all lanes. */
// @inline
export function entry<T>(table: usize, i: i32): v128 {
  return v128.load_splat<T>(table + <usize>i * sizeof<T>());
}

/** p·x + entry i of a table: one step of Horner's rule. */
// @inline
export function step<T>(p: v128, x: v128, table: usize, i: i32): v128 {
  return v128.add<T>(v128.mul<T>(p, x), entry<T>(table, i));
}

/**
 * 0: the largest float with a finite exponential; 1: shortly before the subnormal numbers begin, which are
 * slow: results below are 0; 2: 1/log 2; 3: 1.5 × 2²³, which rounds to the nearest integer when it is added
 * and subtracted; 4, 5: log 2 in two pieces, products of the first with whole numbers below 2¹⁵ are exact; 6
 * … 11: the polynomial; 12: 1; 13: 2.
 */
const EXP = memory.data<f32>([
  88.72283, -86.9, 1.44269504, 12582912, 0.693359375, -2.1219444e-4, 1.98756915e-4, 1.3981999507e-3,
  8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1, 1, 2,
]);
/** The bits of 1.5 × 2²³ less 126: the exponent of 2ᵏ⁻¹ is what remains of the shifted number. */
const EXPONENT = memory.data<i32>([0x4b400000 - 126]);

function exp32(x: v128): v128 {
  const most = entry<f32>(EXP, 0);
  const least = entry<f32>(EXP, 1);
  const clamped = f32x4.pmax(f32x4.pmin(x, most), least);
  const round = entry<f32>(EXP, 3);
  const shifted = f32x4.add(f32x4.mul(clamped, entry<f32>(EXP, 2)), round);
  const k = f32x4.sub(shifted, round);
  let r = f32x4.sub(clamped, f32x4.mul(k, entry<f32>(EXP, 4)));
  r = f32x4.sub(r, f32x4.mul(k, entry<f32>(EXP, 5)));
  let p = step<f32>(entry<f32>(EXP, 6), r, EXP, 7);
  p = step<f32>(p, r, EXP, 8);
  p = step<f32>(p, r, EXP, 9);
  p = step<f32>(p, r, EXP, 10);
  p = step<f32>(p, r, EXP, 11);
  const y = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), entry<f32>(EXP, 12));
  // 2 and then 2ᵏ⁻¹: 2ᵏ itself may overflow, and y·2ᵏ⁻¹ may be subnormal, which costs a hundred cycles.
  const scale = i32x4.shl(i32x4.sub(shifted, v128.load32_splat(EXPONENT)), 23);
  const twice = v128.bitselect(f32x4.splat(Infinity), entry<f32>(EXP, 13), f32x4.gt(x, most));
  return v128.andnot(f32x4.mul(f32x4.mul(y, twice), scale), f32x4.lt(x, least));
}

function exp64(x: v128): v128 {
  return vexp(x);
}

/** eˣ; 0 where it would be subnormal. */
// @inline
export function expOf<T>(x: v128): v128 {
  return sizeof<T>() == 4 ? exp32(x) : exp64(x);
}

/** The polynomial of log(1 + f), then −½ and log 2 in two pieces, the small one first. */
const LOG32 = memory.data<f32>([
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1, -0.5, -2.1219444e-4, 0.693359375,
]);

/** log(1 + f) + k log 2 for 1 + f in [√½, √2]. */
// @inline
function logNear32(f: v128, k: v128): v128 {
  const z = f32x4.mul(f, f);
  let p = step<f32>(entry<f32>(LOG32, 0), f, LOG32, 1);
  p = step<f32>(p, f, LOG32, 2);
  p = step<f32>(p, f, LOG32, 3);
  p = step<f32>(p, f, LOG32, 4);
  p = step<f32>(p, f, LOG32, 5);
  p = step<f32>(p, f, LOG32, 6);
  p = step<f32>(p, f, LOG32, 7);
  p = step<f32>(p, f, LOG32, 8);
  let y = f32x4.mul(f32x4.mul(p, z), f);
  y = f32x4.add(y, f32x4.mul(k, entry<f32>(LOG32, 10)));
  y = f32x4.add(y, f32x4.mul(z, entry<f32>(LOG32, 9)));
  return f32x4.add(f32x4.add(f, y), f32x4.mul(k, entry<f32>(LOG32, 11)));
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

/** The coefficients of `src/core/elementary.ts`: even ones, odd ones, ½, log 2 in two pieces, 2. */
const LOG64 = memory.data<f64>([
  1.531383769920937332e-1, 2.222219843214978396e-1, 3.999999999940941908e-1, 1.479819860511658591e-1,
  1.818357216161805012e-1, 2.857142874366239149e-1, 6.66666666666673513e-1, 0.5, 1.90821492927058770002e-10,
  6.9314718036912381649e-1, 2,
]);

/** The operations of `logOnePlus` in `src/core/elementary.ts`. */
// @inline
function logNear64(f: v128, k: v128): v128 {
  const s = f64x2.div(f, f64x2.add(entry<f64>(LOG64, 10), f));
  const z = f64x2.mul(s, s);
  const w = f64x2.mul(z, z);
  const t1 = f64x2.mul(w, step<f64>(step<f64>(entry<f64>(LOG64, 0), w, LOG64, 1), w, LOG64, 2));
  let t2 = step<f64>(step<f64>(entry<f64>(LOG64, 3), w, LOG64, 4), w, LOG64, 5);
  t2 = f64x2.mul(z, step<f64>(t2, w, LOG64, 6));
  const half = f64x2.mul(f64x2.mul(entry<f64>(LOG64, 7), f), f);
  const inner = f64x2.add(
    f64x2.mul(s, f64x2.add(half, f64x2.add(t1, t2))),
    f64x2.mul(k, entry<f64>(LOG64, 8)),
  );
  const high = f64x2.mul(k, entry<f64>(LOG64, 9));
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

/**
 * Hyperbolic tangent: a polynomial (doubles: a rational function) of x² below 0.625, 1 − 2/(e^2|x| + 1)
 * above.
 */
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

const TANH32 = memory.data<f32>([
  -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1,
]);
/** Numerator, then denominator without its leading 1. */
const TANH64 = memory.data<f64>([
  -9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3, 1.12811678491632931402e2,
  2.23548839060100448583e3, 4.84406305325125486048e3,
]);

/** (tanh x − x)/x³ as a function of z = x² [Cephes tanhf.c, tanh.c]. */
// @inline
function tanhNear<T>(z: v128): v128 {
  if (sizeof<T>() == 4) {
    let p = step<f32>(entry<f32>(TANH32, 0), z, TANH32, 1);
    p = step<f32>(p, z, TANH32, 2);
    p = step<f32>(p, z, TANH32, 3);
    return step<f32>(p, z, TANH32, 4);
  }
  const p = step<f64>(step<f64>(entry<f64>(TANH64, 0), z, TANH64, 1), z, TANH64, 2);
  const q = step<f64>(f64x2.add(z, entry<f64>(TANH64, 3)), z, TANH64, 4);
  return f64x2.div(p, step<f64>(q, z, TANH64, 5));
}
