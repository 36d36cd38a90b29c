import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { marginLoss } from "../losses/loss.js";
import { columnSvd } from "../numeric/linalg/column-svd.js";
import type { Problem } from "./problem.js";

/** Rounding error of a gradient of n rows, relative to √n times the sum of the absolute values of its terms. */
const ROUNDED = 8 * Number.EPSILON;

/**
 * The Newton decrement ½ vᵀM⁻¹v where columns are too nearly dependent for M = AᵀA to be factored: from the singular values of
 * A itself, whose rows are √(s ℓ″) [x, 1] and √l2 times those of the identity, restricted to the coordinates `free`.
 * Infinity if v has a component along which no row has curvature. For losses of one margin.
 */
export function rowDecrement(
  problem: Problem,
  theta: Float64Array,
  v: Float64Array,
  free: readonly number[],
  l2: number,
): { readonly gap: number; readonly direction: Float64Array } {
  const direction = new Float64Array(theta.length);
  const { a, sizes } = curvedRows(problem, theta, free, l2);
  const { lengths, values, directions, nullSpace } = columnSvd(a, [], new Float64Array(a.cols));
  const m = free.length;
  for (let at = 0; at < nullSpace.length; at += m) {
    let [part, size] = [0, 0];
    for (let e = 0; e < m; e++) {
      part += nullSpace[at + e]! * v[free[e]!]!;
      size += Math.abs(nullSpace[at + e]!) * sizes[e]!;
    }
    if (Math.abs(part) > ROUNDED * Math.sqrt(problem.x.rows) * size) return { gap: Infinity, direction };
  }
  let gap = 0;
  for (let k = 0; k < values.length; k++) {
    let u = 0;
    for (let e = 0; e < m; e++)
      if (lengths[e]! > 0) u += (directions[k * m + e]! * v[free[e]!]!) / lengths[e]!;
    const along = u / values[k]! / values[k]!;
    gap += 0.5 * u * along;
    for (let e = 0; e < m; e++)
      if (lengths[e]! > 0) direction[free[e]!]! -= (along * directions[k * m + e]!) / lengths[e]!;
  }
  return { gap, direction };
}

/** The rows, and the sum of |s ℓ′ x| in each of their columns. */
function curvedRows(
  problem: Problem,
  theta: Float64Array,
  free: readonly number[],
  l2: number,
): { a: Matrix; sizes: Float64Array } {
  const { y, weights } = problem;
  const loss = marginLoss(problem.loss);
  const x = problem.x instanceof CsrMatrix ? problem.x.toDense() : problem.x;
  const d = x.cols;
  const m = free.length;
  const sizes = new Float64Array(m);
  const out = Matrix.zeros(l2 > 0 ? x.rows + m : x.rows, m);
  for (let i = 0; i < x.rows; i++) {
    let z = theta[d]!;
    for (let j = 0; j < d; j++) z += x.data[i * d + j]! * theta[j]!;
    const s = weights ? weights[i]! : 1;
    const root = Math.sqrt(s * loss.curvature(z, y[i]!));
    const derivative = Math.abs(s * loss.derivative(z, y[i]!));
    for (let e = 0; e < m; e++) {
      const entry = free[e]! < d ? x.data[i * d + free[e]!]! : 1;
      out.data[i * m + e] = root * entry;
      sizes[e]! += derivative * Math.abs(entry);
    }
  }
  if (l2 > 0) for (let e = 0; e < m; e++) if (free[e]! < d) out.data[(x.rows + e) * m + e] = Math.sqrt(l2);
  return { a: out, sizes };
}
