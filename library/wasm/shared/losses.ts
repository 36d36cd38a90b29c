import { vexp, vlog1pUnit } from "./elementary";
import {
  ABSOLUTE,
  EPSILON_INSENSITIVE,
  EXPONENTIAL,
  HINGE,
  HUBER,
  LOGISTIC,
  MODIFIED_HUBER,
  PERCEPTRON,
  POISSON,
  QUANTILE,
  SQUARED,
  SQUARED_HINGE,
} from "./losses.layout";

// @inline
function select(mask: v128, yes: v128, no: v128): v128 {
  return v128.bitselect(yes, no, mask);
}

/**
 * The losses of one margin, two rows at a time: value ℓ(z, y), first and second derivative in z.
 *
 * For `count` rows (even): reads z and y, multiplies by the row weights at `s` (0 = all 1), writes s·ℓ′ to r and, if `h` is
 * not 0, s·ℓ″ to h. Returns Σ s·ℓ. One function, since AssemblyScript cannot return three values without memory or globals.
 */
export function lossBlock(
  kind: i32,
  p: f64,
  z: usize,
  y: usize,
  s: usize,
  r: usize,
  h: usize,
  count: i32,
): f64 {
  let total = f64x2.splat(0);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const param = f64x2.splat(p);
  for (let i: i32 = 0; i < count; i += 2) {
    const at = (<usize>i) << 3;
    const zi = v128.load(z + at);
    const yi = v128.load(y + at);
    let value = zero;
    let derivative = zero;
    let curvature = zero;
    if (kind == LOGISTIC) {
      const m = f64x2.mul(yi, zi);
      const e = vexp(f64x2.neg(f64x2.abs(m)));
      const inv = f64x2.div(one, f64x2.add(one, e));
      // σ(−m): e/(1+e) where m ≥ 0, 1/(1+e) where m < 0
      const q = f64x2.mul(select(f64x2.ge(m, zero), e, one), inv);
      value = f64x2.add(f64x2.pmax(f64x2.neg(m), zero), vlog1pUnit(e));
      derivative = f64x2.neg(f64x2.mul(yi, q));
      curvature = f64x2.mul(f64x2.mul(e, inv), inv);
    } else if (kind == SQUARED) {
      const d = f64x2.sub(zi, yi);
      value = f64x2.mul(f64x2.mul(d, d), f64x2.splat(0.5));
      derivative = d;
      curvature = one;
    } else if (kind == SQUARED_HINGE) {
      const gap = f64x2.pmax(f64x2.sub(one, f64x2.mul(yi, zi)), zero);
      value = f64x2.mul(gap, gap);
      derivative = f64x2.mul(f64x2.splat(-2), f64x2.mul(yi, gap));
      curvature = v128.and(f64x2.gt(gap, zero), f64x2.splat(2));
    } else if (kind == HINGE) {
      const gap = f64x2.sub(one, f64x2.mul(yi, zi));
      const on = f64x2.gt(gap, zero);
      value = v128.and(on, gap);
      derivative = v128.and(on, f64x2.neg(yi));
    } else if (kind == PERCEPTRON) {
      const gap = f64x2.neg(f64x2.mul(yi, zi));
      const on = f64x2.ge(gap, zero);
      value = f64x2.max(gap, zero);
      derivative = v128.and(on, f64x2.neg(yi));
    } else if (kind == EXPONENTIAL) {
      const e = vexp(f64x2.neg(f64x2.mul(yi, zi)));
      value = e;
      derivative = f64x2.neg(f64x2.mul(yi, e));
      curvature = e;
    } else if (kind == POISSON) {
      const mu = vexp(zi);
      value = f64x2.sub(mu, f64x2.mul(yi, zi));
      derivative = f64x2.sub(mu, yi);
      curvature = mu;
    } else if (kind == MODIFIED_HUBER) {
      const m = f64x2.mul(yi, zi);
      const gap = f64x2.pmax(f64x2.sub(one, m), zero);
      const far = f64x2.lt(m, f64x2.splat(-1));
      value = select(far, f64x2.mul(f64x2.splat(-4), m), f64x2.mul(gap, gap));
      derivative = f64x2.mul(yi, select(far, f64x2.splat(-4), f64x2.mul(f64x2.splat(-2), gap)));
      curvature = v128.andnot(v128.and(f64x2.gt(gap, zero), f64x2.splat(2)), far);
    } else {
      const d = f64x2.sub(zi, yi);
      const size = f64x2.abs(d);
      const sign = v128.or(v128.and(d, f64x2.splat(-0.0)), one);
      if (kind == HUBER) {
        const near = f64x2.le(size, param);
        const half = f64x2.mul(param, f64x2.splat(0.5));
        value = select(
          near,
          f64x2.mul(f64x2.mul(d, d), f64x2.splat(0.5)),
          f64x2.mul(param, f64x2.sub(size, half)),
        );
        derivative = select(near, d, f64x2.mul(param, sign));
        curvature = v128.and(near, one);
      } else if (kind == ABSOLUTE) {
        value = size;
        derivative = v128.and(f64x2.gt(size, zero), sign);
      } else if (kind == QUANTILE) {
        // ℓ = τ(y − z) above the line, (1 − τ)(z − y) below
        const over = f64x2.gt(d, zero);
        const weight = select(over, f64x2.sub(one, param), param);
        value = f64x2.mul(weight, size);
        derivative = v128.and(f64x2.gt(size, zero), f64x2.mul(weight, sign));
      } else {
        const gap = f64x2.sub(size, param);
        const on = f64x2.gt(gap, zero);
        if (kind == EPSILON_INSENSITIVE) {
          value = v128.and(on, gap);
          derivative = v128.and(on, sign);
        } else {
          value = v128.and(on, f64x2.mul(gap, gap));
          derivative = v128.and(on, f64x2.mul(f64x2.mul(f64x2.splat(2), gap), sign));
          curvature = v128.and(on, f64x2.splat(2));
        }
      }
    }
    if (s != 0) {
      const w = v128.load(s + at);
      value = f64x2.mul(value, w);
      derivative = f64x2.mul(derivative, w);
      curvature = f64x2.mul(curvature, w);
    }
    total = f64x2.add(total, value);
    v128.store(r + at, derivative);
    if (h != 0) v128.store(h + at, curvature);
  }
  return f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1);
}

/** `lossBlock` for any `count` of rows from row i on. An odd last row is paired with a copy of itself: every array is padded by one double for this. */
// @inline
export function lossRows(
  kind: i32,
  p: f64,
  z: usize,
  y: usize,
  s: usize,
  r: usize,
  h: usize,
  i: i32,
  count: i32,
): f64 {
  const at = (<usize>i) << 3;
  const sAt = s == 0 ? 0 : s + at;
  const hAt = h == 0 ? 0 : h + at;
  const whole = count & ~1;
  const loss = lossBlock(kind, p, z + at, y + at, sAt, r + at, hAt, whole);
  return whole < count ? loss + lossLast(kind, p, z, y, s, r, h, i + whole) : loss;
}

function lossLast(kind: i32, p: f64, z: usize, y: usize, s: usize, r: usize, h: usize, i: i32): f64 {
  const at = (<usize>i) << 3;
  store<f64>(z + at, load<f64>(z + at), 8);
  store<f64>(y + at, load<f64>(y + at), 8);
  if (s != 0) store<f64>(s + at, load<f64>(s + at), 8);
  return 0.5 * lossBlock(kind, p, z + at, y + at, s == 0 ? 0 : s + at, r + at, h == 0 ? 0 : h + at, 2);
}
