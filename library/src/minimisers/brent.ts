/** (3 − √5) / 2: where a golden section divides an interval. */
const GOLDEN = 0.3819660112501051;

/**
 * A local minimum of a function of one number in (low, high), by parabolas through the three best points and golden sections where these do
 * not help [Brent 1973, chapter 5]. Stops when the interval is below 2 (tol |x| + 1e-12).
 */
export function minimiseOnInterval(
  f: (x: number) => number,
  low: number,
  high: number,
  { tol = 1e-9, maxIter = 200 } = {},
): { readonly x: number; readonly value: number } {
  let [a, b] = [low, high];
  let x = a + GOLDEN * (b - a);
  let [w, v] = [x, x];
  let fx = f(x);
  let [fw, fv] = [fx, fx];
  // The last step, and the one before it.
  let [step, before] = [0, 0];
  for (let iteration = 0; iteration < maxIter; iteration++) {
    const middle = (a + b) / 2;
    const near = tol * Math.abs(x) + 1e-12;
    if (Math.abs(x - middle) <= 2 * near - (b - a) / 2) break;
    const parabola = Math.abs(before) > near ? parabolicStep(x, w, v, fx, fw, fv) : Number.NaN;
    const fits = Math.abs(parabola) < Math.abs(before) / 2 && x + parabola > a && x + parabola < b;
    if (fits) {
      [before, step] = [step, parabola];
      if (x + step - a < 2 * near || b - x - step < 2 * near) step = x < middle ? near : -near;
    } else {
      before = x < middle ? b - x : a - x;
      step = GOLDEN * before;
    }
    const u = x + (Math.abs(step) >= near ? step : step > 0 ? near : -near);
    const fu = f(u);
    if (fu <= fx) {
      if (u < x) b = x;
      else a = x;
      [v, fv, w, fw, x, fx] = [w, fw, x, fx, u, fu];
      continue;
    }
    if (u < x) a = u;
    else b = u;
    if (fu <= fw || w === x) [v, fv, w, fw] = [w, fw, u, fu];
    else if (fu <= fv || v === x || v === w) [v, fv] = [u, fu];
  }
  return { x, value: fx };
}

/** From x to the vertex of the parabola through three points; NaN if they are on a line. */
function parabolicStep(x: number, w: number, v: number, fx: number, fw: number, fv: number): number {
  const r = (x - w) * (fx - fv);
  const q = (x - v) * (fx - fw);
  return ((x - w) * r - (x - v) * q) / (2 * (q - r));
}
