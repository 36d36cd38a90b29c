import type { CsrMatrix } from "../../data/csr-matrix.js";
import { sparseNearestChunk, sparseWithinChunk } from "../generated/neighbors.js";
import {
  sparsePointsBytes,
  sparsePointsF64,
  sparseQueriesBytes,
  sparseQueriesF64,
} from "../generated/neighbors.layout.js";
import { Arena, withArena } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { parallel } from "../runtime/threads.js";
import { balancedRows } from "./balanced-rows.js";
import { normOf } from "./filter.js";
import { distanceOf, type Metric, metricCodes, reducedRadius } from "./metric.js";
import { PairCollector } from "./pairs.js";
import type { NearestBlock, NeighborSearch, WithinBlock } from "./search.js";

/** Queries in the arena at a time, and per chunk. */
const BLOCK = 512;
const CHUNK = 32;

/** Sparse points by rows and by columns; euclidean and cosine distances. */
export class SparseNeighborIndex implements NeighborSearch<CsrMatrix> {
  readonly #arena: Arena;
  readonly #points: Fields<keyof typeof sparsePointsF64>;
  readonly #pairs = new PairCollector();
  /** Products per entry of a query: mean length of a column, weighted by how often it occurs. */
  readonly #work: number;

  readonly x: CsrMatrix;
  readonly bytes: number;

  constructor(
    where: string,
    given: CsrMatrix,
    readonly metric: Metric,
  ) {
    const arena = new Arena(where);
    this.#arena = arena;
    const before = arena.heap.bytesInUse;
    const x = metric.name === "cosine" ? balancedRows(given) : given;
    this.x = x;
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

  close(): void {
    this.#arena.close();
  }

  nearest(where: string, z: CsrMatrix, k: number, self: boolean, take: NearestBlock): void {
    withArena(where, (arena) => {
      const height = Math.min(BLOCK, z.rows);
      const distances = arena.f64(height * k);
      const indices = arena.i32(height * k);
      this.#blocks(arena, z, self, (fields, from, count, operations, whole) => {
        fields.write({ k, distances: distances.ptr, indices: indices.ptr });
        this.#run(sparseNearestChunk, fields, count, operations, whole);
        const d = distances.array.subarray(0, count * k);
        for (let e = 0; e < d.length; e++) d[e] = distanceOf(this.metric, d[e]!);
        take(from, count, d, indices.array.subarray(0, count * k));
      });
    });
  }

  within(where: string, z: CsrMatrix, radii: ArrayLike<number>, self: boolean, take: WithinBlock): void {
    withArena(where, (arena) => {
      const height = Math.min(BLOCK, z.rows);
      const reduced = arena.f64(height);
      const found = arena.i32(height);
      this.#blocks(arena, z, self, (fields, from, count, operations, whole) => {
        for (let r = 0; r < count; r++) reduced.array[r] = reducedRadius(this.metric, radii[from + r]!);
        const pairs = this.#pairs.collect(where, count, CHUNK, found, (room) => {
          fields.write({ ...room, radii: reduced.ptr, found: found.ptr });
          this.#run(sparseWithinChunk, fields, count, operations, whole);
        });
        const { starts, distances, indices } = pairs;
        for (let e = 0; e < distances.length; e++) distances[e] = distanceOf(this.metric, distances[e]!);
        take(from, count, starts, distances, indices);
      });
    });
  }

  #run(
    kernel: typeof sparseNearestChunk,
    fields: Fields<keyof typeof sparseQueriesF64>,
    count: number,
    operations: number,
    whole: number,
  ): void {
    const call = kernel({ points: this.#points.ptr, queries: fields.ptr, chunkRows: CHUNK });
    const chunks = Math.ceil(count / CHUNK);
    parallel(this.#arena.heap, call, chunks, operations, undefined, whole);
  }

  /** Brings block after block of the queries into the arena. */
  #blocks(
    arena: Arena,
    queries: CsrMatrix,
    self: boolean,
    search: (
      fields: Fields<keyof typeof sparseQueriesF64>,
      from: number,
      count: number,
      operations: number,
      whole: number,
    ) => void,
  ): void {
    const z = this.metric.name === "cosine" ? balancedRows(queries) : queries;
    const height = Math.min(BLOCK, z.rows);
    const work = arena.f64(Math.ceil(height / CHUNK) * this.x.rows);
    const fields = new Fields(arena.f64(sparseQueriesBytes / 8), sparseQueriesF64);
    const perRow = this.#work * (z.values.length / Math.max(1, z.rows)) * 4 + 4 * this.x.rows;
    for (let from = 0; from < z.rows; from += height) {
      const count = Math.min(height, z.rows - from);
      const begin = z.indptr[from]!;
      const end = z.indptr[from + count]!;
      withArena(arena.where, (own) => {
        fields.write({
          starts: own.copyI32(z.indptr.subarray(from, from + count + 1).map((at) => at - begin)).ptr,
          columns: own.copyI32(z.indices.subarray(begin, end)).ptr,
          values: own.copy(z.values.subarray(begin, end)).ptr,
          norms: own.copy(normsOf(z, from, count)).ptr,
          work: work.ptr,
          count,
          first: self ? from : -1,
        });
        search(fields, from, count, perRow * count, perRow * z.rows);
      });
    }
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
