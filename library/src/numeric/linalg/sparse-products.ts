import type { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { sparseProductChunk } from "../generated/sparse-products.js";
import { type PlacedRows, placedRows } from "../rows/placed-rows.js";
import { Arena, type F64, withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";

/** Rows per chunk: enough of them for every thread, whatever their lengths. */
const CHUNK_ROWS = 256;

/** Columns of a panel: see wasm/linalg/sparse-products.ts. */
const PANEL = 16;

/** The columns of a matrix in panels; what is past the last is 0. */
function pack(arena: Arena, { data, rows, cols }: Matrix): F64 {
  const panels = Math.ceil(cols / PANEL);
  const out = arena.zeros(rows * panels * PANEL);
  const { array } = out;
  for (let p = 0; p < panels; p++) {
    const width = Math.min(PANEL, cols - p * PANEL);
    for (let i = 0, to = p * rows * PANEL, from = p * PANEL; i < rows; i++, to += PANEL, from += cols)
      for (let j = 0; j < width; j++) array[to + j] = data[from + j]!;
  }
  return out;
}

/** The inverse of `pack`. */
function unpack(packed: F64, rows: number, cols: number): Matrix {
  const out = Matrix.zeros(rows, cols);
  const { data } = out;
  const { array } = packed;
  for (let p = 0; p * PANEL < cols; p++) {
    const width = Math.min(PANEL, cols - p * PANEL);
    for (let i = 0, from = p * rows * PANEL, to = p * PANEL; i < rows; i++, from += PANEL, to += cols)
      for (let j = 0; j < width; j++) data[to + j] = array[from + j]!;
  }
  return out;
}

/** A·B in panels. */
function multiply(arena: Arena, { rows, indptr, indices, values }: PlacedRows, b: F64, bRows: number): F64 {
  const panels = b.length / bRows / PANEL;
  const result = arena.f64(rows * panels * PANEL);
  const rowChunks = Math.ceil(rows / CHUNK_ROWS);
  const call = sparseProductChunk({
    indptr: indptr.ptr,
    indices: indices.ptr,
    values: values.ptr,
    rows,
    b: b.ptr,
    bRows,
    c: result.ptr,
    chunkRows: CHUNK_ROWS,
    rowChunks,
  });
  const operations = 2 * values.length * panels * PANEL;
  parallel(arena.heap, call, panels * rowChunks, operations);
  return result;
}

/** A·B, or A₂·(A·B), of sparse matrices and a dense one. */
function product(where: string, b: Matrix, first: PlacedRows, second?: PlacedRows): Matrix {
  return withArena(where, (arena) => {
    const once = multiply(arena, first, pack(arena, b), b.rows);
    if (second === undefined) return unpack(once, first.rows, b.cols);
    return unpack(multiply(arena, second, once, first.rows), second.rows, b.cols);
  });
}

/** Products of a sparse matrix, and of its transpose, with dense ones. Both forms stay in the kernels' memory until `close`. */
export class SparseProducts {
  readonly rows: number;
  readonly cols: number;
  readonly #arena: Arena;
  readonly #own: PlacedRows;
  readonly #transposed: PlacedRows;

  constructor(
    private readonly where: string,
    x: CsrMatrix,
  ) {
    this.rows = x.rows;
    this.cols = x.cols;
    this.#arena = new Arena(where);
    try {
      this.#own = placedRows(this.#arena, x);
      this.#transposed = placedRows(this.#arena, x.transpose());
    } catch (error) {
      this.#arena.close();
      throw error;
    }
  }

  /** A·B. */
  times(b: Matrix): Matrix {
    return product(this.where, b, this.#own);
  }

  /** Aᵀ·B. */
  transposedTimes(b: Matrix): Matrix {
    return product(this.where, b, this.#transposed);
  }

  /** AᵀA·B, or AAᵀ·B, whichever is smaller; what is between them never leaves the kernels' memory. */
  smallerGramTimes(b: Matrix): Matrix {
    return this.rows >= this.cols
      ? product(this.where, b, this.#own, this.#transposed)
      : product(this.where, b, this.#transposed, this.#own);
  }

  close(): void {
    this.#arena.close();
  }
}

/** A·B, once. */
export function sparseTimes(where: string, x: CsrMatrix, b: Matrix): Matrix {
  const arena = new Arena(where);
  try {
    return product(where, b, placedRows(arena, x));
  } finally {
    arena.close();
  }
}
