import type { Matrix } from "../../data/matrix.js";
import { treeSums } from "../generated/boosting.js";
import { withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { addFewTreeSums, type PackedTrees } from "../trees/packed-trees.js";

/** For fewer rows plain loops are faster than the kernel. */
const FEW_ROWS = 24;
/** Rows per chunk, which stay in the cache for all trees, and rows in the arena at a time. */
const ROWS = 128;
const BLOCK = 16384;

/** out[i · K + k] += trees k, k + K, … of the first `trees` for row i. Categories of x are their bins. */
export function addScores(
  where: string,
  x: Matrix,
  packed: PackedTrees,
  trees: number,
  K: number,
  out: Float64Array,
): void {
  if (x.rows <= FEW_ROWS) {
    addFewTreeSums(x, packed, 0, trees, K, out);
    return;
  }
  const { rows, cols, data } = x;
  const { width, splitKinds } = packed;
  withArena(where, (arena) => {
    const nodes = arena.copy(packed.nodes);
    const pool = arena.copyI32(packed.pool);
    const starts = arena.copyI32(packed.starts);
    const values = arena.copy(packed.values);
    const most = Math.min(rows, BLOCK);
    const block = arena.f64(most * cols);
    const sums = arena.f64(most * K);
    const work = arena.i32(most);
    for (let first = 0; first < rows; first += BLOCK) {
      const count = Math.min(BLOCK, rows - first);
      block.array.set(data.subarray(first * cols, (first + count) * cols));
      sums.array.set(out.subarray(first * K, (first + count) * K));
      const call = treeSums({
        x: block.ptr,
        n: count,
        d: cols,
        nodes: nodes.ptr,
        pool: pool.ptr,
        splitKinds,
        starts: starts.ptr,
        trees,
        values: values.ptr,
        width,
        scores: K,
        out: sums.ptr,
        work: work.ptr,
        chunkRows: ROWS,
      });
      const chunks = Math.ceil(count / ROWS);
      const cost = trees * 80;
      parallel(arena.heap, call, chunks, count * cost, undefined, rows * cost);
      out.set(sums.array.subarray(0, count * K), first * K);
    }
  });
}
