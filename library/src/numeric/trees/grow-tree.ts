import { inOwnSize, relativeWeights } from "../rows/relative-weights.js";
import { Arena } from "../runtime/arena.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { treesKernels } from "../runtime/wasm-modules.js";
import { SparseTreeColumns } from "./sparse-tree-columns.js";
import {
  type GrownTree,
  type TreeColumns,
  type TreeControls,
  TreePlan,
  type TreeTargets,
} from "./tree-plan.js";

export { SortedColumns } from "./sorted-columns.js";
export { SparseTreeColumns } from "./sparse-tree-columns.js";
export type { GrownTree, TreeColumns, TreeControls, TreeTargets } from "./tree-plan.js";

const MOST_THREADS = 8;

/** One tree on all rows; threads share the columns of large nodes. */
export function growTree(
  where: string,
  columns: TreeColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
): GrownTree {
  const { weights: relative, scale } = relativeWeights(weights);
  const own = { ...controls, minWeight: controls.minWeight * scale };
  // A pool that was too small is made larger, and the tree grown again.
  for (let room = 1; ; room *= 4) {
    const tree = tryGrow(where, columns, targets, relative, own, room);
    if (tree !== null) return { ...tree, weights: inOwnSize(tree.weights, scale) };
  }
}

function tryGrow(
  where: string,
  columns: TreeColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
  room: number,
): GrownTree | null {
  const arena = new Arena(where);
  try {
    const { rows, cols } = columns;
    // Sparse columns are short: sharing them would cost more than it brings.
    const team = columns instanceof SparseTreeColumns ? 1 : Math.min(activeThreads(), MOST_THREADS, cols);
    const plan = new TreePlan(arena, columns, rows, targets, weights, controls, team, room);
    // Entries of columns are moved: every tree has a copy.
    plan.fill(arena, columns, rows, undefined);
    const operations = 200 * columns.numbers;
    parallel(arena.heap, treesKernels, "growShared", [plan.fields.ptr, team], team, operations);
    return plan.result();
  } finally {
    arena.close();
  }
}
