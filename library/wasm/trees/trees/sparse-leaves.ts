import { integer, real, setInteger } from "../../shared/arrays";
import { leafOf, rightOf } from "../../shared/packed-trees";
import { PackedNode, THRESHOLDS } from "../../shared/packed-trees.layout";

/**
 * Leaves of sparse rows: each row is written to a dense buffer, which walks down the trees.
 * starts, columns   32-bit, values doubles: the entries of the rows, columns ascending
 * d                 columns that trees split on; later ones are skipped
 * dense             d doubles, zeros on entry and exit
 */

/** Nodes of the trees that all rows of a chunk walk down before the next trees: 128 KB, which stay in the cache. */
const GROUP_NODES: i32 = 8192;

/** Writes the entries of row i; returns true if no value is missing. */
function scatter(starts: usize, columns: usize, values: usize, i: i32, d: i32, dense: usize): bool {
  let sum: f64 = 0;
  const end = integer(starts, i + 1);
  for (let e = integer(starts, i); e < end; e++) {
    const column = integer(columns, e);
    if (column >= d) break;
    const value = real(values, e);
    // 0·x is NaN for NaN, and 0 for numbers, which are finite here.
    sum += 0 * value;
    store<f64>(dense + ((<usize>column) << 3), value);
  }
  return sum == 0;
}

/** Resets the entries of row i to zeros. */
function clear(starts: usize, columns: usize, i: i32, d: i32, dense: usize): void {
  const end = integer(starts, i + 1);
  for (let e = integer(starts, i); e < end && integer(columns, e) < d; e++) {
    store<f64>(dense + ((<usize>integer(columns, e)) << 3), 0);
  }
}

/**
 * The leaf index of the row at `dense`. Without categories and missing values (`plain`) by branches: most values are zero, so that
 * branches are predicted and nodes are prefetched. For the nodes see shared/packed-trees.ts.
 */
// @inline
function leafNumber(dense: usize, nodes: usize, pool: usize, plain: bool): i32 {
  if (!plain) return load<i32>(leafOf(dense, nodes, pool));
  let node: usize = 0;
  // A leaf is its own right child.
  for (let right = nodes; right != node; right = rightOf(node)) {
    node = right;
    // The shift removes the flags of the column.
    while (
      load<f64>(dense + <usize>(load<u32>(node, offsetof<PackedNode>("column")) << 3)) <= load<f64>(node)
    )
      node += offsetof<PackedNode>();
  }
  return load<i32>(node);
}

/** The leaf of each of n sparse rows in one tree. */
export function sparseLeavesChunk(
  starts: usize,
  columns: usize,
  values: usize,
  n: i32,
  d: i32,
  dense: usize,
  nodes: usize,
  pool: usize,
  splitKinds: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const room = dense + ((<usize>chunk * <usize>d) << 3);
  const plain = splitKinds == THRESHOLDS;
  const to = min(n, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i++) {
    const complete = scatter(starts, columns, values, i, d, room);
    setInteger(out, i, leafNumber(room, nodes, pool, plain && complete));
    clear(starts, columns, i, d, room);
  }
}

/** The end of the group of trees from `first` on that fit into the cache. */
function groupEnd(treeStarts: usize, trees: i32, first: i32): i32 {
  const most = integer(treeStarts, 2 * first) + GROUP_NODES;
  let end = first + 1;
  while (end < trees && integer(treeStarts, 2 * end + 2) <= most) end++;
  return end;
}

/** `treeSums` for n sparse rows. */
export function sparseSumChunk(
  starts: usize,
  columns: usize,
  values: usize,
  n: i32,
  d: i32,
  dense: usize,
  nodes: usize,
  pool: usize,
  splitKinds: i32,
  treeStarts: usize,
  trees: i32,
  leafValues: usize,
  width: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const room = dense + ((<usize>chunk * <usize>d) << 3);
  const plain = splitKinds == THRESHOLDS;
  const to = min(n, (chunk + 1) * chunkRows);
  const bytes = (<usize>width) << 3;
  for (let first: i32 = 0, last: i32 = 0; first < trees; first = last) {
    last = groupEnd(treeStarts, trees, first);
    for (let i = chunk * chunkRows; i < to; i++) {
      const complete = scatter(starts, columns, values, i, d, room);
      const sums = out + <usize>i * bytes;
      for (let t = first; t < last; t++) {
        const root = nodes + <usize>integer(treeStarts, 2 * t) * offsetof<PackedNode>();
        const leaf = leafNumber(room, root, pool, plain && complete);
        const own = leafValues + <usize>(integer(treeStarts, 2 * t + 1) + leaf) * bytes;
        for (let k: usize = 0; k < bytes; k += 8)
          store<f64>(sums + k, load<f64>(sums + k) + load<f64>(own + k));
      }
      clear(starts, columns, i, d, room);
    }
  }
}
