import { convolveTiles, tileFilterGradient, transformFilters } from "../generated/convolution.js";
import { ENTRIES, TILES } from "../generated/convolution.layout.js";
import type { Address } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";
import type { TensorSpace } from "./space.js";
import { placeShape, type WindowShape } from "./windows.js";

/**
 * Convolution with windows of 3 × 3 by tiles of 2 × 2 outputs (Winograd), with 16 products instead of 36: see
 * docs/decisions/0019-convolutions-of-3-by-3-by-tiles.md. Of use to convolution.ts only.
 */

/** Whether the kernels have the shape: f32, strides of 1, channels in vectors and filters in pairs of vectors. */
export function hasTiles(space: TensorSpace, shape: WindowShape, filterCount: number): boolean {
  const { windowHeight, windowWidth, strideY, strideX, channels } = shape;
  if (space.width !== 4) return false;
  if (windowHeight !== 3 || windowWidth !== 3 || strideY !== 1 || strideX !== 1) return false;
  return channels % 4 === 0 && filterCount % 8 === 0;
}

/** Memory of the chunks: images with their border of zeros, and the transformed entries of a block of tiles. */
function areas(space: TensorSpace, shape: WindowShape, filterCount: number, chunks: number) {
  const { channels, outHeight, outWidth } = shape;
  const paddedSize = (2 * Math.ceil(outHeight / 2) + 2) * (2 * Math.ceil(outWidth / 2) + 2) * channels;
  const block = chunks * ENTRIES * TILES;
  return {
    padded: space.reals(chunks * paddedSize).ptr,
    inputs: space.reals(block * channels).ptr,
    /** Of the outputs, or of their gradients. */
    others: space.reals(block * filterCount).ptr,
  };
}

const operations = ({ count, outHeight, outWidth, channels }: WindowShape, filterCount: number): number =>
  8 * count * outHeight * outWidth * channels * filterCount;

/** What kernels of whole convolutions are given. */
export interface ConvolutionArguments {
  readonly shapeAt: Address;
  readonly x: Address;
  readonly filterCount: number;
  readonly bias: Address;
  readonly rectified: number;
  readonly out: Address;
  readonly chunkImages: number;
}

/** `convolveInto` where `hasTiles`, by the images' chunks. */
export function convolveTilesInto(
  space: TensorSpace,
  shape: WindowShape,
  filters: Address,
  given: ConvolutionArguments,
): void {
  const { channels } = shape;
  const { filterCount } = given;
  const chunks = Math.ceil(shape.count / given.chunkImages);
  const transformed = space.reals(ENTRIES * channels * filterCount).ptr;
  space.heap.call(transformFilters({ filters, channels, filterCount, out: transformed }));
  const { padded, inputs, others } = areas(space, shape, filterCount, chunks);
  const call = convolveTiles({ ...given, filters: transformed, padded, inputs, outputs: others });
  parallel(space.heap, call, chunks, operations(shape, filterCount));
}

/** The images x, the gradient g of their convolution, and where those of the filters go. */
export interface FilterGradient {
  readonly x: Address;
  readonly g: Address;
  readonly filterCount: number;
  readonly chunkImages: number;
  readonly partials: Address;
}

/** partials[chunk] = the gradient of the filters over a chunk of images, where `hasTiles`. */
export function tileFilterGradientInto(space: TensorSpace, shape: WindowShape, given: FilterGradient): void {
  const { x, g, filterCount, chunkImages, partials } = given;
  const { channels } = shape;
  const chunks = Math.ceil(shape.count / chunkImages);
  const mark = space.mark();
  const sums = space.reals(chunks * ENTRIES * channels * filterCount).ptr;
  const { padded, inputs, others } = areas(space, shape, filterCount, chunks);
  const call = tileFilterGradient({
    shapeAt: placeShape(space, shape),
    x,
    g,
    filterCount,
    partials,
    sums,
    padded,
    inputs,
    gradients: others,
    chunkImages,
  });
  parallel(space.heap, call, chunks, operations(shape, filterCount));
  space.release(mark);
}
