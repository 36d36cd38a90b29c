import type { Matrix } from "../../data/matrix.js";
import { withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { boostingKernels } from "../runtime/wasm-modules.js";

/** Words of four bytes in a node: see wasm/boosting/walk.ts. */
export const NODE_WORDS = 8;

/** Trees as records, of which `scores` is the sum of leaf values. */
export interface PackedTrees {
  /** Nodes of 32 bytes: threshold, value, column, way to the left child, 1 if missing values go left, set or −1. */
  readonly nodes: Int32Array<ArrayBuffer>;
  /** The same bytes as doubles. */
  readonly reals: Float64Array<ArrayBuffer>;
  /** The first node of each tree. */
  readonly starts: Int32Array;
  /** Bins that go left, eight words a set. */
  readonly sets: Int32Array;
}

/** Fewer rows are done before the kernels have them. */
const FEW = 24;
const ROWS = 256;
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
  if (x.rows <= FEW) {
    addFew(x, packed, 0, trees, K, out);
    return;
  }
  const { rows, cols, data } = x;
  withArena(where, (arena) => {
    const nodes = arena.f64(packed.reals.length);
    nodes.array.set(packed.reals);
    const starts = arena.copyI32(packed.starts);
    const sets = arena.copyI32(packed.sets);
    const block = arena.f64(Math.min(rows, BLOCK) * cols);
    const sums = arena.f64(Math.min(rows, BLOCK) * K);
    for (let first = 0; first < rows; first += BLOCK) {
      const count = Math.min(BLOCK, rows - first);
      block.array.set(data.subarray(first * cols, (first + count) * cols));
      sums.array.set(out.subarray(first * K, (first + count) * K));
      const args = [
        ...[block.ptr, cols, count, nodes.ptr, starts.ptr, trees, K],
        ...[packed.sets.length > 0 ? sets.ptr : 0, sums.ptr, ROWS],
      ];
      const work = trees * 80;
      const chunks = Math.ceil(count / ROWS);
      parallel(
        arena.heap,
        boostingKernels,
        "boostScores",
        args,
        chunks,
        count * work,
        undefined,
        rows * work,
      );
      out.set(sums.array.subarray(0, count * K), first * K);
    }
  });
}

/** The same for trees from … to − 1, here: for few rows, and tree by tree. */
export function addFew(
  x: Matrix,
  packed: PackedTrees,
  from: number,
  to: number,
  K: number,
  out: Float64Array,
): void {
  const { rows, cols, data } = x;
  const { nodes, reals, starts, sets } = packed;
  for (let i = 0; i < rows; i++) {
    for (let tree = from; tree < to; tree++) {
      const root = starts[tree]! * NODE_WORDS;
      let at = root;
      for (let before = -1; before !== at; ) {
        before = at;
        const value = data[i * cols + nodes[at + 4]!]!;
        const set = nodes[at + 7]!;
        let right: boolean;
        if (set >= 0 && value >= 0) right = ((sets[8 * set + (value >> 5)]! >>> (value & 31)) & 1) === 0;
        else right = value > reals[at >> 1]! || (Number.isNaN(value) && nodes[at + 6] === 0);
        at = root + (nodes[at + 5]! >> 2) + (right ? NODE_WORDS : 0);
      }
      out[i * K + (tree % K)]! += reals[(at >> 1) + 1]!;
    }
  }
}
