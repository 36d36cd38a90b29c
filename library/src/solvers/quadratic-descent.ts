import { quadraticSweeps } from "../numeric/columns.js";

/**
 * minimise over w:  ½ wᵀQw − cᵀw + l1‖w‖₁ + ½ l2‖w‖²,  the coordinates from `penalised` on free of both penalties.
 *
 * Q fits in memory, so a coordinate update costs `side` and not the number of rows. Updates w in place.
 */
export interface Quadratic {
  readonly q: Float64Array;
  readonly c: Float64Array;
  readonly side: number;
  readonly penalised: number;
}

export function minimiseQuadratic(
  where: string,
  problem: Quadratic,
  l1: number,
  l2: number,
  w: Float64Array,
  enough: number,
  sweeps = 10_000,
): number {
  const { q, c, side, penalised } = problem;
  const g = c.slice();
  for (let i = 0; i < side; i++) {
    if (w[i] === 0) continue;
    for (let j = 0; j < side; j++) g[j]! -= q[i * side + j]! * w[i]!;
  }
  return quadraticSweeps(where, q, side, penalised, w, g, l1, l2, sweeps, enough);
}
