import { distanceOf, reducedDistance } from "../shared/distances";

/**
 * Hierarchical clustering of n points by the matrix of their distances: n × n doubles at `d`, both triangles, which may be overwritten.
 * A merge m joins the clusters that the points a[m] and b[m] stand for (32-bit integers) at height[m].
 */

/** Linkages of `chainMerges`. */
const COMPLETE: i32 = 1;
const AVERAGE: i32 = 2;

/**
 * Distances of `height` rows of a chunk to all later ones, both ways, and 0 on the diagonal. `norms`: ‖x_i‖ for COSINE. `squared`:
 * reduced distances.
 */
export function allPairsChunk(
  x: usize,
  n: i32,
  dims: i32,
  metric: i32,
  p: f64,
  norms: usize,
  squared: i32,
  height: i32,
  d: usize,
  chunk: i32,
): void {
  const from = chunk * height;
  const to = min(n, from + height);
  const rowBytes = (<usize>n) << 3;
  for (let t = from; t < n; t++) {
    const b = x + ((<usize>t * <usize>dims) << 3);
    const end = min(to, t + 1);
    for (let i = from; i < end; i++) {
      const a = x + ((<usize>i * <usize>dims) << 3);
      const lengths = norms ? load<f64>(norms + ((<usize>i) << 3)) * load<f64>(norms + ((<usize>t) << 3)) : 0;
      let s = i == t ? 0 : reducedDistance(metric, p, a, b, dims, lengths);
      if (!squared && s != 0) s = distanceOf(metric, p, s);
      store<f64>(d + <usize>t * rowBytes + ((<usize>i) << 3), s);
      store<f64>(d + <usize>i * rowBytes + ((<usize>t) << 3), s);
    }
  }
}

/**
 * Nearest-neighbour chains [Müllner 2011, figure 3]; a[m] < b[m], which then stands for both. work: n sizes (doubles; 0 for clusters that are gone), then n numbers of the chain
 * and n numbers of the clusters left (32-bit integers).
 */
export function chainMerges(
  d: usize,
  n: i32,
  rule: i32,
  work: usize,
  a: usize,
  b: usize,
  heights: usize,
): void {
  const chain = work + ((<usize>n) << 3);
  const left = chain + ((<usize>n) << 2);
  for (let i: i32 = 0; i < n; i++) {
    store<f64>(work + ((<usize>i) << 3), 1);
    store<i32>(left + ((<usize>i) << 2), i);
  }
  let count = n;
  let length: i32 = 0;
  for (let m: i32 = 0; m < n - 1; m++) {
    if (length == 0) {
      store<i32>(chain, load<i32>(left));
      length = 1;
    }
    length = walk(d, n, left, count, chain, length);
    const end = chain + ((<usize>length) << 2);
    const u = load<i32>(end - 4);
    const v = load<i32>(end - 8);
    const x = min(u, v);
    const y = max(u, v);
    length -= 2;
    store<i32>(a + ((<usize>m) << 2), x);
    store<i32>(b + ((<usize>m) << 2), y);
    store<f64>(heights + ((<usize>m) << 3), load<f64>(d + ((<usize>x * <usize>n + <usize>y) << 3)));
    count = remove(left, count, x);
    merge(d, n, rule, x, y, left, count, work);
  }
}

/** Goes from cluster to nearest cluster until two are nearest to each other; these are the last two of the chain. */
function walk(d: usize, n: i32, left: usize, count: i32, chain: usize, length: i32): i32 {
  let nearest: i32 = -1;
  let before: i32 = -1;
  do {
    if (nearest >= 0) {
      store<i32>(chain + ((<usize>length) << 2), nearest);
      length++;
    }
    const end = chain + ((<usize>length) << 2);
    const x = load<i32>(end - 4);
    const row = d + ((<usize>x * <usize>n) << 3);
    // The one that the chain comes from wins ties, so that the walk ends.
    before = length > 1 ? load<i32>(end - 8) : -1;
    nearest = before;
    let least = before < 0 ? Infinity : load<f64>(row + ((<usize>before) << 3));
    for (let e: i32 = 0; e < count; e++) {
      const i = load<i32>(left + ((<usize>e) << 2));
      const s = load<f64>(row + ((<usize>i) << 3));
      if (i != x && (s < least || nearest < 0)) {
        least = s;
        nearest = i;
      }
    }
  } while (nearest != before);
  return length;
}

function remove(left: usize, count: i32, x: i32): i32 {
  let e: i32 = 0;
  while (load<i32>(left + ((<usize>e) << 2)) != x) e++;
  memory.copy(left + ((<usize>e) << 2), left + ((<usize>(e + 1)) << 2), (<usize>(count - e - 1)) << 2);
  return count - 1;
}

/** Distances from the union of x and y to all others [Lance & Williams 1967], in the place of y's. Squares for ward. */
function merge(d: usize, n: i32, rule: i32, x: i32, y: i32, left: usize, count: i32, sizes: usize): void {
  const ofX = load<f64>(sizes + ((<usize>x) << 3));
  const ofY = load<f64>(sizes + ((<usize>y) << 3));
  const rowX = d + ((<usize>x * <usize>n) << 3);
  const rowY = d + ((<usize>y * <usize>n) << 3);
  const column = d + ((<usize>y) << 3);
  const between = load<f64>(rowX + ((<usize>y) << 3));
  store<f64>(sizes + ((<usize>y) << 3), ofX + ofY);
  for (let e: i32 = 0; e < count; e++) {
    const i = load<i32>(left + ((<usize>e) << 2));
    if (i == y) continue;
    const at = (<usize>i) << 3;
    const dx = load<f64>(rowX + at);
    const dy = load<f64>(rowY + at);
    let joined: f64;
    if (rule == COMPLETE) joined = max(dx, dy);
    else if (rule == AVERAGE) joined = (ofX * dx + ofY * dy) / (ofX + ofY);
    else {
      const c = load<f64>(sizes + at);
      joined = ((ofX + c) * dx + (ofY + c) * dy - c * between) / (ofX + ofY + c);
    }
    store<f64>(rowY + at, joined);
    store<f64>(column + <usize>i * ((<usize>n) << 3), joined);
  }
}

/**
 * Edges of a minimum spanning tree, grown from point 0 [Prim 1957]: edge m leads from a[m], which is in the tree, to b[m], which is new.
 * work: n doubles, the distances to the tree, then n numbers of the points left. `sources`: n 32-bit integers.
 */
export function treeMerges(
  d: usize,
  n: i32,
  work: usize,
  sources: usize,
  a: usize,
  b: usize,
  heights: usize,
): void {
  const left = work + ((<usize>n) << 3);
  for (let i: i32 = 0; i < n; i++) {
    store<f64>(work + ((<usize>i) << 3), Infinity);
    store<i32>(left + ((<usize>i) << 2), i);
    store<i32>(sources + ((<usize>i) << 2), 0);
  }
  let count = remove(left, n, 0);
  let last: i32 = 0;
  for (let m: i32 = 0; m < n - 1; m++) {
    const row = d + ((<usize>last * <usize>n) << 3);
    let next: i32 = -1;
    let least: f64 = Infinity;
    for (let e: i32 = 0; e < count; e++) {
      const i = load<i32>(left + ((<usize>e) << 2));
      const own = work + ((<usize>i) << 3);
      let s = load<f64>(own);
      const fromLast = load<f64>(row + ((<usize>i) << 3));
      // Of points at the same distance, the one that was in the tree first is the source, as in scikit-learn.
      if (fromLast < s) {
        s = fromLast;
        store<f64>(own, s);
        store<i32>(sources + ((<usize>i) << 2), last);
      }
      if (next < 0 || s < least) {
        least = s;
        next = i;
      }
    }
    store<i32>(a + ((<usize>m) << 2), load<i32>(sources + ((<usize>next) << 2)));
    store<i32>(b + ((<usize>m) << 2), next);
    store<f64>(heights + ((<usize>m) << 3), least);
    count = remove(left, count, next);
    last = next;
  }
}
