import { expect } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import type { NdArray } from "../../src/neural/autodiff/arrays.js";
import { computeIn } from "../../src/neural/autodiff/computation.js";
import { outputOf } from "../../src/neural/autodiff/differentiate.js";
import { multiply } from "../../src/neural/autodiff/ops/arithmetic.js";
import { sum } from "../../src/neural/autodiff/ops/reductions.js";
import { type Shape, sizeOf } from "../../src/neural/autodiff/shape.js";
import { Tape } from "../../src/neural/autodiff/tape.js";
import type { Layer } from "../../src/neural/network/layer.js";
import { NetworkMemory } from "../../src/neural/network/memory.js";
import { Network } from "../../src/neural/network/network.js";
import { type Dtype, TensorSpace } from "../../src/numeric/tensors/space.js";

/** Standard normal numbers in a shape. */
export function drawn(shape: Shape, seed = 1): NdArray {
  const random = new Random(seed);
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, () => random.normal()) };
}

/** Whole numbers from 0 to before `end` in a shape. */
export function drawnTokens(shape: Shape, end: number, seed = 1): NdArray {
  const random = new Random(seed);
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, () => random.below(end)) };
}

/** Parameters that differ from one another and from 0, so that no gradient is 0 by chance. */
export function drawnTheta(network: Network, seed = 5): Float64Array {
  const random = new Random(seed);
  const theta = network.start(random);
  return theta.map((value) => value + 0.3 * random.normal());
}

export interface RunOptions {
  readonly theta?: ArrayLike<number>;
  readonly buffers?: ArrayLike<number>;
  readonly dtype?: Dtype;
  /** Seed of a training pass; a predicting pass if absent. */
  readonly training?: number;
  /** Whether the tape records derivatives; gradients are 0 if not. Default true. */
  readonly differentiates?: boolean;
}

export interface LayerRun {
  readonly output: NdArray;
  /** Intermediate values by "path" or "path/name". */
  readonly observed: ReadonlyMap<string, NdArray>;
  readonly buffers: Float64Array;
  /** Gradients of Σ output·weights, weights as in `weightsOf`. */
  readonly inputGradient: Float64Array;
  readonly gradient: Float64Array;
}

/** Different weights for all entries of an output. */
export const weightsOf = (shape: Shape): NdArray => ({
  shape,
  data: Float64Array.from({ length: sizeOf(shape) }, (_, e) => Math.sin(1 + 1.7 * e)),
});

/** One pass of a batch through a network, and back. */
export function runNetwork(network: Network, x: NdArray, options: RunOptions = {}): LayerRun {
  const { theta = drawnTheta(network), buffers = network.startBuffers(), dtype = "float64" } = options;
  const space = new TensorSpace(network.where, dtype);
  try {
    const memory = new NetworkMemory(network, space, theta, buffers, true);
    const toInput = space.zeros(x.data.length);
    const observed = new Map<string, NdArray>();
    const tape = new Tape(space, options.differentiates ?? true);
    return computeIn(tape, () => {
      const input = tape.leaf(x.shape, space.copy(x.data), toInput);
      const random = options.training === undefined ? undefined : new Random(options.training);
      const pass = memory.pass(tape, random, (path, name, value) =>
        observed.set(name === "output" ? path : `${path}/${name}`, outputOf<"float64">(value)),
      );
      const output = network.forward(input, pass);
      const result = outputOf<"float64">(output);
      tape.backward(sum(multiply(output, weightsOf(output.shape))));
      pass.clearUnused();
      return {
        output: result,
        observed,
        buffers: Float64Array.from(memory.buffers.array),
        inputGradient: Float64Array.from(toInput.array),
        gradient: Float64Array.from(memory.gradient!.array),
      };
    });
  } finally {
    space.close();
  }
}

/** The same from a layer and a batch. */
export const runLayer = (layer: Layer, x: NdArray, options: RunOptions = {}): LayerRun =>
  runNetwork(new Network("test", layer, x.shape.slice(1)), x, options);

const weighedSum = ({ output }: LayerRun): number => {
  const weights = weightsOf(output.shape).data;
  let total = 0;
  for (let e = 0; e < weights.length; e++) total += output.data[e]! * weights[e]!;
  return total;
};

/** Central differences in 64 bits: error of order step² ≈ 1e-10, rounding 1e-16/step ≈ 1e-11. */
const STEP = 1e-5;
/** The third derivatives of what is tested are below 1e3. */
const TOLERANCE = 1e-7;

/** The gradients of a layer's parameters, and of its input unless that is tokens, are central differences. */
export function expectGradients(
  layer: Layer,
  x: NdArray,
  options: RunOptions & { readonly tokens?: boolean } = {},
): void {
  const network = new Network("test", layer, x.shape.slice(1));
  const theta = Float64Array.from(options.theta ?? drawnTheta(network));
  const { gradient, inputGradient, output } = runNetwork(network, x, { ...options, theta });
  expect(output.shape).toEqual([x.shape[0], ...network.output]);
  const compare = (what: string, analytic: number, moved: (by: number) => number) => {
    const slope = (moved(STEP) - moved(-STEP)) / (2 * STEP);
    expect(Math.abs(analytic - slope), what).toBeLessThan(TOLERANCE * Math.max(1, Math.abs(slope)));
  };
  for (const { name, offset, length } of network.parameters) {
    for (let e = offset; e < offset + length; e++) {
      compare(`${name}, entry ${e - offset}`, gradient[e]!, (by) => {
        const moved = theta.slice();
        moved[e]! += by;
        return weighedSum(runNetwork(network, x, { ...options, theta: moved }));
      });
    }
  }
  if (options.tokens) return;
  for (let e = 0; e < x.data.length; e++) {
    compare(`input, entry ${e}`, inputGradient[e]!, (by) => {
      const data = Float64Array.from(x.data);
      data[e]! += by;
      return weighedSum(runNetwork(network, { ...x, data }, { ...options, theta }));
    });
  }
}

/** Overwrites a network's parameters, in the order in which layers asked for them, with the given numbers. */
export function thetaOf(network: Network, ...values: readonly ArrayLike<number>[]): Float64Array {
  const theta = new Float64Array(network.size);
  expect(values.map(({ length }) => length)).toEqual(network.parameters.map(({ length }) => length));
  for (const [k, { offset }] of network.parameters.entries()) theta.set(values[k]!, offset);
  return theta;
}
