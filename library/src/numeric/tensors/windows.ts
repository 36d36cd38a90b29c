import {
  addAtPositions,
  addWindows,
  averagePoolGradient,
  averagePoolRows,
  maxPoolRows,
  maxQuadGradientRows,
  maxQuadRows,
  windowRows,
} from "../generated/convolution.js";
import { type WindowsInputs, windowsBytes, windowsI32 } from "../generated/convolution.layout.js";
import type { Address, RealChunkCall } from "../runtime/kernels.js";
import { clear } from "./clear.js";
import { type Integers, itemsPerChunk, type Reals, type TensorSpace } from "./space.js";

/**
 * Windows of images (im2col), their adjoint, and pooling. Images are count × height × width × channels, row-major; pixels outside an
 * image are zeros for windows, and are left out by pooling.
 */
export type WindowShape = WindowsInputs;

/** The shape as kernels read it, until the space is released. */
export function placeShape(space: TensorSpace, shape: WindowShape): Address {
  const { ptr, array } = space.indices(windowsBytes / 4);
  for (const name in windowsI32)
    array[windowsI32[name as keyof WindowShape]] = shape[name as keyof WindowShape];
  return ptr;
}

/** Entries per chunk of a threaded call: some ten microseconds. */
const CHUNK = 32768;

/** Runs a kernel over `items` rows or images of `entries` entries each. */
function run(
  space: TensorSpace,
  shape: WindowShape,
  items: number,
  entries: number,
  kernel: (shapeAt: Address, perChunk: number) => RealChunkCall,
): void {
  const mark = space.mark();
  const shapeAt = placeShape(space, shape);
  space.inChunks(items, itemsPerChunk(CHUNK, entries), 3 * entries, (size) => kernel(shapeAt, size));
  space.release(mark);
}

/**
 * im2col: one row per output position (count·outHeight·outWidth), columns in the order (windowY, windowX, channel), so that
 * rows · filters[windowHeight·windowWidth·C, K] = output N × outHeight × outWidth × K. channelFrom and channelCount select the channels
 * of a group.
 */
export function windowsInto(
  space: TensorSpace,
  x: Reals,
  shape: WindowShape,
  out: Reals,
  channelFrom = 0,
  channelCount = shape.channels,
): void {
  const entries = shape.outWidth * shape.windowHeight * shape.windowWidth * channelCount;
  run(space, shape, shape.count * shape.outHeight, entries, (shapeAt, chunkRows) =>
    windowRows({ shapeAt, x: x.ptr, out: out.ptr, channelFrom, channelCount, chunkRows }),
  );
}

/**
 * col2im, the exact adjoint of windowsInto: adds every window to its place. All of x is overwritten unless `accumulate`, also the
 * channels that are not of the group.
 */
export function windowsAddInto(
  space: TensorSpace,
  windows: Reals,
  shape: WindowShape,
  x: Reals,
  accumulate = false,
  channelFrom = 0,
  channelCount = shape.channels,
): void {
  const windowEntries = shape.windowHeight * shape.windowWidth * channelCount;
  run(space, shape, shape.count, shape.outHeight * shape.outWidth * windowEntries, (shapeAt, chunkImages) =>
    addWindows({
      shapeAt,
      x: x.ptr,
      windows: windows.ptr,
      channelFrom,
      channelCount,
      accumulate: accumulate ? 1 : 0,
      chunkImages,
    }),
  );
}

const poolEntries = (shape: WindowShape): number =>
  shape.outWidth * shape.windowHeight * shape.windowWidth * shape.channels;

/** Runs a kernel of pooling over the rows of output positions. */
function overRows(
  space: TensorSpace,
  shape: WindowShape,
  kernel: (shapeAt: Address, chunkRows: number) => RealChunkCall,
): void {
  run(space, shape, shape.count * shape.outHeight, poolEntries(shape), kernel);
}

/**
 * out = the largest entry of every window, per channel; positions = its index in x, the first of equal ones. Padding never wins; a
 * window of padding only gives 0 and the position −1.
 */
export function maxPoolInto(
  space: TensorSpace,
  x: Reals,
  shape: WindowShape,
  out: Reals,
  positions: Integers,
): void {
  overRows(space, shape, (shapeAt, chunkRows) =>
    maxPoolRows({ shapeAt, x: x.ptr, out: out.ptr, positions: positions.ptr, chunkRows }),
  );
}

/** x[positions[e]] += g[e]; x is overwritten unless `accumulate`. Windows may overlap, so one thread adds in order. */
export function maxPoolGradientInto(
  space: TensorSpace,
  g: Reals,
  positions: Integers,
  x: Reals,
  accumulate = false,
): void {
  if (!accumulate) clear(space, x);
  space.call(addAtPositions({ g: g.ptr, positions: positions.ptr, n: g.length, x: x.ptr }));
}

/** Whether windows are quads: 2 × 2 pixels, each in one window; the last row or column may have one pixel per window. */
export function hasQuads(shape: WindowShape): boolean {
  const { windowHeight, windowWidth, strideY, strideX, padTop, padLeft } = shape;
  if (windowHeight !== 2 || windowWidth !== 2 || strideY !== 2 || strideX !== 2) return false;
  if (padTop !== 0 || padLeft !== 0) return false;
  return shape.outHeight === Math.ceil(shape.height / 2) && shape.outWidth === Math.ceil(shape.width / 2);
}

/** `maxPoolInto` without positions, for quads: twice as fast, since the gradient compares again instead. */
export function maxQuadsInto(space: TensorSpace, x: Reals, shape: WindowShape, out: Reals): void {
  overRows(space, shape, (shapeAt, chunkRows) => maxQuadRows({ shapeAt, x: x.ptr, out: out.ptr, chunkRows }));
}

/** The gradient of `maxQuadsInto`: g at the place of every maximum in x, the first of equal ones, and 0 elsewhere. */
export function maxQuadsGradientInto(
  space: TensorSpace,
  g: Reals,
  x: Reals,
  shape: WindowShape,
  out: Reals,
  accumulate = false,
): void {
  overRows(space, shape, (shapeAt, chunkRows) =>
    maxQuadGradientRows({
      shapeAt,
      x: x.ptr,
      g: g.ptr,
      gradient: out.ptr,
      accumulate: accumulate ? 1 : 0,
      chunkRows,
    }),
  );
}

/** out = the mean of every window, per channel, over its entries inside the image. */
export function averagePoolInto(space: TensorSpace, x: Reals, shape: WindowShape, out: Reals): void {
  overRows(space, shape, (shapeAt, chunkRows) =>
    averagePoolRows({ shapeAt, x: x.ptr, out: out.ptr, chunkRows }),
  );
}

/** The adjoint of averagePoolInto; x is overwritten unless `accumulate`. */
export function averagePoolGradientInto(
  space: TensorSpace,
  g: Reals,
  shape: WindowShape,
  x: Reals,
  accumulate = false,
): void {
  run(space, shape, shape.count, shape.outHeight * poolEntries(shape), (shapeAt, chunkImages) =>
    averagePoolGradient({ shapeAt, x: x.ptr, g: g.ptr, accumulate: accumulate ? 1 : 0, chunkImages }),
  );
}
