import { parallel } from "../runtime/threads.js";
import { tensorKernels } from "../runtime/wasm-modules.js";
import type { Integers, Reals, TensorSpace } from "./space.js";

/** Numbers per chunk: about 50 µs of work. */
const CHUNK = 16384;
/** Floating-point operations per number, roughly, with an exponential and without. */
const EXPONENTIAL = 16;
const PLAIN = 4;

/** Runs a kernel over chunks of rows; the rows per chunk become the last of `args`. */
function overRows(
  space: TensorSpace,
  kernel: string,
  args: number[],
  rows: number,
  cols: number,
  operations: number,
): void {
  const size = Math.max(1, Math.floor(CHUNK / cols));
  args.push(size);
  const chunks = Math.ceil(rows / size);
  parallel(space.heap, tensorKernels, space.kernel(kernel), args, chunks, operations * rows * cols);
}

/** Softmax of every row of `cols` numbers. out may be x. */
export function softmaxInto(space: TensorSpace, x: Reals, cols: number, out: Reals): void {
  const rows = x.length / cols;
  overRows(space, "softmaxChunk", [x.ptr, rows, cols, out.ptr, 0], rows, cols, EXPONENTIAL);
}

/** Log-softmax of every row of `cols` numbers. out may be x. */
export function logSoftmaxInto(space: TensorSpace, x: Reals, cols: number, out: Reals): void {
  const rows = x.length / cols;
  overRows(space, "softmaxChunk", [x.ptr, rows, cols, out.ptr, 1], rows, cols, EXPONENTIAL);
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
  const rows = y.length / cols;
  const args = [y.ptr, g.ptr, rows, cols, out.ptr, 0, accumulate ? 1 : 0];
  overRows(space, "softmaxGradientChunk", args, rows, cols, PLAIN);
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
  const rows = y.length / cols;
  const args = [y.ptr, g.ptr, rows, cols, out.ptr, 1, accumulate ? 1 : 0];
  overRows(space, "softmaxGradientChunk", args, rows, cols, EXPONENTIAL);
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
  const rows = logits.length / cols;
  const args = [logits.ptr, rows, cols, codes.ptr, weights?.ptr ?? 0, losses.ptr, gradient?.ptr ?? 0];
  overRows(space, "crossEntropyChunk", args, rows, cols, EXPONENTIAL);
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
  const n = logits.length;
  const args = [logits.ptr, targets.ptr, weights?.ptr ?? 0, n, losses.ptr, gradient?.ptr ?? 0];
  overRows(space, "sigmoidCrossEntropyChunk", args, n, 1, 2 * EXPONENTIAL);
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
  const rows = predictions.length / cols;
  const pointers = [weights?.ptr ?? 0, losses.ptr, gradient?.ptr ?? 0];
  const args = [predictions.ptr, targets.ptr, rows, cols, ...pointers];
  overRows(space, "squaredErrorChunk", args, rows, cols, PLAIN);
}
