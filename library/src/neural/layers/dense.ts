import { readOptions } from "../../core/params/options.js";
import { flag, type ParamSpec } from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";
import type { Unary } from "../../numeric/tensors/activations.js";
import type { NestedNumbers } from "../autodiff/arrays.js";
import { denseProduct } from "../autodiff/ops/products.js";
import { showShape } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";
import { type Start, type WeightStart, weightStart, zeros } from "../network/initialization.js";
import { type Layer, layer } from "../network/layer.js";
import { activate, fusedActivation } from "./activation.js";
import type { Activation, ActivationPart } from "./activations.js";
import { activationJson, defaultStart, isSmooth, readActivation } from "./activations.js";
import { any, readCount } from "./options.js";
import { givenStart, numbersSpec, startJson, startSpec } from "./start-options.js";

export interface DenseOptions {
  readonly activation?: Activation | undefined;
  /** Whether a bias is added. */
  readonly bias?: boolean | undefined;
  /** How the weights start; given weights are inputs × units. "he" for rectified units, else "xavier". */
  readonly start?: WeightStart | NestedNumbers | undefined;
  /** The first biases; 0 if absent. */
  readonly biasStart?: readonly number[] | undefined;
  /** Whether training changes weights and biases. */
  readonly trainable?: boolean | undefined;
}

const denseOptions = {
  activation: any("Function applied to every unit's sum."),
  bias: flag({ default: true, doc: "Whether a bias is added." }),
  start: startSpec("How the weights start."),
  biasStart: numbersSpec("The first biases."),
  trainable: flag({ default: true, doc: "Whether training changes weights and biases." }),
} satisfies Record<keyof DenseOptions, ParamSpec<unknown>>;

/** f(x·W + b): `units` neurons, each connected to every input. Works on the last axis. */
export function dense(units: number, options: DenseOptions = {}): Layer {
  const given = readOptions("dense", denseOptions, options);
  const count = readCount("dense", "units", units);
  const activation = readActivation("dense", given.activation ?? "linear");
  const json = {
    units: count,
    activation: activationJson(activation),
    ...(given.bias ? {} : { bias: false }),
    ...(given.start === undefined ? {} : { start: startJson(given.start) }),
    ...(given.biasStart === undefined ? {} : { biasStart: startJson(given.biasStart) }),
    ...(given.trainable ? {} : { trainable: false }),
  };
  const named = typeof given.start === "string" ? given.start : defaultStart(activation);
  return denseLayer(json, count, applied(activation), given.trainable, (d) => ({
    weights: givenStart(given.start) ?? weightStart(named, d, count),
    bias: given.bias ? (givenStart(given.biasStart) ?? zeros) : undefined,
  }));
}

/** How a layer applies its activation. */
export interface AppliedActivation {
  /** As part of the product; undefined: `apply` afterwards. */
  readonly fused: Unary | undefined;
  apply(sums: Tensor): Tensor;
  /** The name of a function without derivative. */
  readonly blocks?: string | undefined;
}

const applied = (part: ActivationPart): AppliedActivation => ({
  fused: fusedActivation(part),
  apply: (sums) => activate(part, sums),
  blocks: isSmooth(part) ? undefined : part.name,
});

/** A dense layer of `units` neurons whose weights and biases start as `startOf` says for d inputs. */
export function denseLayer(
  json: Readonly<Record<string, Json>>,
  units: number,
  activation: AppliedActivation,
  trainable: boolean,
  startOf: (d: number) => { readonly weights: Start; readonly bias: Start | undefined },
): Layer {
  const { fused } = activation;
  return layer("dense", json, (input, builder) => {
    const d = input.at(-1) ?? builder.refuse("the input", "at least one axis", showShape(input));
    const start = startOf(d);
    const weights = builder.parameter("weights", [d, units], start.weights, { trainable });
    const bias =
      start.bias && builder.parameter("bias", [units], start.bias, { trainable, penalised: false });
    if (activation.blocks !== undefined) builder.blocksGradient(activation.blocks);
    return {
      output: [...input.slice(0, -1), units],
      forward: (x, pass) => {
        const sums = denseProduct(x, pass.parameter(weights), bias && pass.parameter(bias), fused);
        return fused === undefined ? activation.apply(sums) : sums;
      },
    };
  });
}
