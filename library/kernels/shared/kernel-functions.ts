import { logOf, vexp } from "./elementary";

/** Kernel functions, numbered as in src/kernel/kernels.ts. */
export const LINEAR: i32 = 0;
export const POLYNOMIAL: i32 = 1;
export const SIGMOID: i32 = 2;
export const GAUSSIAN: i32 = 3;
export const EXPONENTIAL: i32 = 4;
export const MULTIQUADRIC: i32 = 5;
export const INVERSE_MULTIQUADRIC: i32 = 6;
export const RATIONAL_QUADRATIC: i32 = 7;
export const THIN_PLATE: i32 = 8;

/**
 * Turns dot products z_t = x·y_t into k(x, y_t), in place, for `count` (even) of them; norms are ‖y_t‖², norm is ‖x‖².
 *
 *   with products:   a z + c,   (a z + c)^degree,   tanh(a z + c)
 *   with distances r = ‖x − y‖:   e^(−a r²),   e^(−a r),   √(r² + c²),   1/√(r² + c²),   1 − r²/(r² + c),   r² log r
 */
export function kernelInto(
  kind: i32, a: f64, c: f64, degree: i32, norm: f64, norms: usize, count: i32, z: usize,
): void {
  const av = f64x2.splat(a);
  const cv = f64x2.splat(c);
  const end = z + (<usize>count << 3);
  if (kind == GAUSSIAN) {
    const scale = f64x2.splat(-a);
    const own = f64x2.splat(norm);
    for (; z < end; z += 16, norms += 16) v128.store(z, vexp(f64x2.mul(scale, squareOf(own, v128.load(norms), v128.load(z)))));
    return;
  }
  if (kind <= SIGMOID) {
    for (; z < end; z += 16) {
      const value = f64x2.add(f64x2.mul(av, v128.load(z)), cv);
      if (kind == LINEAR) v128.store(z, value);
      else if (kind == POLYNOMIAL) {
        let power = f64x2.splat(1);
        for (let k: i32 = 0; k < degree; k++) power = f64x2.mul(power, value);
        v128.store(z, power);
      } else v128.store(z, vtanh(value));
    }
    return;
  }
  const own = f64x2.splat(norm);
  for (; z < end; z += 16, norms += 16) {
    const square = squareOf(own, v128.load(norms), v128.load(z));
    let value: v128;
    if (kind == EXPONENTIAL) value = vexp(f64x2.neg(f64x2.mul(av, f64x2.sqrt(square))));
    else if (kind == RATIONAL_QUADRATIC) {
      value = f64x2.sub(f64x2.splat(1), f64x2.div(square, f64x2.add(square, cv)));
    } else if (kind == THIN_PLATE) {
      value = f64x2.replace_lane(
        f64x2.splat(plate(f64x2.extract_lane(square, 0))), 1, plate(f64x2.extract_lane(square, 1)),
      );
    } else {
      const root = f64x2.sqrt(f64x2.add(square, f64x2.mul(cv, cv)));
      value = kind == MULTIQUADRIC ? root : f64x2.div(f64x2.splat(1), root);
    }
    v128.store(z, value);
  }
}

/** ‖x‖² + ‖y‖² − 2 x·y, not below 0. */
// @ts-ignore: decorator
@inline
function squareOf(own: v128, other: v128, dot: v128): v128 {
  return f64x2.pmax(f64x2.sub(f64x2.add(own, other), f64x2.add(dot, dot)), f64x2.splat(0));
}

/** (1 − e)/(1 + e) with e = e^(−2|z|), and the sign of z. */
// @ts-ignore: decorator
@inline
function vtanh(z: v128): v128 {
  const e = vexp(f64x2.mul(f64x2.splat(-2), f64x2.abs(z)));
  const t = f64x2.div(f64x2.sub(f64x2.splat(1), e), f64x2.add(f64x2.splat(1), e));
  return v128.or(t, v128.and(z, f64x2.splat(-0.0)));
}

/** r² log r = ½ r² log r². */
@inline
function plate(square: f64): f64 {
  if (square < 1e-300) return 0;
  return 0.5 * square * (square >= 1 ? logOf(square) : -logOf(1 / square));
}

/**
 * out[t − from] = point · x_t for t = from … to − 1, both multiples of 8 (or padded): x lies in panels of eight points,
 * feature by feature, so that no sum has to be made across lanes.
 */
export function panelDots(point: usize, d: i32, x: usize, from: i32, to: i32, out: usize): void {
  const end = point + (<usize>d << 3);
  for (let t = from; t < to; t += 8, out += 64) {
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    let panel = x + ((<usize>(t >> 3) * <usize>d) << 6);
    for (let feature = point; feature < end; feature += 8, panel += 64) {
      const v = v128.load64_splat(feature);
      s0 = f64x2.add(s0, f64x2.mul(v, v128.load(panel)));
      s1 = f64x2.add(s1, f64x2.mul(v, v128.load(panel, 16)));
      s2 = f64x2.add(s2, f64x2.mul(v, v128.load(panel, 32)));
      s3 = f64x2.add(s3, f64x2.mul(v, v128.load(panel, 48)));
    }
    v128.store(out, s0);
    v128.store(out, s1, 16);
    v128.store(out, s2, 32);
    v128.store(out, s3, 48);
  }
}
