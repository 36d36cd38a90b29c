import { entry, expOf, step } from "./exponentials";

/**
 * The normal distribution, for gelu. With s = |x| the tail is
 *
 *   Φ(−s) = e^(−s²/2) · t · P(2t − 1),      t = K/(K + s),
 *
 * where P is fitted at Chebyshev nodes for 0 ≤ s ≤ 14 (floats, degree 8, K = 4.75) or 39 (doubles, degree 21,
 * K = 3.5). Errors of Φ: 2 × 10⁻⁷ and 4 × 10⁻¹⁶, relative to the tail 4 × 10⁻⁷ and 4 × 10⁻¹⁵.
 */

/** Coefficients of P, the highest power first. */
const TAIL32 = memory.data<f32>([
  -0.00027368919108994305, -5.0355622079223394e-5, 0.0024309835862368345, 0.010659766383469105,
  0.02907465398311615, 0.05982803925871849, 0.09938203543424606, 0.13759776949882507, 0.1613508015871048,
]);
const TAIL64 = memory.data<f64>([
  8.86987459164852e-10, -5.377380370724169e-9, 5.889151042998587e-9, 2.7860361387086548e-8,
  -7.769019859811234e-8, -3.471542216202121e-8, 4.1572993110928657e-7, -3.358352386181356e-7,
  -1.610548703987319e-6, 3.2884074212033466e-6, 5.366605018776592e-6, -2.1595706725391664e-5,
  -1.9151955246161658e-5, 0.0001361877352135951, 0.0001271465001135057, -0.0009111717246924575,
  -0.0018503482583718852, 0.004973666457427793, 0.03315740820386997, 0.09012141996799172, 0.1615890903010812,
  0.2126903072674109,
]);

function tail32(u: v128): v128 {
  let p = entry<f32>(TAIL32, 0);
  for (let i = 1; i < 9; i++) p = step<f32>(p, u, TAIL32, i);
  return p;
}

function tail64(u: v128): v128 {
  let p = entry<f64>(TAIL64, 0);
  for (let i = 1; i < 22; i++) p = step<f64>(p, u, TAIL64, i);
  return p;
}

/** e^(−x²/2). */
// @inline
export function bell<T>(x: v128): v128 {
  return expOf<T>(v128.mul<T>(v128.mul<T>(x, x), v128.splat<T>(<T>-0.5)));
}

/** Φ(x), given e^(−x²/2). */
// @inline
export function normalCdf<T>(x: v128, density: v128): v128 {
  const one = v128.splat<T>(1);
  const k = v128.splat<T>(<T>(sizeof<T>() == 4 ? 4.75 : 3.5));
  const t = v128.div<T>(k, v128.add<T>(k, v128.abs<T>(x)));
  const u = v128.sub<T>(v128.add<T>(t, t), one);
  const p = sizeof<T>() == 4 ? tail32(u) : tail64(u);
  const tail = v128.mul<T>(density, v128.mul<T>(t, p));
  return v128.bitselect(tail, v128.sub<T>(one, tail), v128.lt<T>(x, v128.splat<T>(0)));
}
