import type { Progress } from "../core/contract.js";

/**
 * A smooth function f of `size` numbers, the only interface of a general minimiser: the loss of a linear model, of a network, the
 * log-likelihood of a mixture.
 *
 *   minimise over θ:   f(θ)
 *
 * Hessians are those at the point evaluated last. Optional members make a minimiser faster or its stopping rule sharper; none
 * of them changes the minimum.
 *
 * An f whose sums come from a database answers later: it returns a pending answer of type A, which minimisers yield and whose number
 * their driver gives back through `next`. Kernels answer at once, and minimisers of such an f yield their steps only.
 */
export interface SmoothFunction<A = never> {
  readonly size: number;
  /** f(θ); writes ∇f(θ) to `gradientOut` if present. */
  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number | A;
  /** ∇²f · v. */
  hessianVectorInto?(v: Float64Array, out: Float64Array): void;
  /** vᵀ ∇²f v. If present, the first step of L-BFGS has the exact length for a quadratic. */
  curvatureAlong?(v: Float64Array): number;
  /** The rounding error of values of f, relative to f; that of a careful sum of few rows if absent. */
  readonly noise?: number;
  /** That of |f| at the start if absent. */
  readonly magnitude?: Magnitude;
  readonly preconditioners?: Preconditioners;
}

/** The size of a function, to judge what is negligible. */
export interface Magnitude {
  readonly scale: number;
  /** Its value at an exact minimum due to rounding. */
  readonly floor: number;
}

/** A smooth function whose Hessian is small enough to be formed and factored. */
export interface TwiceSmoothFunction<A = never> extends SmoothFunction<A> {
  /** ∇²f, size²; undefined unless it is pending. */
  hessianInto(out: Float64Array): A | undefined;
  /** From now until the next `evaluate` the Hessian is that of a quadratic above f. For an f with linear tails. */
  majorise?(): void;
  /** Rough cost of ∇²f in evaluations of f; 1 if absent. */
  readonly hessianCost?: number;
  /** Writes ∇² of a similar f, and returns whether there is one: near the start it saves a Hessian. */
  borrowHessianInto?(out: Float64Array): boolean;
  /** Cheaper functions with nearly the same minimum, cheapest first; each must be closed. */
  warmStarts?(): Iterable<TwiceSmoothFunction<A> & { close(): void }>;
}

/** out = P gradient, with P symmetric and positive definite. */
export type Preconditioner = (gradient: Float64Array, out: Float64Array) => void;

/** Approximate inverses of a Hessian. */
export interface Preconditioners {
  /** For the whole run. */
  first(): Preconditioner;
  /** A better one for the point evaluated last, if worthwhile. */
  renewed?(): Preconditioner;
}

/** The state of a minimiser between two iterations. */
export interface MinimiserStep extends Progress {
  readonly theta: Float64Array;
}

/** The result of a minimiser. */
export interface Minimum {
  readonly theta: Float64Array;
  readonly iterations: number;
  readonly converged: boolean;
  /** f(θ). */
  readonly objective: number;
  /** Largest absolute entry of ∇f(θ). */
  readonly gradientNorm: number;
  /** ∇f(θ). */
  readonly gradient: Float64Array;
  /** f(θ) − min f is at most about this, where the minimiser has a Hessian that can be trusted. */
  readonly gap?: number;
  readonly warnings?: readonly string[];
}

export interface MinimiserOptions {
  /** Maximum number of iterations. */
  readonly maxIter: number;
  /** Each minimiser states what it compares this with. */
  readonly tol: number;
}

/** Yields after every iteration, and what is pending; closing the generator frees the memory that it holds. */
export type Minimiser<A = never> = Generator<MinimiserStep | A, Minimum, unknown>;

/** What `evaluate` has answered, or is told later. */
export function* answered<A>(answer: number | A): Generator<A, number, unknown> {
  return typeof answer === "number" ? answer : ((yield answer) as number);
}

/** The distance from min f at which a minimiser with tolerance tol stops: tol² of f itself, unless f is negligible. */
export function targetGap({ scale, floor }: Magnitude, value: number, tol: number): number {
  return Math.max(tol * tol * Math.max(Math.abs(value), 1e-12 * scale), floor);
}

/** `start` is f where a run begins. */
export const magnitudeOf = (f: Pick<SmoothFunction, "magnitude">, start: number): Magnitude =>
  f.magnitude ?? { scale: Math.abs(start), floor: 0 };
