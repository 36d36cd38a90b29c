import type { MatrixLike } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import { argmax } from "../core/numbers/scores.js";
import type { TreeScores } from "../core/structure.js";
import type { ClassificationSet } from "../data/training-set.js";
import { reseeded } from "../ensembles/members.js";
import { type GrownTree, growTree } from "../numeric/trees/grow-tree.js";
import { PackedForest, treeSums } from "../numeric/trees/leaves.js";
import { DecisionTreeClassifier, FittedDecisionTreeClassifier } from "../trees/decision-tree-classifier.js";
import { controlsOf, treeColumns, treeRows } from "../trees/growth.js";
import { classCriteria } from "../trees/impurities.js";
import { pruned } from "../trees/pruning.js";
import { Tree } from "../trees/tree.js";
import type { ClosableLearner } from "./weak-learners.js";

/** Whether `treeLearner` fits the same trees as the estimator: not if it computes class weights in every round. */
export const isPlainTree = (estimator: object): estimator is DecisionTreeClassifier =>
  estimator.constructor === DecisionTreeClassifier &&
  (estimator as DecisionTreeClassifier).params.classWeight === null;

/** Fits trees to columns that are checked and sorted once for all rounds. */
export function treeLearner<L extends Label>(
  where: string,
  estimator: DecisionTreeClassifier,
  set: ClassificationSet<L>,
  seed: number,
): ClosableLearner<FittedDecisionTreeClassifier<L>> {
  const { classes, codes } = set;
  const { criterion, categoricalFeatures, ccpAlpha } = estimator.params;
  const opened = { x: set.x, columns: undefined };
  const rows = treeRows(where, set.x, opened, categoricalFeatures);
  const { x } = rows;
  const controlsFor = (params: typeof estimator.params, weight: number) =>
    controlsOf(where, params, classCriteria[criterion], x, weight);
  const columns = treeColumns(where, rows, controlsFor(estimator.params, 1));
  const random = new Random(seed);
  return {
    learn: (weights, _, mistakes) => {
      const { params } = reseeded(estimator, () => random.uint32());
      const weight = weights.reduce((sum, w) => sum + w, 0);
      const controls = controlsFor(params, weight);
      const grown = growTree(where, columns, { codes, classes: classes.length }, weights, controls);
      const tree = new Tree(pruned(grown, ccpAlpha), x.cols);
      const predicted = nodeClasses(tree);
      const leaves = tree.leavesOf(where, x);
      for (let i = 0; i < codes.length; i++) mistakes[i] = predicted[leaves[i]!] === codes[i] ? 0 : 1;
      return new FittedDecisionTreeClassifier({ id: DecisionTreeClassifier.id, params, tree }, classes);
    },
    close: () => columns.close(),
  };
}

/** Predicted class index of every node. */
function nodeClasses({ grown: { values, width }, nodeCount }: Tree): Int32Array {
  return Int32Array.from({ length: nodeCount }, (_, node) => argmax(values, node * width, width));
}

/** Members that vote together as one forest. */
export interface VotingTrees {
  /** The weighted votes of all members, K numbers per row. */
  sums(where: string, x: MatrixLike): Float64Array;
  /** The decision function as a sum of trees. */
  decision(): TreeScores;
}

/** The votes of members that are all trees with these classes; else null. */
export function votingTrees(
  members: readonly object[],
  classes: readonly Label[],
  weights: Float64Array,
): VotingTrees | null {
  const own = members.filter((member) => member instanceof FittedDecisionTreeClassifier);
  const plain = ({ tree, classes: known }: FittedDecisionTreeClassifier): boolean =>
    tree.columns === undefined && known.length === classes.length && known.every((c, k) => c === classes[k]);
  if (own.length < members.length || own.length === 0 || !own.every(plain)) return null;
  let voting: readonly GrownTree[] | undefined;
  let packed: PackedForest | undefined;
  const trees = (): readonly GrownTree[] => {
    voting ??= own.map(({ tree }, t) => withVotes(tree, weights[t]!));
    return voting;
  };
  const rows = (where: string, x: MatrixLike) => own[0]!.tree.rowsOf(where, x);
  return {
    sums: (where, x) => {
      packed ??= new PackedForest(trees());
      return treeSums(where, rows(where, x), trees(), packed);
    },
    decision: () => {
      const total = weights.reduce((sum, w) => sum + w, 0);
      const covered = trees().map((tree) => ({ ...tree, ...decisionValues(tree), covers: tree.counts }));
      return { kind: "trees", trees: covered, divisor: total, baseline: new Float64Array(covered[0]!.width) };
    },
  };
}

/** Votes per class; of two classes, the votes for the second minus those for the first. */
function decisionValues({ values, width }: GrownTree): Pick<GrownTree, "values" | "width"> {
  if (width !== 2) return { values, width };
  const differences = Float64Array.from(
    { length: values.length / 2 },
    (_, node) => values[2 * node + 1]! - values[2 * node]!,
  );
  return { values: differences, width: 1 };
}

/** The tree with the vote for its predicted class at every node, instead of class proportions. */
function withVotes(tree: Tree, weight: number): GrownTree {
  const { width } = tree.grown;
  const values = new Float64Array(tree.grown.values.length);
  for (const [node, k] of nodeClasses(tree).entries()) values[node * width + k] = weight;
  return { ...tree.grown, values };
}
