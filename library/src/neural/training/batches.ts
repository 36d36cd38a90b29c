import { DataError } from "../../core/errors.js";
import type { Random } from "../../core/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { limits } from "../../numeric/rows/dense-rows.js";
import { gatherBatchInto } from "../../numeric/tensors/copies.js";
import { allFinite } from "../../numeric/tensors/optimizer.js";
import type { Integers, Reals, TensorSpace } from "../../numeric/tensors/space.js";

/** Rows of X for the batches of an epoch. */
export interface RowBatches {
  readonly count: number;
  /** The rows `order[from] … order[from + count − 1]`, in memory of the current step. */
  batch(order: Order, from: number, count: number): Reals;
}

/** A permutation of the rows, for kernels and for TypeScript. */
export class Order {
  readonly list: Int32Array;
  readonly #memory: Integers;

  constructor(space: TensorSpace, n: number) {
    this.list = Int32Array.from({ length: n }, (_, i) => i);
    this.#memory = space.integers(this.list);
  }

  /** A new order that depends on `random` only, not on the last order: training can go on from a checkpoint. */
  shuffle(random: Random): void {
    for (let i = 0; i < this.list.length; i++) this.list[i] = i;
    random.shuffleInto(this.list);
    this.#memory.array.set(this.list);
  }

  get memory(): Integers {
    return this.#memory;
  }
}

/**
 * Dense rows are copied to the memory of the kernels once, if there are not too many; others batch by batch. Sparse rows become dense
 * batch by batch.
 */
export function rowBatches(space: TensorSpace, x: Design): RowBatches {
  if (x instanceof CsrMatrix) return new SparseBatches(space, x);
  const bytes = x.data.length * space.width;
  return bytes > limits.residentBytes
    ? new StreamedBatches(space, x)
    : new DenseBatches(space, x.data, x.cols);
}

class DenseBatches implements RowBatches {
  readonly #x: Reals;
  readonly count: number;

  constructor(
    private readonly space: TensorSpace,
    data: ArrayLike<number>,
    private readonly cols: number,
  ) {
    this.#x = space.copy(data);
    this.count = data.length / cols;
    if (!allFinite(space, this.#x)) refuseLarge(space.where);
  }

  batch(order: Order, from: number, count: number): Reals {
    const out = this.space.reals(count * this.cols);
    gatherBatchInto(this.space, this.#x, this.cols, order.memory, from, count, out);
    return out;
  }
}

/** Rows that stay where they are. */
class StreamedBatches implements RowBatches {
  constructor(
    private readonly space: TensorSpace,
    private readonly x: Matrix,
  ) {
    if (space.dtype === "float32" && !Number.isFinite(Math.fround(largestOf(x.data))))
      refuseLarge(space.where);
  }

  get count(): number {
    return this.x.rows;
  }

  batch(order: Order, from: number, count: number): Reals {
    const { cols, data } = this.x;
    const out = this.space.reals(count * cols);
    const to = out.array;
    for (let e = 0; e < count; e++) {
      const i = order.list[from + e]!;
      to.set(data.subarray(i * cols, (i + 1) * cols), e * cols);
    }
    return out;
  }
}

function largestOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let e = 0; e < values.length; e++) largest = Math.max(largest, Math.abs(values[e]!));
  return largest;
}

class SparseBatches implements RowBatches {
  constructor(
    private readonly space: TensorSpace,
    private readonly x: CsrMatrix,
  ) {
    const largest = Math.fround(largestOf(x.values));
    if (space.dtype === "float32" && !Number.isFinite(largest)) refuseLarge(space.where);
  }

  get count(): number {
    return this.x.rows;
  }

  batch(order: Order, from: number, count: number): Reals {
    const { cols, indptr, indices, values } = this.x;
    const out = this.space.reals(count * cols);
    const to = out.array;
    to.fill(0);
    for (let e = 0; e < count; e++) {
      const i = order.list[from + e]!;
      for (let at = indptr[i]!; at < indptr[i + 1]!; at++) to[e * cols + indices[at]!] = values[at]!;
    }
    return out;
  }
}

function refuseLarge(where: string): never {
  throw new DataError({
    where,
    subject: "X",
    expected: "numbers up to 3.4e38, since networks work in 32 bits",
    received: "a larger one",
    advice: 'Scale the columns (StandardScaler), or set dtype: "float64".',
  });
}
