import { DataError } from "../core/errors.js";

/**
 * What solvers minimise:
 *
 *   J(θ) = F(θ) + ½ l2 ‖w‖² + l1 ‖w‖₁      subject to  w ∈ the ball, if there is one
 *
 * θ is `outputs` blocks of [w, b], each `cols` + 1 long. Intercepts b are never penalised; without intercepts they
 * stay 0. Solvers see functions and numbers only, no data and no statistics.
 */
export interface Objective {
  /** Names the caller in error messages. */
  readonly where: string;
  readonly size: number;
  readonly cols: number;
  readonly outputs: number;
  readonly intercept: boolean;
  /** Whether one output too many makes θ ambiguous: softmax without a reference class. */
  readonly symmetric: boolean;
  readonly l1: number;
  readonly l2: number;
  readonly ball: Ball | null;
  /** F(θ) and, if asked for, ∇F(θ), penalties not included. */
  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number;
  /** ∇²F at the last point evaluated: (cols + 1)² for one output, size² for more. */
  hessianInto(out: Float64Array): void;
  hessianVectorInto(v: Float64Array, out: Float64Array): void;
  /** The diagonal of ∇²F; with a stride it may be estimated from every `stride`-th row. */
  hessianDiagonalInto(out: Float64Array, stride?: number): void;
  /** From now until the next `evaluate` the Hessian is that of a quadratic above F. For losses that become straight lines. */
  majorise?(): void;
  /** Rough cost of ∇²F in passes over the data. */
  readonly hessianCost: number;
  /** An upper scale of F, to judge what is negligible: Σ of the row weights, or F of a constant where y has a unit. */
  readonly scale: number;
  /** What rounding of y leaves of F in a perfect fit. */
  readonly floor: number;
  /** Σ of the row weights. */
  readonly total: number;
  /** Smaller copies of the problem that approximate it, smallest first; each must be closed. */
  warmStarts?(): Iterable<Objective>;
  /** An approximate inverse of the Hessian that stays useful during a whole fit. */
  preconditioner?(): Preconditioner;
  /** A better one for the point evaluated last, where that pays. */
  renewPreconditioner?(): Preconditioner;
  close(): void;
}

export type Preconditioner = (gradient: Float64Array, out: Float64Array) => void;

export interface Ball {
  readonly norm: "l1" | "l2";
  readonly radius: number;
}

export interface Solution {
  readonly theta: Float64Array;
  readonly iterations: number;
  readonly converged: boolean;
  /** J(θ). */
  readonly objective: number;
  /** Largest entry of the gradient, or of the least subgradient where J has kinks. */
  readonly gradientNorm: number;
  /** ∇(F + ½ l2‖w‖²) at θ, where the solver evaluated it there. */
  readonly gradient?: Float64Array;
  /** J(θ) − min J is at most about this, where the solver knows without doubt. */
  readonly gap?: number;
  /** The gap that the solver's own stopping rule allows, where it is not tol² of J. */
  readonly enough?: number;
  readonly warnings?: readonly string[];
}

/** The distance from min J at which a solver with tolerance tol stops: tol² of J itself, unless J is next to nothing. */
export function targetGap({ scale, floor }: Objective, value: number, tol: number): number {
  return Math.max(tol * tol * Math.max(Math.abs(value), 1e-12 * scale), floor);
}

/** F + ½ l2 ‖w‖² and its gradient: the smooth part of J. */
export function evaluateSmooth(
  objective: Objective,
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

export function l1Norm(objective: Objective, theta: Float64Array): number {
  const { cols, outputs } = objective;
  let sum = 0;
  for (let k = 0; k < outputs; k++) {
    for (let j = k * (cols + 1); j < k * (cols + 1) + cols; j++) sum += Math.abs(theta[j]!);
  }
  return sum;
}

/** Largest entry of the subgradient of J that is nearest to 0; `gradient` is that of the smooth part. */
export function optimalityViolation(
  objective: Objective,
  theta: Float64Array,
  gradient: Float64Array,
): number {
  const { cols, outputs, l1 } = objective;
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

/** Σ h x² of every column must be a number: entries of 1e200 are finite, their squares are not. */
export function requireFiniteSquares(
  { where, cols }: Pick<Objective, "where" | "cols">,
  gram: Float64Array,
): void {
  const side = Math.sqrt(gram.length);
  for (let j = 0; j < side; j++) {
    // NaN means NaN in X, which the caller looks for by itself.
    if (gram[j * side + j] === Infinity) tooLarge(where, j % (cols + 1));
  }
}

export function tooLarge(where: string, column: number): never {
  throw new DataError({
    where,
    subject: `column ${column} of X`,
    expected: "numbers whose squares can be added up",
    received: "larger ones",
    advice: "Scale it (StandardScaler).",
  });
}

export function maxAbs(v: Float64Array): number {
  let worst = 0;
  for (let e = 0; e < v.length; e++) {
    const size = Math.abs(v[e]!);
    // Not `size > worst`: NaN must come through.
    if (!(size <= worst)) worst = size;
    if (Number.isNaN(worst)) return worst;
  }
  return worst;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const n = a.length & ~3;
  for (let e = 0; e < n; e += 4) {
    s0 += a[e]! * b[e]!;
    s1 += a[e + 1]! * b[e + 1]!;
    s2 += a[e + 2]! * b[e + 2]!;
    s3 += a[e + 3]! * b[e + 3]!;
  }
  for (let e = n; e < a.length; e++) s0 += a[e]! * b[e]!;
  return s0 + s1 + (s2 + s3);
}

/** a · b over the first `count` entries. */
export function dotPrefix(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += a[j]! * b[j]!;
  return sum;
}
