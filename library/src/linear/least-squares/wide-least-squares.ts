import type { Matrix } from "../../data/matrix.js";
import type { TargetsSet } from "../../data/targets.js";
import { cholesky, choleskySolveInto } from "../../numeric/linalg/cholesky.js";
import { triangularFactor } from "../../numeric/linalg/qr.js";
import { jacobiSvd } from "../../numeric/linalg/svd.js";
import { centredRows } from "../../numeric/rows/centred-rows.js";
import { gramOf } from "../../numeric/rows/moments.js";
import { dependentRowsSolver, refine, type Solve } from "./dependent-solution.js";

/** Below this pivot (of the matrix scaled to unit diagonal), inner products of rows have lost too many digits. */
export const NEARLY_DEPENDENT = 1e-7;

/** The rows of a wide problem, from which `solve` computes the coefficients of one target for one α. */
export interface WideSolutions {
  readonly mean: Float64Array;
  readonly yMean: Float64Array;
  /** The coefficients of target t. */
  solve(t: number, alpha: number): Float64Array;
}

/** w = Aᵀ(AAᵀ + αI)⁺ y for n < d; A the centred, weighted rows. AAᵀ is computed once, and factored once per α. */
export function wideSolutions(where: string, x: Matrix, set: TargetsSet, intercept: boolean): WideSolutions {
  const { rows: n, cols: d } = x;
  const { mean, yMean } = intercept
    ? means(x, set)
    : { mean: new Float64Array(d), yMean: new Float64Array(set.y.length) };
  // Transposed, so that the Gram kernel's rows are columns of X.
  const a = centredRows(x, mean, set.weights).transpose();
  const roots = intercept ? (set.weights?.map(Math.sqrt) ?? new Float64Array(n).fill(1)) : null;
  if (roots) removeFromRows(a, roots);
  const wide = new Float64Array((n + 1) * (n + 1));
  gramOf(where, a, undefined, wide);
  const k = new Float64Array(n * n);
  for (let i = 0; i < n; i++) k.set(wide.subarray(i * (n + 1), i * (n + 1) + n), i * n);
  const solvers = new Map<number, DualSolver>();
  const solve = (t: number, alpha: number) => {
    const solver = solvers.get(alpha) ?? solverOf(a, k, n, alpha, roots);
    solvers.set(alpha, solver);
    const y = set.y[t]!.map((v, i) => (v - yMean[t]!) * (set.weights ? Math.sqrt(set.weights[i]!) : 1));
    return refinedCoef(a, y, alpha, solver);
  };
  return { mean, yMean, solve };
}

/** Aᵀ times the dual solution, refined as often as the solver asks for. */
function refinedCoef(a: Matrix, y: Float64Array, alpha: number, { solve, rounds }: DualSolver): Float64Array {
  const { rows: d, cols: n } = a;
  const dualCoef = new Float64Array(n);
  const coef = new Float64Array(d);
  let left = y;
  for (let round = 1; ; round++) {
    const step = solve(left);
    for (let i = 0; i < n; i++) dualCoef[i]! += step[i]!;
    for (let j = 0; j < d; j++) for (let i = 0; i < n; i++) coef[j]! += a.data[j * n + i]! * step[i]!;
    if (round === rounds) return coef;
    left = y.map((v, i) => v - alpha * dualCoef[i]!);
    for (let j = 0; j < d; j++) for (let i = 0; i < n; i++) left[i]! -= a.data[j * n + i]! * coef[j]!;
  }
}

/** Subtracts from every row its component along `direction`: for centred rows, rounding of the means. */
function removeFromRows({ rows, cols, data }: Matrix, direction: Float64Array): void {
  const square = direction.reduce((sum, u) => sum + u * u, 0);
  for (let j = 0; j < rows; j++) {
    let part = 0;
    for (let i = 0; i < cols; i++) part += (data[j * cols + i]! * direction[i]!) / square;
    for (let i = 0; i < cols; i++) data[j * cols + i]! -= part * direction[i]!;
  }
}

function means(x: Matrix, set: TargetsSet): { mean: Float64Array; yMean: Float64Array } {
  const mean = new Float64Array(x.cols);
  const yMean = new Float64Array(set.y.length);
  let total = 0;
  for (let i = 0; i < x.rows; i++) {
    const s = set.weights ? set.weights[i]! : 1;
    total += s;
    for (let t = 0; t < yMean.length; t++) yMean[t]! += s * set.y[t]![i]!;
    for (let j = 0; j < x.cols; j++) mean[j]! += s * x.data[i * x.cols + j]!;
  }
  return { mean: mean.map((sum) => sum / total), yMean: yMean.map((sum) => sum / total) };
}

interface DualSolver {
  readonly solve: Solve;
  /** Steps of iterative refinement: w = Aᵀa loses digits where rows are nearly dependent and a is large. */
  readonly rounds: number;
}

/**
 * (K + αI)⁻¹ y with K = AAᵀ, or a solution a of least squares when K is singular and α does not help. Centring always
 * removes one dimension, that of the square roots u of the weights: y is orthogonal to it, so adding c uuᵀ to K makes it regular and
 * changes nothing.
 */
function solverOf(
  a: Matrix,
  k: Float64Array,
  n: number,
  alpha: number,
  roots: Float64Array | null,
): DualSolver {
  const whole = k.slice();
  let trace = 0;
  for (let i = 0; i < n; i++) trace += k[i * n + i]!;
  if (alpha === 0 && roots) {
    const square = roots.reduce((sum, u) => sum + u * u, 0);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) whole[i * n + j]! += (trace / (n * square)) * roots[i]! * roots[j]!;
    }
  }
  for (let i = 0; i < n; i++) {
    whole[i * n + i]! += alpha;
    // A row without weight is independent of the others.
    if (whole[i * n + i] === 0) whole[i * n + i] = trace / n || 1;
  }
  const factor = cholesky(whole, n);
  if (factor.smallestPivot > NEARLY_DEPENDENT) {
    const solve = (y: Float64Array) => {
      const out = new Float64Array(n);
      choleskySolveInto(factor, y, out);
      refine(whole, y, out, (r, to) => choleskySolveInto(factor, r, to));
      return out;
    };
    return { solve, rounds: 1 };
  }
  const dependent = alpha === 0 ? dependentRowsSolver(k, n, () => a) : null;
  return dependent ? { solve: dependent, rounds: 1 } : bySingularValues(a, n, alpha);
}

/** The same from A itself, which squares nothing: Aᵀ = QR, R = U S Vᵀ, a = V (S² + α)⁻¹ Vᵀ y. */
function bySingularValues(a: Matrix, n: number, alpha: number): DualSolver {
  const { r } = triangularFactor(a.rows, n, (j, out) => {
    out.set(a.data.subarray(j * n, (j + 1) * n));
    out[n] = 0;
  });
  const { values, v } = jacobiSvd(r, n);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const cut = Number.EPSILON * a.rows * largest;
  const solve = (y: Float64Array) => {
    const out = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      if (!(values[k]! > cut)) continue;
      let product = 0;
      for (let i = 0; i < n; i++) product += v[k * n + i]! * y[i]!;
      const weight = product / (values[k]! * values[k]! + alpha);
      for (let i = 0; i < n; i++) out[i]! += weight * v[k * n + i]!;
    }
    return out;
  };
  return { solve, rounds: 3 };
}
