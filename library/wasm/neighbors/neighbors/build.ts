import { distanceOf, reducedDistance } from "../../shared/distances";
import { EUCLIDEAN, Points, Tree } from "../neighbors.layout";

/**
 * Splits the nodes of levels from … to − 1 below `root` at the median of the column in which their region is widest. `order` holds
 * 0 … n − 1 on entry of the first call. Splits are by rank, so that equal points go to both sides and the depth is that of n alone.
 *
 * limits    places in `order` where the points of each node of the last level begin, 2^(levels − 1) + 1 of them; a node of a higher
 *           level has those of its first leaf
 * regions   per node of the current level lowest and highest corner, 2d doubles per leaf of the tree
 * keys      n doubles
 */
function splitNodes(
  points: usize,
  tree: usize,
  root: i32,
  from: i32,
  to: i32,
  regions: usize,
  keys: usize,
): void {
  const p = changetype<Points>(points);
  const t = changetype<Tree>(tree);
  const d = <i32>p.d;
  const last = <i32>t.levels - 1;
  const bytes = (<usize>d) << 4;
  for (let level = from; level < to; level++) {
    // Leaves below a node of this level, and the first node of this level below the root.
    const width = 1 << (last - level);
    const nodes = 1 << (level - from);
    for (let e: i32 = 0; e < nodes; e++) {
      const first = (root * nodes + e) * width;
      const limits = <usize>t.starts + ((<usize>first) << 2);
      const begin = load<i32>(limits);
      const end = load<i32>(limits + ((<usize>width) << 2));
      const middle = (begin + end) >> 1;
      const region = regions + <usize>first * bytes;
      const j = widestOf(region, d);
      const value = selectMiddle(p, <usize>t.order, begin, end, middle, j, keys);
      const half = width >> 1;
      store<i32>(limits + ((<usize>half) << 2), middle);
      const right = region + <usize>half * bytes;
      memory.copy(right, region, bytes);
      store<f64>(region + ((<usize>(2 * j)) << 3), value, 8);
      store<f64>(right + ((<usize>(2 * j)) << 3), value);
    }
  }
}

/** Lowest and highest value per column, as pairs. */
export function regionOf(x: usize, n: i32, d: i32, out: usize): void {
  const columns = <usize>d;
  for (let j: usize = 0; j < columns; j++) {
    store<f64>(out + (j << 4), Infinity);
    store<f64>(out + (j << 4), -Infinity, 8);
  }
  for (let i: i32 = 0; i < n; i++) {
    for (let j: usize = 0; j < columns; j++, x += 8) widen(out + (j << 4), load<f64>(x));
  }
}

/** Makes [lowest, highest] include a value. */
// @inline
function widen(range: usize, value: f64): void {
  if (value < load<f64>(range)) store<f64>(range, value);
  if (value > load<f64>(range, 8)) store<f64>(range, value, 8);
}

function widestOf(region: usize, d: i32): i32 {
  let widest: i32 = 0;
  let most: f64 = -1;
  for (let j: i32 = 0; j < d; j++) {
    const range = load<f64>(region + ((<usize>j) << 4), 8) - load<f64>(region + ((<usize>j) << 4));
    if (range > most) {
      most = range;
      widest = j;
    }
  }
  return widest;
}

/** Points of `each` leaves from leaf chunk · each on in their order, and their corners or balls. */
export function gatherChunk(points: usize, tree: usize, corners: usize, each: i32, chunk: i32): void {
  const p = changetype<Points>(points);
  const t = changetype<Tree>(tree);
  const leaves = 1 << (<i32>t.levels - 1);
  const bytes = (<usize>p.d) << 4;
  for (let leaf = chunk * each; leaf < min(leaves, (chunk + 1) * each); leaf++)
    gatherLeaf(p, t, leaf, corners + <usize>(leaves - 1 + leaf) * bytes);
}

/** The boxes of inner nodes, from the leaves up. */
export function joinBoxes(points: usize, tree: usize, corners: usize): void {
  const t = changetype<Tree>(tree);
  const d = <usize>changetype<Points>(points).d;
  const bytes = d << 4;
  for (let node = (1 << (<i32>t.levels - 1)) - 2; node >= 0; node--) {
    const left = corners + <usize>(2 * node + 1) * bytes;
    const own = corners + <usize>node * bytes;
    const pair = <usize>t.boxes + ((<usize>node * d) << 5);
    for (let j: usize = 0; j < d; j++) {
      const lowLeft = load<f64>(left + (j << 4));
      const highLeft = load<f64>(left + (j << 4), 8);
      const lowRight = load<f64>(left + bytes + (j << 4));
      const highRight = load<f64>(left + bytes + (j << 4), 8);
      store<f64>(pair + (j << 5), lowLeft);
      store<f64>(pair + (j << 5), lowRight, 8);
      store<f64>(pair + (j << 5), highLeft, 16);
      store<f64>(pair + (j << 5), highRight, 24);
      store<f64>(own + (j << 4), min(lowLeft, lowRight));
      store<f64>(own + (j << 4), max(highLeft, highRight), 8);
    }
  }
}

// @inline
function rowOf(p: Points, t: Tree, e: i32): usize {
  return <usize>p.x + ((<usize>load<i32>(<usize>t.order + ((<usize>e) << 2)) * <usize>p.d) << 3);
}

function gatherLeaf(p: Points, t: Tree, leaf: i32, corners: usize): void {
  const d = <usize>p.d;
  const limits = <usize>t.starts + ((<usize>leaf) << 2);
  const from = load<i32>(limits);
  const to = load<i32>(limits, 4);
  const count = <usize>(to - from);
  const out = <usize>t.x + ((<usize>from * d) << 3);
  // Strides between columns and between rows, in bytes.
  const byColumns = <i32>p.metric == EUCLIDEAN;
  const column = byColumns ? count << 3 : 8;
  const stride = byColumns ? 8 : d << 3;
  for (let j: usize = 0; j < d; j++) {
    store<f64>(corners + (j << 4), Infinity);
    store<f64>(corners + (j << 4), -Infinity, 8);
  }
  for (let e = from; e < to; e++) {
    const row = rowOf(p, t, e);
    const own = out + <usize>(e - from) * stride;
    for (let j: usize = 0; j < d; j++) {
      const value = load<f64>(row + (j << 3));
      store<f64>(own + j * column, value);
      widen(corners + (j << 4), value);
    }
  }
}

/** The ball of a node. */
export function ballChunk(points: usize, tree: usize, chunk: i32): void {
  ballOf(changetype<Points>(points), changetype<Tree>(tree), chunk);
}

/** The mean of a node's points, and the largest distance from it. */
function ballOf(p: Points, t: Tree, node: i32): void {
  const d = <i32>p.d;
  const level = 31 - clz(node + 1);
  const width = 1 << (<i32>t.levels - 1 - level);
  const limits = <usize>t.starts + ((<usize>((node + 1 - (1 << level)) * width)) << 2);
  const from = load<i32>(limits);
  const to = load<i32>(limits + ((<usize>width) << 2));
  const centre = <usize>t.centres + ((<usize>node * <usize>d) << 3);
  memory.fill(centre, 0, (<usize>d) << 3);
  for (let e = from; e < to; e++) {
    const row = rowOf(p, t, e);
    // A running mean: a sum of numbers near 1e308 would overflow.
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

/** Fewer points than this are sorted. */
const FEW: i32 = 24;

/**
 * Reorders `order` from … to − 1 so that the points at and after `middle` are not below those before it in column j (quickselect with
 * the partition of Lomuto, which has no branch to mispredict). Returns the value in the middle.
 */
function selectMiddle(p: Points, order: usize, from: i32, to: i32, middle: i32, j: i32, keys: usize): f64 {
  const d = <usize>p.d;
  for (let e = from; e < to; e++) {
    const i = <usize>load<i32>(order + ((<usize>e) << 2));
    store<f64>(keys + ((<usize>e) << 3), load<f64>(<usize>p.x + ((i * d + <usize>j) << 3)));
  }
  let low = from;
  let high = to;
  while (high - low > FEW) {
    const pivot = pivotOf(keys, low, high);
    const split = partition(keys, order, low, high, pivot, false);
    if (middle < split) {
      high = split;
      continue;
    }
    if (split > low) {
      low = split;
      continue;
    }
    // The pivot is the smallest: keys equal to it go first, so that duplicates do not make this quadratic.
    const above = partition(keys, order, low, high, pivot, true);
    if (middle < above) return pivot;
    low = above;
  }
  sortFew(keys, order, low, high);
  return load<f64>(keys + ((<usize>middle) << 3));
}

/** Moves keys < pivot (≤ pivot, if `equal`) to the front; returns the start of the others. */
function partition(keys: usize, order: usize, low: i32, high: i32, pivot: f64, equal: bool): i32 {
  let front = low;
  for (let e = low; e < high; e++) {
    const key = load<f64>(keys + ((<usize>e) << 3));
    const i = load<i32>(order + ((<usize>e) << 2));
    const at = keys + ((<usize>front) << 3);
    const place = order + ((<usize>front) << 2);
    store<f64>(keys + ((<usize>e) << 3), load<f64>(at));
    store<i32>(order + ((<usize>e) << 2), load<i32>(place));
    store<f64>(at, key);
    store<i32>(place, i);
    front += equal ? i32(key <= pivot) : i32(key < pivot);
  }
  return front;
}

/** The median of three medians of three. */
function pivotOf(keys: usize, low: i32, high: i32): f64 {
  const eighth = (high - low) >> 3;
  const middle = low + ((high - low) >> 1);
  return medianOf(
    medianOf(keyAt(keys, low), keyAt(keys, low + eighth), keyAt(keys, low + 2 * eighth)),
    medianOf(keyAt(keys, middle - eighth), keyAt(keys, middle), keyAt(keys, middle + eighth)),
    medianOf(keyAt(keys, high - 1 - 2 * eighth), keyAt(keys, high - 1 - eighth), keyAt(keys, high - 1)),
  );
}

// @inline
function keyAt(keys: usize, e: i32): f64 {
  return load<f64>(keys + ((<usize>e) << 3));
}

// @inline
function medianOf(a: f64, b: f64, c: f64): f64 {
  return max(min(a, b), min(max(a, b), c));
}

/** By insertion. */
function sortFew(keys: usize, order: usize, low: i32, high: i32): void {
  for (let e = low + 1; e < high; e++) {
    const key = keyAt(keys, e);
    const i = load<i32>(order + ((<usize>e) << 2));
    let at = e;
    for (; at > low && keyAt(keys, at - 1) > key; at--) {
      store<f64>(keys + ((<usize>at) << 3), keyAt(keys, at - 1));
      store<i32>(order + ((<usize>at) << 2), load<i32>(order + ((<usize>(at - 1)) << 2)));
    }
    store<f64>(keys + ((<usize>at) << 3), key);
    store<i32>(order + ((<usize>at) << 2), i);
  }
}

/** The nodes below node `chunk` of level `from`, as `splitNodes`; nodes of one level share nothing. */
export function splitChunk(
  points: usize,
  tree: usize,
  from: i32,
  to: i32,
  regions: usize,
  keys: usize,
  chunk: i32,
): void {
  splitNodes(points, tree, chunk, from, to, regions, keys);
}
