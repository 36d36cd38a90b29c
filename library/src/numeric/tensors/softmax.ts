import {
  crossEntropyChunk,
  sigmoidCrossEntropyChunk,
  softmaxChunk,
  softmaxGradientChunk,
  squaredErrorChunk,
} from "../generated/tensor.js";
import type { RealChunkCall } from "../runtime/kernels.js";
import { type Integers, itemsPerChunk, type Reals, type TensorSpace } from "./space.js";

/** Numbers per chunk: about 50 µs of work. */
const CHUNK = 16384;
/** Floating-point operations per number, roughly, with an exponential and without. */
const EXPONENTIAL = 16;
const PLAIN = 4;

/** Runs a kernel over the rows of `cols` numbers of a tensor; `operations` per number. */
function overRows(
  space: TensorSpace,
  { length }: Reals,
  cols: number,
  operations: number,
  kernel: (rows: number, size: number) => RealChunkCall,
): void {
  const rows = length / cols;
  space.inChunks(rows, itemsPerChunk(CHUNK, cols), operations * cols, (size) => kernel(rows, size));
}

const rowSoftmax = (log: 0 | 1) => (space: TensorSpace, x: Reals, cols: number, out: Reals) =>
  overRows(space, x, cols, EXPONENTIAL, (rows, size) =>
    softmaxChunk({ rows, cols, size, x: x.ptr, out: out.ptr, log }),
  );

/** Softmax of every row of `cols` numbers. out may be x. */
export const softmaxInto = rowSoftmax(0);
/** Log-softmax of every row of `cols` numbers. out may be x. */
export const logSoftmaxInto = rowSoftmax(1);

const rowGradient =
  (log: 0 | 1) =>
  (space: TensorSpace, y: Reals, g: Reals, cols: number, out: Reals, accumulate = false): void =>
    overRows(space, y, cols, log ? EXPONENTIAL : PLAIN, (rows, size) =>
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

/** out (+)= y ⊙ (g − Σ g·y) per row, where y is a softmax. out may be g if not accumulating. */
export const softmaxGradientInto = rowGradient(0);
/** out (+)= g − e^y Σ g per row, where y is a log-softmax. out may be g if not accumulating. */
export const logSoftmaxGradientInto = rowGradient(1);

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
  overRows(space, logits, cols, EXPONENTIAL, (rows, size) =>
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
  overRows(space, logits, 1, 2 * EXPONENTIAL, (rows, size) =>
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
  overRows(space, predictions, cols, PLAIN, (rows, size) =>
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
