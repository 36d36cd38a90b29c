/**
 * exp, log and their relatives with the same bits on every engine.
 *
 * `Math.exp` and `Math.log` may differ in the last place between engines, so nothing that ends up in a model may
 * use them. These use only + − × ÷ and bit fiddling, which IEEE 754 fixes exactly. The WASM kernels in
 * `wasm/linalg/elementary.ts` perform the same operations in the same order, so both give the same bits.
 * Method and coefficients: FreeBSD msun e_exp.c and e_log.c; error below 1 ulp.
 */

export const LN2_HI = 0.6931471803691238;
export const LN2_LO = 1.9082149292705877e-10;
const INV_LN2 = 1.4426950408889634;
/** Adding and subtracting 1.5 × 2⁵² rounds to the nearest integer, ties to even. */
const ROUND = 6755399441055744;
const P1 = 0.16666666666666602;
const P2 = -0.0027777777777015593;
const P3 = 6.613756321437934e-5;
const P4 = -1.6533902205465252e-6;
const P5 = 4.1381367970572385e-8;
const LG1 = 0.6666666666666735;
const LG2 = 0.3999999999940942;
const LG3 = 0.2857142874366239;
const LG4 = 0.22222198432149784;
const LG5 = 0.1818357216161805;
const LG6 = 0.15313837699209373;
const LG7 = 0.14798198605116586;

const float = new Float64Array(1);
const words = new Int32Array(float.buffer);
/** Index of the word that holds sign and exponent. */
const high = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const low = 1 - high;

/** 2^k for −1022 ≤ k ≤ 1023. */
function powerOfTwo(k: number): number {
  words[high] = (k + 1023) << 20;
  words[low] = 0;
  return float[0]!;
}

/** eˣ. Infinity above 709.79; 0 below −707, where the subnormal numbers begin. */
export function exp(x: number): number {
  if (!(x >= -707)) return x < 0 ? 0 : Number.NaN;
  if (x > 709.782712893384) return Infinity;
  const k = x * INV_LN2 + ROUND - ROUND;
  const hi = x - k * LN2_HI;
  const lo = k * LN2_LO;
  const r = hi - lo;
  const t = r * r;
  const c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  const y = 1 - (lo - (r * c) / (2 - c) - hi);
  // 2ᵏ⁻¹ and then 2: 2ᵏ itself may be one too large.
  return y * powerOfTwo(k - 1) * 2;
}

/** Natural logarithm. −Infinity at 0, NaN below. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return x;
  let k = 0;
  let scaled = x;
  if (scaled < 2.2250738585072014e-308) {
    scaled *= 18014398509481984; // 2⁵⁴ lifts subnormals
    k = -54;
  }
  float[0] = scaled;
  // Bring the mantissa into [√2/2, √2).
  const bits = words[high]! + (0x3ff00000 - 0x3fe6a09e);
  k += (bits >> 20) - 1023;
  words[high] = (bits & 0xfffff) + 0x3fe6a09e;
  return logOnePlus(float[0]! - 1, k);
}

/** log(1 + f) + k log 2 for 1 + f in [√2/2, √2]. */
function logOnePlus(f: number, k: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const t1 = w * (LG2 + w * (LG4 + w * LG6));
  const t2 = z * (LG1 + w * (LG3 + w * (LG5 + w * LG7)));
  const half = 0.5 * f * f;
  return k * LN2_HI - (half - (s * (half + (t1 + t2)) + k * LN2_LO) - f);
}

/** log(1 + eˣ) without overflow: max(x, 0) + log(1 + e^−|x|). */
export function log1pExp(x: number): number {
  const e = exp(-Math.abs(x));
  // 1 + e in (√2, 2] is halved, so that both branches use the short series.
  const tail = e > 0.41421356237309503 ? logOnePlus((e - 1) * 0.5, 1) : logOnePlus(e, 0);
  return Math.max(x, 0) + tail;
}

/** 1 / (1 + e^−x), exact in both tails. */
export function sigmoid(x: number): number {
  const e = exp(-Math.abs(x));
  return (x >= 0 ? 1 : e) / (1 + e);
}

/** log(1 + x) for x > −1, accurate near 0. */
export function log1p(x: number): number {
  if (x > -0.29289321881345254 && x < 0.41421356237309503) return logOnePlus(x, 0);
  // (1 + x) is rounded; the correction term restores what was lost [Goldberg 1991, theorem 4].
  const u = 1 + x;
  return log(u) - (u - 1 - x) / u;
}

/** eˣ − 1, accurate near 0. */
export function expm1(x: number): number {
  if (Math.abs(x) > 0.5) return exp(x) - 1;
  // Kahan's form: the rounding of e^x cancels in (u − 1) · x / log u.
  const u = exp(x);
  if (u === 1) return x;
  return ((u - 1) * x) / log(u);
}

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  const e = expm1(-2 * Math.abs(x));
  const t = -e / (2 + e);
  return x < 0 ? -t : t;
}

/** xʸ for x ≥ 0. */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (x === 0) return y > 0 ? 0 : Infinity;
  if (Number.isInteger(y) && Math.abs(y) <= 64) return integerPower(x, y);
  return exp(y * log(x));
}

/** xᵏ by repeated squaring: exact operation order, so the same bits everywhere. */
function integerPower(x: number, k: number): number {
  let result = 1;
  let base = x;
  for (let n = Math.abs(k); n > 0; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return k < 0 ? 1 / result : result;
}

const INV_PIO2 = 0.6366197723675814;
/** π/2 in three pieces of 33 bits, so that k × piece is exact for |k| < 2²⁰ [fdlibm e_rem_pio2.c]. */
const PIO2_1 = 1.5707963267341256;
const PIO2_2 = 6.077100506303966e-11;
const PIO2_3 = 2.0222662487111665e-21;
const PIO2_3T = 8.4784276603689e-32;
const S1 = -0.16666666666666632;
const S2 = 0.00833333333332249;
const S3 = -1.984126982985795e-4;
const S4 = 2.7557313707070068e-6;
const S5 = -2.5050760253406863e-8;
const S6 = 1.58969099521155e-10;
const C1 = 0.0416666666666666;
const C2 = -0.001388888888887411;
const C3 = 2.480158728947673e-5;
const C4 = -2.7557314351390663e-7;
const C5 = 2.087572321298175e-9;
const C6 = -1.1359647557788195e-11;

/** sin(r + t) for |r| ≤ π/4, t the tail of r [fdlibm k_sin.c]. */
function sinNear(r: number, t: number): number {
  const z = r * r;
  const v = z * r;
  const tail = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  return r - (z * (0.5 * t - v * tail) - t - v * S1);
}

/** cos(r + t) for |r| ≤ π/4, t the tail of r [FreeBSD k_cos.c]. */
function cosNear(r: number, t: number): number {
  const z = r * r;
  const tail = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * tail - r * t));
}

/** sin(x + quarters × π/2) for |x| < 2²⁰ · π/2; NaN outside, where the reduction would lose its meaning. */
function sinShifted(x: number, quarters: number): number {
  if (!(Math.abs(x) < 1647099)) return Number.NaN;
  const k = x * INV_PIO2 + ROUND - ROUND;
  const first = x - k * PIO2_1;
  const second = first - k * PIO2_2;
  // What the second subtraction lost, plus the third piece of π/2.
  const tail = k * PIO2_3 - (first - second - k * PIO2_2) + k * PIO2_3T;
  const r = second - tail;
  const t = second - r - tail;
  switch ((k + quarters) & 3) {
    case 0:
      return sinNear(r, t);
    case 1:
      return cosNear(r, t);
    case 2:
      return -sinNear(r, t);
    default:
      return -cosNear(r, t);
  }
}

/** Sine, for |x| < 1.6 × 10⁶ (NaN beyond). */
export function sin(x: number): number {
  return sinShifted(x, 0);
}

/** Cosine, for |x| < 1.6 × 10⁶ (NaN beyond). */
export function cos(x: number): number {
  return sinShifted(x, 1);
}

/** log 2π, to the nearest double. */
export const LOG_TWO_PI = 1.8378770664093453;
