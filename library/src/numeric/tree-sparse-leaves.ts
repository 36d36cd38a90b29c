import type { CsrMatrix } from "../data/csr-matrix.js";
import { type Arena, withArena } from "./arena.js";
import { treesKernels } from "./families.js";
import { activeThreads, parallel } from "./threads.js";
import type { PackedForest, PackedTrees } from "./tree-leaves.js";
import type { GrownTree } from "./tree-plan.js";
import type { ZeroPaths } from "./tree-zero-paths.js";

/** Trees whose questions are about the columns that they use, numbered anew. */
export interface SparseForest {
  readonly packed: PackedTrees;
  /** The new number of each column up to the last that is used, −1 for the others. */
  readonly numbers: Int32Array;
  /** Columns that are used. */
  readonly width: number;
}

export function usedColumns(
  trees: readonly GrownTree[],
  pack: (trees: readonly GrownTree[]) => PackedTrees,
): SparseForest {
  let last = -1;
  for (const { features } of trees) for (const j of features) last = Math.max(last, j);
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

/** Numbers of the rows that a kernel makes dense at a time, in the columns that are used; they stay in the cache. */
const BATCH_NUMBERS = 32_768;
/** A kernel walks so many rows at once. */
const FEWEST_ROWS = 4;
const MOST_ROWS = 64;
/** Chunks of rows for each thread: who is done takes the next. */
const TURNS = 4;

/** The rows in the arena, and how they are shared. */
function rowsInto(arena: Arena, x: CsrMatrix, { numbers, width }: SparseForest) {
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
  const batch = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(BATCH_NUMBERS / width)));
  const each = Math.max(batch, Math.ceil(x.rows / (TURNS * activeThreads())));
  const count = Math.ceil(x.rows / each);
  // Zeros before and after every batch.
  const dense = arena.zeros(count * batch * width);
  return { sparse: [starts.ptr, columns.ptr, values.ptr, x.rows, width, dense.ptr, batch], each, count };
}

/** The leaf of each row in the one tree of the forest. */
export function sparseLeaves(where: string, x: CsrMatrix, packed: PackedForest): Int32Array {
  const { paths } = packed;
  if (paths.isShorter(x)) {
    const out = new Int32Array(x.rows);
    paths.each(x, (i, [leaf]) => {
      out[i] = leaf!;
    });
    return out;
  }
  const forest = packed.sparse;
  const { nodes, pool, plain, leafNodes } = forest.packed;
  return withArena(where, (arena) => {
    const { sparse, each, count } = rowsInto(arena, x, forest);
    const leaves = arena.i32(x.rows);
    const tree = [arena.copy(nodes).ptr, arena.copyI32(pool).ptr, plain ? 1 : 0];
    const args = [...sparse, ...tree, leaves.ptr, each];
    parallel(arena.heap, treesKernels, "sparseLeavesChunk", args, count, x.rows * 400);
    const numbers = leaves.array;
    const out = new Int32Array(x.rows);
    for (let i = 0; i < out.length; i++) out[i] = leafNodes[numbers[i]!]!;
    return out;
  });
}

/** Σ over the trees of the value of each row's leaf: `width` numbers a row. */
export function sparseSums(
  where: string,
  x: CsrMatrix,
  trees: readonly GrownTree[],
  packed: PackedForest,
): Float64Array {
  const { paths } = packed;
  return paths.isShorter(x) ? sumsByPaths(x, trees, paths) : sumsByWalks(where, x, packed.sparse);
}

/** Tree after tree, so that the sums are those of dense rows. */
function sumsByPaths(x: CsrMatrix, trees: readonly GrownTree[], paths: ZeroPaths): Float64Array {
  const { width } = trees[0]!;
  const values = trees.map((tree) => tree.values);
  const out = new Float64Array(x.rows * width);
  paths.each(x, (i, leaves) => {
    for (let k = 0; k < width; k++) {
      let sum = 0;
      for (let t = 0; t < leaves.length; t++) sum += values[t]![leaves[t]! * width + k]!;
      out[i * width + k] = sum;
    }
  });
  return out;
}

function sumsByWalks(where: string, x: CsrMatrix, forest: SparseForest): Float64Array {
  const { nodes, pool, starts, values, plain, width } = forest.packed;
  const trees = starts.length / 2 - 1;
  return withArena(where, (arena) => {
    const { sparse, each, count } = rowsInto(arena, x, forest);
    const sums = arena.zeros(x.rows * width);
    const work = arena.i32(x.rows);
    const lists = [arena.copy(nodes).ptr, arena.copyI32(pool).ptr, plain ? 1 : 0, arena.copyI32(starts).ptr];
    const args = [...sparse, ...lists, trees, arena.copy(values).ptr, width, sums.ptr, work.ptr, each];
    parallel(arena.heap, treesKernels, "sparseSumChunk", args, count, x.rows * trees * 400);
    return sums.array.slice() as Float64Array;
  });
}
