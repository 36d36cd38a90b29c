import type { CsrMatrix } from "../../data/csr-matrix.js";
import { sparseLeavesChunk, sparseSumChunk } from "../generated/trees.js";
import { type Arena, withArena } from "../runtime/arena.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import type { PackedForest } from "./leaves.js";
import type { PackedTrees } from "./packed-trees.js";
import type { GrownTree } from "./tree-plan.js";

/** Trees over the columns of the dense buffer that sparse rows are written to. */
export interface SparseForest {
  readonly packed: PackedTrees;
  /** New index of each column up to the last that is used, −1 for unused ones; undefined: columns keep their indices. */
  readonly numbers: Int32Array | undefined;
  /** Length of the dense buffer. */
  readonly width: number;
}

/** With more columns, those that trees use are renumbered, so that a dense buffer has at most 2 MB. */
const MAX_WIDTH = 2 ** 18;

/** `packed` returns the trees with their original columns. */
export function sparseForest(
  trees: readonly GrownTree[],
  packed: () => PackedTrees,
  pack: (trees: readonly GrownTree[]) => PackedTrees,
): SparseForest {
  let last = -1;
  for (const { features } of trees)
    for (let v = 0; v < features.length; v++) last = Math.max(last, features[v]!);
  if (last < MAX_WIDTH) return { packed: packed(), numbers: undefined, width: Math.max(1, last + 1) };
  const numbers = new Int32Array(last + 1).fill(-1);
  for (const { features } of trees) for (const j of features) if (j >= 0) numbers[j] = 0;
  let width = 0;
  for (let j = 0; j <= last; j++) if (numbers[j] === 0) numbers[j] = width++;
  const moved = trees.map((tree) => ({
    ...tree,
    features: tree.features.map((j) => (j < 0 ? j : numbers[j]!)),
  }));
  return { packed: pack(moved), numbers, width: Math.max(1, width) };
}

/** Chunks of rows per thread, to balance their load. */
const CHUNKS_PER_THREAD = 4;

/** Copies the rows to the arena, and divides them into chunks. */
function rowsInto(arena: Arena, x: CsrMatrix, { numbers, width }: SparseForest) {
  const entries = numbers === undefined ? copyEntries(arena, x) : renumberEntries(arena, x, numbers);
  const each = Math.ceil(x.rows / (activeThreads() > 1 ? CHUNKS_PER_THREAD * activeThreads() : 1));
  const count = Math.ceil(x.rows / each);
  const dense = arena.zeros(count * width);
  return { sparse: { ...entries, n: x.rows, d: width, dense: dense.ptr, chunkRows: each }, count };
}

const copyEntries = (arena: Arena, x: CsrMatrix) => ({
  starts: arena.copyI32(x.indptr).ptr,
  columns: arena.copyI32(x.indices).ptr,
  values: arena.copy(x.values).ptr,
});

/** Copies the entries of used columns, with their new indices. */
function renumberEntries(arena: Arena, x: CsrMatrix, numbers: Int32Array) {
  const starts = arena.i32(x.rows + 1);
  const columns = arena.i32(x.nonZeros);
  const values = arena.f64(x.nonZeros);
  const [begins, list, reals] = [starts.array, columns.array, values.array];
  let used = 0;
  begins[0] = 0;
  for (let i = 0; i < x.rows; i++) {
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) {
      const j = x.indices[e]!;
      const number = j < numbers.length ? numbers[j]! : -1;
      if (number < 0) continue;
      list[used] = number;
      reals[used++] = x.values[e]!;
    }
    begins[i + 1] = used;
  }
  return { starts: starts.ptr, columns: columns.ptr, values: values.ptr };
}

/** The leaf of each row in the one tree of the forest. */
export function sparseLeaves(where: string, x: CsrMatrix, packed: PackedForest): Int32Array {
  const forest = packed.sparse;
  const { nodes, pool, splitKinds, leafNodes } = forest.packed;
  return withArena(where, (arena) => {
    const { sparse, count } = rowsInto(arena, x, forest);
    const leaves = arena.i32(x.rows);
    const call = sparseLeavesChunk({
      ...sparse,
      nodes: arena.copy(nodes).ptr,
      pool: arena.copyI32(pool).ptr,
      splitKinds,
      out: leaves.ptr,
    });
    parallel(arena.heap, call, count, x.rows * 400);
    const numbers = leaves.array;
    const out = new Int32Array(x.rows);
    for (let i = 0; i < out.length; i++) out[i] = leafNodes[numbers[i]!]!;
    return out;
  });
}

/** The sum over the trees of the values of each row's leaf: `width` numbers per row. */
export function sparseSums(where: string, x: CsrMatrix, { sparse: forest }: PackedForest): Float64Array {
  const { nodes, pool, starts, values, splitKinds, width } = forest.packed;
  const trees = starts.length / 2 - 1;
  return withArena(where, (arena) => {
    const { sparse, count } = rowsInto(arena, x, forest);
    const sums = arena.zeros(x.rows * width);
    const call = sparseSumChunk({
      ...sparse,
      nodes: arena.copy(nodes).ptr,
      pool: arena.copyI32(pool).ptr,
      splitKinds,
      treeStarts: arena.copyI32(starts).ptr,
      trees,
      leafValues: arena.copy(values).ptr,
      width,
      out: sums.ptr,
    });
    parallel(arena.heap, call, count, x.rows * trees * 400);
    return sums.array.slice() as Float64Array;
  });
}
