import { pow } from "../../core/elementary.js";
import { parallel } from "../runtime/threads.js";
import { optimizerKernels } from "../runtime/wasm-modules.js";
import type { Reals, TensorSpace } from "./space.js";

/** Entries per chunk of a sum, whose order is that of the chunks. */
const CHUNK = 16384;
/** Entries per chunk of a step: some microseconds of work, so that threads end at about the same time. */
const STEP_CHUNK = 4096;

/** Runs a kernel over the chunks of n entries; `operations` per entry, roughly. */
function overChunks(
  space: TensorSpace,
  kernel: string,
  args: number[],
  n: number,
  operations: number,
  size = STEP_CHUNK,
): void {
  args.push(size);
  parallel(space.heap, optimizerKernels, space.kernel(kernel), args, Math.ceil(n / size), operations * n);
}

/** θ −= learningRate·g. */
export function sgdStep(space: TensorSpace, theta: Reals, gradient: Reals, learningRate: number): void {
  axpyInto(space, -learningRate, gradient, theta);
}

export interface MomentumOptions {
  readonly learningRate: number;
  readonly momentum: number;
  readonly nesterov: boolean;
}

/** v = momentum·v − lr·g;  θ += v, or with nesterov θ += momentum·v − lr·g (scikit-learn's SGDOptimizer). */
export function momentumStep(
  space: TensorSpace,
  theta: Reals,
  gradient: Reals,
  velocity: Reals,
  { learningRate, momentum, nesterov }: MomentumOptions,
): void {
  const n = theta.length;
  const args = [theta.ptr, gradient.ptr, velocity.ptr, n, learningRate, momentum, nesterov ? 1 : 0];
  overChunks(space, "momentumChunk", args, n, 5);
}

export interface AdamOptions {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** t = 1 for the first step. */
  readonly step: number;
  /** AdamW: θ −= lr·decay·θ before the step. */
  readonly decay?: number | undefined;
  /** 1 where decay applies, 0 elsewhere; undefined: nowhere. */
  readonly decayed?: Reals | undefined;
}

/**
 * m = β₁m + (1 − β₁)g;  v = β₂v + (1 − β₂)g²;  θ −= lr·√(1 − β₂ᵗ)/(1 − β₁ᵗ) · m/(√v + ε): scikit-learn's
 * AdamOptimizer [Kingma & Ba 2015, end of section 2].
 */
export function adamStep(
  space: TensorSpace,
  theta: Reals,
  gradient: Reals,
  m: Reals,
  v: Reals,
  { learningRate, beta1, beta2, epsilon, step, decay = 0, decayed }: AdamOptions,
): void {
  const n = theta.length;
  const rate = (learningRate * Math.sqrt(1 - pow(beta2, step))) / (1 - pow(beta1, step));
  const flags = decay === 0 ? 0 : (decayed?.ptr ?? 0);
  const state = [theta.ptr, gradient.ptr, m.ptr, v.ptr, flags, n];
  overChunks(space, "adamChunk", [...state, rate, beta1, beta2, epsilon, learningRate * decay], n, 20);
}

export interface RmsPropOptions {
  readonly learningRate: number;
  readonly rho: number;
  readonly epsilon: number;
  /** With momentum: v = momentum·v + g/(√s + ε);  θ −= lr·v. */
  readonly momentum?: number | undefined;
  /** v, required for momentum. */
  readonly velocity?: Reals | undefined;
}

/** s = ρs + (1 − ρ)g²;  θ −= lr·g/(√s + ε). */
export function rmsPropStep(
  space: TensorSpace,
  theta: Reals,
  gradient: Reals,
  s: Reals,
  { learningRate, rho, epsilon, momentum = 0, velocity }: RmsPropOptions,
): void {
  const n = theta.length;
  const state = [theta.ptr, gradient.ptr, s.ptr, velocity?.ptr ?? 0, n];
  overChunks(space, "rmsPropChunk", [...state, learningRate, rho, epsilon, momentum], n, 20);
}

/** y += a·x. */
export function axpyInto(space: TensorSpace, a: number, x: Reals, y: Reals): void {
  overChunks(space, "axpyChunk", [a, x.ptr, y.ptr, x.length], x.length, 2);
}

/** out += a·sign(x). */
export function addSignInto(space: TensorSpace, a: number, x: Reals, out: Reals): void {
  overChunks(space, "addSignChunk", [a, x.ptr, out.ptr, x.length], x.length, 3);
}

/** x *= a. */
export function scaleInto(space: TensorSpace, a: number, x: Reals): void {
  overChunks(space, "scaleChunk", [a, x.ptr, x.length], x.length, 1);
}

/** The sums of all chunks in doubles, added in chunk order. */
function sumOver(space: TensorSpace, kernel: string, x: Reals, ...more: number[]): number {
  const mark = space.mark();
  const chunks = Math.ceil(x.length / CHUNK);
  // Twice as many numbers as chunks: in float32 a double takes the place of two.
  const partials = space.reals(2 * chunks);
  overChunks(space, kernel, [x.ptr, x.length, partials.ptr, ...more], x.length, 2, CHUNK);
  let sum = 0;
  for (let c = 0; c < chunks; c++) sum += space.heap.floats[partials.ptr / 8 + c]!;
  space.release(mark);
  return sum;
}

/** Σ x² in doubles. */
export function sumOfSquares(space: TensorSpace, x: Reals): number {
  return sumOver(space, "squaresChunk", x);
}

/** out += a·x; returns Σ x² in doubles. */
export function penaltyInto(space: TensorSpace, a: number, x: Reals, out: Reals): number {
  return sumOver(space, "penaltyChunk", x, a, out.ptr);
}

/** Σ |x| in doubles. */
export function sumOfAbsolutes(space: TensorSpace, x: Reals): number {
  return sumOver(space, "absolutesChunk", x);
}

/** Whether every number is finite. */
export function allFinite(space: TensorSpace, x: Reals): boolean {
  return sumOver(space, "finiteChunk", x) === 0;
}
