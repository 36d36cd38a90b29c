import { readOptions } from "../../core/params/options.js";
import { flag, integer, type ParamSpec } from "../../core/params/params.js";
import type { NestedNumbers } from "../autodiff/arrays.js";
import { conv2d as conv2dOp, type Padding, windowPositions } from "../autodiff/ops/images.js";
import { type Shape, showShape } from "../autodiff/shape.js";
import { type WeightStart, weightStart, zeros } from "../network/initialization.js";
import { type Layer, type LayerBuilder, layer } from "../network/layer.js";
import { activate, fusedActivation } from "./activation.js";
import { activationJson, defaultStart, isSmooth, readActivation } from "./activations.js";
import type { DenseOptions } from "./dense.js";
import { any, optionsJson, paddingSpec, readCount } from "./options.js";
import { givenStart, numbersSpec, startJson, startSpec } from "./start-options.js";

export interface Conv2dOptions extends DenseOptions {
  /** Rows and columns between neighbouring windows. */
  readonly stride?: number | undefined;
  /** "valid": none; "same": zeros that give ⌈N/stride⌉ rows and columns; or zeros on every side. */
  readonly padding?: Padding | undefined;
  /** Channels are split into this many groups, each with filters of its own. */
  readonly groups?: number | undefined;
  /**
   * How the filters start; given ones are size × size × channels/groups × filters. "he" for rectified units,
   * else "xavier".
   */
  readonly start?: WeightStart | NestedNumbers | undefined;
}

const conv2dOptions = {
  stride: integer({ atLeast: 1, default: 1, doc: "Rows and columns between neighbouring windows." }),
  padding: paddingSpec("Zeros around the image."),
  groups: integer({ atLeast: 1, default: 1, doc: "Groups of channels, each with filters of its own." }),
  activation: any("Function applied to every entry of the output."),
  bias: flag({ default: true, doc: "Whether a bias per filter is added." }),
  start: startSpec("How the filters start."),
  biasStart: numbersSpec("The first biases."),
  trainable: flag({ default: true, doc: "Whether training changes filters and biases." }),
} satisfies Record<keyof Conv2dOptions, ParamSpec<unknown>>;

/**
 * Convolution of images H × W × C with `filters` filters of `size` × `size`, a bias per filter and an
 * activation:
 *
 *   y[r, c, k] = f(bₖ + Σ over i, j, channel  x[r·stride + i, c·stride + j, channel]·W[i, j, channel, k])
 *
 * (N + padding − size)/stride + 1 rows and columns; a window that does not fit a whole number of times is an
 * error when the network is built. Padding "same" always fits.
 */
export function conv2d(filters: number, size: number, options: Conv2dOptions = {}): Layer {
  const k = readCount("conv2d", "filters", filters);
  const side = readCount("conv2d", "size", size);
  const given = readOptions("conv2d", conv2dOptions, options);
  const { stride, padding, groups, trainable } = given;
  const activation = readActivation("conv2d", given.activation ?? "linear");
  const fused = fusedActivation(activation);
  const json = {
    filters: k,
    size: side,
    ...optionsJson(conv2dOptions, {
      ...given,
      activation: activationJson(activation),
      start: given.start === undefined ? undefined : startJson(given.start),
      biasStart: given.biasStart === undefined ? undefined : startJson(given.biasStart),
    }),
  };
  return layer("conv2d", json, (input, builder) => {
    const { channels, rows, cols } = windowsOn(input, builder, side, stride, padding);
    if (channels % groups !== 0 || k % groups !== 0)
      builder.refuse("groups", `a divisor of the ${channels} channels and of the ${k} filters`, `${groups}`);
    const depth = channels / groups;
    const area = side * side;
    const named = typeof given.start === "string" ? given.start : defaultStart(activation);
    const start = givenStart(given.start) ?? weightStart(named, area * depth, (area * k) / groups);
    const weights = builder.parameter("filters", [side, side, depth, k], start, { trainable });
    const bias = given.bias
      ? builder.parameter("bias", [k], givenStart(given.biasStart) ?? zeros, { trainable, penalised: false })
      : undefined;
    if (!isSmooth(activation)) builder.blocksGradient(activation.name);
    const how = { stride, padding, groups, ...(fused === undefined ? {} : { activation: fused }) };
    return {
      output: [rows, cols, k],
      forward: (x, pass) => {
        const sums = conv2dOp(x, pass.parameter(weights), bias && pass.parameter(bias), how);
        return fused === undefined ? activate(activation, sums) : sums;
      },
    };
  });
}

/** The positions of a window on images; throws where they are not images or the window does not fit. */
export function windowsOn(
  input: Shape,
  builder: LayerBuilder,
  size: number,
  stride: number,
  padding: Padding,
): { readonly rows: number; readonly cols: number; readonly channels: number } {
  const [height, width, channels] = requireImages(input, builder);
  return {
    rows: windowPositions(builder.where, height, size, stride, padding).count,
    cols: windowPositions(builder.where, width, size, stride, padding).count,
    channels,
  };
}

/** Height, width and channels. */
export function requireImages(input: Shape, builder: LayerBuilder): readonly [number, number, number] {
  if (input.length === 3) return input as readonly number[] as readonly [number, number, number];
  return builder.refuse(
    "the input",
    "images: height × width × channels",
    showShape(input),
    "Rows of numbers become images by reshapeTo([height, width, channels]).",
  );
}
