import { ParameterError } from "../../core/errors.js";
import { absent, readOptions, refuseOptions } from "../../core/params/options.js";
import { integer, type ParamSpec } from "../../core/params/params.js";
import { add } from "../autodiff/ops/arithmetic.js";
import { averagePool, maxPool, type Padding, type WindowOptions } from "../autodiff/ops/images.js";
import { matmul } from "../autodiff/ops/products.js";
import { max, mean } from "../autodiff/ops/reductions.js";
import { reshape } from "../autodiff/ops/shapes.js";
import { type Shape, showShape } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";
import { type Layer, type LayerBuilder, layer } from "../network/layer.js";
import { windowsOn } from "./convolution.js";
import { optionsJson, paddingSpec, readCount } from "./options.js";

export interface PoolOptions {
  /** Rows and columns between neighbouring windows; the size of the window unless given. */
  readonly stride?: number | undefined;
  /**
   * "valid": none; "same": as much as gives ⌈N/stride⌉ rows and columns; or rows and columns on every side.
   * Padding is never counted.
   */
  readonly padding?: Padding | undefined;
}

const poolOptions = {
  stride: absent(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Rows and columns between windows; the window's size if absent.",
    }),
  ),
  padding: paddingSpec("Rows and columns around the image, which are not counted."),
} satisfies Record<keyof PoolOptions, ParamSpec<unknown>>;

/**
 * The largest entry of every window of `size` × `size`, per channel: H × W × C → (H − size)/stride + 1 × … ×
 * C.
 */
export function maxPool2d(size: number, options: PoolOptions = {}): Layer {
  return poolLayer("maxPool2d", maxPool, size, options);
}

/** The mean of every window of `size` × `size`, per channel. */
export function averagePool2d(size: number, options: PoolOptions = {}): Layer {
  return poolLayer("averagePool2d", averagePool, size, options);
}

function poolLayer(
  kind: string,
  pool: (x: Tensor, size: number, options: WindowOptions) => Tensor,
  size: number,
  options: PoolOptions,
): Layer {
  const side = readCount(kind, "size", size);
  const given = readOptions(kind, poolOptions, options);
  const { stride = side, padding } = given;
  if (typeof padding === "number" && padding > side / 2) {
    // A window that lies in the padding has no entry to choose from.
    const expected = `at most half the window's size, ${Math.floor(side / 2)}`;
    const received = `${padding}`;
    throw new ParameterError(kind, "padding", expected, received);
  }
  const json = { size: side, ...optionsJson(poolOptions, given) };
  return layer(kind, json, (input, builder) => {
    const { rows, cols, channels } = windowsOn(input, builder, side, stride, padding);
    return { output: [rows, cols, channels], forward: (x) => pool(x, side, { stride, padding }) };
  });
}

/**
 * The mean of every channel over the whole image, H × W × C → C; or over the tokens, T × D → D, padding not
 * counted. A text of nothing but padding gives 0.
 */
export function globalAveragePool(...none: readonly never[]): Layer {
  refuseOptions("globalAveragePool", none);
  return globalPool("globalAveragePool", (x, mask) =>
    mask === undefined ? mean(x, { axis: inner(x) }) : meanOfTokens(x, mask),
  );
}

/**
 * The largest entry of every channel over the whole image, H × W × C → C; or over the tokens, T × D → D,
 * padding not counted.
 */
export function globalMaxPool(...none: readonly never[]): Layer {
  refuseOptions("globalMaxPool", none);
  return globalPool("globalMaxPool", (x, mask) =>
    max(mask === undefined ? x : add(x, besides(mask)), { axis: inner(x) }),
  );
}

/** Pools every channel; the mask of padding, if there is one, ends here. */
const globalPool = (kind: string, pool: (x: Tensor, mask: Tensor | undefined) => Tensor): Layer =>
  layer(kind, {}, (input, builder) => {
    const output = [requireChannels(input, builder)];
    return {
      output,
      forward: (x, pass) => {
        const { mask } = pass;
        pass.mask = undefined;
        return pool(x, mask);
      },
    };
  });

/** The axes between batch and channels. */
const inner = ({ shape }: Tensor): readonly number[] => shape.slice(1, -1).map((_, a) => a + 1);

/** Σ over real tokens / their number, as a product with the row of their weights. */
function meanOfTokens(x: Tensor, mask: Tensor): Tensor {
  const [n, t, d] = x.shape as [number, number, number];
  const weights = Float64Array.from(mask.values.array, (entry) => (entry === 0 ? 1 : 0));
  for (let i = 0; i < n; i++) {
    const row = weights.subarray(i * t, (i + 1) * t);
    const real = row.reduce((sum, weight) => sum + weight, 0);
    for (let e = 0; e < t; e++) row[e]! /= Math.max(1, real);
  }
  return reshape(matmul(x.tape.constant([n, 1, t], weights), x), [n, d]);
}

/**
 * The mask as n × t × 1; rows of nothing but padding are left as they are, since a maximum needs an entry.
 */
function besides(mask: Tensor): Tensor {
  const [n, t] = mask.shape as [number, number];
  const entries = Float64Array.from(mask.values.array);
  for (let i = 0; i < n; i++) {
    const row = entries.subarray(i * t, (i + 1) * t);
    if (row.every((entry) => entry !== 0)) row.fill(0);
  }
  return mask.tape.constant([n, t, 1], entries);
}

function requireChannels(input: Shape, builder: LayerBuilder): number {
  if (input.length === 2 || input.length === 3) return input.at(-1)!;
  const expected = "images (height × width × channels) or tokens (tokens × dimensions)";
  return builder.refuse("the input", expected, showShape(input));
}
