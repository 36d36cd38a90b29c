import { quadraticSweeps } from "../numeric/columns/gram-sweeps.js";
import { cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";

/**
 * minimise over w:   ½ wᵀQw − cᵀw + Σ l1_j |w_j| + ½ Σ l2_j w_j²
 *
 * Q fits in memory, so the cost of a coordinate update depends on its side, not on the number of rows. Sweeps find which coordinates are
 * zero and which sign the others have; given those, the problem is a linear system, which Cholesky solves directly where
 * sweeps converge too slowly (nearly dependent columns).
 */
export interface Quadratic {
  readonly q: Float64Array;
  readonly c: Float64Array;
  /** 0 where a coordinate is not penalised. */
  readonly l1: Float64Array;
  readonly l2: Float64Array;
}

/** Updates w in place until the violation of optimality is at most `tolerance` everywhere; returns the sweeps made. */
export function minimiseQuadratic(
  where: string,
  problem: Quadratic,
  w: Float64Array,
  tolerance: number,
  maxSweeps: number,
): number {
  const { q } = problem;
  const side = w.length;
  let sweeps = 0;
  let burst = 20;
  let largestCurvature = 0;
  for (let j = 0; j < side; j++)
    largestCurvature = Math.max(largestCurvature, q[j * side + j]! + problem.l2[j]!);
  // A step of size tolerance/Q_jj lowers the objective by tolerance²/2Q_jj.
  const enough = (0.5 * tolerance * tolerance) / (largestCurvature || 1);
  while (sweeps < maxSweeps) {
    const g = gradientOf(problem, w);
    if (violation(problem, g, w) <= tolerance) break;
    sweeps += quadraticSweeps(where, q, problem, w, g, Math.min(burst, maxSweeps - sweeps), enough);
    polishInto(problem, w);
    burst = Math.min(1000, 2 * burst);
  }
  return sweeps;
}

/** c − Qw. */
function gradientOf({ q, c }: Quadratic, w: Float64Array): Float64Array {
  const side = w.length;
  const g = c.slice();
  for (let i = 0; i < side; i++) {
    const wi = w[i]!;
    if (wi === 0) continue;
    for (let j = 0, at = i * side; j < side; j++, at++) g[j]! -= q[at]! * wi;
  }
  return g;
}

function violation({ l1, l2 }: Quadratic, g: Float64Array, w: Float64Array): number {
  let worst = 0;
  for (let j = 0; j < w.length; j++) {
    const pull = g[j]! - l2[j]! * w[j]!;
    const size = w[j] === 0 ? Math.abs(pull) - l1[j]! : Math.abs(pull - Math.sign(w[j]!) * l1[j]!);
    if (size > worst) worst = size;
  }
  return worst;
}

/** Solves for the non-zero coordinates with their signs fixed; keeps the answer if no sign changes. */
function polishInto({ q, c, l1, l2 }: Quadratic, out: Float64Array): void {
  const side = out.length;
  const live: number[] = [];
  for (let j = 0; j < side; j++) if (out[j] !== 0) live.push(j);
  const m = live.length;
  if (m === 0) return;
  const a = new Float64Array(m * m);
  const right = new Float64Array(m);
  for (let e = 0; e < m; e++) {
    const j = live[e]!;
    for (let f = 0; f < m; f++) a[e * m + f] = q[j * side + live[f]!]!;
    a[e * m + e]! += l2[j]!;
    right[e] = c[j]! - l1[j]! * Math.sign(out[j]!);
  }
  const factor = cholesky(a, m);
  if (factor.lifted > 0) return;
  const solved = new Float64Array(m);
  choleskySolveInto(factor, right, solved);
  const kept = live.every((j, e) => l1[j] === 0 || Math.sign(solved[e]!) === Math.sign(out[j]!));
  if (kept) for (let e = 0; e < m; e++) out[live[e]!] = solved[e]!;
}

/** A violation v of coordinate j costs about v²/2Q_jj: the largest one for which the objective is within `gap` of the minimum. */
export function violationFor(q: Float64Array, side: number, gap: number, l2: number): number {
  let largest = 0;
  for (let j = 0; j < side; j++) largest = Math.max(largest, q[j * side + j]!);
  return 0.1 * Math.sqrt((gap * (largest + l2)) / side);
}
