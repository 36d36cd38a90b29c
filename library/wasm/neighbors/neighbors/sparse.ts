import { COSINE, Queries, SparsePoints } from "../neighbors.layout";
import { emptyHeap, enters, replaceFarthest, sortHeap } from "./nearest";
import { keepPair, openRoom } from "./pairs";

/**
 * Sparse rows: z·x_t of a query and all points by the columns of its entries, then distances of those points that may be near.
 *
 *   euclidean   ‖z‖² + ‖x_t‖² − 2 z·x_t loses all digits between near rows, so it only excludes points, with a margin; the others
 *               are measured by merging the two rows: Σ (z_j − x_tj)²
 *   cosine      1 − z·x_t / (‖z‖ ‖x_t‖)
 */

/** Relative error of ‖z‖² + ‖x‖² − 2 z·x against the size of its terms: sums of fewer than 2²⁴ products. */
const SLACK: f64 = 4e-9;

/** sums[t] = z·x_t for all points. */
function productsInto(p: SparsePoints, q: Queries, query: i32, sums: usize): void {
  memory.fill(sums, 0, (<usize>p.n) << 3);
  const starts = <usize>q.starts + ((<usize>query) << 2);
  const last = load<i32>(starts, 4);
  for (let e = load<i32>(starts); e < last; e++) {
    const j = load<i32>(<usize>q.columns + ((<usize>e) << 2));
    const value = load<f64>(<usize>q.values + ((<usize>e) << 3));
    const column = <usize>p.columnStarts + ((<usize>j) << 2);
    const end = load<i32>(column, 4);
    for (let c = load<i32>(column); c < end; c++) {
      const at = sums + ((<usize>load<i32>(<usize>p.rowsOf + ((<usize>c) << 2))) << 3);
      store<f64>(at, load<f64>(at) + value * load<f64>(<usize>p.columnValues + ((<usize>c) << 3)));
    }
  }
}

/** Σ (z_j − x_j)² over the columns of both rows, ascending. */
function mergedSquare(p: SparsePoints, q: Queries, query: i32, t: i32): f64 {
  const zs = <usize>q.starts + ((<usize>query) << 2);
  const xs = <usize>p.starts + ((<usize>t) << 2);
  let a = load<i32>(zs);
  let b = load<i32>(xs);
  const aEnd = load<i32>(zs, 4);
  const bEnd = load<i32>(xs, 4);
  let sum: f64 = 0;
  while (a < aEnd || b < bEnd) {
    const i = a < aEnd ? load<i32>(<usize>q.columns + ((<usize>a) << 2)) : i32.MAX_VALUE;
    const j = b < bEnd ? load<i32>(<usize>p.columns + ((<usize>b) << 2)) : i32.MAX_VALUE;
    let difference: f64 = 0;
    if (i <= j) {
      difference = load<f64>(<usize>q.values + ((<usize>a) << 3));
      a++;
    }
    if (j <= i) {
      difference -= load<f64>(<usize>p.values + ((<usize>b) << 3));
      b++;
    }
    sum += difference * difference;
  }
  return sum;
}

/** The reduced distance to point t, or +∞ where it is surely above `most`. */
function measured(p: SparsePoints, q: Queries, query: i32, t: i32, product: f64, most: f64): f64 {
  const own = load<f64>(<usize>q.norms + ((<usize>query) << 3));
  const other = load<f64>(<usize>p.norms + ((<usize>t) << 3));
  if (<i32>p.metric == COSINE) {
    const norms = own * other;
    return norms == 0 ? 1 : min(max(1 - product / norms, 0), 2);
  }
  const size = own * own + other * other;
  if (size - 2 * product - SLACK * size > most) return Infinity;
  return mergedSquare(p, q, query, t);
}

/** The k nearest points of a chunk of `chunkRows` queries. work: n doubles per chunk. */
export function sparseNearestChunk(points: usize, queries: usize, chunkRows: i32, chunk: i32): void {
  const p = changetype<SparsePoints>(points);
  const q = changetype<Queries>(queries);
  const n = <i32>p.n;
  const k = <i32>q.k;
  const sums = <usize>q.work + ((<usize>chunk * <usize>n) << 3);
  const to = min((chunk + 1) * chunkRows, <i32>q.count);
  for (let query = chunk * chunkRows; query < to; query++) {
    const distances = <usize>q.distances + ((<usize>query * <usize>k) << 3);
    const indices = <usize>q.indices + ((<usize>query * <usize>k) << 2);
    const own = q.first < 0 ? -1 : <i32>q.first + query;
    emptyHeap(distances, indices, k);
    productsInto(p, q, query, sums);
    for (let t: i32 = 0; t < n; t++) {
      if (t == own) continue;
      const product = load<f64>(sums + ((<usize>t) << 3));
      const d = measured(p, q, query, t, product, load<f64>(distances));
      if (enters(distances, indices, d, t)) replaceFarthest(distances, indices, k, d, t);
    }
    sortHeap(distances, indices, k);
  }
}

/** All points within a radius; see `withinChunk`. */
export function sparseWithinChunk(points: usize, queries: usize, chunkRows: i32, chunk: i32): void {
  const p = changetype<SparsePoints>(points);
  const q = changetype<Queries>(queries);
  const n = <i32>p.n;
  const sums = <usize>q.work + ((<usize>chunk * <usize>n) << 3);
  openRoom(<usize>q.distances, <usize>q.indices, <i32>q.room, chunk);
  const to = min((chunk + 1) * chunkRows, <i32>q.count);
  let at: i32 = 0;
  for (let query = chunk * chunkRows; query < to; query++) {
    const radius = load<f64>(<usize>q.radii + ((<usize>query) << 3));
    const own = q.first < 0 ? -1 : <i32>q.first + query;
    const begin = at;
    productsInto(p, q, query, sums);
    for (let t: i32 = 0; t < n; t++) {
      const d = measured(p, q, query, t, load<f64>(sums + ((<usize>t) << 3)), radius);
      if (t == own || d > radius) continue;
      keepPair(at++, d, t);
    }
    store<i32>(<usize>q.found + ((<usize>query) << 2), at - begin);
  }
}
