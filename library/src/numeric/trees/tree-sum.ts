import type { MatrixLike } from "../../core/contract.js";
import { type ExplainedOutput, treeSum } from "../../core/explained.js";
import type { Design } from "../../data/input.js";
import type { GrownTree } from "./grow-tree.js";
import type { TreeLists } from "./packed-trees.js";

/** A tree and the weight of the training rows in each of its nodes. Children come after their parents. */
export interface CoveredTree extends TreeLists {
  readonly covers: ArrayLike<number>;
}

/** Outputs that are sums of trees: output k of a row is baseline[k] + scale · the sum of its leaves' values. */
export interface TreeSum {
  /** Tree t adds its values to the outputs from (t · width) mod K on. */
  readonly trees: readonly CoveredTree[];
  readonly scale: number;
  /** One number per output. */
  readonly baseline: Float64Array;
  readonly output: ExplainedOutput;
  /** Reads and checks X as `predict` does. */
  rows(where: string, x: MatrixLike): Design;
}

/** A model that is a sum of trees; undefined where its members are others. */
export interface TreeSumModel {
  [treeSum](): TreeSum | undefined;
}

export const isTreeSumModel = (model: object): model is TreeSumModel => treeSum in model;

/** The mean of trees as they were grown. */
export function meanOfTrees(
  grown: readonly GrownTree[],
  output: ExplainedOutput,
  rows: TreeSum["rows"],
): TreeSum {
  return {
    trees: grown.map((tree) => ({ ...tree, covers: tree.weights })),
    scale: 1 / grown.length,
    baseline: new Float64Array(grown[0]!.width),
    output,
    rows,
  };
}
