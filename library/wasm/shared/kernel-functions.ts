import { logOf, vexp } from "./elementary";
import {
  EXPONENTIAL,
  GAUSSIAN,
  KernelStep,
  LINEAR,
  MULTIQUADRIC,
  POLYNOMIAL,
  RATIONAL_QUADRATIC,
  SIGMOID,
  SUM,
  THIN_PLATE,
} from "./kernel-functions.layout";
import { storeFour } from "./lanes";
import { vexpBelow } from "./negative-exp";

/**
 * Turns dot products z_t = x·y_t into k(x, y_t), in place, for `count` (even) of them; norms are ‖y_t‖², norm is ‖x‖².
 *
 * program   `length` steps, operands before their operation (src/numeric/kernel-functions/kernel-tree.ts writes it)
 * stack     `count` doubles per pending value, if there is more than one step
 */
export function kernelInto(
  program: usize,
  length: i32,
  norm: f64,
  norms: usize,
  count: i32,
  z: usize,
  stack: usize,
): void {
  if (length == 1) {
    formulaInto(program, norm, norms, count, z);
    return;
  }
  const bytes = (<usize>count) << 3;
  let top = stack;
  for (let s: i32 = 0; s < length; s++) {
    const step = program + <usize>s * offsetof<KernelStep>();
    const operation = <i32>changetype<KernelStep>(step).operation;
    if (operation >= 0) {
      memory.copy(top, z, bytes);
      formulaInto(step, norm, norms, count, top);
      top += bytes;
    } else {
      top -= bytes;
      joinInto(operation == SUM, top, bytes, top - bytes);
    }
  }
  memory.copy(z, stack, bytes);
}

function joinInto(adds: bool, from: usize, bytes: usize, out: usize): void {
  for (let e: usize = 0; e < bytes; e += 16) {
    const a = v128.load(out + e);
    const b = v128.load(from + e);
    v128.store(out + e, adds ? f64x2.add(a, b) : f64x2.mul(a, b));
  }
}

/**
 * One formula, as above.
 *
 *   with products:   a z + c,   (a z + c)^degree,   tanh(a z + c)
 *   with distances r = ‖x − y‖:   e^(−a r²),   e^(−a r),   √(r² + c²),   1/√(r² + c²),   1 − r²/(r² + c),   r² log r
 */
function formulaInto(at: usize, norm: f64, norms: usize, count: i32, z: usize): void {
  const step = changetype<KernelStep>(at);
  const kind = <i32>step.operation;
  const a = step.a;
  const av = f64x2.splat(a);
  const cv = f64x2.splat(step.c);
  const degree = <i32>step.degree;
  const end = z + ((<usize>count) << 3);
  const own = f64x2.splat(norm);
  if (kind == GAUSSIAN) {
    const scale = f64x2.splat(-a);
    for (; z < end; z += 16, norms += 16)
      v128.store(z, vexpBelow(f64x2.mul(scale, squareOf(own, v128.load(norms), v128.load(z)))));
    return;
  }
  if (kind <= SIGMOID) {
    for (; z < end; z += 16) {
      const value = f64x2.add(f64x2.mul(av, v128.load(z)), cv);
      if (kind == LINEAR) v128.store(z, value);
      else v128.store(z, kind == POLYNOMIAL ? powerOf(value, degree) : vtanh(value));
    }
    return;
  }
  for (; z < end; z += 16, norms += 16) {
    const square = squareOf(own, v128.load(norms), v128.load(z));
    let value: v128;
    if (kind == EXPONENTIAL) value = vexpBelow(f64x2.neg(f64x2.mul(av, f64x2.sqrt(square))));
    else if (kind == RATIONAL_QUADRATIC) {
      value = f64x2.sub(f64x2.splat(1), f64x2.div(square, f64x2.add(square, cv)));
    } else if (kind == THIN_PLATE) {
      value = f64x2.replace_lane(
        f64x2.splat(plate(f64x2.extract_lane(square, 0))),
        1,
        plate(f64x2.extract_lane(square, 1)),
      );
    } else {
      const root = f64x2.sqrt(f64x2.add(square, f64x2.mul(cv, cv)));
      value = kind == MULTIQUADRIC ? root : f64x2.div(f64x2.splat(1), root);
    }
    v128.store(z, value);
  }
}

/** ‖x‖² + ‖y‖² − 2 x·y, not below 0. */
// @inline
function squareOf(own: v128, other: v128, dot: v128): v128 {
  return f64x2.pmax(f64x2.sub(f64x2.add(own, other), f64x2.add(dot, dot)), f64x2.splat(0));
}

/** Exponentiation by squaring: one product per binary digit of the degree, and one per 1 digit. */
// @inline
function powerOf(value: v128, degree: i32): v128 {
  let power = f64x2.splat(1);
  for (let base = value, k = degree; k > 0; k >>= 1) {
    if (k & 1) power = f64x2.mul(power, base);
    base = f64x2.mul(base, base);
  }
  return power;
}

/** (1 − e)/(1 + e) with e = e^(−2|z|), and the sign of z. */
// @inline
function vtanh(z: v128): v128 {
  const e = vexp(f64x2.mul(f64x2.splat(-2), f64x2.abs(z)));
  const t = f64x2.div(f64x2.sub(f64x2.splat(1), e), f64x2.add(f64x2.splat(1), e));
  return v128.or(t, v128.and(z, f64x2.splat(-0.0)));
}

/** r² log r = ½ r² log r². */
// @inline
function plate(square: f64): f64 {
  if (square < 1e-300) return 0;
  return 0.5 * square * (square >= 1 ? logOf(square) : -logOf(1 / square));
}

/**
 * out[t − from] = point · x_t for t = from … to − 1, both multiples of 8 (or padded): x is stored in panels of eight points,
 * feature by feature, so that no horizontal sum is needed. Two panels at a time: eight running sums hide the latency of
 * additions.
 */
export function panelDots(point: usize, d: i32, x: usize, from: i32, to: i32, out: usize): void {
  const end = point + ((<usize>d) << 3);
  const width = (<usize>d) << 6;
  let t = from;
  for (; t + 8 < to; t += 16, out += 128) {
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    let s4 = f64x2.splat(0);
    let s5 = f64x2.splat(0);
    let s6 = f64x2.splat(0);
    let s7 = f64x2.splat(0);
    let panel = x + <usize>(t >> 3) * width;
    let next = panel + width;
    for (let feature = point; feature < end; feature += 8, panel += 64, next += 64) {
      const v = v128.load64_splat(feature);
      s0 = f64x2.add(s0, f64x2.mul(v, v128.load(panel)));
      s1 = f64x2.add(s1, f64x2.mul(v, v128.load(panel, 16)));
      s2 = f64x2.add(s2, f64x2.mul(v, v128.load(panel, 32)));
      s3 = f64x2.add(s3, f64x2.mul(v, v128.load(panel, 48)));
      s4 = f64x2.add(s4, f64x2.mul(v, v128.load(next)));
      s5 = f64x2.add(s5, f64x2.mul(v, v128.load(next, 16)));
      s6 = f64x2.add(s6, f64x2.mul(v, v128.load(next, 32)));
      s7 = f64x2.add(s7, f64x2.mul(v, v128.load(next, 48)));
    }
    storeFour(out, s0, s1, s2, s3);
    storeFour(out + 64, s4, s5, s6, s7);
  }
  if (t >= to) return;
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let panel = x + <usize>(t >> 3) * width;
  for (let feature = point; feature < end; feature += 8, panel += 64) {
    const v = v128.load64_splat(feature);
    s0 = f64x2.add(s0, f64x2.mul(v, v128.load(panel)));
    s1 = f64x2.add(s1, f64x2.mul(v, v128.load(panel, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v, v128.load(panel, 32)));
    s3 = f64x2.add(s3, f64x2.mul(v, v128.load(panel, 48)));
  }
  storeFour(out, s0, s1, s2, s3);
}

/** The product of a dense point with a row of sparse ones: entries `from` … `to` − 1 of its columns and values. */
// @inline
export function sparseDot(point: usize, columns: usize, values: usize, from: i32, to: i32): f64 {
  let sum: f64 = 0;
  for (let e = from; e < to; e++) {
    const j = <usize>load<i32>(columns + ((<usize>e) << 2));
    sum += load<f64>(point + (j << 3)) * load<f64>(values + ((<usize>e) << 3));
  }
  return sum;
}
