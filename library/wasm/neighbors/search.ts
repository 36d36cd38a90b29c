import { distanceOf, reducedDistance, reducedOf } from "../shared/distances";
import { MINKOWSKI, Points, Queries, Tree } from "./layout";
import { enters, replaceFarthest } from "./nearest";

/** Most levels of a tree: 2³¹ points. */
export const LEVELS: i32 = 32;
/** A stack of nodes to visit, each with its bound: two per level are enough, since one of two children is visited at once. */
export const STACK_BYTES: usize = (<usize>LEVELS * 2) << 4;

/** Relative error of a computed bound that is not the same sum of monotone terms as a distance: roots, powers, differences of distances. */
const SLACK: f64 = 1e-12;

/**
 * A reduced distance that no point of a node is below. Of a box: the distance to its nearest place, computed by the function that
 * measures points, whose rounded terms are then none larger than those of any point inside. Of a ball: distance to the centre − radius.
 */
function boundOf(p: Points, t: Tree, node: i32, z: usize, nearest: usize): f64 {
  const d = <i32>p.d;
  const metric = <i32>p.metric;
  const lowest = <usize>t.lowest + ((<usize>node * <usize>d) << 3);
  if (t.balls != 0) {
    const centre = distanceOf(metric, p.p, reducedDistance(metric, p.p, z, lowest, d, 0));
    const radius = load<f64>(<usize>t.radii + ((<usize>node) << 3));
    const gap = centre - radius - SLACK * (centre + radius);
    return gap > 0 ? reducedOf(metric, p.p, gap) * (1 - SLACK) : 0;
  }
  const highest = <usize>t.highest + ((<usize>node * <usize>d) << 3);
  for (let j: usize = 0; j < <usize>d; j++) {
    const low = load<f64>(lowest + (j << 3));
    const high = load<f64>(highest + (j << 3));
    store<f64>(nearest + (j << 3), min(max(load<f64>(z + (j << 3)), low), high));
  }
  const bound = reducedDistance(metric, p.p, z, nearest, d, 0);
  return metric == MINKOWSKI ? bound * (1 - SLACK) : bound;
}

// @inline
function put(stack: usize, size: i32, node: i32, bound: f64): i32 {
  store<f64>(stack + ((<usize>size) << 4), bound);
  store<i32>(stack + ((<usize>size) << 4), node, 8);
  return size + 1;
}

/**
 * The k nearest points of a query into its heap. Nodes as far as the farthest of the k are visited too: they may hold a point as far
 * with a smaller number. work: the stack, then d doubles.
 */
export function searchNearest(p: Points, t: Tree, q: Queries, query: i32, work: usize): void {
  const d = <i32>p.d;
  const metric = <i32>p.metric;
  const k = <i32>q.k;
  const z = <usize>q.z + ((<usize>query * <usize>d) << 3);
  const distances = <usize>q.distances + ((<usize>query * <usize>k) << 3);
  const indices = <usize>q.indices + ((<usize>query * <usize>k) << 2);
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  const nearest = work + STACK_BYTES;
  const firstLeaf = (1 << (<i32>t.levels - 1)) - 1;
  let size = put(work, 0, 0, 0);
  while (size > 0) {
    size--;
    let bound = load<f64>(work + ((<usize>size) << 4));
    let node = load<i32>(work + ((<usize>size) << 4), 8);
    if (bound > load<f64>(distances)) continue;
    while (node < firstLeaf) {
      let left = 2 * node + 1;
      let right = left + 1;
      let near = boundOf(p, t, left, z, nearest);
      let far = boundOf(p, t, right, z, nearest);
      if (far < near) {
        const held = left;
        left = right;
        right = held;
        const other = near;
        near = far;
        far = other;
      }
      if (far <= load<f64>(distances)) size = put(work, size, right, far);
      node = left;
      bound = near;
      if (bound > load<f64>(distances)) break;
    }
    if (node < firstLeaf || bound > load<f64>(distances)) continue;
    const limits = <usize>t.starts + ((<usize>(node - firstLeaf)) << 2);
    const to = load<i32>(limits, 4);
    for (let e = load<i32>(limits); e < to; e++) {
      const i = load<i32>(<usize>t.order + ((<usize>e) << 2));
      if (i == own) continue;
      const x = <usize>t.x + ((<usize>e * <usize>d) << 3);
      const distance = reducedDistance(metric, p.p, z, x, d, 0);
      if (enters(distances, indices, distance, i)) replaceFarthest(distances, indices, k, distance, i);
    }
  }
}

/**
 * All points within the radius of a query, from place `at` of the chunk's room on; returns how many, also those that have no room.
 */
export function searchWithin(
  p: Points,
  t: Tree,
  q: Queries,
  query: i32,
  out: usize,
  numbers: usize,
  at: i32,
  room: i32,
  work: usize,
): i32 {
  const d = <i32>p.d;
  const metric = <i32>p.metric;
  const z = <usize>q.z + ((<usize>query * <usize>d) << 3);
  const radius = load<f64>(<usize>q.radii + ((<usize>query) << 3));
  const own = q.first < 0 ? -1 : <i32>q.first + query;
  const nearest = work + STACK_BYTES;
  const firstLeaf = (1 << (<i32>t.levels - 1)) - 1;
  let found: i32 = 0;
  let size = put(work, 0, 0, 0);
  while (size > 0) {
    size--;
    const node = load<i32>(work + ((<usize>size) << 4), 8);
    if (boundOf(p, t, node, z, nearest) > radius) continue;
    if (node < firstLeaf) {
      size = put(work, size, 2 * node + 2, 0);
      size = put(work, size, 2 * node + 1, 0);
      continue;
    }
    const limits = <usize>t.starts + ((<usize>(node - firstLeaf)) << 2);
    const to = load<i32>(limits, 4);
    for (let e = load<i32>(limits); e < to; e++) {
      const i = load<i32>(<usize>t.order + ((<usize>e) << 2));
      const x = <usize>t.x + ((<usize>e * <usize>d) << 3);
      const distance = reducedDistance(metric, p.p, z, x, d, 0);
      if (i == own || distance > radius) continue;
      if (at + found < room) {
        store<f64>(out + ((<usize>(at + found)) << 3), distance);
        store<i32>(numbers + ((<usize>(at + found)) << 2), i);
      }
      found++;
    }
  }
  return found;
}
