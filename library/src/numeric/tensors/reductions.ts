import { argmaxOuter, maxGradientOuter, maxOuter } from "../generated/tensor-copies.js";
import { addPartials, spreadRows, sumMiddle, sumOuter } from "../generated/tensor-shapes.js";
import { type Integers, itemsPerChunk, type Reals, type TensorSpace } from "./space.js";

/**
 * Sums and maxima over the middle axis of outer × middle × inner entries. Sums are added in doubles, in both widths, in an order
 * that depends on the sizes only. Maxima need middle ≥ 1.
 */

export interface SumOptions {
  /** Factor of the sum or of what is spread; default 1. */
  readonly scale?: number;
  /** Adds to out instead of overwriting it; default false. */
  readonly accumulate?: boolean;
}

/** Entries per chunk of a threaded call: some ten microseconds. */
const CHUNK = 65536;
/** Partial sums of a sum over few rows, in doubles: together they stay in the L2 cache. */
const PARTIALS = 32768;

/** out[o, i] (+)= Σ_m x[o, m, i] · scale. */
export function sumInto(
  space: TensorSpace,
  x: Reals,
  outer: number,
  middle: number,
  inner: number,
  out: Reals,
  options?: SumOptions,
): void {
  const scale = options?.scale ?? 1;
  const accumulate = options?.accumulate ? 1 : 0;
  const size = outer * inner;
  if (size === 0) return;
  // Few outer indices give no threads: then the middle axis is divided, if the partial sums are few.
  if (outer < 8 && size <= PARTIALS / 2 && size * middle >= 2 * CHUNK) {
    sumSlices(space, x, outer, middle, inner, out, scale, accumulate);
    return;
  }
  const chunkOuter = itemsPerChunk(CHUNK, middle * inner);
  const chunks = Math.ceil(outer / chunkOuter);
  const mark = space.mark();
  const work = inner === 1 ? 0 : space.reals((chunks * inner * 8) / space.width).ptr;
  space.parallel(
    sumOuter({ x: x.ptr, outer, middle, inner, out: out.ptr, scale, accumulate, work, chunkOuter }),
    chunks,
    2 * size * middle,
  );
  space.release(mark);
}

/** The same with partial sums of slices of the middle axis. */
function sumSlices(
  space: TensorSpace,
  x: Reals,
  outer: number,
  middle: number,
  inner: number,
  out: Reals,
  scale: number,
  accumulate: number,
): void {
  const size = outer * inner;
  const most = Math.max(2, Math.floor(PARTIALS / size));
  // A multiple of 8 keeps the kernel's unrolled loops whole.
  const chunkMiddle = 8 * Math.ceil(Math.max(CHUNK / size, middle / most) / 8);
  const chunks = Math.ceil(middle / chunkMiddle);
  const mark = space.mark();
  const partials = space.reals((chunks * size * 8) / space.width).ptr;
  space.parallel(
    sumMiddle({ x: x.ptr, outer, middle, inner, partials, chunkMiddle }),
    chunks,
    2 * size * middle,
  );
  space.call(addPartials({ partials, chunks, size, out: out.ptr, scale, accumulate }));
  space.release(mark);
}

/** out[o, i] = max_m x[o, m, i]. */
export function maxInto(
  space: TensorSpace,
  x: Reals,
  outer: number,
  middle: number,
  inner: number,
  out: Reals,
): void {
  const slab = middle * inner;
  space.inChunks(outer, itemsPerChunk(CHUNK, slab), 2 * slab, (chunkOuter) =>
    maxOuter({ x: x.ptr, outer, middle, inner, out: out.ptr, chunkOuter }),
  );
}

/** out[o, i] = the first m with the largest x[o, m, i]. */
export function argmaxInto(
  space: TensorSpace,
  x: Reals,
  outer: number,
  middle: number,
  inner: number,
  out: Integers,
): void {
  const slab = middle * inner;
  space.inChunks(outer, itemsPerChunk(CHUNK, slab), 5 * slab, (chunkOuter) =>
    argmaxOuter({ x: x.ptr, outer, middle, inner, out: out.ptr, chunkOuter }),
  );
}

/** Spreads: out[o, m, i] (+)= g[o, i] · scale. The gradient of `sumInto`. */
export function spreadInto(
  space: TensorSpace,
  g: Reals,
  outer: number,
  middle: number,
  inner: number,
  out: Reals,
  options?: SumOptions,
): void {
  const rows = outer * middle;
  const scale = options?.scale ?? 1;
  const accumulate = options?.accumulate ? 1 : 0;
  space.inChunks(rows, itemsPerChunk(CHUNK, inner), 2 * inner, (chunkRows) =>
    spreadRows({ g: g.ptr, rows, middle, inner, out: out.ptr, scale, accumulate, chunkRows }),
  );
}

/** out (+)= g[o, i] at the position of the maximum, 0 elsewhere. The gradient of `maxInto`. */
export function maxGradientInto(
  space: TensorSpace,
  g: Reals,
  positions: Integers,
  outer: number,
  middle: number,
  inner: number,
  out: Reals,
  accumulate = false,
): void {
  const slab = middle * inner;
  space.inChunks(outer, itemsPerChunk(CHUNK, slab), 2 * slab, (chunkOuter) =>
    maxGradientOuter({
      g: g.ptr,
      positions: positions.ptr,
      outer,
      middle,
      inner,
      out: out.ptr,
      accumulate: accumulate ? 1 : 0,
      chunkOuter,
    }),
  );
}
