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

/** Columns of a panel: see wasm/sparse-products.ts. */
const PANEL = 16;

/** A·B of sparse rows and a dense matrix. */
function product(where: string, { rows, indptr, indices, values }: Placed, b: Matrix): Matrix {
  const out = Matrix.zeros(rows, b.cols);
  const panels = Math.ceil(b.cols / PANEL);
  withArena(where, (arena) => {
    const right = arena.f64(b.rows * panels * PANEL);
    const result = arena.f64(rows * panels * PANEL);
    const packed = right.array;
    for (let p = 0, to = 0; p < panels; p++) {
      for (let i = 0; i < b.rows; i++) {
        for (let j = p * PANEL; j < (p + 1) * PANEL; j++)
          packed[to++] = j < b.cols ? b.data[i * b.cols + j]! : 0;
      }
    }
    const rowChunks = Math.ceil(rows / CHUNK_ROWS);
    const places = [indptr.ptr, indices.ptr, values.ptr, rows, right.ptr, b.rows, result.ptr];
    const args = [...places, CHUNK_ROWS, rowChunks];
    const operations = 2 * values.length * panels * PANEL;
    parallel(arena.heap, sparseProductsKernels, "sparseProductChunk", args, panels * rowChunks, operations);
    const found = result.array;
    for (let p = 0; p < panels; p++) {
      const width = Math.min(PANEL, b.cols - p * PANEL);
      for (let i = 0, from = p * rows * PANEL; i < rows; i++, from += PANEL) {
        for (let j = 0; j < width; j++) out.data[i * b.cols + p * PANEL + j] = found[from + j]!;
      }
    }
  });
  return out;
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
