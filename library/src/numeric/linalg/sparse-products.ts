import type { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Arena, type F64, type I32, withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { sparseProductsKernels } from "../runtime/wasm-modules.js";

/** Rows per chunk: enough of them for every thread, whatever their lengths. */
const CHUNK_ROWS = 256;

interface Placed {
  readonly rows: number;
  readonly indptr: I32;
  readonly indices: I32;
  readonly values: F64;
}

const place = (arena: Arena, { rows, indptr, indices, values }: CsrMatrix): Placed => ({
  rows,
  indptr: arena.copyI32(indptr),
  indices: arena.copyI32(indices),
  values: arena.copy(values),
});

/** A·B of sparse rows and a dense matrix. */
function product(where: string, { rows, indptr, indices, values }: Placed, b: Matrix): Matrix {
  const out = Matrix.zeros(rows, b.cols);
  const width = 8 * Math.ceil(b.cols / 8);
  withArena(where, (arena) => {
    const right = arena.f64(b.rows * width);
    const result = arena.f64(rows * width);
    copyPadded(b.data, b.cols, right.array, width, b.rows);
    const args = [indptr.ptr, indices.ptr, values.ptr, rows, right.ptr, width, result.ptr, CHUNK_ROWS];
    const chunks = Math.ceil(rows / CHUNK_ROWS);
    const operations = 2 * values.length * width;
    parallel(arena.heap, sparseProductsKernels, "sparseProductChunk", args, chunks, operations);
    copyPadded(result.array, width, out.data, b.cols, rows);
  });
  return out;
}

/** Rows of one width into rows of another; what is missing is 0. */
function copyPadded(
  from: Float64Array<ArrayBufferLike>,
  width: number,
  to: Float64Array<ArrayBufferLike>,
  toWidth: number,
  rows: number,
): void {
  if (width === toWidth) {
    to.set(from);
    return;
  }
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < toWidth; j++) to[i * toWidth + j] = j < width ? from[i * width + j]! : 0;
  }
}

/** Products of a sparse matrix, and of its transpose, with dense ones. Both forms stay in the kernels' memory until `close`. */
export class SparseProducts {
  readonly rows: number;
  readonly cols: number;
  readonly #arena: Arena;
  readonly #own: Placed;
  readonly #transposed: Placed;

  constructor(
    private readonly where: string,
    x: CsrMatrix,
  ) {
    this.rows = x.rows;
    this.cols = x.cols;
    this.#arena = new Arena(where);
    try {
      this.#own = place(this.#arena, x);
      this.#transposed = place(this.#arena, x.transpose());
    } catch (error) {
      this.#arena.close();
      throw error;
    }
  }

  /** A·B. */
  times(b: Matrix): Matrix {
    return product(this.where, this.#own, b);
  }

  /** Aᵀ·B. */
  transposedTimes(b: Matrix): Matrix {
    return product(this.where, this.#transposed, b);
  }

  close(): void {
    this.#arena.close();
  }
}

/** A·B, once. */
export function sparseTimes(where: string, x: CsrMatrix, b: Matrix): Matrix {
  const arena = new Arena(where);
  try {
    return product(where, place(arena, x), b);
  } finally {
    arena.close();
  }
}
