import { DataError } from "../core/errors.js";
import type { Magnitude, Minimum, Preconditioners } from "../minimisers/smooth-function.js";

/** The terms of J besides the sum over rows: penalties, a constraint, and whether intercepts are learned. */
export interface Regularisation {
  readonly intercept: boolean;
  readonly l1: number;
  readonly l2: number;
  readonly ball: Ball | null;
}

export interface Ball {
  readonly norm: "l1" | "l2";
  readonly radius: number;
}

/** F, the sum over rows, as a function of θ. Hessians are those at the point evaluated last. */
export interface DataTerm {
  readonly size: number;
  /** F(θ); writes ∇F(θ) to `gradientOut` if present. */
  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number;
  /** ∇²F: (cols + 1)² for one output, size² for more. */
  hessianInto(out: Float64Array): void;
  hessianVectorInto(v: Float64Array, out: Float64Array): void;
  /** The diagonal of ∇²F; with a stride it may be estimated from every `stride`-th row. */
  hessianDiagonalInto(out: Float64Array, stride?: number): void;
}

/** The layout of θ: `outputs` blocks of [w, b], each `cols` + 1 long. */
export interface Blocks {
  readonly cols: number;
  readonly outputs: number;
}

/**
 * What solvers minimise:
 *
 *   J(θ) = F(θ) + ½ l2 ‖w‖² + l1 ‖w‖₁      subject to  w ∈ the ball, if there is one
 *
 * Intercepts b are never penalised; without intercepts they stay 0. Solvers use only functions and numbers, no data and no
 * statistics.
 */
export interface Objective extends DataTerm, Blocks, Regularisation {
  /** Of F: Σ of the row weights, or where y has a unit F of a constant, and F of a perfect fit from the rounding of y. */
  readonly magnitude: Magnitude;
  /** Until the next `evaluate` the Hessian is that of a quadratic majorant of F, for losses with linear tails. */
  majorise?(): void;
  /** Of the Hessian of F + ½ l2 ‖w‖². */
  readonly preconditioners: Preconditioners;
  close(): void;
}

/** The result of a solver: `objective` is J(θ), `gradientNorm` that of the least subgradient where J has kinks. */
export interface Solution extends Omit<Minimum, "gradient"> {
  /** ∇(F + ½ l2‖w‖²) at θ, where the solver evaluated it there. */
  readonly gradient?: Float64Array;
  /** The gap that the solver's own stopping rule allows, where it is not tol² of J. */
  readonly enough?: number;
}

/** F + ½ l2 ‖w‖² and its gradient: the smooth terms of J. */
export function evaluateSmooth(
  objective: DataTerm & Blocks & Regularisation,
  theta: Float64Array,
  gradientOut: Float64Array | null,
): number {
  const { cols, outputs, l2, intercept } = objective;
  let value = objective.evaluate(theta, gradientOut);
  for (let k = 0; k < outputs; k++) {
    const from = k * (cols + 1);
    if (gradientOut && !intercept) gradientOut[from + cols] = 0;
    if (l2 === 0) continue;
    let square = 0;
    for (let j = from; j < from + cols; j++) {
      square += theta[j]! * theta[j]!;
      if (gradientOut) gradientOut[j]! += l2 * theta[j]!;
    }
    value += 0.5 * l2 * square;
  }
  return value;
}

/** J(θ) without the ball; writes the gradient of its smooth terms. */
export const evaluateAll = (
  objective: Objective,
  theta: Float64Array,
  gradientOut: Float64Array | null,
): number => evaluateSmooth(objective, theta, gradientOut) + objective.l1 * l1Norm(objective, theta);

export function l1Norm({ cols, outputs }: Blocks, theta: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < outputs; k++) {
    for (let j = k * (cols + 1); j < k * (cols + 1) + cols; j++) sum += Math.abs(theta[j]!);
  }
  return sum;
}

/** Largest entry of the subgradient of J that is nearest to 0; `gradient` is that of the smooth terms. */
export function optimalityViolation(
  { cols, outputs, l1 }: Blocks & Regularisation,
  theta: Float64Array,
  gradient: Float64Array,
): number {
  let worst = 0;
  for (let k = 0; k < outputs; k++) {
    const from = k * (cols + 1);
    for (let j = from; j <= from + cols; j++) {
      const g = gradient[j]!;
      let v = Math.abs(g);
      if (j < from + cols && l1 > 0) {
        v = theta[j] === 0 ? Math.max(0, v - l1) : Math.abs(g + Math.sign(theta[j]!) * l1);
      }
      if (!(v <= worst)) worst = v;
      if (Number.isNaN(worst)) return worst;
    }
  }
  return worst;
}

/** Throws unless Σ h x² of every column is finite: squares of finite entries such as 1e200 overflow. */
export function requireFiniteSquares(where: string, cols: number, gram: Float64Array): void {
  const side = Math.sqrt(gram.length);
  for (let j = 0; j < side; j++) {
    // NaN means NaN in X, which the caller checks.
    if (gram[j * side + j] === Infinity) tooLarge(where, j % (cols + 1));
  }
}

export function tooLarge(where: string, column: number): never {
  const expected = "small enough for sums of squares";
  const advice = "Scale it (StandardScaler).";
  throw new DataError(where, `column ${column} of X`, expected, "larger numbers", advice);
}

/** Makes row and column j those of the identity. */
export function isolate(a: Float64Array, side: number, j: number): void {
  for (let i = 0; i < side; i++) {
    a[i * side + j] = 0;
    a[j * side + i] = 0;
  }
  a[j * side + j] = 1;
}

interface WeightedRows {
  readonly x: { readonly rows: number };
  readonly weights: Float64Array | undefined;
}

/** Σ of the row weights. */
export const totalWeight = ({ weights, x }: WeightedRows): number =>
  weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows;
