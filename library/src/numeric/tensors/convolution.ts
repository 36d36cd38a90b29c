import { addFilterPartials, convolveImages, filterGradientImages } from "../generated/convolution.js";
import { copyStrided } from "./copies.js";
import type { Reals, TensorSpace } from "./space.js";
import { placeShape, type WindowShape } from "./windows.js";
import { convolveTilesInto, type FilterGradient, hasTiles, tileFilterGradientInto } from "./winograd.js";

/**
 * Convolution without windows in memory: out = bias + windows · filters, where filters are windowHeight·windowWidth·channels ×
 * filterCount and out is count × outHeight × outWidth × filterCount. Measured on one core in f32, 25 to 36 GFLOPS for 8 to 32 filters:
 * about twice as fast as windows and a GEMM of 20 GFLOPS; windows of 3 × 3 by tiles (winograd.ts) 45 to 65. Other shapes than those of
 * `canConvolve…` are for windows.
 */

/** Images are divided into at most so many chunks: each has an area for a padded image and its own sums. */
const CHUNKS = 16;

/** Whether `convolveInto` has a kernel: filters in pairs of vectors, and at least four output positions per row. */
export function canConvolve(space: TensorSpace, shape: WindowShape, filterCount: number): boolean {
  return shape.outWidth >= 4 && canDifferentiateFilters(space, filterCount);
}

/** Whether `filterGradientInto` has a kernel: filters in pairs of vectors. */
export function canDifferentiateFilters(space: TensorSpace, filterCount: number): boolean {
  return (filterCount * space.width) % 32 === 0;
}

/** Whether `convolutionGradientInto` has a kernel: channels in pairs of vectors, strides of 1, less padding than window. */
export function canDifferentiateInput(space: TensorSpace, shape: WindowShape): boolean {
  const { strideY, strideX, padTop, padLeft, windowHeight, windowWidth } = shape;
  if (strideY !== 1 || strideX !== 1 || padTop >= windowHeight || padLeft >= windowWidth) return false;
  return shape.width >= 4 && (shape.channels * space.width) % 32 === 0;
}

/** Room for an image per chunk with its padding, as far as windows cover it. */
function paddedImages(space: TensorSpace, shape: WindowShape, chunks: number) {
  const paddedHeight = (shape.outHeight - 1) * shape.strideY + shape.windowHeight;
  const paddedWidth = (shape.outWidth - 1) * shape.strideX + shape.windowWidth;
  const padded = space.reals(chunks * paddedHeight * paddedWidth * shape.channels).ptr;
  return { padded, paddedHeight, paddedWidth };
}

const operations = (shape: WindowShape, filterCount: number): number =>
  2 *
  (shape.count * shape.outHeight * shape.outWidth) *
  (shape.windowHeight * shape.windowWidth * shape.channels) *
  filterCount;

/** out = bias + windows · filters, or 0 where that is negative, if `rectified`; out is overwritten. Requires `canConvolve`. */
export function convolveInto(
  space: TensorSpace,
  x: Reals,
  shape: WindowShape,
  filters: Reals,
  filterCount: number,
  bias: Reals | undefined,
  rectified: boolean,
  out: Reals,
): void {
  const chunkImages = Math.max(1, Math.ceil(shape.count / CHUNKS));
  space.step(() => {
    const given = {
      shapeAt: placeShape(space, shape),
      x: x.ptr,
      filterCount,
      bias: bias?.ptr ?? 0,
      rectified: rectified ? 1 : 0,
      out: out.ptr,
      chunkImages,
    } as const;
    if (hasTiles(space, shape, filterCount)) {
      convolveTilesInto(space, shape, filters.ptr, given);
      return;
    }
    const chunks = Math.ceil(shape.count / chunkImages);
    const call = convolveImages({ ...given, ...paddedImages(space, shape, chunks), filters: filters.ptr });
    space.parallel(call, chunks, operations(shape, filterCount));
  });
}

/** out (+)= windowsᵀ · g, the gradient of the filters. Requires `canDifferentiateFilters`. */
export function filterGradientInto(
  space: TensorSpace,
  x: Reals,
  shape: WindowShape,
  g: Reals,
  filterCount: number,
  out: Reals,
  accumulate = false,
): void {
  const chunkImages = Math.max(1, Math.ceil(shape.count / CHUNKS));
  const chunks = Math.ceil(shape.count / chunkImages);
  const size = shape.windowHeight * shape.windowWidth * shape.channels * filterCount;
  const mark = space.mark();
  const partials = space.reals(chunks * size);
  const byChunks = hasTiles(space, shape, filterCount) ? tileFilterGradientInto : directFilterGradientInto;
  byChunks(space, shape, { x: x.ptr, g: g.ptr, filterCount, chunkImages, partials: partials.ptr });
  space.call(
    addFilterPartials({ partials: partials.ptr, chunks, size, out: out.ptr, accumulate: accumulate ? 1 : 0 }),
  );
  space.release(mark);
}

/** partials[chunk] = the gradient of the filters over a chunk of images. */
function directFilterGradientInto(space: TensorSpace, shape: WindowShape, given: FilterGradient): void {
  const chunks = Math.ceil(shape.count / given.chunkImages);
  const mark = space.mark();
  const area = paddedImages(space, shape, chunks);
  const run = shape.windowWidth * shape.channels;
  const call = filterGradientImages({
    ...given,
    ...area,
    shapeAt: placeShape(space, shape),
    offsets: space.integers(tapOffsets(shape, area.paddedWidth, space.width)).ptr,
    taps: shape.windowHeight * run,
    inThrees: run % 3 === 0 && run % 4 !== 0 ? 1 : 0,
  });
  space.parallel(call, chunks, operations(shape, given.filterCount));
  space.release(mark);
}

/** Bytes from a window's first entry to each of its entries, in the order of filters; a multiple of four, the last repeated. */
function tapOffsets(shape: WindowShape, paddedWidth: number, width: number): Int32Array {
  const { windowHeight, windowWidth, channels } = shape;
  const run = windowWidth * channels;
  const taps = windowHeight * run;
  const offsets = new Int32Array(4 * Math.ceil(taps / 4));
  for (let t = 0; t < offsets.length; t++) {
    const tap = Math.min(t, taps - 1);
    const row = Math.floor(tap / run);
    offsets[t] = (row * paddedWidth * channels + (tap - row * run)) * width;
  }
  return offsets;
}

/**
 * out (+)= the gradient of the images: the convolution of g with the filters turned by 180°, with channels and filters in the other
 * roles. Requires `canDifferentiateInput`.
 */
export function convolutionGradientInto(
  space: TensorSpace,
  g: Reals,
  shape: WindowShape,
  filters: Reals,
  filterCount: number,
  out: Reals,
  accumulate = false,
): void {
  const { windowHeight, windowWidth, channels } = shape;
  const turned: WindowShape = {
    ...shape,
    height: shape.outHeight,
    width: shape.outWidth,
    channels: filterCount,
    padTop: windowHeight - 1 - shape.padTop,
    padLeft: windowWidth - 1 - shape.padLeft,
    outHeight: shape.height,
    outWidth: shape.width,
  };
  const size = channels * filterCount;
  const sides = [windowHeight, windowWidth, filterCount, channels];
  const from = [-windowWidth * size, -size, 1, filterCount];
  const to = [windowWidth * size, size, channels, 1];
  const last = (windowHeight * windowWidth - 1) * size;
  space.step(() => {
    const swapped = space.reals(filters.length);
    copyStrided(space, sides, filters, last, from, swapped, 0, to);
    const target = accumulate ? space.reals(out.length) : out;
    convolveInto(space, g, turned, swapped, channels, undefined, false, target);
    if (accumulate) copyStrided(space, [out.length], target, 0, [1], out, 0, [1], true);
  });
}
