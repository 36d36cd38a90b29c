import { distanceOf, reducedDistance } from "../shared/distances";
import { Points, Tree } from "./layout";

/**
 * Grows the tree: every node is split at the median of the column in which its points are spread most. `order` holds 0 … n − 1 on
 * entry. `keys` is room for n doubles. Splits are by rank, so that equal points go to both sides and the depth is that of n alone.
 */
export function growTree(points: usize, tree: usize, keys: usize): void {
  const p = changetype<Points>(points);
  const t = changetype<Tree>(tree);
  const n = <i32>p.n;
  const levels = <i32>t.levels;
  const starts = <usize>t.starts;
  store<i32>(starts, 0);
  store<i32>(starts, n, 4);
  // Level by level: `starts` holds the limits of all nodes of the level.
  for (let level: i32 = 0; level < levels; level++) {
    const nodes = 1 << level;
    const isLast = level == levels - 1;
    for (let e = nodes - 1; e >= 0; e--) {
      const from = load<i32>(starts + ((<usize>e) << 2));
      const to = load<i32>(starts + ((<usize>e) << 2), 4);
      const widest = boundNode(p, t, nodes - 1 + e, from, to);
      if (!isLast) {
        const middle = (from + to) >> 1;
        selectMiddle(p, <usize>t.order, from, to, middle, widest, keys);
        // Limits move apart from behind, so that none is overwritten before it is read.
        store<i32>(starts + ((<usize>(2 * e)) << 2), middle, 4);
        store<i32>(starts + ((<usize>(2 * e)) << 2), to, 8);
      }
    }
    if (!isLast) store<i32>(starts, 0);
  }
  const bytes = (<usize>p.d) << 3;
  for (let e: i32 = 0; e < n; e++) {
    const i = <usize>load<i32>(<usize>t.order + ((<usize>e) << 2));
    memory.copy(<usize>t.x + <usize>e * bytes, <usize>p.x + i * bytes, bytes);
  }
}

/** The corners of a node's box, or its ball; returns the column with the widest range. */
function boundNode(p: Points, t: Tree, node: i32, from: i32, to: i32): i32 {
  const d = <i32>p.d;
  const lowest = <usize>t.lowest + ((<usize>node * <usize>d) << 3);
  const highest = <usize>t.highest + ((<usize>node * <usize>d) << 3);
  for (let j: usize = 0; j < <usize>d; j++) {
    store<f64>(lowest + (j << 3), Infinity);
    store<f64>(highest + (j << 3), -Infinity);
  }
  for (let e = from; e < to; e++) {
    const row = rowOf(p, t, e);
    for (let j: usize = 0; j < <usize>d; j++) {
      const value = load<f64>(row + (j << 3));
      store<f64>(lowest + (j << 3), min(load<f64>(lowest + (j << 3)), value));
      store<f64>(highest + (j << 3), max(load<f64>(highest + (j << 3)), value));
    }
  }
  let widest: i32 = 0;
  let most: f64 = -1;
  for (let j: i32 = 0; j < d; j++) {
    const range = load<f64>(highest + ((<usize>j) << 3)) - load<f64>(lowest + ((<usize>j) << 3));
    if (range > most) {
      most = range;
      widest = j;
    }
  }
  if (t.balls != 0) ballOf(p, t, node, from, to);
  return widest;
}

// @inline
function rowOf(p: Points, t: Tree, e: i32): usize {
  return <usize>p.x + ((<usize>load<i32>(<usize>t.order + ((<usize>e) << 2)) * <usize>p.d) << 3);
}

/** Mean of the points, in the place of the lowest corner, and the largest distance from it. */
function ballOf(p: Points, t: Tree, node: i32, from: i32, to: i32): void {
  const d = <i32>p.d;
  const centre = <usize>t.lowest + ((<usize>node * <usize>d) << 3);
  memory.fill(centre, 0, (<usize>d) << 3);
  for (let e = from; e < to; e++) {
    const row = rowOf(p, t, e);
    // A running mean: a sum of numbers near 1e308 would not be finite.
    const share = 1 / <f64>(e - from + 1);
    for (let j: usize = 0; j < <usize>d; j++) {
      const mean = load<f64>(centre + (j << 3));
      store<f64>(centre + (j << 3), mean + (load<f64>(row + (j << 3)) - mean) * share);
    }
  }
  let most: f64 = 0;
  for (let e = from; e < to; e++)
    most = max(most, reducedDistance(<i32>p.metric, p.p, centre, rowOf(p, t, e), d, 0));
  store<f64>(<usize>t.radii + ((<usize>node) << 3), distanceOf(<i32>p.metric, p.p, most));
}

/** Reorders `order` from … to − 1 so that the points at and after `middle` are not below those before it in column j (Hoare's select). */
function selectMiddle(p: Points, order: usize, from: i32, to: i32, middle: i32, j: i32, keys: usize): void {
  const d = <usize>p.d;
  for (let e = from; e < to; e++) {
    const i = <usize>load<i32>(order + ((<usize>e) << 2));
    store<f64>(keys + ((<usize>e) << 3), load<f64>(<usize>p.x + ((i * d + <usize>j) << 3)));
  }
  let low = from;
  let high = to - 1;
  while (low < high) {
    const pivot = medianOfThree(keys, low, high);
    let a = low;
    let b = high;
    while (a <= b) {
      while (load<f64>(keys + ((<usize>a) << 3)) < pivot) a++;
      while (load<f64>(keys + ((<usize>b) << 3)) > pivot) b--;
      if (a > b) break;
      swap(keys, order, a, b);
      a++;
      b--;
    }
    if (middle <= b) high = b;
    else if (middle >= a) low = a;
    else return;
  }
}

function medianOfThree(keys: usize, low: i32, high: i32): f64 {
  const a = load<f64>(keys + ((<usize>low) << 3));
  const b = load<f64>(keys + ((<usize>((low + high) >>> 1)) << 3));
  const c = load<f64>(keys + ((<usize>high) << 3));
  return max(min(a, b), min(max(a, b), c));
}

function swap(keys: usize, order: usize, a: i32, b: i32): void {
  const key = load<f64>(keys + ((<usize>a) << 3));
  store<f64>(keys + ((<usize>a) << 3), load<f64>(keys + ((<usize>b) << 3)));
  store<f64>(keys + ((<usize>b) << 3), key);
  const i = load<i32>(order + ((<usize>a) << 2));
  store<i32>(order + ((<usize>a) << 2), load<i32>(order + ((<usize>b) << 2)));
  store<i32>(order + ((<usize>b) << 2), i);
}
