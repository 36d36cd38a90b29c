import {
  addGradients,
  batchNormCoefficients,
  batchNormGradientRows,
  batchNormRows,
  batchNormSums,
  columnMeans,
  columnMoments,
  columnScales,
  layerNormGradientRows,
  layerNormRows,
  maskRun,
} from "../generated/normalization.js";
import type { Address } from "../runtime/kernels.js";
import type { Reals, TensorSpace } from "./space.js";

/**
 * Layer and batch normalisation of rows of `cols` entries, and dropout masks. Means and variances (biased) are computed in doubles, in
 * two passes. A scale is 1/√(variance + ε); with x̂ = (x − mean)·scale the output is x̂·gain + shift.
 */

/** Which gradients are added to what is there instead of overwriting it. */
export interface NormGradients {
  readonly x: boolean;
  readonly gain: boolean;
  readonly shift: boolean;
}

/** Entries per chunk of a threaded call: some ten microseconds. */
const CHUNK = 32768;
/** Bound on the partial sums of all chunks, in doubles. */
const PARTIALS = 2 ** 18;

/** Rows per chunk if each chunk has `partial` doubles of its own. */
function rowsPerChunk(rows: number, cols: number, partial: number): number {
  const fewest = Math.ceil((rows * partial) / PARTIALS);
  return Math.max(1, Math.floor(CHUNK / Math.max(1, cols)), fewest);
}

/** Address of uninitialised doubles. */
const doubles = (space: TensorSpace, length: number): Address => space.reals((length * 8) / space.width).ptr;

/** y = (x − mean)/√(var + ε) · gain + shift per row; means and scales of the rows are stored for the gradient. */
export function layerNormInto(
  space: TensorSpace,
  x: Reals,
  cols: number,
  gain: Reals,
  shift: Reals,
  epsilon: number,
  out: Reals,
  means: Reals,
  scales: Reals,
): void {
  const rows = x.length / cols;
  const given = normal(x, rows, cols, gain, means, scales);
  space.inChunks(rows, rowsPerChunk(rows, cols, 0), 5 * cols, (chunkRows) =>
    layerNormRows({ ...given, shift: shift.ptr, epsilon, out: out.ptr, chunkRows }),
  );
}

/** What most kernels are given. */
const normal = (x: Reals, rows: number, cols: number, gain: Reals, means: Reals, scales: Reals) => ({
  x: x.ptr,
  rows,
  cols,
  gain: gain.ptr,
  means: means.ptr,
  scales: scales.ptr,
});

/** The gradients of layerNormInto's x (out), gain and shift; out may be g unless it is added to. */
export function layerNormGradientInto(
  space: TensorSpace,
  x: Reals,
  cols: number,
  gain: Reals,
  means: Reals,
  scales: Reals,
  g: Reals,
  out: Reals,
  gainGradient: Reals,
  shiftGradient: Reals,
  accumulate: NormGradients,
): void {
  withSums(space, x.length / cols, cols, gainGradient, shiftGradient, accumulate, (sums, chunkRows) => {
    const given = normal(x, x.length / cols, cols, gain, means, scales);
    const into = { g: g.ptr, out: out.ptr, accumulate: accumulate.x ? 1 : 0 };
    const call = layerNormGradientRows({ ...given, ...into, partials: sums.partials, chunkRows });
    space.parallel(call, sums.chunks, 10 * x.length);
    sums.add();
  });
}

/** Partial sums of the gradients of gain and shift; `add` adds them up, chunk by chunk, and leaves the totals in their place. */
interface ParameterSums {
  readonly partials: Address;
  readonly chunks: number;
  add(): void;
}

function withSums(
  space: TensorSpace,
  rows: number,
  cols: number,
  gainGradient: Reals,
  shiftGradient: Reals,
  accumulate: NormGradients,
  work: (sums: ParameterSums, chunkRows: number) => void,
): void {
  const chunkRows = rowsPerChunk(rows, cols, 2 * cols);
  const chunks = Math.ceil(rows / chunkRows);
  const add = () =>
    space.call(
      addGradients({
        partials,
        chunks,
        cols,
        gainGradient: gainGradient.ptr,
        addGain: accumulate.gain ? 1 : 0,
        shiftGradient: shiftGradient.ptr,
        addShift: accumulate.shift ? 1 : 0,
      }),
    );
  const mark = space.mark();
  const partials = doubles(space, Math.max(1, chunks) * 2 * cols);
  work({ partials, chunks, add }, chunkRows);
  space.release(mark);
}

/** Per column (channel) over all rows, as in training; means and scales of the columns are stored. At least one row. */
export function batchNormInto(
  space: TensorSpace,
  x: Reals,
  cols: number,
  gain: Reals,
  shift: Reals,
  epsilon: number,
  out: Reals,
  means: Reals,
  scales: Reals,
): void {
  const rows = x.length / cols;
  const chunkRows = rowsPerChunk(rows, cols, cols);
  const chunks = Math.ceil(rows / chunkRows);
  const mark = space.mark();
  const partials = doubles(space, chunks * cols);
  const wide = doubles(space, cols);
  const given = { x: x.ptr, rows, cols, partials, chunkRows };
  space.parallel(columnMoments({ ...given, means: 0 }), chunks, 2 * x.length);
  space.call(columnMeans({ partials, chunks, rows, cols, means: means.ptr, wide }));
  space.parallel(columnMoments({ ...given, means: wide }), chunks, 3 * x.length);
  space.call(columnScales({ partials, chunks, rows, cols, epsilon, scales: scales.ptr }));
  space.release(mark);
  batchNormFixedInto(space, x, cols, gain, shift, means, scales, out);
}

/** The gradients of batchNormInto's x (out), gain and shift; out may be g unless it is added to. */
export function batchNormGradientInto(
  space: TensorSpace,
  x: Reals,
  cols: number,
  gain: Reals,
  means: Reals,
  scales: Reals,
  g: Reals,
  out: Reals,
  gainGradient: Reals,
  shiftGradient: Reals,
  accumulate: NormGradients,
): void {
  const rows = x.length / cols;
  withSums(space, rows, cols, gainGradient, shiftGradient, accumulate, (sums, chunkRows) => {
    const { partials, chunks } = sums;
    const coefficients = space.reals(3 * cols).ptr;
    const given = { x: x.ptr, rows, cols, means: means.ptr, g: g.ptr, chunkRows };
    space.parallel(batchNormSums({ ...given, scales: scales.ptr, partials }), chunks, 5 * x.length);
    sums.add();
    const own = { totals: partials, rows, cols, gain: gain.ptr, scales: scales.ptr };
    space.call(batchNormCoefficients({ ...own, coefficients }));
    const into = { out: out.ptr, accumulate: accumulate.x ? 1 : 0 };
    space.parallel(batchNormGradientRows({ ...given, coefficients, ...into }), chunks, 3 * x.length);
  });
}

/** y = (x − mean)·scale·gain + shift per column with given statistics (prediction); out may be x. */
export function batchNormFixedInto(
  space: TensorSpace,
  x: Reals,
  cols: number,
  gain: Reals,
  shift: Reals,
  means: Reals,
  scales: Reals,
  out: Reals,
): void {
  const rows = x.length / cols;
  const given = normal(x, rows, cols, gain, means, scales);
  space.inChunks(rows, rowsPerChunk(rows, cols, 0), 3 * cols, (chunkRows) =>
    batchNormRows({ ...given, shift: shift.ptr, out: out.ptr, chunkRows }),
  );
}

/** The hash of `wasm/tensors/normalization/dropout.ts` without its keys. */
function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}

/**
 * Entries 0, or 1/keep with probability `keep`, by a hash of the seed (an integer below 2⁵³) and the entry's index: the same entries are
 * kept for any number of threads and in both widths.
 */
export function dropoutMaskInto(space: TensorSpace, seed: number, keep: number, out: Reals): void {
  const threshold = Math.round(keep * 2 ** 32);
  if (threshold >= 2 ** 32) {
    out.array.fill(1);
    return;
  }
  // Both words of the seed are in both keys. 0x9e3779b9 is 2³² over the golden ratio: a seed of 0 has keys like any other.
  const first = mix(seed + 0x9e3779b9);
  const second = mix(first ^ mix(Math.floor(seed / 2 ** 32) + 0x9e3779b9));
  const keys = { first: mix(first ^ second), second };
  space.inChunks(out.length, CHUNK, 4, (chunkEntries) =>
    maskRun({ n: out.length, ...keys, threshold, value: 1 / keep, out: out.ptr, chunkEntries }),
  );
}
