import { growOne } from "../generated/trees.js";
import { taskBytes } from "../generated/trees.layout.js";
import { inOwnSize, relativeWeights } from "../rows/relative-weights.js";
import { withArena } from "../runtime/arena.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import type { GrownTree, TreeColumns, TreeControls, TreeTargets } from "./tree-plan.js";
import { TreePlan } from "./tree-plan.js";

/** What one tree of a forest is grown on. */
export interface TreeSample {
  /** How often each row was drawn; undefined for all rows once. */
  readonly counts: Int32Array | undefined;
  readonly seed: number;
}

/** Maximum trees per thread that are prepared at a time, so that no thread waits for the others; and their maximum bytes. */
const MAX_TREES_PER_THREAD = 4;
const MAX_PREPARED_BYTES = 64 * 2 ** 20;
/** Bytes of a tree per row, without its entries. */
const ROW_BYTES = 100;

function treesPerThread(columns: TreeColumns): number {
  const bytes = columns.rows * ROW_BYTES + columns.treeBytes;
  return Math.max(
    1,
    Math.min(MAX_TREES_PER_THREAD, Math.floor(MAX_PREPARED_BYTES / (activeThreads() * bytes))),
  );
}

/**
 * Grows a tree on each sample of the rows, on all threads; yields them in the order of the samples. A tree depends on its sample and
 * its seed only.
 */
export function* growForest(
  where: string,
  columns: TreeColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
  samples: readonly TreeSample[],
): Generator<GrownTree, void, void> {
  const { weights: relative, scale } = relativeWeights(weights);
  const own = { ...controls, minWeight: controls.minWeight * scale };
  const batchSize = Math.min(activeThreads() * treesPerThread(columns), samples.length);
  for (let from = 0; from < samples.length; from += batchSize) {
    const batch = samples.slice(from, from + batchSize);
    let poolFactor = 1;
    let grown = growBatch(where, columns, targets, relative, own, batch, poolFactor);
    // If a pool of categories was too small, the trees are grown again with a larger one.
    while (grown.includes(null)) {
      poolFactor *= 4;
      grown = growBatch(where, columns, targets, relative, own, batch, poolFactor);
    }
    for (const tree of grown as GrownTree[]) yield { ...tree, weights: inOwnSize(tree.weights, scale) };
  }
}

function growBatch(
  where: string,
  columns: TreeColumns,
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
  batch: readonly TreeSample[],
  poolFactor: number,
): (GrownTree | null)[] {
  return withArena(where, (arena) => {
    const { rows } = columns;
    const plans = batch.map(({ counts, seed }) => {
      const drawn = counts ? counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) : rows;
      const own = counts ? weighted(counts, weights) : weights;
      const plan = new TreePlan(arena, columns, drawn, targets, own, { ...controls, seed }, 1, poolFactor);
      plan.fill(arena, columns, drawn, counts);
      if (own)
        plan.fields.set(
          "totalWeight",
          own.reduce((sum, w) => sum + w, 0),
        );
      return plan;
    });
    // The kernels read contiguous copies of the tasks; the results are copied back.
    const size = taskBytes / 8;
    const tasks = arena.f64(size * plans.length);
    for (const [t, plan] of plans.entries()) tasks.array.set(plan.fields.memory.array, t * size);
    const operations = 200 * columns.numbers * plans.length;
    parallel(arena.heap, growOne({ tasks: tasks.ptr, taskBytes }), plans.length, operations);
    return plans.map((plan, t) => {
      plan.fields.memory.array.set(tasks.array.subarray(t * size, (t + 1) * size));
      return plan.result();
    });
  });
}

/** Row weights times how often a row was drawn. */
function weighted(counts: Int32Array, weights: Float64Array | undefined): Float64Array {
  const out = new Float64Array(counts.length);
  for (let i = 0; i < out.length; i++) out[i] = counts[i]! * (weights ? weights[i]! : 1);
  return out;
}
