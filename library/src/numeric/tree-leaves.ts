import type { Matrix } from "../data/matrix.js";
import { withArena } from "./arena.js";
import { chunksOf } from "./chunks.js";
import { treesKernels } from "./families.js";
import { parallel } from "./threads.js";
import type { GrownTree } from "./tree-grower.js";

/** Fewer rows are answered before a trip to the arena is over. */
const WORTH_A_KERNEL = 256;

/** Doubles of a packed node; see kernels/trees.ts. */
const PACKED_NODE = 3;

/** Trees with all of a node side by side, for the kernels; lists of categories in one pool. */
export interface PackedTrees {
  readonly nodes: Float64Array;
  readonly pool: Int32Array;
  /** The first node of each tree. */
  readonly starts: Int32Array;
  readonly values: Float64Array;
  readonly width: number;
  /** No question is about categories. */
  readonly plain: boolean;
}

/** Bytes of a packed node, and its flags. */
const NODE_BYTES = 24;
const MISSING_GOES_LEFT = 1;
const ASKS_CATEGORY = 2;
const LEAF = 4;

export function packTrees(trees: readonly GrownTree[]): PackedTrees {
  const total = trees.reduce((sum, { features }) => sum + features.length, 0);
  const poolSize = trees.reduce((sum, { pool }) => sum + pool.length, 0);
  const width = trees[0]!.width;
  const nodes = new Float64Array(total * PACKED_NODE);
  const words = new Int32Array(nodes.buffer);
  const pool = new Int32Array(Math.max(1, poolSize));
  const starts = new Int32Array(trees.length);
  const values = new Float64Array(total * width);
  let [at, listed] = [0, 0];
  for (const [t, tree] of trees.entries()) {
    starts[t] = at;
    pool.set(tree.pool, listed);
    values.set(tree.values, at * width);
    for (let k = 0; k < tree.features.length; k++, at++) {
      const start = tree.categoryStarts[k]!;
      const leaf = tree.features[k]! < 0;
      nodes[at * PACKED_NODE] = start < 0 ? tree.thresholds[k]! : listed + start;
      words[at * 6 + 2] = leaf ? 0 : tree.features[k]!;
      words[at * 6 + 3] =
        (tree.missingLeft[k] === 1 ? MISSING_GOES_LEFT : 0) |
        (start < 0 ? 0 : ASKS_CATEGORY) |
        (leaf ? LEAF : 0);
      words[at * 6 + 4] = NODE_BYTES * (leaf ? k : tree.lefts[k]!);
      words[at * 6 + 5] = NODE_BYTES * (leaf ? k : tree.rights[k]!);
    }
    listed += tree.pool.length;
  }
  return { nodes, pool, starts, values, width, plain: poolSize === 0 };
}

/** The leaf in which each row of x ends. `packed` is the tree again, packed by the caller who keeps it. */
export function treeLeaves(where: string, x: Matrix, tree: GrownTree, packed: () => PackedTrees): Int32Array {
  const out = new Int32Array(x.rows);
  if (x.rows < WORTH_A_KERNEL) {
    for (let i = 0; i < x.rows; i++) out[i] = leafOf(tree, x.data, i * x.cols);
    return out;
  }
  const { nodes, pool, plain } = packed();
  return withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const leaves = arena.i32(x.rows);
    const chunks = chunksOf(x.rows, 1);
    const lists = [arena.copy(nodes).ptr, arena.copyI32(pool).ptr, plain ? 1 : 0];
    const args = [rows.ptr, x.rows, x.cols, ...lists, leaves.ptr, chunks.rows];
    parallel(arena.heap, treesKernels, "leavesChunk", args, chunks.count, x.rows * 400);
    out.set(leaves.array);
    return out;
  });
}

/** Rows a chunk: some hundred of them pass a tree while it is in the cache. */
const SUM_ROWS = 512;

/** Σ over the trees of the value of each row's leaf: `width` numbers a row. */
export function treeSums(
  where: string,
  x: Matrix,
  trees: readonly GrownTree[],
  packed: () => PackedTrees,
): Float64Array {
  const { width } = trees[0]!;
  const out = new Float64Array(x.rows * width);
  if (x.rows * trees.length < WORTH_A_KERNEL) {
    for (let i = 0; i < x.rows; i++) {
      for (const tree of trees) {
        const leaf = leafOf(tree, x.data, i * x.cols);
        for (let k = 0; k < width; k++) out[i * width + k]! += tree.values[leaf * width + k]!;
      }
    }
    return out;
  }
  const { nodes, pool, starts, values, plain } = packed();
  return withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const sums = arena.f64(out.length);
    const chunks = chunksOf(x.rows, 1, SUM_ROWS);
    const lists = [arena.copy(nodes).ptr, arena.copyI32(pool).ptr, plain ? 1 : 0];
    const forest = [...lists, arena.copyI32(starts).ptr, trees.length, arena.copy(values).ptr, width];
    const work = arena.i32(x.rows);
    const args = [rows.ptr, x.rows, x.cols, ...forest, sums.ptr, work.ptr, chunks.rows];
    parallel(arena.heap, treesKernels, "sumChunk", args, chunks.count, x.rows * trees.length * 400);
    out.set(sums.array);
    return out;
  });
}

/** The same for the row that begins at `at`. */
export function leafOf(tree: GrownTree, data: Float64Array, at: number): number {
  const { features, thresholds, lefts, rights, missingLeft, categoryStarts } = tree;
  let k = 0;
  for (let feature = features[0]!; feature >= 0; feature = features[k]!) {
    const value = data[at + feature]!;
    const start = categoryStarts[k]!;
    const left = Number.isNaN(value)
      ? missingLeft[k] === 1
      : start >= 0
        ? isListed(tree.pool, start, value)
        : value <= thresholds[k]!;
    k = left ? lefts[k]! : rights[k]!;
  }
  return k;
}

/** Whether a category is in the ascending list that begins at `start` with its length. */
function isListed(pool: Int32Array, start: number, category: number): boolean {
  let low = start + 1;
  let high = start + pool[start]!;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = pool[middle]!;
    if (value === category) return true;
    if (value < category) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
