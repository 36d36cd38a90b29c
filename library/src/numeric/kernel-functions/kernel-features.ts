import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type Arena, withArena } from "../runtime/arena.js";
import type { Address } from "../runtime/kernels.js";
import { FeatureSlices, SLICE_WIDTH } from "./feature-slices.js";
import type { KernelPoints } from "./kernel-points.js";
import { kernelBlocks } from "./kernel-scores.js";
import type { KernelTree } from "./kernel-tree.js";

/** Rows of features in the arena at a time are at most this many entries. */
const BLOCK_ENTRIES = 2 ** 21;

/** L⁻¹ k(x_·, z) for all rows of z: their coordinates in the span of the points. L Lᵀ is the kernel matrix of the points. */
export function kernelFeatures(
  where: string,
  z: Design,
  points: KernelPoints,
  tree: KernelTree,
  lower: Float64Array,
): Matrix {
  return withArena(where, (arena) => {
    const blocks = kernelBlocks(arena, points, tree, Math.min(z.rows, heightFor(points.count)));
    return features(arena, z.rows, blocks.height, lower, points.count, (from, n, out, stride) =>
      blocks.write(z, from, n, out, stride),
    );
  });
}

/** The same from given kernel values. */
export function featuresOfValues(where: string, values: Matrix, lower: Float64Array): Matrix {
  const { rows, cols, data } = values;
  return withArena(where, (arena) =>
    features(arena, rows, Math.min(rows, heightFor(cols)), lower, cols, (from, n, out, stride) => {
      const to = arena.heap.floats;
      for (let i = 0; i < n; i++)
        to.set(data.subarray((from + i) * cols, (from + i + 1) * cols), out / 8 + i * stride);
    }),
  );
}

const heightFor = (rank: number): number =>
  Math.max(SLICE_WIDTH, Math.floor(BLOCK_ENTRIES / Math.max(1, rank)));

function features(
  arena: Arena,
  rows: number,
  height: number,
  lower: Float64Array,
  rank: number,
  write: (from: number, n: number, out: Address, stride: number) => void,
): Matrix {
  const out = Matrix.zeros(rows, rank);
  if (out.data.length === 0) return out;
  const stride = 4 * Math.ceil(rank / 4);
  const values = arena.zeros(4 * Math.ceil(height / 4) * stride);
  const slices = new FeatureSlices(arena, height);
  const factor = triangles(lower, rank);
  for (let from = 0; from < rows; from += height) {
    const n = Math.min(height, rows - from);
    write(from, n, values.ptr, stride);
    slices.clear();
    for (const { start, rowsBefore, triangle, order } of factor) {
      const c = values.at(start);
      slices.downdate(c, stride, rowsBefore, order.length);
      slices.append(c, stride, order, triangle, null);
    }
    slices.unpack(values.ptr);
    out.data.set(values.array.subarray(0, n * rank), from * rank);
  }
  return out;
}

/** L in slices of rows: the columns before the triangle, and the triangle. */
function triangles(lower: Float64Array, rank: number) {
  const slices = [];
  for (let start = 0; start < rank; start += SLICE_WIDTH) {
    const width = Math.min(SLICE_WIDTH, rank - start);
    const rowsBefore = new Float64Array(width * start);
    const triangle = new Float64Array(width * width);
    for (let k = 0; k < width; k++) {
      const row = (start + k) * rank;
      rowsBefore.set(lower.subarray(row, row + start), k * start);
      triangle.set(lower.subarray(row + start, row + start + k + 1), k * width);
    }
    const order = Int32Array.from({ length: width }, (_, k) => k);
    slices.push({ start, rowsBefore, triangle, order });
  }
  return slices;
}
