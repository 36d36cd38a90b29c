import {
  CATEGORICAL,
  FLAG_BIT,
  MISSING_GOES_LEFT,
  PackedNode,
  THRESHOLDS,
  WITH_SETS,
} from "./packed-trees.layout";

/**
 * Leaves of rows in packed trees: of decision trees, forests and boosting.
 *
 * x        n × d, row-major
 * nodes    of all trees, one tree after the other; `starts` has the first node and the first leaf of each (32-bit)
 * pool     32-bit: the categories that go left. A set is the number of its words, the words, and 0; category c is bit c mod 32 of word
 *          c / 32. A list is minus its length, and the categories, ascending
 * values   `width` doubles per leaf
 */
const NODE: usize = offsetof<PackedNode>();
const COLUMN: usize = offsetof<PackedNode>("column");
const SKIP: usize = offsetof<PackedNode>("skip");

/** Eight times the column; the shift removes the flags. */
// @inline
function columnOf(node: usize): usize {
  return <usize>(load<u32>(node, COLUMN) << 3);
}

/** The right child. */
// @inline
export function rightOf(node: usize): usize {
  return node + NODE + <usize>load<i32>(node, SKIP);
}

/** The left or the right child, by a mask: a branch could not be predicted. */
// @inline
function child(node: usize, goesLeft: usize): usize {
  return node + NODE + (<usize>load<i32>(node, SKIP) & (goesLeft - 1));
}

// Kinds of steps, each including those before: no missing values; missing values; sets of categories; lists of categories.
const COMPLETE: i32 = 0;
const MISSING: i32 = 1;
const SETS: i32 = 2;
const LISTS: i32 = 3;

// @inline
function step(row: usize, node: usize, pool: usize, kind: i32): usize {
  const value = load<f64>(row + columnOf(node));
  let left = <usize>(value <= load<f64>(node));
  if (kind == COMPLETE) return child(node, left);
  const flags = load<u32>(node, COLUMN) >> FLAG_BIT;
  if (kind >= SETS && (flags & CATEGORICAL) != 0 && value == value) {
    left =
      kind == SETS ? isInSet(pool, load<i32>(node), <i32>value) : isListed(pool, load<i32>(node), <i32>value);
  }
  // MISSING_GOES_LEFT is bit 0; all comparisons with NaN are false.
  left |= <usize>(value != value) & <usize>(flags & MISSING_GOES_LEFT);
  return child(node, left);
}

/** 1 if a category is in the set at `start`. */
// @inline
function isInSet(pool: usize, start: i32, category: i32): usize {
  const set = pool + ((<usize>start) << 2);
  // A category outside the set is in the last word, which is 0.
  const word = min(<u32>category >> 5, load<u32>(set));
  return <usize>((load<u32>(set + ((<usize>word) << 2), 4) >> (category & 31)) & 1);
}

/** 1 if a category is in the set or list at `start`. */
function isListed(pool: usize, start: i32, category: i32): usize {
  const list = pool + ((<usize>start) << 2);
  let high = -load<i32>(list);
  if (high <= 0) return isInSet(pool, start, category);
  let low: i32 = 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = load<i32>(list + ((<usize>middle) << 2));
    if (found == category) return 1;
    if (found < category) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** The leaf of a row. */
export function leafOf(row: usize, root: usize, pool: usize): usize {
  let node = root;
  for (let next = step(row, node, pool, LISTS); next != node; next = step(row, node, pool, LISTS))
    node = next;
  return node;
}

/** Writes the leaf indices of rows from … to − 1 to `out` (32-bit); eight rows at a time, to overlap their steps. */
// @inline
function leavesOfKind(
  x: usize,
  d: i32,
  from: i32,
  to: i32,
  root: usize,
  pool: usize,
  out: usize,
  kind: i32,
): void {
  const stride = (<usize>d) << 3;
  let row = x + <usize>from * stride;
  let i = from;
  for (; i + 8 <= to; i += 8, row += 8 * stride, out += 32) {
    const row1 = row + stride;
    const row2 = row1 + stride;
    const row3 = row2 + stride;
    const row4 = row3 + stride;
    const row5 = row4 + stride;
    const row6 = row5 + stride;
    const row7 = row6 + stride;
    let a = root;
    let b = root;
    let c = root;
    let e = root;
    let f = root;
    let g = root;
    let h = root;
    let l = root;
    for (let moved: usize = 1; moved != 0; ) {
      const a1 = step(row, a, pool, kind);
      const b1 = step(row1, b, pool, kind);
      const c1 = step(row2, c, pool, kind);
      const e1 = step(row3, e, pool, kind);
      const f1 = step(row4, f, pool, kind);
      const g1 = step(row5, g, pool, kind);
      const h1 = step(row6, h, pool, kind);
      const l1 = step(row7, l, pool, kind);
      moved = (a ^ a1) | (b ^ b1) | (c ^ c1) | (e ^ e1) | (f ^ f1) | (g ^ g1) | (h ^ h1) | (l ^ l1);
      a = a1;
      b = b1;
      c = c1;
      e = e1;
      f = f1;
      g = g1;
      h = h1;
      l = l1;
    }
    store<i32>(out, load<i32>(a));
    store<i32>(out, load<i32>(b), 4);
    store<i32>(out, load<i32>(c), 8);
    store<i32>(out, load<i32>(e), 12);
    store<i32>(out, load<i32>(f), 16);
    store<i32>(out, load<i32>(g), 20);
    store<i32>(out, load<i32>(h), 24);
    store<i32>(out, load<i32>(l), 28);
  }
  for (; i < to; i++, row += stride, out += 4) store<i32>(out, load<i32>(leafOf(row, root, pool)));
}

function completeLeaves(x: usize, d: i32, from: i32, to: i32, nodes: usize, pool: usize, out: usize): void {
  leavesOfKind(x, d, from, to, nodes, pool, out, COMPLETE);
}
function leavesWithMissing(
  x: usize,
  d: i32,
  from: i32,
  to: i32,
  nodes: usize,
  pool: usize,
  out: usize,
): void {
  leavesOfKind(x, d, from, to, nodes, pool, out, MISSING);
}
function leavesWithSets(x: usize, d: i32, from: i32, to: i32, nodes: usize, pool: usize, out: usize): void {
  leavesOfKind(x, d, from, to, nodes, pool, out, SETS);
}
function leavesWithLists(x: usize, d: i32, from: i32, to: i32, nodes: usize, pool: usize, out: usize): void {
  leavesOfKind(x, d, from, to, nodes, pool, out, LISTS);
}

/** The kind of steps for rows from … to − 1; `splitKinds` is THRESHOLDS, WITH_SETS or WITH_LISTS. */
export function kindOf(x: usize, d: i32, from: i32, to: i32, splitKinds: i32): i32 {
  if (splitKinds != THRESHOLDS) return splitKinds == WITH_SETS ? SETS : LISTS;
  const end = x + ((<usize>to * <usize>d) << 3);
  let sum: f64 = 0;
  // 0·x is NaN for NaN, and 0 for numbers, which are finite here.
  for (let at = x + ((<usize>from * <usize>d) << 3); at < end; at += 8) sum += 0 * load<f64>(at);
  return sum == 0 ? COMPLETE : MISSING;
}

export function leavesInto(
  x: usize,
  d: i32,
  from: i32,
  to: i32,
  nodes: usize,
  pool: usize,
  kind: i32,
  out: usize,
): void {
  if (kind == COMPLETE) completeLeaves(x, d, from, to, nodes, pool, out);
  else if (kind == MISSING) leavesWithMissing(x, d, from, to, nodes, pool, out);
  else if (kind == SETS) leavesWithSets(x, d, from, to, nodes, pool, out);
  else leavesWithLists(x, d, from, to, nodes, pool, out);
}

/**
 * out[i, k] += the values of row i's leaf in each tree, with `scores` sums per row: tree t adds its `width` values from
 * k = (t · width) mod scores on. `work` has a 32-bit word per row.
 */
export function treeSums(
  x: usize,
  n: i32,
  d: i32,
  nodes: usize,
  pool: usize,
  splitKinds: i32,
  starts: usize,
  trees: i32,
  values: usize,
  width: i32,
  scores: i32,
  out: usize,
  work: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const leaves = work + ((<usize>from) << 2);
  const kind = kindOf(x, d, from, to, splitKinds);
  const apart = (<usize>scores) << 3;
  // Tree by tree, so that its nodes stay in the cache for all rows of the chunk.
  for (let t: i32 = 0; t < trees; t++) {
    const start = starts + ((<usize>t) << 3);
    leavesInto(x, d, from, to, nodes + <usize>load<i32>(start) * NODE, pool, kind, leaves);
    const own = values + ((<usize>load<i32>(start, 4) * <usize>width) << 3);
    const sums = out + <usize>from * apart + ((<usize>((t * width) % scores)) << 3);
    if (width == 1) addOne(leaves, to - from, own, sums, apart);
    else if (width == 2) addTwo(leaves, to - from, own, sums, apart);
    else addMany(leaves, to - from, own, width, sums, apart);
  }
}

function addOne(leaves: usize, count: i32, values: usize, sums: usize, apart: usize): void {
  const end = leaves + ((<usize>count) << 2);
  for (let leaf = leaves; leaf < end; leaf += 4, sums += apart)
    store<f64>(sums, load<f64>(sums) + load<f64>(values + ((<usize>load<i32>(leaf)) << 3)));
}

function addTwo(leaves: usize, count: i32, values: usize, sums: usize, apart: usize): void {
  const end = leaves + ((<usize>count) << 2);
  for (let leaf = leaves; leaf < end; leaf += 4, sums += apart) {
    const own = v128.load(values + ((<usize>load<i32>(leaf)) << 4));
    v128.store(sums, f64x2.add(v128.load(sums), own));
  }
}

function addMany(leaves: usize, count: i32, values: usize, width: i32, sums: usize, apart: usize): void {
  const end = leaves + ((<usize>count) << 2);
  const bytes = (<usize>width) << 3;
  for (let leaf = leaves; leaf < end; leaf += 4, sums += apart) {
    const own = values + <usize>load<i32>(leaf) * bytes;
    for (let k: usize = 0; k < bytes; k += 8) store<f64>(sums + k, load<f64>(sums + k) + load<f64>(own + k));
  }
}
