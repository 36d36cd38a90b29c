import { distanceOf, reducedDistance, squaredDistanceWithin } from "../shared/distances";
import { clearList, isFull, LIST_BYTES, listCount, listed, setLimit } from "./neighbors/candidates";
import { filterOne, filterTile, packOne, packQuads } from "./neighbors/filter";
import { emptyHeap, enters, replaceFarthest, sortHeap } from "./neighbors/nearest";
import { keepPair, openRoom, sortPairs } from "./neighbors/pairs";
import { searchNearest, searchWithin } from "./neighbors/search";
import { CHUNK, COSINE, EUCLIDEAN, PANEL, Points, Queries, Tree } from "./neighbors.layout";

/** Points whose panels stay in the second-level cache while all queries of a chunk pass over them: 128 KB. */
const BLOCK_BYTES: usize = 131072;

/** Filter coordinates (rows of doubles) of n points as 32-bit panels of eight, and ½‖f_t‖² (0 unless `euclidean`); NaN past the end, which passes no limit. */
export function packPoints(f: usize, n: i32, depth: i32, euclidean: i32, panels: usize, halves: usize): void {
  const padded = (n + 7) & ~7;
  for (let t: i32 = 0; t < padded; t++) {
    const row = f + ((<usize>t * <usize>depth) << 3);
    let to = panels + ((<usize>(t & ~7) * <usize>depth) << 2) + ((<usize>(t & 7)) << 2);
    let square: f64 = 0;
    for (let j: i32 = 0; j < depth; j++, to += 32) {
      const value = t < n ? load<f64>(row + ((<usize>j) << 3)) : 0;
      square += value * value;
      store<f32>(to, <f32>value);
    }
    store<f32>(halves + ((<usize>t) << 2), t < n ? (euclidean ? <f32>(square / 2) : 0) : NaN);
  }
}

// @inline
function distanceTo(p: Points, q: Queries, query: i32, t: i32, limit: f64): f64 {
  const d = <i32>p.d;
  const z = <usize>q.z + ((<usize>query * <usize>d) << 3);
  const x = <usize>p.x + ((<usize>t * <usize>d) << 3);
  const metric = <i32>p.metric;
  if (metric == EUCLIDEAN) return squaredDistanceWithin(z, x, d, limit);
  const norms =
    metric == COSINE
      ? load<f64>(<usize>q.norms + ((<usize>query) << 3)) * load<f64>(<usize>p.norms + ((<usize>t) << 3))
      : 0;
  return reducedDistance(metric, p.p, z, x, d, norms);
}

// @inline
function limitOf(q: Queries, query: i32, radius: f64): f64 {
  return q.a * radius + load<f64>(<usize>q.b + ((<usize>query) << 3));
}

/** Measures the points on the list of a query of k nearest, and lowers its limit to the k-th distance. */
function measureNearest(p: Points, q: Queries, query: i32, list: usize): void {
  const k = <i32>q.k;
  const distances = <usize>q.distances + ((<usize>query * <usize>k) << 3);
  const indices = <usize>q.indices + ((<usize>query * <usize>k) << 2);
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  const count = listCount(list);
  for (let e: i32 = 0; e < count; e++) {
    const t = listed(list, e);
    if (t == own) continue;
    const d = distanceTo(p, q, query, t, load<f64>(distances));
    if (enters(distances, indices, d, t)) replaceFarthest(distances, indices, k, d, t);
  }
  clearList(list);
  setLimit(list, limitOf(q, query, load<f64>(distances)));
}

/** The k nearest points of a chunk of queries. work: lists, then quads of filter coordinates. */
export function nearestChunk(points: usize, queries: usize, chunk: i32): void {
  const p = changetype<Points>(points);
  const q = changetype<Queries>(queries);
  const k = <i32>q.k;
  const from = chunk * CHUNK;
  const count = min(CHUNK, <i32>q.count - from);
  const lists = <usize>q.work + <usize>chunk * <usize>q.area;
  for (let r: i32 = 0; r < count; r++) {
    const at = <usize>(from + r) * <usize>k;
    emptyHeap(<usize>q.distances + (at << 3), <usize>q.indices + (at << 2), k);
  }
  for (let r: i32 = 0; r < CHUNK; r++) {
    clearList(lists + <usize>r * LIST_BYTES);
    setLimit(lists + <usize>r * LIST_BYTES, r < count ? Infinity : -Infinity);
  }
  if (p.panels == 0) scanNearest(p, q, from, count);
  else filterNearest(p, q, from, count, lists);
  for (let r: i32 = 0; r < count; r++) {
    const at = <usize>(from + r) * <usize>k;
    sortHeap(<usize>q.distances + (at << 3), <usize>q.indices + (at << 2), k);
  }
}

function filterNearest(p: Points, q: Queries, from: i32, count: i32, lists: usize): void {
  const depth = <i32>p.depth;
  const n = <i32>p.n;
  const g = lists + <usize>CHUNK * LIST_BYTES;
  const coordinates = <usize>q.coordinates + ((<usize>from * <usize>depth) << 3);
  const quads = count & ~3;
  packQuads(coordinates, quads, depth, g);
  for (let r = quads; r < count; r++)
    packOne(coordinates + ((<usize>r * <usize>depth) << 3), depth, g + ((<usize>r * <usize>depth) << 2));
  const panelBytes = (<usize>depth) << 5;
  const block = PANEL * max(1, <i32>(BLOCK_BYTES / panelBytes));
  for (let begin: i32 = 0; begin < n; begin += block) {
    const end = min(n, begin + block);
    for (let r: i32 = 0; r < quads; r += 4) {
      const list = lists + <usize>r * LIST_BYTES;
      const own = g + ((<usize>r * <usize>depth) << 2);
      for (let t = begin; t < end; t += PANEL) {
        const panel = <usize>p.panels + <usize>(t >> 3) * panelBytes;
        filterTile(own, panel, depth, <usize>p.halves + ((<usize>t) << 2), t, list);
        for (let e: i32 = 0; e < 4; e++) {
          const one = list + <usize>e * LIST_BYTES;
          if (isFull(one)) measureNearest(p, q, from + r + e, one);
        }
      }
    }
    for (let r = quads; r < count; r++) {
      const list = lists + <usize>r * LIST_BYTES;
      const own = g + ((<usize>r * <usize>depth) << 2);
      for (let t = begin; t < end; t += PANEL) {
        const panel = <usize>p.panels + <usize>(t >> 3) * panelBytes;
        filterOne(own, panel, depth, <usize>p.halves + ((<usize>t) << 2), t, list);
        if (isFull(list)) measureNearest(p, q, from + r, list);
      }
    }
  }
  for (let r: i32 = 0; r < count; r++) measureNearest(p, q, from + r, lists + <usize>r * LIST_BYTES);
}

/** Measures all points: for metrics without a filter. Blocks of points stay in the cache for all queries of the chunk. */
function scanNearest(p: Points, q: Queries, from: i32, count: i32): void {
  const n = <i32>p.n;
  const k = <i32>q.k;
  const block = max(1, <i32>(BLOCK_BYTES / ((<usize>p.d) << 3)));
  for (let begin: i32 = 0; begin < n; begin += block) {
    const end = min(n, begin + block);
    for (let r: i32 = 0; r < count; r++) {
      const at = <usize>(from + r) * <usize>k;
      const distances = <usize>q.distances + (at << 3);
      const indices = <usize>q.indices + (at << 2);
      const own = q.first < 0 ? -1 : <i32>q.first + from + r;
      for (let t = begin; t < end; t++) {
        if (t == own) continue;
        const d = distanceTo(p, q, from + r, t, load<f64>(distances));
        if (enters(distances, indices, d, t)) replaceFarthest(distances, indices, k, d, t);
      }
    }
  }
}

/** `nearestChunk` with a tree. work: a stack, then d doubles. */
export function treeNearestChunk(points: usize, tree: usize, queries: usize, chunk: i32): void {
  const p = changetype<Points>(points);
  const t = changetype<Tree>(tree);
  const q = changetype<Queries>(queries);
  const k = <i32>q.k;
  const from = chunk * CHUNK;
  const to = min(from + CHUNK, <i32>q.count);
  const work = <usize>q.work + <usize>chunk * <usize>q.area;
  for (let query = from; query < to; query++) {
    const distances = <usize>q.distances + ((<usize>query * <usize>k) << 3);
    const indices = <usize>q.indices + ((<usize>query * <usize>k) << 2);
    emptyHeap(distances, indices, k);
    searchNearest(p, t, q, query, work);
    sortHeap(distances, indices, k);
  }
}

/**
 * All points within a radius of a chunk of queries: pairs one query after the other in the chunk's room of `distances` and `indices`,
 * ascending by number. A chunk without enough room still counts, and is called again with more.
 */
export function withinChunk(points: usize, tree: usize, queries: usize, chunk: i32): void {
  const p = changetype<Points>(points);
  const q = changetype<Queries>(queries);
  const work = <usize>q.work + <usize>chunk * <usize>q.area;
  const to = min(<i32>q.count, (chunk + 1) * CHUNK);
  openRoom(<usize>q.distances, <usize>q.indices, <i32>q.room, chunk);
  let at: i32 = 0;
  for (let query = chunk * CHUNK; query < to; query++) {
    const found = tree
      ? searchWithin(p, changetype<Tree>(tree), q, query, at, work)
      : p.panels == 0
        ? scanWithin(p, q, query, at)
        : filterWithin(p, q, query, at, work);
    if (tree) sortPairs(at, found);
    store<i32>(<usize>q.found + ((<usize>query) << 2), found);
    at += found;
  }
}

function scanWithin(p: Points, q: Queries, query: i32, at: i32): i32 {
  const n = <i32>p.n;
  const radius = load<f64>(<usize>q.radii + ((<usize>query) << 3));
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  let found: i32 = 0;
  for (let t: i32 = 0; t < n; t++) {
    const distance = distanceTo(p, q, query, t, radius);
    if (t == own || distance > radius) continue;
    keepPair(at + found++, distance, t);
  }
  return found;
}

/** work: a list, then the query's filter coordinates. */
function filterWithin(p: Points, q: Queries, query: i32, at: i32, list: usize): i32 {
  const depth = <i32>p.depth;
  const n = <i32>p.n;
  const radius = load<f64>(<usize>q.radii + ((<usize>query) << 3));
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  const g = list + LIST_BYTES;
  packOne(<usize>q.coordinates + ((<usize>query * <usize>depth) << 3), depth, g);
  clearList(list);
  setLimit(list, limitOf(q, query, radius));
  let found: i32 = 0;
  for (let t: i32 = 0; t < n; t += PANEL) {
    const panel = <usize>p.panels + ((<usize>t * <usize>depth) << 2);
    filterOne(g, panel, depth, <usize>p.halves + ((<usize>t) << 2), t, list);
    const count = listCount(list);
    if (count == 0) continue;
    for (let e: i32 = 0; e < count; e++) {
      const i = listed(list, e);
      const distance = distanceTo(p, q, query, i, radius);
      if (i == own || distance > radius) continue;
      keepPair(at + found++, distance, i);
    }
    clearList(list);
  }
  return found;
}

/** Distances in place of `count` reduced ones. */
export function finishDistances(metric: i32, p: f64, distances: usize, count: i32): void {
  const end = distances + ((<usize>count) << 3);
  for (; distances < end; distances += 8) store<f64>(distances, distanceOf(metric, p, load<f64>(distances)));
}

export { ballChunk, gatherChunk, joinBoxes, regionOf, splitChunk } from "./neighbors/build";
export { sparseNearestChunk, sparseWithinChunk } from "./neighbors/sparse";

/**
 * Distances of a chunk of `height` of the rows first … first + count − 1 to all n rows of d doubles: rows of n doubles at `out`.
 * `norms`: ‖x_i‖ for COSINE. `squared`: reduced distances.
 */
export function pairsChunk(
  x: usize,
  n: i32,
  d: i32,
  metric: i32,
  p: f64,
  norms: usize,
  squared: i32,
  first: i32,
  count: i32,
  height: i32,
  out: usize,
  chunk: i32,
): void {
  const from = chunk * height;
  const to = min(count, from + height);
  const block = max(1, <i32>(BLOCK_BYTES / ((<usize>d) << 3)));
  for (let begin: i32 = 0; begin < n; begin += block) {
    const end = min(n, begin + block);
    for (let r = from; r < to; r++) {
      const i = first + r;
      const a = x + ((<usize>i * <usize>d) << 3);
      let at = out + ((<usize>r * <usize>n + <usize>begin) << 3);
      for (let t = begin; t < end; t++, at += 8) {
        const b = x + ((<usize>t * <usize>d) << 3);
        const lengths = norms
          ? load<f64>(norms + ((<usize>i) << 3)) * load<f64>(norms + ((<usize>t) << 3))
          : 0;
        const reduced = i == t ? 0 : reducedDistance(metric, p, a, b, d, lengths);
        store<f64>(at, squared || reduced == 0 ? reduced : distanceOf(metric, p, reduced));
      }
    }
  }
}
