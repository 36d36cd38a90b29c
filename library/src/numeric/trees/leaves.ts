import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import {
  ASKS_CATEGORY,
  FLAG_BIT,
  LEAF,
  MISSING_GOES_LEFT,
  NAN_WORD,
  packedNodeBytes,
  packedNodeI32,
} from "../generated/trees.layout.js";
import { withArena } from "../runtime/arena.js";
import { type Chunks, chunksOf } from "../runtime/chunks.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { treesKernels } from "../runtime/wasm-modules.js";
import { leafOfRow } from "./questions.js";
import { type SparseForest, sparseForest, sparseLeaves, sparseSums } from "./sparse-leaves.js";
import type { GrownTree } from "./tree-plan.js";

/** Fewer rows are answered before a trip to the arena is over. */
const WORTH_A_KERNEL = 256;

/** Trees with all of a node side by side, for the kernels; lists of categories in one pool. */
export interface PackedTrees {
  /** PackedNode of wasm/trees/layout.ts, one after the other. */
  readonly nodes: Float64Array;
  readonly pool: Int32Array;
  /** The first node and the first leaf of each tree, and of one that would come after the last. */
  readonly starts: Int32Array;
  /** Which node of its tree a leaf is. */
  readonly leafNodes: Int32Array;
  /** `width` numbers a leaf. */
  readonly values: Float64Array;
  readonly width: number;
  /** No question is about categories. */
  readonly plain: boolean;
}

/** Places of a node: words of four bytes, and doubles. */
const NODE_WORDS = packedNodeBytes / 4;
const NODE_DOUBLES = packedNodeBytes / 8;
const { column: COLUMN, right: RIGHT } = packedNodeI32;

export function packTrees(trees: readonly GrownTree[]): PackedTrees {
  const total = trees.reduce((sum, { features }) => sum + features.length, 0);
  // A tree of questions with two answers has one leaf more than questions.
  const leaves = (total + trees.length) / 2;
  const poolSize = trees.reduce((sum, { pool }) => sum + pool.length, 0);
  const width = trees[0]!.width;
  const packed = {
    nodes: new Float64Array(total * NODE_DOUBLES),
    pool: new Int32Array(Math.max(1, poolSize)),
    starts: new Int32Array(2 * trees.length + 2),
    leafNodes: new Int32Array(leaves),
    values: new Float64Array(leaves * width),
    width,
    plain: poolSize === 0,
  };
  let listed = 0;
  for (const [t, tree] of trees.entries()) {
    packed.pool.set(tree.pool, listed);
    packTree(tree, t, listed, packed);
    listed += tree.pool.length;
  }
  return packed;
}

/** Writes tree t, the left branch of a node after the node and the right one after that. */
function packTree(tree: GrownTree, t: number, listed: number, packed: PackedTrees): void {
  const { features, thresholds, lefts, rights, missingLeft, categoryStarts, values } = tree;
  const { nodes, starts, leafNodes, width } = packed;
  const words = new Int32Array(nodes.buffer);
  const start = starts[2 * t]!;
  const firstLeaf = starts[2 * t + 1]!;
  let at = start;
  let leaf = firstLeaf;
  // Right branches that wait, and the nodes that they hang on.
  const waiting = [0];
  const parents = [-1];
  while (waiting.length > 0) {
    const parent = parents.pop()!;
    if (parent >= 0) words[parent * NODE_WORDS + RIGHT] = packedNodeBytes * (at - start);
    for (let k = waiting.pop()!; ; k = lefts[k]!, at++) {
      const word = at * NODE_WORDS;
      if (features[k]! < 0) {
        words[word] = leaf - firstLeaf;
        words[word + 1] = NAN_WORD;
        words[word + COLUMN] = LEAF << FLAG_BIT;
        words[word + RIGHT] = packedNodeBytes * (at - start);
        leafNodes[leaf] = k;
        for (let e = 0; e < width; e++) packed.values[leaf * width + e] = values[k * width + e]!;
        leaf++;
        at++;
        break;
      }
      const category = categoryStarts[k]!;
      if (category < 0) nodes[at * NODE_DOUBLES] = thresholds[k]!;
      else words[word] = listed + category;
      const flags = (missingLeft[k] === 1 ? MISSING_GOES_LEFT : 0) | (category < 0 ? 0 : ASKS_CATEGORY);
      words[word + COLUMN] = features[k]! | (flags << FLAG_BIT);
      waiting.push(rights[k]!);
      parents.push(at);
    }
  }
  starts[2 * t + 2] = at;
  starts[2 * t + 3] = leaf;
}

/** Trees as the kernels read them, packed when they are first asked: for dense rows and for sparse ones. */
export class PackedForest {
  #dense: PackedTrees | undefined;
  #sparse: SparseForest | undefined;

  constructor(private readonly trees: readonly GrownTree[]) {}

  get dense(): PackedTrees {
    this.#dense ??= packTrees(this.trees);
    return this.#dense;
  }

  get sparse(): SparseForest {
    this.#sparse ??= sparseForest(this.trees, () => this.dense, packTrees);
    return this.#sparse;
  }
}

/** The leaf in which each row of x ends. `packed` is the tree again, kept by the caller. */
export function treeLeaves(where: string, x: Design, tree: GrownTree, packed: PackedForest): Int32Array {
  const out = new Int32Array(x.rows);
  if (x.rows < WORTH_A_KERNEL) {
    for (let i = 0; i < x.rows; i++) out[i] = leafOfRow(tree, x, i);
    return out;
  }
  if (x instanceof CsrMatrix) return sparseLeaves(where, x, packed);
  const { nodes, pool, plain, leafNodes } = packed.dense;
  return withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const leaves = arena.i32(x.rows);
    const chunks = chunksOf(x.rows, 1);
    const lists = [arena.copy(nodes).ptr, arena.copyI32(pool).ptr, plain ? 1 : 0];
    const args = [rows.ptr, x.rows, x.cols, ...lists, leaves.ptr, chunks.rows];
    parallel(arena.heap, treesKernels, "leavesChunk", args, chunks.count, x.rows * 400);
    const numbers = leaves.array;
    for (let i = 0; i < out.length; i++) out[i] = leafNodes[numbers[i]!]!;
    return out;
  });
}

/** Rows a chunk: a tree is fetched from memory for each of them. */
const SUM_ROWS = 4096;
/** Nodes that are brought to the kernels at a time. */
const GROUP_NODES = 2 ** 18;

/** Σ over the trees of the value of each row's leaf: `width` numbers a row. */
export function treeSums(
  where: string,
  x: Design,
  trees: readonly GrownTree[],
  packed: PackedForest,
): Float64Array {
  const { width } = trees[0]!;
  const out = new Float64Array(x.rows * width);
  if (x.rows * trees.length < WORTH_A_KERNEL) {
    for (let i = 0; i < x.rows; i++) {
      for (const tree of trees) {
        const leaf = leafOfRow(tree, x, i);
        for (let k = 0; k < width; k++) out[i * width + k]! += tree.values[leaf * width + k]!;
      }
    }
    return out;
  }
  if (x instanceof CsrMatrix) return sparseSums(where, x, packed);
  const { nodes, pool, starts, values, plain } = packed.dense;
  return withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const sums = arena.zeros(out.length);
    const work = arena.i32(x.rows);
    const ownPool = arena.copyI32(pool);
    const groups = groupsOf(starts);
    const spans = groups.map(([from, to]) => [
      starts[2 * to]! - starts[2 * from]!,
      starts[2 * to + 1]! - starts[2 * from + 1]!,
    ]);
    const ownNodes = arena.f64(NODE_DOUBLES * Math.max(...spans.map(([count]) => count!)));
    const ownValues = arena.f64(width * Math.max(...spans.map(([, count]) => count!)));
    const ownStarts = arena.i32(starts.length);
    const chunks = evenChunks(x.rows);
    for (const [from, to] of groups) {
      const [node, leaf] = [starts[2 * from]!, starts[2 * from + 1]!];
      ownNodes.array.set(nodes.subarray(NODE_DOUBLES * node, NODE_DOUBLES * starts[2 * to]!));
      ownValues.array.set(values.subarray(width * leaf, width * starts[2 * to + 1]!));
      for (let e = 2 * from; e < 2 * to; e++)
        ownStarts.array[e - 2 * from] = starts[e]! - (e & 1 ? leaf : node);
      const forest = [
        ownNodes.ptr,
        ownPool.ptr,
        plain ? 1 : 0,
        ownStarts.ptr,
        to - from,
        ownValues.ptr,
        width,
      ];
      const args = [rows.ptr, x.rows, x.cols, ...forest, sums.ptr, work.ptr, chunks.rows];
      parallel(arena.heap, treesKernels, "sumChunk", args, chunks.count, x.rows * (to - from) * 400);
    }
    out.set(sums.array);
    return out;
  });
}

/** As many chunks for each thread: rows are summed by themselves, so that their sums do not depend on it. */
function evenChunks(rows: number): Chunks {
  const turns = Math.ceil(rows / (activeThreads() * SUM_ROWS));
  const each = Math.ceil(rows / (activeThreads() * turns));
  return { rows: each, count: Math.ceil(rows / each) };
}

/** Ranges of trees, each of not many more than GROUP_NODES nodes or of one tree. */
function groupsOf(starts: Int32Array): readonly (readonly [number, number])[] {
  const trees = starts.length / 2 - 1;
  const groups: [number, number][] = [];
  for (let from = 0; from < trees; ) {
    let to = from + 1;
    while (to < trees && starts[2 * to + 2]! - starts[2 * from]! <= GROUP_NODES) to++;
    groups.push([from, to]);
    from = to;
  }
  return groups;
}
