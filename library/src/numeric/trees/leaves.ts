import { maxOf } from "../../core/numbers/extremes.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { treeSums as addTreeSums, leavesChunk } from "../generated/trees.js";
import { withArena } from "../runtime/arena.js";
import { type Chunks, chunksOf } from "../runtime/chunks.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { leafOfRow } from "./leaf-of-row.js";
import { NODE_DOUBLES, type PackedTrees, packTrees } from "./packed-trees.js";
import { type SparseForest, sparseForest, sparseLeaves, sparseSums } from "./sparse-leaves.js";
import type { GrownTree } from "./tree-plan.js";

/** For fewer rows (times trees) plain loops are faster than the kernel. */
const MIN_KERNEL_ROWS = 256;

/** Packed trees for dense and for sparse rows, packed on first use. */
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

/** Leaf index of each row of x. `packed` is the same tree; the caller keeps it. */
export function treeLeaves(where: string, x: Design, tree: GrownTree, packed: PackedForest): Int32Array {
  const out = new Int32Array(x.rows);
  if (x.rows < MIN_KERNEL_ROWS) {
    for (let i = 0; i < x.rows; i++) out[i] = leafOfRow(tree, x, i);
    return out;
  }
  if (x instanceof CsrMatrix) return sparseLeaves(where, x, packed);
  const { nodes, pool, splitKinds, leafNodes } = packed.dense;
  return withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const leaves = arena.i32(x.rows);
    const chunks = chunksOf(x.rows, 1);
    const call = leavesChunk({
      x: rows.ptr,
      n: x.rows,
      d: x.cols,
      nodes: arena.copy(nodes).ptr,
      pool: arena.copyI32(pool).ptr,
      splitKinds,
      out: leaves.ptr,
      chunkRows: chunks.rows,
    });
    parallel(arena.heap, call, chunks.count, x.rows * 400);
    const numbers = leaves.array;
    for (let i = 0; i < out.length; i++) out[i] = leafNodes[numbers[i]!]!;
    return out;
  });
}

/** Rows per chunk, for each of which a tree is read from memory. */
const SUM_ROWS = 4096;
/** Nodes copied to the arena at a time. */
const GROUP_NODES = 2 ** 18;

/** The sum over the trees of the values of each row's leaf: `width` numbers per row. */
export function treeSums(
  where: string,
  x: Design,
  trees: readonly GrownTree[],
  packed: PackedForest,
): Float64Array {
  if (x.rows * trees.length >= MIN_KERNEL_ROWS)
    return x instanceof CsrMatrix ? sparseSums(where, x, packed) : kernelSums(where, x, packed.dense);
  const { width } = trees[0]!;
  const out = new Float64Array(x.rows * width);
  for (let i = 0; i < x.rows; i++) {
    for (const tree of trees) {
      const leaf = leafOfRow(tree, x, i);
      for (let k = 0; k < width; k++) out[i * width + k]! += tree.values[leaf * width + k]!;
    }
  }
  return out;
}

/** The same in the kernels, group by group of the trees. */
function kernelSums(where: string, x: Matrix, packed: PackedTrees): Float64Array {
  const { nodes, pool, starts, values, splitKinds, width } = packed;
  return withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const sums = arena.zeros(x.rows * width);
    const work = arena.i32(x.rows);
    const ownPool = arena.copyI32(pool);
    const groups = groupsOf(starts);
    /** The most nodes (of = 0) or leaves (of = 1) of a group. */
    const most = (of: 0 | 1) =>
      maxOf(groups.map(([from, to]) => starts[2 * to + of]! - starts[2 * from + of]!));
    const ownNodes = arena.f64(NODE_DOUBLES * most(0));
    const ownValues = arena.f64(width * most(1));
    const ownStarts = arena.i32(starts.length);
    const chunks = evenChunks(x.rows);
    for (const [from, to] of groups) {
      const [node, leaf] = [starts[2 * from]!, starts[2 * from + 1]!];
      ownNodes.array.set(nodes.subarray(NODE_DOUBLES * node, NODE_DOUBLES * starts[2 * to]!));
      ownValues.array.set(values.subarray(width * leaf, width * starts[2 * to + 1]!));
      for (let e = 2 * from; e < 2 * to; e++)
        ownStarts.array[e - 2 * from] = starts[e]! - (e & 1 ? leaf : node);
      const call = addTreeSums({
        x: rows.ptr,
        n: x.rows,
        d: x.cols,
        nodes: ownNodes.ptr,
        pool: ownPool.ptr,
        splitKinds,
        starts: ownStarts.ptr,
        trees: to - from,
        values: ownValues.ptr,
        width,
        // As many sums per row as a leaf has values.
        scores: width,
        out: sums.ptr,
        work: work.ptr,
        chunkRows: chunks.rows,
      });
      parallel(arena.heap, call, chunks.count, x.rows * (to - from) * 400);
    }
    return sums.array.slice() as Float64Array;
  });
}

/** The same number of chunks per thread. Sums are per row, so that they do not depend on the chunks. */
function evenChunks(rows: number): Chunks {
  const turns = Math.ceil(rows / (activeThreads() * SUM_ROWS));
  const each = Math.ceil(rows / (activeThreads() * turns));
  return { rows: each, count: Math.ceil(rows / each) };
}

/** Ranges of trees with at most GROUP_NODES nodes, or of a single tree. */
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
