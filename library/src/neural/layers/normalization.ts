import { readOptions } from "../../core/params/options.js";
import { type ParamSpec, real } from "../../core/params/params.js";
import type { Reals } from "../../numeric/tensors/space.js";
import { add, multiply, subtract } from "../autodiff/ops/arithmetic.js";
import {
  type BatchStatistics,
  batchNormFixed,
  batchNorm as batchNormOp,
  dropout as dropoutOp,
  EPSILON,
  layerNorm as layerNormOp,
} from "../autodiff/ops/normalization.js";
import { type Shape, showShape } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";
import { ones, zeros } from "../network/initialization.js";
import { type Layer, type LayerBuilder, layer } from "../network/layer.js";
import { optionsJson, readPositive } from "./options.js";

/**
 * While training, sets each entry to 0 with probability `rate` and divides the others by 1 − rate, so that
 * sums keep their expectation [Srivastava et al. 2014]. Predictions pass unchanged.
 */
export function dropout(rate: number): Layer {
  const own = readPositive("dropout", "rate", rate, real({ atLeast: 0, below: 1, default: 0.5, doc: "" }));
  return layer("dropout", { rate: own }, (input, builder) => {
    if (own > 0) builder.variesWhileTraining();
    return {
      output: input,
      forward: (x, pass) => (pass.training && own > 0 ? dropoutOp(x, own, pass.seed()) : x),
    };
  });
}

const epsilon = real({ above: 0, default: EPSILON, doc: "Added to the variance." });

export interface LayerNormOptions {
  /** Added to the variance. */
  readonly epsilon?: number | undefined;
}

const layerNormOptions = { epsilon } satisfies Record<keyof LayerNormOptions, ParamSpec<unknown>>;

/**
 * (x − mean)/√(variance + ε)·gain + shift, with mean and variance of each token or row over the last axis [Ba
 * et al. 2016]. Gains start at 1, shifts at 0; neither is penalised.
 */
export function layerNorm(options: LayerNormOptions = {}): Layer {
  const given = readOptions("layerNorm", layerNormOptions, options);
  return layer("layerNorm", optionsJson(layerNormOptions, given), (input, builder) => {
    const { gain, shift } = gains(input, builder);
    return {
      output: input,
      forward: (x, pass) => layerNormOp(x, pass.parameter(gain), pass.parameter(shift), given.epsilon),
    };
  });
}

export interface BatchNormOptions {
  /** Fraction of the running statistics that a batch leaves as it is. */
  readonly momentum?: number | undefined;
  /** Added to the variance. */
  readonly epsilon?: number | undefined;
}

const batchNormOptions = {
  momentum: real({
    atLeast: 0,
    below: 1,
    default: 0.9,
    doc: "Fraction of the running statistics that a batch leaves as it is.",
  }),
  epsilon,
} satisfies Record<keyof BatchNormOptions, ParamSpec<unknown>>;

/**
 * (x − mean)/√(variance + ε)·gain + shift, with the mean and the (biased) variance of each channel, the last
 * axis [Ioffe & Szegedy 2015]. While training they are those of the batch, and the running ones, with which
 * predictions are made, follow:
 *
 *   running = momentum·running + (1 − momentum)·batch        (Keras' momentum; PyTorch's is 1 minus it)
 *
 * One value per channel, as in a batch of one row, has no variance: such a batch uses the running statistics
 * and does not change them. Gains start at 1, shifts at 0; neither is penalised.
 */
export function batchNorm(options: BatchNormOptions = {}): Layer {
  const given = readOptions("batchNorm", batchNormOptions, options);
  const { momentum, epsilon } = given;
  return layer("batchNorm", optionsJson(batchNormOptions, given), (input, builder) => {
    builder.variesWhileTraining();
    const { gain, shift, size } = gains(input, builder);
    const mean = builder.buffer("mean", [size], 0);
    const variance = builder.buffer("variance", [size], 1, 0);
    return {
      output: input,
      forward: (x, pass) => {
        const running = { mean: pass.buffer(mean), variance: pass.buffer(variance) };
        const parameters = [pass.parameter(gain), pass.parameter(shift)] as const;
        if (!pass.training || x.size === size) return withRunning(x, parameters, running, epsilon);
        const { output, statistics } = batchNormOp(x, ...parameters, epsilon);
        follow(running, statistics, momentum, epsilon);
        return output;
      },
    };
  });
}

interface RunningStatistics {
  readonly mean: Reals;
  readonly variance: Reals;
}

/** The statistics are constants; gradients pass where they are asked for. */
function withRunning(
  x: Tensor,
  [gain, shift]: readonly [Tensor, Tensor],
  { mean, variance }: RunningStatistics,
  epsilon: number,
): Tensor {
  const { tape } = x;
  const scales = tape.space.copy(
    Float64Array.from(variance.array, (entry) => 1 / Math.sqrt(entry + epsilon)),
  );
  if (!tape.differentiates) return batchNormFixed(x, gain, shift, { means: mean, scales });
  const size = [scales.length];
  const centred = subtract(x, tape.leaf(size, mean));
  return add(multiply(centred, multiply(gain, tape.leaf(size, scales))), shift);
}

/** The variance is found again from 1/√(variance + ε); rounding may leave it below 0 where it is 0. */
function follow(
  { mean, variance }: RunningStatistics,
  { means, scales }: BatchStatistics,
  momentum: number,
  epsilon: number,
): void {
  const [toMean, toVariance] = [mean.array, variance.array];
  const [batchMeans, batchScales] = [means.array, scales.array];
  for (let k = 0; k < toMean.length; k++) {
    const batchVariance = Math.max(0, 1 / batchScales[k]! ** 2 - epsilon);
    toMean[k] = momentum * toMean[k]! + (1 - momentum) * batchMeans[k]!;
    toVariance[k] = momentum * toVariance[k]! + (1 - momentum) * batchVariance;
  }
}

/** A gain and a shift per entry of the last axis. */
function gains(input: Shape, builder: LayerBuilder) {
  const size = input.at(-1) ?? builder.refuse("the input", "at least one axis", showShape(input));
  return {
    size,
    gain: builder.parameter("gain", [size], ones, { penalised: false }),
    shift: builder.parameter("shift", [size], zeros, { penalised: false }),
  };
}
