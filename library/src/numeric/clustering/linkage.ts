import type { Matrix } from "../../data/matrix.js";
import { allPairsChunk, chainMerges, treeMerges } from "../generated/linkage.js";
import { type Metric, metricCodes } from "../neighbors/metric.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { normsOf } from "./pairwise.js";

export type LinkageRule = "ward" | "complete" | "average" | "single";

/**
 * A hierarchy of clusters over n rows: merge m joins the clusters children[2m] and children[2m + 1] (numbers below n are rows, n + m is
 * what merge m made) at `distances[m]` into one of `counts[m]` rows. Distances ascend. The smaller number comes first, but for single
 * linkage: there the cluster comes first that the spanning tree had reached before, as in scikit-learn.
 */
export interface Hierarchy {
  readonly children: Int32Array;
  readonly distances: Float64Array;
  readonly counts: Int32Array;
}

/** Merges in any order: two rows that stand for their clusters, and the distance of these. */
interface Merges {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly distances: Float64Array;
}

/** Codes of the linkages: see wasm/clustering/linkage.ts. */
const codes = { ward: 0, complete: 1, average: 2 } as const;

/** Rows per chunk of distances. */
const ROWS = 64;

/**
 * Joins the two nearest clusters until one is left. O(n²) time and memory: nearest-neighbour chains [Murtagh 1983; Müllner 2011, figure
 * 3] for linkages that never bring clusters nearer to each other by joining others, a minimum spanning tree for single linkage
 * [Gower & Ross 1969].
 */
export function hierarchyOf(where: string, x: Matrix, metric: Metric, rule: LinkageRule): Hierarchy {
  const { rows: n } = x;
  return withArena(where, (arena) => {
    const d = allPairs(arena, x, metric, rule === "ward");
    const work = arena.f64(2 * n);
    const a = arena.i32(n - 1);
    const b = arena.i32(n - 1);
    const heights = arena.f64(n - 1);
    const given = { d: d.ptr, n, work: work.ptr, a: a.ptr, b: b.ptr, heights: heights.ptr };
    if (rule === "single") arena.heap.call(treeMerges({ ...given, sources: arena.i32(n).ptr }));
    else arena.heap.call(chainMerges({ ...given, rule: codes[rule] }));
    // Roundings of ward's differences may be below 0 where rows are equal.
    const distances = Float64Array.from(heights.array, (height) =>
      rule === "ward" ? Math.sqrt(Math.max(0, height)) : height,
    );
    const merges = { a: Int32Array.from(a.array), b: Int32Array.from(b.array), distances };
    return labelled(n, merges, rule !== "single");
  });
}

/** Distances of all pairs, squares if `squared`. */
function allPairs(arena: Arena, x: Matrix, metric: Metric, squared: boolean): F64 {
  const { rows: n, cols } = x;
  const d = arena.f64(n * n);
  withArena(arena.where, (scratch) => {
    const rows = scratch.copy(x.data).ptr;
    const norms = metric.name === "cosine" ? scratch.copy(normsOf(x)).ptr : 0;
    const code = metricCodes[metric.name];
    const chunks = Math.ceil(n / ROWS);
    const call = allPairsChunk({
      x: rows,
      n,
      dims: cols,
      metric: code,
      p: metric.p,
      norms,
      squared: squared ? 1 : 0,
      height: ROWS,
      d: d.ptr,
    });
    parallel(arena.heap, call, chunks, 2 * n * n * cols);
  });
  return d;
}

/** Merges by ascending distance, with numbers for the clusters that they make; the smaller one first if `sorted`. */
function labelled(n: number, { a, b, distances }: Merges, sorted: boolean): Hierarchy {
  const order = Array.from(a.keys()).sort((p, q) => distances[p]! - distances[q]! || p - q);
  const parent = Int32Array.from({ length: 2 * n - 1 }, (_, i) => i);
  const rootOf = (i: number) => {
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const size = new Int32Array(2 * n - 1).fill(1);
  const children = new Int32Array(2 * (n - 1));
  order.forEach((e, m) => {
    const [p, q] = [rootOf(a[e]!), rootOf(b[e]!)];
    children[2 * m] = sorted ? Math.min(p, q) : p;
    children[2 * m + 1] = sorted ? Math.max(p, q) : q;
    parent[p] = n + m;
    parent[q] = n + m;
    size[n + m] = size[p]! + size[q]!;
  });
  return { children, distances: Float64Array.from(order, (e) => distances[e]!), counts: size.subarray(n) };
}
