import { ParameterError, ShapeError, show } from "../../../core/errors.js";
import { derivativeFromValue, hasDerivative, type Unary } from "../../../numeric/tensors/activations.js";
import { anyFunction } from "../../../numeric/tensors/any-function.js";
import {
  canConvolve,
  canDifferentiateFilters,
  canDifferentiateInput,
  convolutionGradientInto,
  convolveInto,
  filterGradientInto,
} from "../../../numeric/tensors/convolution.js";
import { unaryGradientInto, unaryInto } from "../../../numeric/tensors/elementwise.js";
import { gemmInto } from "../../../numeric/tensors/products.js";
import { sumInto } from "../../../numeric/tensors/reductions.js";
import type { Reals } from "../../../numeric/tensors/space.js";
import {
  averagePoolGradientInto,
  averagePoolInto,
  hasQuads,
  maxPoolGradientInto,
  maxPoolInto,
  maxQuadsGradientInto,
  maxQuadsInto,
  type WindowShape,
  windowsAddInto,
  windowsInto,
} from "../../../numeric/tensors/windows.js";
import { type Operand, operandOf } from "../computation.js";
import { showShape, sizeOf } from "../shape.js";
import type { Sink, Tensor } from "../tensor.js";
import { concat, slice } from "./shapes.js";

/** "valid": none; "same": as many zeros around the image as give ⌈N/stride⌉ positions; or a number of rows and columns on every side. */
export type Padding = "valid" | "same" | number;

export interface WindowOptions {
  readonly stride?: number | undefined;
  readonly padding?: Padding | undefined;
}

/** Along one axis: positions of the window, and the zeros before the image. */
interface Positions {
  readonly count: number;
  readonly before: number;
}

/**
 * (N + padding − F)/stride + 1 positions of a window of F entries on N entries. A window that does not fit a whole number of times is
 * an error, as the lecture defines it: nothing is cut off silently. "same" always has ⌈N/stride⌉ positions, as in TensorFlow: with a
 * stride larger than the window, entries after the last position are skipped like those between positions.
 */
export function windowPositions(
  where: string,
  n: number,
  f: number,
  stride: number,
  padding: Padding,
): Positions {
  requireWindow(where, f, stride, padding);
  if (padding === "same") {
    const count = Math.ceil(n / stride);
    return { count, before: Math.floor(Math.max(0, (count - 1) * stride + f - n) / 2) };
  }
  const total = padding === "valid" ? 0 : 2 * padding;
  const free = n + total - f;
  if (free >= 0 && free % stride === 0) return { count: free / stride + 1, before: Math.floor(total / 2) };
  throw new ShapeError({
    where,
    subject: `a window of ${f} on ${n}${total > 0 ? ` + ${total}` : ""} entries with stride ${stride}`,
    expected: "a whole number of positions, (N − F)/stride + 1",
    received:
      free < 0 ? "a window larger than the image: it does not fit" : `${free}/${stride} + 1: it does not fit`,
    advice: adviceFor(n + total, f, stride),
  });
}

function requireWindow(where: string, f: number, stride: number, padding: Padding): void {
  const refuse = (subject: string, expected: string, received: unknown): never => {
    throw new ParameterError(where, subject, expected, show(received));
  };
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
  if (!isCount(f)) refuse("the size of the window", "an integer ≥ 1", f);
  if (!isCount(stride)) refuse("stride", "an integer ≥ 1", stride);
  if (padding !== "valid" && padding !== "same" && !isCount(padding + 1))
    refuse("padding", '"valid", "same", or an integer ≥ 0', padding);
}

function adviceFor(n: number, f: number, stride: number): string {
  const strides = [];
  for (let s = 1; s <= Math.max(1, n - f); s++) if (n >= f && (n - f) % s === 0) strides.push(s);
  const smaller = n - ((n - f) % stride);
  const larger = smaller + stride;
  const sizes =
    n >= f ? `images of ${smaller} or ${larger} entries (padding adds some)` : `a window of at most ${n}`;
  return strides.length > 0
    ? `What fits: stride ${strides.slice(0, 6).join(", ")}, or ${sizes}.`
    : `What fits: ${sizes}.`;
}

function windowShape(
  where: string,
  input: Tensor,
  windowHeight: number,
  windowWidth: number,
  { stride = 1, padding = "valid" }: WindowOptions,
): WindowShape {
  if (input.rank !== 4) {
    throw new ShapeError(where, "x", "images × height × width × channels", showShape(input.shape));
  }
  const [count, height, width, channels] = input.shape as [number, number, number, number];
  const y = windowPositions(where, height, windowHeight, stride, padding);
  const x = windowPositions(where, width, windowWidth, stride, padding);
  return {
    count,
    height,
    width,
    channels,
    windowHeight,
    windowWidth,
    strideY: stride,
    strideX: stride,
    padTop: y.before,
    padLeft: x.before,
    outHeight: y.count,
    outWidth: x.count,
  };
}

export interface ConvolutionOptions extends WindowOptions {
  /** Channels are split into this many groups, each with filters of its own. */
  readonly groups?: number | undefined;
  /** Applied to the output. */
  readonly activation?: Unary | undefined;
}

/**
 * Convolution (without flipping the filters) of images N × H × W × C with filters F × F × C/groups × K, and a bias per filter.
 *
 *   y = windows·filters,   ∂/∂filters = windowsᵀ·g,   ∂/∂x = windows added back (g·filtersᵀ)
 *
 * where the rows of `windows` are the windows of all images. They are formed in memory only for the shapes that the direct
 * kernels do not have.
 */
export function conv2d(
  x: Operand,
  filters: Operand,
  bias: Operand | undefined,
  options: ConvolutionOptions = {},
): Tensor {
  const input = operandOf("conv2d", "x", x);
  const weights = operandOf("conv2d", "filters", filters);
  const biases = bias === undefined ? undefined : operandOf("conv2d", "bias", bias);
  const groups = options.groups ?? 1;
  requireGroups(input, weights, groups, biases);
  if (groups > 1) return groupedConvolution(input, weights, biases, groups, options);
  const f = anyFunction(options.activation ?? { name: "linear" });
  const [height, width, depth, k] = weights.shape as [number, number, number, number];
  const shape = windowShape("conv2d", input, height, width, options);
  const { tape } = input;
  const { space } = tape;
  const rows = shape.count * shape.outHeight * shape.outWidth;
  const cols = height * width * depth;
  // Kernels of products apply the basic functions only.
  const fused = f.kernels === undefined && (derivativeFromValue.has(f.name) || !tape.differentiates);
  const filterMatrix = { values: weights.values, rows: cols, cols: k };
  let z!: Reals;
  let y!: Reals;
  const value = (out: Reals) => {
    y = out;
    z = fused ? out : space.reals(out.length);
    if (canConvolve(space, shape, k)) {
      const rectified = f.name === "relu";
      convolveInto(space, input.values, shape, weights.values, k, biases?.values, rectified, z);
      if (f.name !== "linear" && !rectified) unaryInto(space, f, z, out);
      return;
    }
    const finish = { bias: biases?.values, activation: fused ? f : undefined };
    space.step(() =>
      gemmInto(space, { values: windowsOf(input, shape), rows, cols }, filterMatrix, z, finish),
    );
    if (!fused) unaryInto(space, f, z, out);
  };
  const derivative = (g: Reals, [toInput, toFilters, toBias]: readonly (Sink | undefined)[]) =>
    space.step(() => {
      let gz = g;
      if (f.name !== "linear") {
        // Nothing needs g after this, unless it is shown.
        if (tape.keepsGradients) gz = space.reals(g.length);
        unaryGradientInto(space, f, z, y, g, gz, false);
      }
      const gradient = { values: gz, rows, cols: k };
      if (toBias) sumInto(space, gz, 1, rows, k, toBias.values, toBias);
      if (toFilters && canDifferentiateFilters(space, k)) {
        filterGradientInto(space, input.values, shape, gz, k, toFilters.values, toFilters.accumulate);
      } else if (toFilters) {
        const windows = { values: windowsOf(input, shape), rows, cols, transposed: true };
        gemmInto(space, windows, gradient, toFilters.values, toFilters);
      }
      if (!toInput) return;
      if (canDifferentiateInput(space, shape)) {
        const { values, accumulate } = toInput;
        convolutionGradientInto(space, gz, shape, weights.values, k, values, accumulate);
        return;
      }
      const windows = space.reals(rows * cols);
      gemmInto(space, gradient, { ...filterMatrix, transposed: true }, windows);
      windowsAddInto(space, windows, shape, toInput.values, toInput.accumulate);
    });
  const inputs = biases === undefined ? [input, weights] : [input, weights, biases];
  const out = [shape.count, shape.outHeight, shape.outWidth, k];
  const derivatives = hasDerivative(f.name) ? derivative : inputs.map(() => undefined);
  return tape.record("conv2d", inputs, out, value, derivatives);
}

/** The windows as rows. The gradient computes them again: they are up to F² times as large as the images. */
function windowsOf({ tape, values }: Tensor, shape: WindowShape): Reals {
  const { count, outHeight, outWidth, windowHeight, windowWidth, channels } = shape;
  const size = count * outHeight * outWidth * windowHeight * windowWidth * channels;
  // A window of one pixel at every position: the image itself. Padding and a stride together may also leave as many positions.
  const everyPixel = shape.strideY * shape.strideX === 1 && size === values.length;
  if (windowHeight === 1 && windowWidth === 1 && everyPixel) return values;
  const out = tape.space.reals(size);
  windowsInto(tape.space, values, shape, out);
  return out;
}

/** Each group of channels with its own filters. */
function groupedConvolution(
  input: Tensor,
  weights: Tensor,
  biases: Tensor | undefined,
  groups: number,
  options: ConvolutionOptions,
): Tensor {
  const [height, width, depth, k] = weights.shape as [number, number, number, number];
  const each = k / groups;
  const outputs = Array.from({ length: groups }, (_, group) => {
    const channels = slice(
      input,
      [0, 0, 0, group * depth],
      [...input.shape.slice(0, 3), (group + 1) * depth],
    );
    const own = slice(weights, [0, 0, 0, group * each], [height, width, depth, (group + 1) * each]);
    const bias = biases && slice(biases, [group * each], [(group + 1) * each]);
    return conv2d(channels, own, bias, { ...options, groups: 1 });
  });
  return concat(outputs, 3);
}

function requireGroups(input: Tensor, weights: Tensor, groups: number, bias: Tensor | undefined): void {
  const [, , depth = 0, k = 0] = weights.shape;
  const channels = input.shape.at(-1) ?? 0;
  if (!Number.isSafeInteger(groups) || groups < 1 || channels % groups !== 0 || k % groups !== 0) {
    const expected = `a divisor of the ${channels} channels and of the ${k} filters`;
    throw new ParameterError("conv2d", "groups", expected, show(groups));
  }
  if (weights.rank === 4 && depth * groups === channels && (bias === undefined || bias.size === k)) return;
  const expected = `height × width × ${channels / groups} × filters, with a bias per filter`;
  const received = `${showShape(weights.shape)} and ${bias?.size ?? "no"} biases`;
  throw new ShapeError("conv2d", "filters", expected, received);
}

/** The largest entry of each window of `size` × `size`, per channel; stride `size` unless given. */
export function maxPool(x: Operand, size: number, options: WindowOptions = {}): Tensor {
  const input = operandOf("maxPool", "x", x);
  const shape = windowShape("maxPool", input, size, size, { stride: size, ...options });
  const { tape, values } = input;
  const { space } = tape;
  const out = [shape.count, shape.outHeight, shape.outWidth, shape.channels];
  if (hasQuads(shape))
    return tape.record("maxPool", [input], out, (to) => maxQuadsInto(space, values, shape, to), [
      (g, into) => maxQuadsGradientInto(space, g, values, shape, into.values, into.accumulate),
    ]);
  const positions = space.indices(sizeOf(out));
  return tape.record("maxPool", [input], out, (to) => maxPoolInto(space, values, shape, to, positions), [
    (g, into) => maxPoolGradientInto(space, g, positions, into.values, into.accumulate),
  ]);
}

/** The mean of each window of `size` × `size`, per channel, zeros of the padding not counted; stride `size` unless given. */
export function averagePool(x: Operand, size: number, options: WindowOptions = {}): Tensor {
  const input = operandOf("averagePool", "x", x);
  const shape = windowShape("averagePool", input, size, size, { stride: size, ...options });
  const { tape, values } = input;
  const out = [shape.count, shape.outHeight, shape.outWidth, shape.channels];
  return tape.record("averagePool", [input], out, (to) => averagePoolInto(tape.space, values, shape, to), [
    (g, into) => averagePoolGradientInto(tape.space, g, shape, into.values, into.accumulate),
  ]);
}
