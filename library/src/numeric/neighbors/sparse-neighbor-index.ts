import type { CsrMatrix } from "../../data/csr-matrix.js";
import { sparseNearestChunk, sparseWithinChunk } from "../generated/neighbors.js";
import {
  queriesBytes,
  queriesF64,
  sparsePointsBytes,
  sparsePointsF64,
} from "../generated/neighbors.layout.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { parallel } from "../runtime/threads.js";
import { BlockSearch, type QueryBlocks, type QueryKernel } from "./block-search.js";
import { normOf } from "./filter.js";
import { distanceOf, type Metric, metricCodes } from "./metric.js";

/** Queries in the arena at a time, and per chunk. */
const BLOCK = 512;
const CHUNK = 32;

/** Sparse points by rows and by columns; euclidean and cosine distances. */
export class SparseNeighborIndex extends BlockSearch<CsrMatrix> {
  readonly #points: Fields<keyof typeof sparsePointsF64>;
  /** Products per entry of a query: mean length of a column, weighted by how often it occurs. */
  readonly #work: number;
  readonly bytes: number;

  constructor(where: string, given: CsrMatrix, metric: Metric) {
    super(where, given, metric, BLOCK, CHUNK);
    const { arena, x } = this;
    const before = arena.heap.bytesInUse;
    const byColumn = columnsOf(x);
    this.#points = new Fields(arena.f64(sparsePointsBytes / 8), sparsePointsF64);
    this.#points.write({
      n: x.rows,
      metric: metricCodes[metric.name],
      starts: arena.copyI32(x.indptr).ptr,
      columns: arena.copyI32(x.indices).ptr,
      values: arena.copy(x.values).ptr,
      columnStarts: arena.copyI32(byColumn.starts).ptr,
      rowsOf: arena.copyI32(byColumn.rows).ptr,
      columnValues: arena.copy(byColumn.values).ptr,
      norms: arena.copy(normsOf(x, 0, x.rows)).ptr,
    });
    let squares = 0;
    for (let j = 0; j < x.cols; j++) squares += (byColumn.starts[j + 1]! - byColumn.starts[j]!) ** 2;
    this.#work = squares / Math.max(1, x.values.length);
    this.bytes = arena.heap.bytesInUse - before;
  }

  protected finish({ array }: F64, count: number): void {
    for (let e = 0; e < count; e++) array[e] = distanceOf(this.metric, array[e]!);
  }

  protected queries(arena: Arena, z: CsrMatrix, height: number, self: boolean): QueryBlocks {
    const work = arena.f64(Math.ceil(height / CHUNK) * this.x.rows).ptr;
    const fields = new Fields(arena.f64(queriesBytes / 8), queriesF64);
    const perRow = this.#work * (z.values.length / Math.max(1, z.rows)) * 4 + 4 * this.x.rows;
    let longest = 0;
    for (let from = 0; from < z.rows; from += height)
      longest = Math.max(longest, z.indptr[Math.min(z.rows, from + height)]! - z.indptr[from]!);
    const [starts, columns] = [arena.i32(height + 1), arena.i32(longest)];
    const [values, norms] = [arena.f64(longest), arena.f64(height)];
    fields.writePointers({ starts, columns, values, norms });
    fields.write({ work });
    const load = (from: number, count: number) => {
      const [begin, end] = [z.indptr[from]!, z.indptr[from + count]!];
      starts.array.set(z.indptr.subarray(from, from + count + 1).map((at) => at - begin));
      columns.array.set(z.indices.subarray(begin, end));
      values.array.set(z.values.subarray(begin, end));
      norms.array.set(normsOf(z, from, count));
      fields.write({ count, first: self ? from : -1 });
    };
    const run = (kernel: QueryKernel, count: number) => {
      const given = { points: this.#points.ptr, queries: fields.ptr, chunkRows: CHUNK };
      const call = kernel === "within" ? sparseWithinChunk(given) : sparseNearestChunk(given);
      const chunks = Math.ceil(count / CHUNK);
      parallel(arena.heap, call, chunks, perRow * count, undefined, perRow * z.rows);
    };
    return { fields, load, run };
  }
}

function normsOf({ indptr, values }: CsrMatrix, from: number, count: number): Float64Array {
  const norms = new Float64Array(count);
  for (let r = 0; r < count; r++)
    norms[r] = normOf(values.subarray(indptr[from + r]!, indptr[from + r + 1]!));
  return norms;
}

/** The entries column by column, rows ascending. */
function columnsOf({ rows, cols, indptr, indices, values }: CsrMatrix) {
  const starts = new Int32Array(cols + 1);
  for (const j of indices) starts[j + 1]!++;
  for (let j = 0; j < cols; j++) starts[j + 1]! += starts[j]!;
  const next = starts.slice();
  const rowsOf = new Int32Array(indices.length);
  const columnValues = new Float64Array(indices.length);
  for (let i = 0; i < rows; i++) {
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
      const at = next[indices[e]!]!++;
      rowsOf[at] = i;
      columnValues[at] = values[e]!;
    }
  }
  return { starts, rows: rowsOf, values: columnValues };
}
