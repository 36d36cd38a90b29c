import {
  crossEntropyChunk,
  sigmoidCrossEntropyChunk,
  softmaxChunk,
  softmaxGradientChunk,
  squaredErrorChunk,
} from "../generated/tensor.js";
import type { RealChunkCall } from "../runtime/kernels.js";
import type { Integers, Reals, TensorSpace } from "./space.js";

/** Numbers per chunk: about 50 µs of work. */
const CHUNK = 16384;
/** Floating-point operations per number, roughly, with an exponential and without. */
const EXPONENTIAL = 16;
const PLAIN = 4;

/** Runs a kernel over chunks of rows. */
function overRows(
  space: TensorSpace,
  rows: number,
  cols: number,
  operations: number,
  kernel: (rows: number, size: number) => RealChunkCall,
): void {
  const size = Math.max(1, Math.floor(CHUNK / cols));
  space.parallel(kernel(rows, size), Math.ceil(rows / size), operations * rows * cols);
}

/** Softmax of every row of `cols` numbers. out may be x. */
export function softmaxInto(space: TensorSpace, x: Reals, cols: number, out: Reals): void {
  overRows(space, x.length / cols, cols, EXPONENTIAL, (rows, size) =>
    softmaxChunk({ rows, cols, size, x: x.ptr, out: out.ptr, log: 0 }),
  );
}

/** Log-softmax of every row of `cols` numbers. out may be x. */
export function logSoftmaxInto(space: TensorSpace, x: Reals, cols: number, out: Reals): void {
  overRows(space, x.length / cols, cols, EXPONENTIAL, (rows, size) =>
    softmaxChunk({ rows, cols, size, x: x.ptr, out: out.ptr, log: 1 }),
  );
}

interface SoftmaxGradient {
  readonly y: Reals;
  readonly g: Reals;
  readonly cols: number;
  readonly out: Reals;
  readonly accumulate: boolean;
}

function gradientInto(space: TensorSpace, log: 0 | 1, operations: number, given: SoftmaxGradient): void {
  const { y, g, cols, out, accumulate } = given;
  overRows(space, y.length / cols, cols, operations, (rows, size) =>
    softmaxGradientChunk({
      rows,
      cols,
      size,
      y: y.ptr,
      g: g.ptr,
      out: out.ptr,
      log,
      accumulate: accumulate ? 1 : 0,
    }),
  );
}

/** out (+)= y ⊙ (g − Σ g·y) per row, where y is a softmax. out may be g if not accumulating. */
export function softmaxGradientInto(
  space: TensorSpace,
  y: Reals,
  g: Reals,
  cols: number,
  out: Reals,
  accumulate = false,
): void {
  gradientInto(space, 0, PLAIN, { y, g, cols, out, accumulate });
}

/** out (+)= g − e^y Σ g per row, where y is a log-softmax. out may be g if not accumulating. */
export function logSoftmaxGradientInto(
  space: TensorSpace,
  y: Reals,
  g: Reals,
  cols: number,
  out: Reals,
  accumulate = false,
): void {
  gradientInto(space, 1, EXPONENTIAL, { y, g, cols, out, accumulate });
}

/**
 * Cross-entropy of softmax(z) and a class per row: lossesᵢ = wᵢ (log Σ e^zᵢ − zᵢ,code), gradient = wᵢ
 * (softmax(zᵢ) − onehot). The gradient may take the place of the logits, or be undefined.
 */
export function softmaxCrossEntropyInto(
  space: TensorSpace,
  logits: Reals,
  cols: number,
  codes: Integers,
  weights: Reals | undefined,
  losses: Reals,
  gradient: Reals | undefined,
): void {
  overRows(space, logits.length / cols, cols, EXPONENTIAL, (rows, size) =>
    crossEntropyChunk({
      rows,
      cols,
      size,
      z: logits.ptr,
      codes: codes.ptr,
      weights: weights?.ptr ?? 0,
      losses: losses.ptr,
      gradient: gradient?.ptr ?? 0,
    }),
  );
}

/** One logit z per row, target t in [0, 1]: losses = w (log(1 + e^z) − t·z), gradient = w (σ(z) − t). */
export function sigmoidCrossEntropyInto(
  space: TensorSpace,
  logits: Reals,
  targets: Reals,
  weights: Reals | undefined,
  losses: Reals,
  gradient: Reals | undefined,
): void {
  overRows(space, logits.length, 1, 2 * EXPONENTIAL, (rows, size) =>
    sigmoidCrossEntropyChunk({
      z: logits.ptr,
      t: targets.ptr,
      weights: weights?.ptr ?? 0,
      n: rows,
      losses: losses.ptr,
      gradient: gradient?.ptr ?? 0,
      size,
    }),
  );
}

/** ½ w (z − t)² summed over every row of `cols`; gradient = w (z − t). */
export function squaredErrorInto(
  space: TensorSpace,
  predictions: Reals,
  cols: number,
  targets: Reals,
  weights: Reals | undefined,
  losses: Reals,
  gradient: Reals | undefined,
): void {
  overRows(space, predictions.length / cols, cols, PLAIN, (rows, size) =>
    squaredErrorChunk({
      rows,
      cols,
      size,
      z: predictions.ptr,
      t: targets.ptr,
      weights: weights?.ptr ?? 0,
      losses: losses.ptr,
      gradient: gradient?.ptr ?? 0,
    }),
  );
}
