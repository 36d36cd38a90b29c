// @inline
const STEPS_PER_UNIT: f64 = 46.16624130844683;
// @inline
const STEP: f64 = 0.02166084939249829;
/** 1.5 · 2⁵²: adding it puts the nearest integer into the low bits. */
// @inline
const ROUND: f64 = 6755399441055744;
// @inline
const LEAST: f64 = -707;

/** 2^(j/32) for j = 0 … 31. */
const POWERS: usize = memory.data<f64>([
  1.0, 1.0218971486541166, 1.0442737824274138, 1.0671404006768237, 1.0905077326652577, 1.1143867425958924,
  1.1387886347566916, 1.1637248587775775, 1.189207115002721, 1.215247359980469, 1.241857812073484,
  1.2690509571917332, 1.2968395546510096, 1.3252366431597413, 1.3542555469368927, 1.383909881963832,
  1.4142135623730951, 1.4451808069770467, 1.4768261459394993, 1.5091644275934228, 1.5422108254079407,
  1.5759808451078865, 1.6104903319492543, 1.645755478153965, 1.681792830507429, 1.718619298122478,
  1.7562521603732995, 1.7947090750031072, 1.8340080864093424, 1.8741676341103, 1.9152065613971474,
  1.9571441241754002,
]);

/**
 * eˣ for x ≤ 0 in both lanes, 0 below −707, NaN for NaN: x = k ln 2/32 + r, and e^r is its series, so there is no division
 * [Tang 1989]. The relative error is about ε (1 + |x|), no larger than that caused by the rounding of x.
 */
// @inline
export function vexpBelow(x: v128): v128 {
  const clamped = f64x2.pmax(x, f64x2.splat(LEAST));
  const shifted = f64x2.add(f64x2.mul(clamped, f64x2.splat(STEPS_PER_UNIT)), f64x2.splat(ROUND));
  const r = f64x2.sub(clamped, f64x2.mul(f64x2.sub(shifted, f64x2.splat(ROUND)), f64x2.splat(STEP)));
  const square = f64x2.mul(r, r);
  const a = f64x2.add(f64x2.splat(0.5), f64x2.mul(r, f64x2.splat(1.0 / 6.0)));
  const b = f64x2.add(f64x2.splat(1.0 / 24.0), f64x2.mul(r, f64x2.splat(1.0 / 120.0)));
  const c = f64x2.add(b, f64x2.mul(square, f64x2.splat(1.0 / 720.0)));
  const less1 = f64x2.add(r, f64x2.mul(square, f64x2.add(a, f64x2.mul(square, c))));
  const power = f64x2.replace_lane(
    v128.load64_splat(POWERS + ((<usize>(i32x4.extract_lane(shifted, 0) & 31)) << 3)),
    1,
    load<f64>(POWERS + ((<usize>(i32x4.extract_lane(shifted, 2) & 31)) << 3)),
  );
  const value = f64x2.add(power, f64x2.mul(power, less1));
  // The bits above the lowest five are the exponent; those of ROUND are shifted out.
  const exponent = i64x2.shl(v128.and(shifted, i64x2.splat(~31)), 47);
  return v128.andnot(i64x2.add(value, exponent), f64x2.lt(x, f64x2.splat(LEAST)));
}
