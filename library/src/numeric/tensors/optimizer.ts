import { pow } from "../../core/numbers/elementary.js";
import {
  absolutesChunk,
  adamChunk,
  addSignChunk,
  axpyChunk,
  finiteChunk,
  momentumChunk,
  penaltyChunk,
  rmsPropChunk,
  scaleChunk,
  squaresChunk,
} from "../generated/optimizer.js";
import type { RealChunkCall } from "../runtime/kernels.js";
import type { Reals, TensorSpace } from "./space.js";

/** Entries per chunk of a sum, whose order is that of the chunks. */
const CHUNK = 16384;
/** Entries per chunk of a step: some microseconds of work, so that threads end at about the same time. */
const STEP_CHUNK = 4096;

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
  space.inChunks(theta.length, STEP_CHUNK, 5, (size) =>
    momentumChunk({
      n: theta.length,
      size,
      theta: theta.ptr,
      g: gradient.ptr,
      v: velocity.ptr,
      rate: learningRate,
      momentum,
      nesterov: nesterov ? 1 : 0,
    }),
  );
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
  const rate = (learningRate * Math.sqrt(1 - pow(beta2, step))) / (1 - pow(beta1, step));
  space.inChunks(theta.length, STEP_CHUNK, 20, (size) =>
    adamChunk({
      n: theta.length,
      size,
      theta: theta.ptr,
      g: gradient.ptr,
      m: m.ptr,
      v: v.ptr,
      decayed: decay === 0 ? 0 : (decayed?.ptr ?? 0),
      rate,
      beta1,
      beta2,
      epsilon,
      shrink: learningRate * decay,
    }),
  );
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
  space.inChunks(theta.length, STEP_CHUNK, 20, (size) =>
    rmsPropChunk({
      n: theta.length,
      size,
      theta: theta.ptr,
      g: gradient.ptr,
      s: s.ptr,
      velocity: velocity?.ptr ?? 0,
      rate: learningRate,
      rho,
      epsilon,
      momentum,
    }),
  );
}

/** y += a·x. */
export function axpyInto(space: TensorSpace, a: number, x: Reals, y: Reals): void {
  space.inChunks(x.length, STEP_CHUNK, 2, (size) => axpyChunk({ a, x: x.ptr, y: y.ptr, n: x.length, size }));
}

/** out += a·sign(x). */
export function addSignInto(space: TensorSpace, a: number, x: Reals, out: Reals): void {
  space.inChunks(x.length, STEP_CHUNK, 3, (size) =>
    addSignChunk({ a, x: x.ptr, out: out.ptr, n: x.length, size }),
  );
}

/** x *= a. */
export function scaleInto(space: TensorSpace, a: number, x: Reals): void {
  space.inChunks(x.length, STEP_CHUNK, 1, (size) => scaleChunk({ a, x: x.ptr, n: x.length, size }));
}

/** The sums of all chunks in doubles, added in chunk order. */
function sumOver(
  space: TensorSpace,
  x: Reals,
  kernel: (sum: Parameters<typeof squaresChunk>[0]) => RealChunkCall,
): number {
  const mark = space.mark();
  const chunks = Math.ceil(x.length / CHUNK);
  // Twice as many numbers as chunks: in float32 a double takes the place of two.
  const partials = space.reals(2 * chunks);
  const given = { x: x.ptr, n: x.length, out: partials.ptr };
  space.inChunks(x.length, CHUNK, 2, (size) => kernel({ ...given, size }));
  let sum = 0;
  for (let c = 0; c < chunks; c++) sum += space.heap.floats[partials.ptr / 8 + c]!;
  space.release(mark);
  return sum;
}

/** Σ x² in doubles. */
export function sumOfSquares(space: TensorSpace, x: Reals): number {
  return sumOver(space, x, squaresChunk);
}

/** out += a·x; returns Σ x² in doubles. */
export function penaltyInto(space: TensorSpace, a: number, x: Reals, out: Reals): number {
  return sumOver(space, x, (sum) => penaltyChunk({ ...sum, a, to: out.ptr }));
}

/** Σ |x| in doubles. */
export function sumOfAbsolutes(space: TensorSpace, x: Reals): number {
  return sumOver(space, x, absolutesChunk);
}

/** Whether every number is finite. */
export function allFinite(space: TensorSpace, x: Reals): boolean {
  return sumOver(space, x, finiteChunk) === 0;
}
