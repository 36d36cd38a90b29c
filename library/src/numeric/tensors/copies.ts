import { copyItems, scatterColumns } from "../generated/tensor-copies.js";
import { gatherRows } from "../generated/tensor-shapes.js";
import { type Address, after } from "../runtime/kernels.js";
import type { Shape } from "./broadcasting.js";
import { type Integers, itemsPerChunk, type Reals, type TensorSpace } from "./space.js";

/** Kinds of the innermost axis; the same codes in `wasm/tensors/tensor-shapes/copy.ts`. */
const RUNS = 0;
const TRANSPOSE = 1;
const STRIDED = 2;
/** Neighbours along the second axis from the inside that the kernel copies as one item. */
const BLOCK = 64;
/** Entries per chunk of a threaded call: some ten microseconds. */
const CHUNK = 65536;
/** The same for rows of a table in any order: each is a wait for memory. */
const GATHER_CHUNK = 16384;
const GATHER_OPERATIONS = 4;

interface Axis {
  size: number;
  /** Entries between neighbours. */
  readonly src: number;
  readonly dst: number;
}

/** Entries between neighbours along each axis of a row-major tensor. */
export function rowMajorStrides(shape: Shape): number[] {
  const strides: number[] = new Array(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis]!;
  }
  return strides;
}

/**
 * dst[dstOffset + Σ index·dstStrides] (=|+=) src[srcOffset + Σ index·srcStrides] for all indices of `shape`; strides in entries, 0 and
 * negative allowed in src. src and dst may not overlap. Serves transpose, slice, concat, pad, broadcast and their gradients.
 */
export function copyStrided(
  space: TensorSpace,
  shape: Shape,
  src: Reals,
  srcOffset: number,
  srcStrides: readonly number[],
  dst: Reals,
  dstOffset: number,
  dstStrides: readonly number[],
  accumulate = false,
): void {
  if (shape.includes(0)) return;
  const axes = collapse(shape, srcStrides, dstStrides);
  const inner = axes.at(-1)!;
  let kind = STRIDED;
  if (inner.dst === 1 && inner.src === 1) kind = RUNS;
  else if (inner.dst === 1) {
    const along = axes.findIndex((axis) => axis.src === 1);
    if (along >= 0) {
      kind = TRANSPOSE;
      // spread: one axis.
      axes.splice(axes.length - 2, 0, ...axes.splice(along, 1));
    }
  }
  const from = after(src.ptr, srcOffset * space.width);
  const to = after(dst.ptr, dstOffset * space.width);
  copyAxes(space, kind, accumulate ? 1 : 0, from, to, axes);
}

/**
 * Axes in the order of the destination, the innermost last and at least one, so that it is written front to back. Neighbours that are
 * one axis in both become one.
 */
function collapse(shape: Shape, src: readonly number[], dst: readonly number[]): Axis[] {
  const axes: Axis[] = [];
  for (let a = 0; a < shape.length; a++)
    if (shape[a] !== 1) axes.push({ size: shape[a]!, src: src[a]!, dst: dst[a]! });
  axes.sort((p, q) => Math.abs(q.dst) - Math.abs(p.dst));
  const out: Axis[] = [];
  for (const axis of axes) {
    const outer = out.at(-1);
    if (outer && outer.src === axis.size * axis.src && outer.dst === axis.size * axis.dst)
      out[out.length - 1] = { size: outer.size * axis.size, src: axis.src, dst: axis.dst };
    else out.push(axis);
  }
  if (out.length === 0) out.push({ size: 1, src: 1, dst: 1 });
  return out;
}

const ONE: Axis = { size: 1, src: 0, dst: 0 };

/** The kernel has four axes; outer ones beyond them are walked here. */
function copyAxes(
  space: TensorSpace,
  kind: number,
  accumulate: number,
  from: Address,
  to: Address,
  axes: readonly Axis[],
): void {
  if (axes.length > 4) {
    const { size, src, dst } = axes[0]!;
    const inner = axes.slice(1);
    for (let i = 0; i < size; i++)
      copyAxes(
        space,
        kind,
        accumulate,
        after(from, i * src * space.width),
        after(to, i * dst * space.width),
        inner,
      );
    return;
  }
  const [a, b, c, d] = [ONE, ONE, ONE, ...axes].slice(-4) as [Axis, Axis, Axis, Axis];
  const items = a.size * b.size * Math.ceil(c.size / BLOCK);
  const chunkItems = Math.max(1, Math.floor(CHUNK / (Math.min(c.size, BLOCK) * d.size)));
  const call = copyItems({
    kind,
    accumulate,
    src: from,
    dst: to,
    n0: a.size,
    n1: b.size,
    n2: c.size,
    n3: d.size,
    s0: a.src,
    s1: b.src,
    s2: c.src,
    s3: d.src,
    d0: a.dst,
    d1: b.dst,
    d2: c.dst,
    d3: d.dst,
    chunkItems,
  });
  const operations = 3 * a.size * b.size * c.size * d.size;
  const chunks = Math.ceil(items / chunkItems);
  space.parallel(call, chunks, operations);
}

/** out row r = table row indices[r]; rows of `cols` entries. */
export function gatherRowsInto(
  space: TensorSpace,
  table: Reals,
  cols: number,
  indices: Integers,
  out: Reals,
): void {
  gatherBatchInto(space, table, cols, indices, 0, indices.length, out);
}

/** The same with the indices at `from` … `from + count − 1` of a permutation: a mini-batch. */
export function gatherBatchInto(
  space: TensorSpace,
  table: Reals,
  cols: number,
  order: Integers,
  from: number,
  count: number,
  out: Reals,
): void {
  const indices = after(order.ptr, 4 * from);
  space.inChunks(count, itemsPerChunk(GATHER_CHUNK, cols), GATHER_OPERATIONS * cols, (chunkRows) =>
    gatherRows({ table: table.ptr, cols, indices, rows: count, out: out.ptr, chunkRows }),
  );
}

/** table row indices[r] += g row r, in the order of r. */
export function scatterAddRows(
  space: TensorSpace,
  g: Reals,
  cols: number,
  indices: Integers,
  table: Reals,
): void {
  // Chunks of columns: rows may have the same target.
  const chunkCols = Math.max(64, 16 * Math.ceil(cols / 16 / 16));
  const rows = indices.length;
  space.inChunks(cols, chunkCols, 3 * rows, () =>
    scatterColumns({ g: g.ptr, rows, cols, indices: indices.ptr, table: table.ptr, chunkCols }),
  );
}
