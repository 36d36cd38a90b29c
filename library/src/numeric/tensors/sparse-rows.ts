import { sparseGradient, sparseProductChunk } from "../generated/tensor-sparse.js";
import { after } from "../runtime/kernels.js";
import { clear } from "./clear.js";
import type { Integers, Reals, TensorSpace } from "./space.js";

/** Compressed sparse rows in the memory of the kernels. */
export interface SparseRows {
  readonly indptr: Integers;
  readonly indices: Integers;
  readonly values: Reals;
  readonly cols: number;
}

/** Some of them: the rows `order[from] … order[from + count − 1]`, or from … from + count − 1 without an order. */
export interface SparseBatch {
  readonly rows: SparseRows;
  readonly order: Integers | undefined;
  readonly from: number;
  readonly count: number;
}

export function sparseRows(
  space: TensorSpace,
  x: {
    readonly indptr: ArrayLike<number>;
    readonly indices: ArrayLike<number>;
    readonly values: ArrayLike<number>;
    readonly cols: number;
  },
): SparseRows {
  return {
    indptr: space.integers(x.indptr),
    indices: space.integers(x.indices),
    values: space.copy(x.values),
    cols: x.cols,
  };
}

/** Rows per chunk of a product. */
const CHUNK_ROWS = 64;

function addresses({ rows, order, from, count }: SparseBatch) {
  return {
    // Without an order, the rows begin at `from` themselves.
    indptr: order === undefined ? after(rows.indptr.ptr, 4 * from) : rows.indptr.ptr,
    indices: rows.indices.ptr,
    values: rows.values.ptr,
    order: order === undefined ? 0 : after(order.ptr, 4 * from),
    count,
  } as const;
}

/** out = X·W + b; W is cols × m. */
export function sparseProductInto(
  space: TensorSpace,
  batch: SparseBatch,
  weights: Reals,
  m: number,
  bias: Reals | undefined,
  out: Reals,
): void {
  const { rows, count } = batch;
  const chunks = Math.ceil(count / CHUNK_ROWS);
  const perRow = rows.values.length / Math.max(1, rows.indptr.length - 1);
  const call = sparseProductChunk({
    ...addresses(batch),
    w: weights.ptr,
    m,
    bias: bias?.ptr ?? 0,
    out: out.ptr,
    size: CHUNK_ROWS,
  });
  space.parallel(call, chunks, 2 * count * perRow * m);
}

/** out (+)= Xᵀ·g; out is cols × m. */
export function sparseGradientInto(
  space: TensorSpace,
  batch: SparseBatch,
  g: Reals,
  m: number,
  out: Reals,
  accumulate = false,
): void {
  if (!accumulate) clear(space, out);
  space.call(sparseGradient({ ...addresses(batch), g: g.ptr, m, out: out.ptr }));
}

/** The rows with their zeros. */
export function denseInto({ rows, order, from, count }: SparseBatch, out: Reals): void {
  const { cols } = rows;
  const [indptr, indices, values] = [rows.indptr.array, rows.indices.array, rows.values.array];
  const places = order?.array;
  const to = out.array;
  to.fill(0);
  for (let e = 0; e < count; e++) {
    const i = places ? places[from + e]! : from + e;
    for (let at = indptr[i]!; at < indptr[i + 1]!; at++) to[e * cols + indices[at]!] = values[at]!;
  }
}
