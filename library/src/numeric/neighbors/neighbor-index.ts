import type { Matrix } from "../../data/matrix.js";
import {
  ballChunk,
  finishDistances,
  gatherChunk,
  joinBoxes,
  nearestChunk,
  packPoints,
  regionOf,
  splitChunk,
  treeNearestChunk,
  withinChunk,
} from "../generated/neighbors.js";
import {
  BATCH,
  CHUNK,
  PANEL,
  pointsBytes,
  pointsF64,
  queriesBytes,
  queriesF64,
  treeBytes,
  treeF64,
} from "../generated/neighbors.layout.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { type Address, after } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";
import { BlockSearch, type QueryBlocks, type QueryKernel } from "./block-search.js";
import { type Filter, filterOf, normsOf } from "./filter.js";
import { hasTree, type Metric, metricCodes } from "./metric.js";

export type SearchMethod = "brute" | "kdTree" | "ballTree";

/**
 * Maximum number of columns for which a tree is faster than brute force, for n ≥ TREE_ROWS: with a filter in 32 bits, and for metrics
 * without one. Measured with uniform points; data of a lower intrinsic dimension favour trees more.
 */
const TREE_COLUMNS_FILTERED = 9;
const TREE_COLUMNS = 15;
const TREE_ROWS = 256;

/** The method that is fastest for most data of this shape. */
export function searchMethod(metric: Metric, { rows, cols }: { rows: number; cols: number }): SearchMethod {
  const most = metric.name === "euclidean" ? TREE_COLUMNS_FILTERED : TREE_COLUMNS;
  return hasTree(metric) && rows >= TREE_ROWS && cols <= most ? "kdTree" : "brute";
}

/** Queries in the arena at a time: memory does not grow with their number. */
const BLOCK = 1024;
/** Bytes of a chunk's lists: see wasm/neighbors/neighbors/filter.ts. */
const LISTS = CHUNK * (8 + 4 * BATCH);
/** Level whose subtrees are grown side by side: more of them than threads, so that none waits for long. */
const SUBTREE_LEVEL = 4;
/** Leaves that one chunk brings together. */
const LEAVES = 256;
/** Bytes of a stack: see wasm/neighbors/neighbors/search.ts. */
const STACK = 1024;

/** Dense points, ready to be searched. */
export class NeighborIndex extends BlockSearch<Matrix> {
  readonly #points: Fields<keyof typeof pointsF64>;
  readonly #tree: Fields<keyof typeof treeF64> | undefined;
  readonly #filter: Filter | undefined;
  /** Most points of a leaf. */
  #leafPoints = 0;
  readonly bytes: number;

  constructor(
    where: string,
    given: Matrix,
    metric: Metric,
    readonly method: SearchMethod,
    leafSize: number,
  ) {
    super(where, given, metric, BLOCK, CHUNK);
    const { arena, x } = this;
    const before = arena.heap.bytesInUse;
    const { rows: n, cols: d } = x;
    this.#points = new Fields(arena.f64(pointsBytes / 8), pointsF64);
    const rows = arena.copy(x.data);
    const norms = metric.name === "cosine" ? arena.copy(normsOf(x)).ptr : 0;
    this.#filter = method === "brute" ? filterOf(metric, x) : undefined;
    const packed = this.#filter ? this.#pack(this.#filter) : { panels: 0, depth: 0, halves: 0 };
    this.#points.write({
      x: rows.ptr,
      n,
      d,
      metric: metricCodes[metric.name],
      p: metric.p,
      norms,
      ...packed,
    });
    this.#tree = method === "brute" ? undefined : this.#grow(leafSize);
    this.bytes = arena.heap.bytesInUse - before;
  }

  #pack(filter: Filter) {
    const arena = this.arena;
    const { rows: n } = this.x;
    const { depth } = filter;
    const padded = PANEL * Math.ceil(n / PANEL);
    const panels = arena.f32(padded * depth);
    const halves = arena.f32(padded);
    withArena(arena.where, (scratch) => {
      const coordinates = scratch.f64(BLOCK * depth);
      const euclidean = this.metric.name === "euclidean" ? 1 : 0;
      for (let from = 0; from < n; from += BLOCK) {
        const count = Math.min(BLOCK, n - from);
        filter.coordinatesInto(this.x, from, count, coordinates.array as Float64Array);
        const call = packPoints({
          f: coordinates.ptr,
          n: count,
          depth,
          euclidean,
          panels: after(panels.ptr, 4 * from * depth),
          halves: after(halves.ptr, 4 * from),
        });
        arena.heap.call(call);
      }
    });
    return { panels: panels.ptr, depth, halves: halves.ptr };
  }

  #grow(leafSize: number): Fields<keyof typeof treeF64> {
    const arena = this.arena;
    const { rows: n, cols: d } = this.x;
    let levels = 1;
    while (n / 2 ** (levels - 1) > leafSize) levels++;
    const leaves = 2 ** (levels - 1);
    const balls = this.method === "ballTree";
    const order = arena.i32(n);
    const numbers = order.array;
    for (let i = 0; i < n; i++) numbers[i] = i;
    const starts = arena.i32(leaves + 1);
    starts.array[0] = 0;
    starts.array[leaves] = n;
    const tree = new Fields(arena.f64(treeBytes / 8), treeF64);
    tree.write({
      levels,
      balls: balls ? 1 : 0,
      order: order.ptr,
      x: arena.f64(n * d).ptr,
      starts: starts.ptr,
      boxes: balls ? 0 : arena.f64((leaves - 1) * 4 * d).ptr,
      centres: balls ? arena.f64((2 * leaves - 1) * d).ptr : 0,
      radii: balls ? arena.f64(2 * leaves - 1).ptr : 0,
    });
    withArena(arena.where, (scratch) => this.#split(scratch, tree, levels));
    this.#leafPoints = Math.ceil(n / leaves);
    return tree;
  }

  /** Splits all nodes, the upper levels first and then the subtrees below them side by side. */
  #split(scratch: Arena, tree: Fields<keyof typeof treeF64>, levels: number): void {
    const { rows: n, cols: d } = this.x;
    const leaves = 2 ** (levels - 1);
    const keys = scratch.f64(n);
    const regions = scratch.f64(leaves * 2 * d);
    const { heap } = scratch;
    heap.call(regionOf({ x: this.#points.get("x") as Address, n, d, out: regions.ptr }));
    const upper = Math.min(levels - 1, SUBTREE_LEVEL);
    const given = { points: this.#points.ptr, tree: tree.ptr };
    const rooms = { ...given, regions: regions.ptr, keys: keys.ptr };
    parallel(heap, splitChunk({ ...rooms, from: 0, to: upper }), 1, 0);
    const below = splitChunk({ ...rooms, from: upper, to: levels - 1 });
    parallel(heap, below, 2 ** upper, 30 * n * levels);
    const corners = scratch.f64((2 * leaves - 1) * 2 * d).ptr;
    const gather = gatherChunk({ ...given, corners, each: LEAVES });
    parallel(heap, gather, Math.ceil(leaves / LEAVES), 10 * n * d);
    if (this.method === "kdTree") heap.call(joinBoxes({ ...given, corners }));
    else parallel(heap, ballChunk(given), 2 * leaves - 1, 6 * n * d * levels);
  }

  /** Rough operations of one query. */
  #cost(): number {
    const { rows: n, cols: d } = this.x;
    return this.#tree ? 2000 + 400 * d : n * (2 * d + 4);
  }

  protected finish(distances: F64, count: number): void {
    const { name, p } = this.metric;
    if (name !== "euclidean" && name !== "minkowski") return;
    this.arena.heap.call(finishDistances({ metric: metricCodes[name], p, distances: distances.ptr, count }));
  }

  protected queries(arena: Arena, z: Matrix, height: number, self: boolean): QueryBlocks {
    const { cols: d } = this.x;
    const filter = this.#filter;
    const depth = filter?.depth ?? 0;
    const area =
      64 * Math.ceil(Math.max(STACK + 8 * (this.#leafPoints + 2), LISTS + 4 * CHUNK * (depth + 4)) / 64);
    const rows = arena.f64(height * d);
    const coordinates = arena.f64(height * depth);
    const b = arena.f64(height);
    const norms = arena.f64(height);
    const work = arena.f64((Math.ceil(height / CHUNK) * area) / 8).ptr;
    const fields = new Fields(arena.f64(queriesBytes / 8), queriesF64);
    fields.writePointers({ z: rows, coordinates, norms, b });
    fields.write({ a: filter?.a ?? 0, work, area });
    const load = (from: number, count: number) => {
      rows.array.set(z.data.subarray(from * d, (from + count) * d));
      filter?.coordinatesInto(z, from, count, coordinates.array as Float64Array, b.array as Float64Array);
      if (this.metric.name === "cosine") norms.array.set(normsOf(z, from, count));
      fields.write({ count, first: self ? from : -1 });
    };
    const tree = this.#tree?.ptr ?? 0;
    const [points, queries] = [this.#points.ptr, fields.ptr];
    const run = (kernel: QueryKernel, count: number) => {
      const nearest =
        tree === 0 ? nearestChunk({ points, queries }) : treeNearestChunk({ points, queries, tree });
      const call = kernel === "within" ? withinChunk({ points, queries, tree }) : nearest;
      const cost = this.#cost();
      parallel(arena.heap, call, Math.ceil(count / CHUNK), cost * count, undefined, cost * z.rows);
    };
    return { fields, load, run };
  }
}
