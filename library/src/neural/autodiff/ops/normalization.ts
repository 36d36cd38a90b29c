import { ParameterError, ShapeError, show } from "../../../core/errors.js";
import { binaryInto } from "../../../numeric/tensors/broadcasting.js";
import {
  batchNormFixedInto,
  batchNormGradientInto,
  batchNormInto,
  dropoutMaskInto,
  layerNormGradientInto,
  layerNormInto,
} from "../../../numeric/tensors/normalization.js";
import { axpyInto } from "../../../numeric/tensors/optimizer.js";
import type { Reals } from "../../../numeric/tensors/space.js";
import { type Operand, operandOf } from "../computation.js";
import { showShape } from "../shape.js";
import type { JointDerivative, Sink, Tensor } from "../tensor.js";

/** Added to the variance, as in PyTorch and Keras' defaults for 32-bit floats. */
export const EPSILON = 1e-5;

/** (x − mean)/√(variance + ε)·gain + shift, with mean and variance over the last axis. */
export function layerNorm(x: Operand, gain: Operand, shift: Operand, epsilon = EPSILON): Tensor {
  const operands = normalised("layerNorm", x, gain, shift);
  const [{ size, shape }] = operands;
  const kernels = { valueInto: layerNormInto, gradientInto: layerNormGradientInto };
  return normalise("layerNorm", operands, size / shape.at(-1)!, epsilon, kernels).output;
}

/** The statistics of a batch, for the running averages that predictions use: 1/√(variance + ε) is in `scales`. */
export interface BatchStatistics {
  readonly means: Reals;
  readonly scales: Reals;
}

interface Normalised {
  readonly output: Tensor;
  readonly statistics: BatchStatistics;
}

/** (x − mean)/√(variance + ε)·gain + shift, with mean and (biased) variance of each channel, the last axis, over the batch. */
export function batchNorm(x: Operand, gain: Operand, shift: Operand, epsilon = EPSILON): Normalised {
  const operands = normalised("batchNorm", x, gain, shift);
  const kernels = { valueInto: batchNormInto, gradientInto: batchNormGradientInto };
  return normalise("batchNorm", operands, operands[0].shape.at(-1)!, epsilon, kernels);
}

/** The kernels of a normalisation that computes its own statistics. */
interface NormKernels {
  readonly valueInto: typeof layerNormInto;
  readonly gradientInto: typeof layerNormGradientInto;
}

/** Records a normalisation by `count` means and scales. */
function normalise(
  op: string,
  operands: readonly [Tensor, Tensor, Tensor],
  count: number,
  epsilon: number,
  { valueInto, gradientInto }: NormKernels,
): Normalised {
  const [{ tape, values, shape }, gains, shifts] = operands;
  const { space } = tape;
  const cols = shape.at(-1)!;
  const means = space.reals(count);
  const scales = space.reals(count);
  const value = (out: Reals) =>
    valueInto(space, values, cols, gains.values, shifts.values, epsilon, out, means, scales);
  const derivative: JointDerivative = (g, sinks) =>
    withSinks(operands[0], gains, sinks, (...to) =>
      gradientInto(space, values, cols, gains.values, means, scales, g, ...to),
    );
  const output = tape.record(op, [...operands], shape, value, derivative);
  return { output, statistics: { means, scales } };
}

/** The same with given means and scales, for predictions: gradients do not pass. */
export function batchNormFixed(
  x: Operand,
  gain: Operand,
  shift: Operand,
  { means, scales }: BatchStatistics,
): Tensor {
  const [input, gains, shifts] = normalised("batchNorm", x, gain, shift);
  const cols = input.shape.at(-1)!;
  const value = (out: Reals) =>
    batchNormFixedInto(input.tape.space, input.values, cols, gains.values, shifts.values, means, scales, out);
  const none = [undefined, undefined, undefined];
  return input.tape.record("batchNormFixed", [input, gains, shifts], input.shape, value, none);
}

/** Hands a place to the kernel for every gradient, also for those that nobody needs. */
function withSinks(
  input: Tensor,
  gains: Tensor,
  sinks: readonly (Sink | undefined)[],
  work: (
    toInput: Reals,
    toGain: Reals,
    toShift: Reals,
    accumulate: { readonly x: boolean; readonly gain: boolean; readonly shift: boolean },
  ) => void,
): void {
  const { space } = input.tape;
  space.step(() => {
    const [x, gain, shift] = [input.size, gains.size, gains.size].map(
      (length, k): Sink => sinks[k] ?? { values: space.reals(length), accumulate: false },
    ) as [Sink, Sink, Sink];
    const accumulate = { x: x.accumulate, gain: gain.accumulate, shift: shift.accumulate };
    work(x.values, gain.values, shift.values, accumulate);
  });
}

function normalised(where: string, x: Operand, gain: Operand, shift: Operand): [Tensor, Tensor, Tensor] {
  const input = operandOf(where, "x", x);
  const gains = operandOf(where, "gain", gain);
  const shifts = operandOf(where, "shift", shift);
  const cols = input.shape.at(-1);
  if (cols !== undefined && gains.size === cols && shifts.size === cols) return [input, gains, shifts];
  const expected = `as long as the last axis of x (${showShape(input.shape)})`;
  const received = `${gains.size} and ${shifts.size}`;
  throw new ShapeError(where, "gain and shift", expected, received);
}

/** Sets each entry to 0 with probability `rate` and divides the others by 1 − rate; `seed` decides which. */
export function dropout(x: Operand, rate: number, seed: number): Tensor {
  const input = operandOf("dropout", "x", x);
  if (!(rate >= 0 && rate < 1)) throw new ParameterError("dropout", "rate", "a number in [0, 1)", show(rate));
  const { tape, values, shape } = input;
  const { space } = tape;
  const mask = space.reals(input.size);
  dropoutMaskInto(space, seed, 1 - rate, mask);
  return tape.record(
    "dropout",
    [input],
    shape,
    (out) => binaryInto(space, "multiply", values, shape, mask, shape, out),
    [
      (g, into) => {
        if (!into.accumulate) {
          binaryInto(space, "multiply", g, shape, mask, shape, into.values);
          return;
        }
        space.step(() => {
          const passed = space.reals(g.length);
          binaryInto(space, "multiply", g, shape, mask, shape, passed);
          axpyInto(space, 1, passed, into.values);
        });
      },
    ],
  );
}
