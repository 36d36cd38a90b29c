import { growShared } from "../generated/trees.js";
import { inOwnSize, relativeWeights } from "../rows/relative-weights.js";
import { withArena } from "../runtime/arena.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { SparseTreeColumns } from "./sparse-tree-columns.js";
import type { GrownTree, TreeColumns, TreeControls, TreeTargets } from "./tree-plan.js";
import { TreePlan } from "./tree-plan.js";

export { severalTargets } from "./several-targets.js";
export { SortedColumns } from "./sorted-columns.js";
export { SparseTreeColumns } from "./sparse-tree-columns.js";
export type { GrownTree, TreeColumns, TreeControls, TreeTargets } from "./tree-plan.js";

const MAX_THREADS = 8;

/** Grows one tree on all rows; threads share the columns of large nodes. */
export function growTree(
  where: string,
  columns: TreeColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
): GrownTree {
  const { weights: relative, scale } = relativeWeights(weights);
  const own = { ...controls, minWeight: controls.minWeight * scale };
  // If the pool of categories was too small, the tree is grown again with a larger one.
  for (let poolFactor = 1; ; poolFactor *= 4) {
    const tree = tryGrow(where, columns, targets, relative, own, poolFactor);
    if (tree !== null) return { ...tree, weights: inOwnSize(tree.weights, scale) };
  }
}

function tryGrow(
  where: string,
  columns: TreeColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
  poolFactor: number,
): GrownTree | null {
  return withArena(where, (arena) => {
    const { rows, cols } = columns;
    // Sparse columns are too short to be shared.
    const team = columns instanceof SparseTreeColumns ? 1 : Math.min(activeThreads(), MAX_THREADS, cols);
    const plan = new TreePlan(arena, columns, rows, targets, weights, controls, team, poolFactor);
    // Growing a tree moves the entries of columns: each tree has a copy.
    plan.fill(arena, columns, rows, undefined);
    const operations = 200 * columns.numbers;
    parallel(arena.heap, growShared({ at: plan.fields.ptr, threads: team }), team, operations);
    return plan.result();
  });
}
