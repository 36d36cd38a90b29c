import { expOf, logOf } from "./exponentials";

/**
 * Functions that are computed in doubles for both widths: sine and cosine, whose argument must be reduced
 * exactly, and powers with any exponent. Floats are widened before and rounded after.
 */

// @inline
const ROUND: f64 = 6755399441055744;

/**
 * sin(r + t) for |r| ≤ π/4, t the tail of r; as in `src/core/elementary.ts`, like everything here about sine
 * and cosine.
 */
// @inline
function sinNear(r: f64, t: f64): f64 {
  const z = r * r;
  const v = z * r;
  let tail = -2.5050760253406863e-8 + z * 1.58969099521155e-10;
  tail = 0.00833333333332249 + z * (-1.984126982985795e-4 + z * (2.7557313707070068e-6 + z * tail));
  return r - (z * (0.5 * t - v * tail) - t - v * -0.16666666666666632);
}

// @inline
function cosNear(r: f64, t: f64): f64 {
  const z = r * r;
  let tail = -2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11);
  tail = z * (0.0416666666666666 + z * (-0.001388888888887411 + z * (2.480158728947673e-5 + z * tail)));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * tail - r * t));
}

/** sin(x + quarters × π/2); NaN for |x| ≥ 2²⁰ · π/2, where the reduction would lose its meaning. */
function sinShifted(x: f64, quarters: i32): f64 {
  if (!(abs(x) < 1647099)) return NaN;
  const k = x * 0.6366197723675814 + ROUND - ROUND;
  const first = x - k * 1.5707963267341256;
  const second = first - k * 6.077100506303966e-11;
  const tail =
    k * 2.0222662487111665e-21 - (first - second - k * 6.077100506303966e-11) + k * 8.4784276603689e-32;
  const r = second - tail;
  const t = second - r - tail;
  const quadrant = (<i32>k + quarters) & 3;
  const value = quadrant & 1 ? cosNear(r, t) : sinNear(r, t);
  return quadrant & 2 ? -value : value;
}

/** sin(x + quarters × π/2) of all lanes. */
export function sinOf<T>(x: v128, quarters: i32): v128 {
  let y = v128.splat<T>(<T>sinShifted(<f64>v128.extract_lane<T>(x, 0), quarters));
  y = v128.replace_lane<T>(y, 1, <T>sinShifted(<f64>v128.extract_lane<T>(x, 1), quarters));
  if (sizeof<T>() == 4) {
    y = v128.replace_lane<T>(y, 2, <T>sinShifted(<f64>v128.extract_lane<T>(x, 2), quarters));
    y = v128.replace_lane<T>(y, 3, <T>sinShifted(<f64>v128.extract_lane<T>(x, 3), quarters));
  }
  return y;
}

/** Exponents up to this are powers by repeated multiplication, as in `src/core/elementary.ts`. */
// @inline
const WHOLE: f64 = 64;

/** xᵃ. A whole exponent allows x < 0. */
export function powerOf<T>(x: v128, a: f64): v128 {
  if (a == floor(a) && abs(a) <= WHOLE) return wholePower<T>(x, <i32>a);
  if (sizeof<T>() == 8) return anyPower(x, a);
  const low = f32x4.demote_f64x2_zero(anyPower(f64x2.promote_low_f32x4(x), a));
  const upper = f64x2.promote_low_f32x4(v128.shuffle<u64>(x, x, 1, 0));
  return v128.shuffle<u64>(low, f32x4.demote_f64x2_zero(anyPower(upper, a)), 0, 2);
}

function wholePower<T>(x: v128, k: i32): v128 {
  const one = v128.splat<T>(1);
  let result = one;
  let base = x;
  for (let n = abs(k); n > 0; n >>= 1) {
    if (n & 1) result = v128.mul<T>(result, base);
    base = v128.mul<T>(base, base);
  }
  return k < 0 ? v128.div<T>(one, result) : result;
}

/** e^(a log x); for whole exponents e^(a log |x|) with the sign of x if they are odd. */
function anyPower(x: v128, a: f64): v128 {
  const whole = a == floor(a);
  const y = expOf<f64>(f64x2.mul(logOf<f64>(whole ? f64x2.abs(x) : x), f64x2.splat(a)));
  const odd = whole && a * 0.5 != floor(a * 0.5);
  return odd ? v128.or(y, v128.and(x, f64x2.splat(-0.0))) : y;
}
