import { Matrix } from "../../data/matrix.js";
import { streamedRows } from "../rows/dense-rows.js";
import { ALIGN } from "../rows/moments.js";
import { withArena } from "../runtime/arena.js";
import { cholesky } from "./cholesky.js";
import { gramInto, gramWork } from "./gram.js";
import { gemm } from "./products.js";

/** YᵀY. */
export function crossProducts(where: string, y: Matrix): Float64Array {
  const out = new Float64Array(y.cols * y.cols);
  withArena(where, (arena) => gramInto(gramWork(arena, streamedRows(arena, y, ALIGN), {}), out));
  return out;
}

/** Below this relative pivot a column depends on the others. */
const DEPENDENT = 1e-13;
/** Above this smallest pivot one pass leaves columns orthogonal to ten digits. */
const WELL_CONDITIONED = 1e-6;

/**
 * Orthonormal columns with the span of Y's, by the Cholesky factor of YᵀY; columns that depend on others become 0. A second pass
 * removes what rounding of the first left, if it was badly conditioned or `exact` digits are wanted.
 */
export function orthonormalColumns(where: string, y: Matrix, exact: boolean): Matrix {
  const first = normalised(where, y);
  if (!exact && first.smallestPivot > WELL_CONDITIONED) return first.q;
  return normalised(where, first.q).q;
}

function normalised(where: string, y: Matrix): { readonly q: Matrix; readonly smallestPivot: number } {
  const m = y.cols;
  const { lower, scale, smallestPivot } = cholesky(crossProducts(where, y), m, DEPENDENT, Infinity);
  const w = new Float64Array(m * m);
  // Row r of W = D L⁻ᵀ is D times column r of L⁻¹: forward substitution. Infinite pivots leave zeros.
  for (let r = 0; r < m; r++) {
    for (let c = r; c < m; c++) {
      let sum = c === r ? scale[r]! : 0;
      for (let k = r; k < c; k++) sum -= lower[c * m + k]! * w[r * m + k]!;
      w[r * m + c] = sum / lower[c * m + c]!;
    }
  }
  return { q: gemm(y, new Matrix(w, m, m)), smallestPivot };
}
