import { distanceOf, reducedDistance, reducedOf } from "../../shared/distances";
import { CHEBYSHEV, EUCLIDEAN, Points, Queries, Tree } from "../neighbors.layout";
import { enters, replaceFarthest } from "./nearest";
import { keepPair } from "./pairs";

/** Maximum number of levels of a tree: 2³¹ points. */
export const LEVELS: i32 = 32;
/** A stack of nodes to visit, each with its bound; at most one per level, and one more. */
export const STACK_BYTES: usize = (<usize>LEVELS * 2) << 4;

/** Relative error of a computed bound: it is not the same sum as a distance, nor in the same order. */
const SLACK: f64 = 1e-12;

/** Lower bounds of the reduced distances to the points of the left and the right child of a node. */
function boundsOf(p: Points, t: Tree, node: i32, z: usize): v128 {
  if (t.balls != 0)
    return f64x2.replace_lane(
      f64x2.splat(ballBound(p, t, 2 * node + 1, z)),
      1,
      ballBound(p, t, 2 * node + 2, z),
    );
  const d = <usize>p.d;
  const metric = <i32>p.metric;
  const pair = <usize>t.boxes + ((<usize>node * d) << 5);
  const zero = f64x2.splat(0);
  let sum = zero;
  if (metric == EUCLIDEAN) {
    for (let j: usize = 0; j < d; j++) {
      const value = v128.load64_splat(z + (j << 3));
      const below = f64x2.sub(v128.load(pair + (j << 5)), value);
      const above = f64x2.sub(value, v128.load(pair + (j << 5), 16));
      const gap = f64x2.pmax(f64x2.pmax(below, above), zero);
      sum = f64x2.add(sum, f64x2.mul(gap, gap));
    }
    return f64x2.mul(sum, f64x2.splat(1 - SLACK));
  }
  for (let j: usize = 0; j < d; j++) {
    const value = v128.load64_splat(z + (j << 3));
    const below = f64x2.sub(v128.load(pair + (j << 5)), value);
    const above = f64x2.sub(value, v128.load(pair + (j << 5), 16));
    const gap = f64x2.pmax(f64x2.pmax(below, above), zero);
    sum = gapsJoined(metric, p.p, sum, gap);
  }
  return f64x2.mul(sum, f64x2.splat(1 - SLACK));
}

/** A sum of distances along the axes, or their maximum: reduced distances of one coordinate are added or compared. */
function gapsJoined(metric: i32, p: f64, sum: v128, gap: v128): v128 {
  const left = reducedOf(metric, p, f64x2.extract_lane(gap, 0));
  const right = reducedOf(metric, p, f64x2.extract_lane(gap, 1));
  const both = f64x2.replace_lane(f64x2.splat(left), 1, right);
  return metric == CHEBYSHEV ? f64x2.pmax(both, sum) : f64x2.add(sum, both);
}

/** Distance to the centre minus the radius. */
function ballBound(p: Points, t: Tree, node: i32, z: usize): f64 {
  const d = <i32>p.d;
  const metric = <i32>p.metric;
  const centre = <usize>t.centres + ((<usize>node * <usize>d) << 3);
  const distance = distanceOf(metric, p.p, reducedDistance(metric, p.p, z, centre, d, 0));
  const radius = load<f64>(<usize>t.radii + ((<usize>node) << 3));
  const gap = distance - radius - SLACK * (distance + radius);
  return gap > 0 ? reducedOf(metric, p.p, gap) * (1 - SLACK) : 0;
}

// @inline
function put(stack: usize, size: i32, node: i32, bound: f64): i32 {
  store<f64>(stack + ((<usize>size) << 4), bound);
  store<i32>(stack + ((<usize>size) << 4), node, 8);
  return size + 1;
}

/**
 * Reduced distances of a query to the points of a leaf, to `out`; returns how many. EUCLIDEAN: two points at a time, by the sums of `squaredDistance` in
 * their order, so that all methods measure the same bits.
 */
function leafDistances(p: Points, t: Tree, leaf: i32, z: usize, out: usize): i32 {
  const d = <i32>p.d;
  const from = startOf(t, leaf);
  const count = startOf(t, leaf + 1) - from;
  const x = <usize>t.x + ((<usize>from * <usize>d) << 3);
  if (<i32>p.metric != EUCLIDEAN) {
    for (let e: i32 = 0; e < count; e++)
      store<f64>(
        out + ((<usize>e) << 3),
        reducedDistance(<i32>p.metric, p.p, z, x + ((<usize>e * <usize>d) << 3), d, 0),
      );
    return count;
  }
  const column = (<usize>count) << 3;
  const whole = d & ~3;
  // The last pair may reach into what follows; `out` has room for it, and x has padding.
  for (let e: i32 = 0; e < count; e += 2) {
    let at = x + ((<usize>e) << 3);
    let q = z;
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let j: i32 = 0; j < whole; j += 4, q += 32, at += 4 * column) {
      const a = f64x2.sub(v128.load64_splat(q), v128.load(at));
      const b = f64x2.sub(v128.load64_splat(q, 8), v128.load(at + column));
      const c = f64x2.sub(v128.load64_splat(q, 16), v128.load(at + 2 * column));
      const e2 = f64x2.sub(v128.load64_splat(q, 24), v128.load(at + 3 * column));
      s0 = f64x2.add(s0, f64x2.mul(a, a));
      s1 = f64x2.add(s1, f64x2.mul(b, b));
      s2 = f64x2.add(s2, f64x2.mul(c, c));
      s3 = f64x2.add(s3, f64x2.mul(e2, e2));
    }
    let sum = f64x2.add(f64x2.add(s0, s2), f64x2.add(s1, s3));
    for (let j = whole; j < d; j++, q += 8, at += column) {
      const a = f64x2.sub(v128.load64_splat(q), v128.load(at));
      sum = f64x2.add(sum, f64x2.mul(a, a));
    }
    v128.store(out + ((<usize>e) << 3), sum);
  }
  return count;
}

/** Place in `order` where the points of a leaf begin. */
// @inline
function startOf(t: Tree, leaf: i32): i32 {
  return load<i32>(<usize>t.starts + ((<usize>leaf) << 2));
}

/** The number of a leaf's point e. */
// @inline
function pointOf(t: Tree, leaf: i32, e: i32): i32 {
  return load<i32>(<usize>t.order + ((<usize>(startOf(t, leaf) + e)) << 2));
}

/**
 * The k nearest points of a query into its heap. Nodes as far as the farthest of the k are visited too: they may hold a point as far
 * with a smaller number. work: the stack, then a double per point of a leaf.
 */
export function searchNearest(p: Points, t: Tree, q: Queries, query: i32, work: usize): void {
  const d = <i32>p.d;
  const k = <i32>q.k;
  const z = <usize>q.z + ((<usize>query * <usize>d) << 3);
  const distances = <usize>q.distances + ((<usize>query * <usize>k) << 3);
  const indices = <usize>q.indices + ((<usize>query * <usize>k) << 2);
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  const measured = work + STACK_BYTES;
  const firstLeaf = (1 << (<i32>t.levels - 1)) - 1;
  let size = put(work, 0, 0, 0);
  while (size > 0) {
    size--;
    let node = load<i32>(work + ((<usize>size) << 4), 8);
    if (load<f64>(work + ((<usize>size) << 4)) > load<f64>(distances)) continue;
    while (node < firstLeaf) {
      const bounds = boundsOf(p, t, node, z);
      const left = f64x2.extract_lane(bounds, 0);
      const right = f64x2.extract_lane(bounds, 1);
      const near = right < left ? 2 : 1;
      if (max(left, right) <= load<f64>(distances))
        size = put(work, size, 2 * node + 3 - near, max(left, right));
      if (min(left, right) > load<f64>(distances)) break;
      node = 2 * node + near;
    }
    if (node < firstLeaf) continue;
    const leaf = node - firstLeaf;
    const count = leafDistances(p, t, leaf, z, measured);
    for (let e: i32 = 0; e < count; e++) {
      const distance = load<f64>(measured + ((<usize>e) << 3));
      if (distance > load<f64>(distances)) continue;
      const i = pointOf(t, leaf, e);
      if (i == own) continue;
      if (enters(distances, indices, distance, i)) replaceFarthest(distances, indices, k, distance, i);
    }
  }
}

/**
 * All points within the radius of a query, from place `at` of the chunk's room on; returns how many, also those that have no room.
 */
export function searchWithin(p: Points, t: Tree, q: Queries, query: i32, at: i32, work: usize): i32 {
  const z = <usize>q.z + ((<usize>query * <usize>p.d) << 3);
  const radius = load<f64>(<usize>q.radii + ((<usize>query) << 3));
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  const measured = work + STACK_BYTES;
  const firstLeaf = (1 << (<i32>t.levels - 1)) - 1;
  let found: i32 = 0;
  let size = put(work, 0, 0, 0);
  while (size > 0) {
    size--;
    const node = load<i32>(work + ((<usize>size) << 4), 8);
    if (node < firstLeaf) {
      const bounds = boundsOf(p, t, node, z);
      if (f64x2.extract_lane(bounds, 1) <= radius) size = put(work, size, 2 * node + 2, 0);
      if (f64x2.extract_lane(bounds, 0) <= radius) size = put(work, size, 2 * node + 1, 0);
      continue;
    }
    const leaf = node - firstLeaf;
    const count = leafDistances(p, t, leaf, z, measured);
    for (let e: i32 = 0; e < count; e++) {
      const distance = load<f64>(measured + ((<usize>e) << 3));
      const i = pointOf(t, leaf, e);
      if (distance > radius || i == own) continue;
      keepPair(at + found++, distance, i);
    }
  }
  return found;
}
