import type { FittedModel } from "../core/contract.js";
import type { Design } from "../data/input.js";
import { threads } from "../numeric/runtime/threads.js";
import { growForest } from "../numeric/trees/grow-forest.js";
import type { GrownTree, TreeTargets } from "../numeric/trees/grow-tree.js";
import { PackedForest, treeSums } from "../numeric/trees/leaves.js";
import { FittedTree } from "../trees/fitted-tree.js";
import {
  controlsOf,
  type GrowthParams,
  requireNoInfinity,
  seedOf,
  treeColumns,
  treeRows,
} from "../trees/growth.js";
import { pruned } from "../trees/pruning.js";
import { Tree } from "../trees/tree.js";
import type { Bagger, Drawn } from "./bagging.js";
import type { BaggedMember } from "./fitted-bag.js";

/** What trees of a bag are grown for. */
export interface TreeTask {
  readonly x: Design;
  readonly targets: TreeTargets;
  readonly weights: Float64Array | undefined;
  readonly params: GrowthParams;
  /** The number of the impurity. */
  readonly criterion: number;
  readonly restored: (value: number) => number;
  readonly fitted: (params: GrowthParams, tree: Tree) => FittedModel;
}

/** Rules that are numbers, not shares of what a member has drawn, so that one plan fits all members. */
export const growsTogether = (params: GrowthParams): boolean =>
  params.minSamplesSplit >= 1 && params.minSamplesLeaf >= 1 && params.minWeightFractionLeaf === 0;

/** Grows the trees of a bag on columns that are sorted once, as many at a time as there are threads. */
export function treeBagger(where: string, task: TreeTask): Bagger {
  const { params, targets, weights } = task;
  const rows = treeRows(where, task.x, { x: task.x, columns: undefined }, params.categoricalFeatures);
  const { x } = rows;
  const controls = controlsOf(where, params, task.criterion, x, x.rows);
  const columns = treeColumns(where, rows, controls);
  return {
    together: threads(),
    fit: (batch) => {
      const samples = batch.map((drawn) => ({
        counts: countsOf(drawn, x.rows),
        seed: seedOf(seedIn(drawn)),
      }));
      const grown = [...growForest(where, columns, targets, weights, controls, samples)];
      return grown.map((tree, t) => {
        const whole = { ...tree, values: tree.values.map(task.restored) };
        const own = { ...params, randomState: seedIn(batch[t]!) };
        return task.fitted(own, new Tree(pruned(whole, params.ccpAlpha), x.cols));
      });
    },
    close: () => columns.close(),
  };
}

const seedIn = ({ estimator }: Drawn): number =>
  (estimator as unknown as { readonly params: GrowthParams }).params.randomState;

function countsOf({ rows }: Drawn, n: number): Int32Array {
  const counts = new Int32Array(n);
  for (const i of rows) counts[i]!++;
  return counts;
}

/** All trees of a bag asked at once. */
export interface TreeBag {
  /** Sums over the trees of the values of each row's leaf. */
  sums(where: string, x: Design): Float64Array;
}

/** The members as one forest over the columns of X, where all are trees of `width` values a leaf; else null. */
export function treeBag(members: readonly BaggedMember<FittedModel>[], width: number): TreeBag | null {
  const grown: GrownTree[] = [];
  for (const { model, features } of members) {
    if (!(model instanceof FittedTree) || model.tree.grown.width !== width) return null;
    const own = model.tree.grown;
    const moved = own.features.map((j) => (j < 0 ? j : features[j]!));
    grown.push({ ...own, features: moved });
  }
  let packed: PackedForest | undefined;
  return {
    sums: (where, x) => {
      requireNoInfinity(where, x);
      packed ??= new PackedForest(grown);
      return treeSums(where, x, grown, packed);
    },
  };
}
