import { cholesky, choleskySolveInto } from "../numeric/cholesky.js";
import { quadraticSweeps } from "../numeric/columns.js";

/**
 * minimise over w:  ½ wᵀQw − cᵀw + l1‖w‖₁ + ½ l2‖w‖²,  the coordinates from `penalised` on free of both penalties.
 *
 * Q fits in memory, so a coordinate update costs `side` and not the number of rows. Sweeps find which coordinates are
 * zero and which sign the others have; given those, the rest is a linear system, which Cholesky solves at once where
 * sweeps would take forever (nearly dependent columns).
 */
export interface Quadratic {
  readonly q: Float64Array;
  readonly c: Float64Array;
  readonly side: number;
  readonly penalised: number;
}

/** Updates w in place until the violation of optimality is at most `tolerance` everywhere; returns the sweeps made. */
export function minimiseQuadratic(
  where: string,
  problem: Quadratic,
  l1: number,
  l2: number,
  w: Float64Array,
  tolerance: number,
  maxSweeps: number,
): number {
  const { side } = problem;
  let sweeps = 0;
  let burst = 20;
  let enough = 0;
  for (let j = 0; j < side; j++) enough = Math.max(enough, problem.q[j * side + j]!);
  // A step of size tolerance/Q_jj lowers the objective by tolerance²/2Q_jj.
  enough = (0.5 * tolerance * tolerance) / (enough + l2 || 1);
  while (sweeps < maxSweeps) {
    const g = gradientOf(problem, w);
    if (violation(problem, g, w, l1, l2) <= tolerance) break;
    sweeps += quadraticSweeps(where, problem.q, side, problem.penalised, w, g, l1, l2, Math.min(burst, maxSweeps - sweeps), enough);
    polishInto(problem, l1, l2, w);
    burst = Math.min(1000, 2 * burst);
  }
  return sweeps;
}

/** c − Qw. */
function gradientOf({ q, c, side }: Quadratic, w: Float64Array): Float64Array {
  const g = c.slice();
  for (let i = 0; i < side; i++) {
    const wi = w[i]!;
    if (wi === 0) continue;
    for (let j = 0, at = i * side; j < side; j++, at++) g[j]! -= q[at]! * wi;
  }
  return g;
}

function violation({ side, penalised }: Quadratic, g: Float64Array, w: Float64Array, l1: number, l2: number): number {
  let worst = 0;
  for (let j = 0; j < side; j++) {
    const pull = j < penalised ? g[j]! - l2 * w[j]! : g[j]!;
    const size = j >= penalised ? Math.abs(pull) : w[j] === 0 ? Math.abs(pull) - l1 : Math.abs(pull - Math.sign(w[j]!) * l1);
    if (size > worst) worst = size;
  }
  return worst;
}

/** Solves for the non-zero coordinates with their signs fixed; keeps the answer if no sign changes. */
function polishInto({ q, c, side, penalised }: Quadratic, l1: number, l2: number, out: Float64Array): void {
  const live: number[] = [];
  for (let j = 0; j < side; j++) if (out[j] !== 0 || (j >= penalised && q[j * side + j]! > 0)) live.push(j);
  const m = live.length;
  if (m === 0) return;
  const a = new Float64Array(m * m);
  const right = new Float64Array(m);
  for (let e = 0; e < m; e++) {
    const j = live[e]!;
    for (let f = 0; f < m; f++) a[e * m + f] = q[j * side + live[f]!]!;
    if (j < penalised) a[e * m + e]! += l2;
    right[e] = c[j]! - (j < penalised ? l1 * Math.sign(out[j]!) : 0);
  }
  const factor = cholesky(a, m);
  if (factor.lifted > 0) return;
  const solved = new Float64Array(m);
  choleskySolveInto(factor, right, solved);
  const kept = live.every((j, e) => j >= penalised || l1 === 0 || Math.sign(solved[e]!) === Math.sign(out[j]!));
  if (kept) for (let e = 0; e < m; e++) out[live[e]!] = solved[e]!;
}
