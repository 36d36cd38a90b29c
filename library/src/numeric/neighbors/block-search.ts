import type { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { Arena, type F64, withArena } from "../runtime/arena.js";
import type { Address } from "../runtime/kernels.js";
import { balancedRows } from "./balanced-rows.js";
import { distanceOf, type Metric, reducedRadius } from "./metric.js";
import { PairCollector } from "./pairs.js";
import type { NearestBlock, NeighborSearch, WithinBlock } from "./search.js";

/** The record of queries, of either kind of points. */
interface QueryFields {
  readonly ptr: Address;
  write(values: {
    k?: number;
    distances?: number;
    indices?: number;
    radii?: number;
    found?: number;
    room?: number;
  }): void;
}

export type QueryKernel = "nearest" | "within";

/** Brings `count` queries into the arena, from row `from` on; `run` searches them. */
export interface QueryBlocks {
  readonly fields: QueryFields;
  load(from: number, count: number): void;
  run(kernel: QueryKernel, count: number): void;
}

/** Searches of points in the kernels' memory, block by block of the queries. The points are freed by `close`, or with the object. */
export abstract class BlockSearch<X extends Matrix | CsrMatrix> implements NeighborSearch<X> {
  abstract readonly bytes: number;
  protected readonly arena: Arena;
  readonly x: X;
  readonly #pairs = new PairCollector();

  /** Queries in the arena at a time, and per chunk: memory does not grow with their number. */
  constructor(
    where: string,
    given: X,
    readonly metric: Metric,
    private readonly block: number,
    private readonly chunk: number,
  ) {
    this.arena = new Arena(where);
    this.x = this.balanced(given);
  }

  close(): void {
    this.arena.close();
  }

  nearest(where: string, queries: X, k: number, self: boolean, take: NearestBlock): void {
    this.#eachBlock(where, queries, self, (arena, height) => {
      const distances = arena.f64(height * k);
      const indices = arena.i32(height * k);
      return (from, count, { fields, run }) => {
        fields.write({ k, distances: distances.ptr, indices: indices.ptr });
        run("nearest", count);
        this.finish(distances, count * k);
        take(from, count, distances.array.subarray(0, count * k), indices.array.subarray(0, count * k));
      };
    });
  }

  within(where: string, queries: X, radii: ArrayLike<number>, self: boolean, take: WithinBlock): void {
    this.#eachBlock(where, queries, self, (arena, height) => {
      const reduced = arena.f64(height);
      const found = arena.i32(height);
      return (from, count, { fields, run }) => {
        for (let r = 0; r < count; r++) reduced.array[r] = reducedRadius(this.metric, radii[from + r]!);
        const pairs = this.#pairs.collect(where, count, this.chunk, found, (room) => {
          fields.write({ ...room, radii: reduced.ptr, found: found.ptr });
          run("within", count);
        });
        const { starts, distances, indices } = pairs;
        for (let e = 0; e < distances.length; e++) distances[e] = distanceOf(this.metric, distances[e]!);
        take(from, count, starts, distances, indices);
      };
    });
  }

  #eachBlock(
    where: string,
    queries: X,
    self: boolean,
    open: (arena: Arena, height: number) => (from: number, count: number, blocks: QueryBlocks) => void,
  ): void {
    const z = this.balanced(queries);
    const height = Math.min(this.block, z.rows);
    withArena(where, (arena) => {
      const blocks = this.queries(arena, z, height, self);
      const search = open(arena, height);
      for (let from = 0; from < z.rows; from += height) {
        const count = Math.min(height, z.rows - from);
        blocks.load(from, count);
        search(from, count, blocks);
      }
    });
  }

  /** Extreme rows are scaled for cosine distances. */
  protected balanced(x: X): X {
    return this.metric.name === "cosine" ? balancedRows(x) : x;
  }

  /** Memory for `height` queries at a time; `self`: they are the points themselves. */
  protected abstract queries(arena: Arena, z: X, height: number, self: boolean): QueryBlocks;

  /** The distances of `count` reduced ones, in place. */
  protected abstract finish(reduced: F64, count: number): void;
}
