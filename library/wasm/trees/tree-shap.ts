/**
 * Shapley values of a tree's features, two rows at a time, one per lane; the formulas are in src/numeric/trees/tree-shap.ts.
 *
 * nodes     count × 8 (i32): feature (−1: a leaf), left, right, 1 if missing values go left, start in `pool` (−1: a threshold), parent,
 *           nearest ancestor whose edge tests the same feature (−1: none), unused; children after their parents
 * numbers   count × 2: threshold, product z of the proportions of rows
 * pool      lists of ascending categories that go left, each after its length (i32)
 * values    count × width, scaled
 * points    Q points t, then Q weights w
 * work      per chunk, count × (1 + Q (2 + width)) vectors of 16 bytes, aligned to 16: o per node, then 1/F and the product of all F
 *           per node and point, then the sums over the leaves below per node, value and point
 * out       n × stride: feature j of value k is at k · d + j; the results are added
 */

const NODE: usize = 32;
const LEFT: usize = 4;
const RIGHT: usize = 8;
const MISSING_LEFT: usize = 12;
const CATEGORIES: usize = 16;
const PARENT: usize = 20;
const ABOVE: usize = 24;

// @inline
function word(node: usize, field: usize): i32 {
  return load<i32>(node + field);
}

function isListed(pool: usize, start: i32, category: f64): bool {
  const list = pool + ((<usize>start) << 2);
  let low: i32 = 1;
  let high = load<i32>(list);
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = <f64>load<i32>(list + ((<usize>middle) << 2));
    if (value == category) return true;
    if (value < category) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

// @inline
function goesLeft(node: usize, threshold: f64, pool: usize, x: f64): bool {
  if (x != x) return word(node, MISSING_LEFT) == 1;
  const start = word(node, CATEGORIES);
  return start < 0 ? x <= threshold : isListed(pool, start, x);
}

/** Rows of chunk `chunk`: chunkRows from chunk · chunkRows on. */
export function shapChunk(
  x: usize,
  n: i32,
  d: i32,
  nodes: usize,
  count: i32,
  numbers: usize,
  pool: usize,
  values: usize,
  width: i32,
  points: usize,
  Q: i32,
  work: usize,
  out: usize,
  stride: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const vectors = <usize>count * (1 + <usize>Q * (2 + <usize>width));
  const taken = work + <usize>chunk * vectors * 16;
  const to = min(n, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i += 2) {
    const first = x + ((<usize>i * <usize>d) << 3);
    const second = i + 1 < to ? first + ((<usize>d) << 3) : first;
    descend(first, second, nodes, count, numbers, pool, points, Q, taken);
    const own = out + ((<usize>i * <usize>stride) << 3);
    const next = i + 1 < to ? own + ((<usize>stride) << 3) : 0;
    ascend(d, nodes, count, numbers, values, width, points, Q, taken, own, next);
  }
}

/** o, 1/F and products, from the root down. */
function descend(
  first: usize,
  second: usize,
  nodes: usize,
  count: i32,
  numbers: usize,
  pool: usize,
  points: usize,
  Q: i32,
  taken: usize,
): void {
  const row = <usize>Q * 16;
  const inverses = taken + <usize>count * 16;
  const products = inverses + <usize>count * row;
  const one = f64x2.splat(1);
  v128.store(taken, one);
  for (let q: usize = 0; q < <usize>Q; q++) {
    v128.store(inverses + q * 16, one);
    v128.store(products + q * 16, one);
  }
  for (let v: usize = 0; v < <usize>count; v++) {
    const node = nodes + v * NODE;
    const above = word(node, ABOVE);
    if (v > 0) {
      const parent = products + <usize>word(node, PARENT) * row;
      const o = v128.load(taken + v * 16);
      const z = f64x2.splat(load<f64>(numbers + v * 16 + 8));
      for (let q: usize = 0; q < <usize>Q; q++) {
        const t = load<f64>(points + q * 8);
        const f = f64x2.add(f64x2.mul(f64x2.splat(t), o), f64x2.mul(f64x2.splat(1 - t), z));
        v128.store(inverses + v * row + q * 16, f64x2.div(one, f));
        let product = f64x2.mul(v128.load(parent + q * 16), f);
        if (above >= 0) product = f64x2.mul(product, v128.load(inverses + <usize>above * row + q * 16));
        v128.store(products + v * row + q * 16, product);
      }
    }
    const feature = word(node, 0);
    if (feature < 0) continue;
    const threshold = load<f64>(numbers + v * 16);
    const column = (<usize>feature) << 3;
    const left = taken + <usize>word(node, LEFT) * 16;
    const right = taken + <usize>word(node, RIGHT) * 16;
    const edge = word(nodes + <usize>word(node, LEFT) * NODE, ABOVE);
    const before = edge < 0 ? one : v128.load(taken + <usize>edge * 16);
    const a = goesLeft(node, threshold, pool, load<f64>(first + column)) ? 1.0 : 0.0;
    const b = goesLeft(node, threshold, pool, load<f64>(second + column)) ? 1.0 : 0.0;
    const side = f64x2.replace_lane(f64x2.splat(a), 1, b);
    v128.store(left, f64x2.mul(before, side));
    v128.store(right, f64x2.mul(before, f64x2.sub(one, side)));
  }
}

/** Sums over leaves, from the leaves up; adds the contributions of the first row to `own`, of the second to `next` unless that is 0. */
function ascend(
  d: i32,
  nodes: usize,
  count: i32,
  numbers: usize,
  values: usize,
  width: i32,
  points: usize,
  Q: i32,
  taken: usize,
  own: usize,
  next: usize,
): void {
  const row = <usize>Q * 16;
  const inverses = taken + <usize>count * 16;
  const products = inverses + <usize>count * row;
  const sums = products + <usize>count * row;
  const wide = row * <usize>width;
  const weights = points + <usize>Q * 8;
  const zero = f64x2.splat(0);
  memory.fill(sums, 0, <usize>count * wide);
  for (let v = <usize>count - 1; v > 0; v--) {
    const node = nodes + v * NODE;
    const parent = <usize>word(node, PARENT);
    const above = word(node, ABOVE);
    const isLeaf = word(node, 0) < 0;
    const gain = f64x2.sub(v128.load(taken + v * 16), f64x2.splat(load<f64>(numbers + v * 16 + 8)));
    const inverse = inverses + v * row;
    const replacedInverse = inverses + <usize>max(above, 0) * row;
    const lost =
      above < 0
        ? zero
        : f64x2.sub(
            v128.load(taken + <usize>above * 16),
            f64x2.splat(load<f64>(numbers + <usize>above * 16 + 8)),
          );
    const feature = <usize>load<i32>(nodes + parent * NODE);
    for (let k: usize = 0; k < <usize>width; k++) {
      const value = f64x2.splat(load<f64>(values + (v * <usize>width + k) * 8));
      const mine = sums + v * wide + k * row;
      const up = sums + parent * wide + k * row;
      let integral = zero;
      let replaced = zero;
      for (let q: usize = 0; q < row; q += 16) {
        const below = isLeaf ? f64x2.mul(v128.load(products + v * row + q), value) : v128.load(mine + q);
        v128.store(up + q, f64x2.add(v128.load(up + q), below));
        const weighted = f64x2.mul(f64x2.splat(load<f64>(weights + (q >> 1))), below);
        integral = f64x2.add(integral, f64x2.mul(weighted, v128.load(inverse + q)));
        if (above >= 0) replaced = f64x2.add(replaced, f64x2.mul(weighted, v128.load(replacedInverse + q)));
      }
      const change = f64x2.sub(f64x2.mul(gain, integral), f64x2.mul(lost, replaced));
      const place = (k * <usize>d + feature) << 3;
      store<f64>(own + place, load<f64>(own + place) + f64x2.extract_lane(change, 0));
      if (next != 0) store<f64>(next + place, load<f64>(next + place) + f64x2.extract_lane(change, 1));
    }
  }
}
