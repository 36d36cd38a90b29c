import type {
  Classifier,
  FittedClassifier,
  FittedModel,
  FittedRegressor,
  Regressor,
} from "../core/contract.js";
import type { Label } from "../core/labels.js";
import type { Design } from "../data/input.js";
import type { ClassificationSet, RegressionSet } from "../data/training-set.js";
import { threads } from "../numeric/runtime/threads.js";
import { growForest } from "../numeric/trees/grow-forest.js";
import type { GrownTree, TreeTargets } from "../numeric/trees/grow-tree.js";
import { PackedForest, treeSums } from "../numeric/trees/leaves.js";
import { centredTargets } from "../trees/centred-targets.js";
import { FittedTree } from "../trees/fitted-tree.js";
import type { GrowthParams } from "../trees/growth.js";
import { controlsOf, requireNoInfinity, seedOf, treeColumns, treeRows } from "../trees/growth.js";
import { classCriteria, targetCriteria } from "../trees/impurities.js";
import {
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  FittedDecisionTreeClassifier,
  FittedDecisionTreeRegressor,
} from "../trees/index.js";
import { pruned } from "../trees/pruning.js";
import { Tree } from "../trees/tree.js";
import type { Bagger, BaggingValues, Drawn } from "./bagging.js";
import type { BaggedMember } from "./fitted-bag.js";

/** Whether every member uses all columns. */
export const usesAllColumns = ({ maxFeatures, bootstrapFeatures }: BaggingValues, cols: number): boolean =>
  !bootstrapFeatures && (maxFeatures === 1 || maxFeatures === cols);

/** What the trees of a bag are grown on, and how each becomes a fitted model. */
interface TreeBagTask<M> {
  readonly x: Design;
  readonly targets: TreeTargets;
  readonly weights: Float64Array | undefined;
  readonly params: GrowthParams;
  /** The code of the impurity in the kernel. */
  readonly criterion: number;
  /** From a leaf's value for centred targets to its value for y. */
  readonly uncentred: (value: number) => number;
  readonly fitted: (params: GrowthParams, tree: Tree) => M;
}

/** Whether the limits are numbers of rows, not proportions of each sample, so that they are the same for all members. */
const hasFixedLimits = (params: GrowthParams): boolean =>
  params.minSamplesSplit >= 1 && params.minSamplesLeaf >= 1 && params.minWeightFractionLeaf === 0;

/** Grows the members as a forest, if they are classification trees that use all columns; else null. */
export function classificationTreeBagger<L extends Label>(
  where: string,
  bag: BaggingValues & { readonly estimator: Classifier },
  { x, codes, classes, weights }: ClassificationSet<L>,
): Bagger<FittedClassifier<L>> | null {
  const { estimator } = bag;
  if (!(estimator instanceof DecisionTreeClassifier) || !usesAllColumns(bag, x.cols)) return null;
  const { params } = estimator;
  if (params.classWeight !== null || !hasFixedLimits(params)) return null;
  return treeBagger(where, {
    x,
    weights,
    params,
    targets: { codes, classes: classes.length },
    criterion: classCriteria[params.criterion],
    uncentred: (value) => value,
    fitted: (own, tree) =>
      new FittedDecisionTreeClassifier({ id: DecisionTreeClassifier.id, params: own, tree }, classes),
  });
}

/** Grows the members as a forest, if they are regression trees that use all columns, with a criterion that has a kernel; else null. */
export function regressionTreeBagger(
  where: string,
  bag: BaggingValues & { readonly estimator: Regressor },
  { x, y, weights }: RegressionSet,
): Bagger<FittedRegressor> | null {
  const { estimator } = bag;
  if (!(estimator instanceof DecisionTreeRegressor) || !usesAllColumns(bag, x.cols)) return null;
  const { params } = estimator;
  if (params.criterion === "absoluteError" || !hasFixedLimits(params)) return null;
  const { targets, uncentred } = centredTargets(where, y, params.criterion);
  return treeBagger(where, {
    x,
    weights,
    params,
    targets: { y: targets },
    criterion: targetCriteria[params.criterion],
    uncentred,
    fitted: (own, tree) =>
      new FittedDecisionTreeRegressor({ id: DecisionTreeRegressor.id, params: own, tree }),
  });
}

/** Grows the trees of a bag on columns that are sorted once, as many at a time as there are threads. */
function treeBagger<M>(where: string, task: TreeBagTask<M>): Bagger<M> {
  const { params, targets, weights } = task;
  const rows = treeRows(where, task.x, { x: task.x, columns: undefined }, params.categoricalFeatures);
  const { x } = rows;
  const controls = controlsOf(where, params, task.criterion, x, x.rows);
  const columns = treeColumns(where, rows, controls);
  return {
    batchSize: threads(),
    fit: (batch) => {
      const seeds = batch.map(({ random }) => random.uint32());
      const samples = batch.map((drawn, t) => ({
        counts: countsOf(drawn, x.rows),
        seed: seedOf(seeds[t]!),
      }));
      const grown = [...growForest(where, columns, targets, weights, controls, samples)];
      return grown.map((tree, t) => {
        const whole = { ...tree, values: tree.values.map(task.uncentred) };
        const own = { ...params, randomState: seeds[t]! };
        return task.fitted(own, new Tree(pruned(whole, params.ccpAlpha), x.cols));
      });
    },
    close: () => columns.close(),
  };
}

function countsOf({ rows }: Drawn, n: number): Int32Array {
  const counts = new Int32Array(n);
  for (const i of rows) counts[i]!++;
  return counts;
}

/** The members of a bag as one forest, which predicts with all trees at once. */
export interface TreeBag {
  /** Over the columns of X, not those of the member. */
  readonly trees: readonly GrownTree[];
  /** The sum over the trees of the values of each row's leaf. */
  sums(where: string, x: Design): Float64Array;
}

/** The members as one forest over the columns of X, if all are trees with `width` values per leaf; else null. */
export function treeBag(members: readonly BaggedMember<FittedModel>[], width: number): TreeBag | null {
  const grown: GrownTree[] = [];
  for (const { model, features } of members) {
    if (!(model instanceof FittedTree) || model.tree.grown.width !== width) return null;
    const own = model.tree.grown;
    grown.push({ ...own, features: own.features.map((j) => (j < 0 ? j : features[j]!)) });
  }
  let packed: PackedForest | undefined;
  return {
    trees: grown,
    sums: (where, x) => {
      requireNoInfinity(where, x);
      packed ??= new PackedForest(grown);
      return treeSums(where, x, grown, packed);
    },
  };
}
