import type { Matrix } from "../../data/matrix.js";
import { type CholeskyFactor, cholesky, choleskySolveInto } from "../../numeric/linalg/cholesky.js";
import { dependExactly } from "../../numeric/linalg/dependent-columns.js";
import { type IndependentColumns, independentColumns } from "../../numeric/linalg/pivoted-cholesky.js";

/** One step of iterative refinement: w ← w + A⁻¹(c − A w). */
export function refine(
  a: Float64Array,
  c: Float64Array,
  w: Float64Array,
  solve: (r: Float64Array, out: Float64Array) => void,
): void {
  const d = w.length;
  const residual = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    let product = 0;
    for (let j = 0; j < d; j++) product += a[i * d + j]! * w[j]!;
    residual[i] = c[i]! - product;
  }
  const correction = new Float64Array(d);
  solve(residual, correction);
  for (let j = 0; j < d; j++) w[j]! += correction[j]!;
}

/** Solves for one right-hand side. */
export type Solve = (right: Float64Array) => Float64Array;

/**
 * The solution of least norm when columns depend on each other exactly (copies, a full set of dummies): w_I solves for
 * the independent columns I, and X = X_I B spreads it over all of them.
 *
 *   w = Bᵀ(BBᵀ)⁻¹ w_I
 *
 * Null when, by the moments or the rows themselves, columns are nearly dependent only. `rows` returns the centred,
 * weighted rows.
 */
export function dependentSolver(q: Float64Array, d: number, rows: () => Matrix): Solve | null {
  const columns = independentColumns(q, d);
  return columns !== null && dependExactly(rows(), columns) ? spreadSolver(q, d, columns) : null;
}

/** The same where the columns are known to depend on each other exactly. */
export function spreadSolver(q: Float64Array, d: number, columns: IndependentColumns): Solve {
  const { chosen, rest, combination } = columns;
  const r = chosen.length;
  const qOwn = new Float64Array(r * r);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j < r; j++) qOwn[i * r + j] = q[chosen[i]! * d + chosen[j]!]!;
  }
  const outer = outerOf(columns);
  return (c) => {
    const pull = Float64Array.from(chosen, (j) => c[j]!);
    const own = new Float64Array(r);
    columns.solveInto(pull, own);
    refine(qOwn, pull, own, columns.solveInto);
    const shared = new Float64Array(r);
    choleskySolveInto(outer, own, shared);
    const w = new Float64Array(d);
    for (let i = 0; i < r; i++) {
      w[chosen[i]!] = shared[i]!;
      for (let e = 0; e < rest.length; e++) w[rest[e]!]! += combination[i * rest.length + e]! * shared[i]!;
    }
    return w;
  };
}

/** Rows that depend on each other exactly, A = Bᵀ A_I: a_I = K_II⁻¹(BBᵀ)⁻¹ B y, and 0 for the rest. */
export function dependentRowsSolver(k: Float64Array, n: number, columns: () => Matrix): Solve | null {
  const rows = independentColumns(k, n);
  if (rows === null || !dependExactly(columns(), rows)) return null;
  const { chosen, rest, combination } = rows;
  const outer = outerOf(rows);
  return (y) => {
    const target = Float64Array.from(chosen, (i, e) => {
      let sum = y[i]!;
      for (let c = 0; c < rest.length; c++) sum += combination[e * rest.length + c]! * y[rest[c]!]!;
      return sum;
    });
    const fitted = new Float64Array(chosen.length);
    choleskySolveInto(outer, target, fitted);
    const own = new Float64Array(chosen.length);
    rows.solveInto(fitted, own);
    const out = new Float64Array(n);
    for (let e = 0; e < own.length; e++) out[chosen[e]!] = own[e]!;
    return out;
  };
}

/** The factor of BBᵀ = I + TTᵀ. */
function outerOf({ chosen, rest, combination }: IndependentColumns): CholeskyFactor {
  const r = chosen.length;
  const m = rest.length;
  const outer = new Float64Array(r * r);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : 0;
      for (let e = 0; e < m; e++) sum += combination[i * m + e]! * combination[j * m + e]!;
      outer[i * r + j] = sum;
      outer[j * r + i] = sum;
    }
  }
  return cholesky(outer, r);
}
