import type { Label } from "../core/labels.js";
import type { Inputs, Structure, TreeScores } from "../core/structure.js";
import { classifierStructure, inputsOf, probabilityLink, regressorStructure } from "../core/structure.js";
import type { TableColumns } from "../data/table/table-columns.js";
import type { GrownTree } from "../numeric/trees/grow-tree.js";
import type { Tree } from "./tree.js";

interface TreeModel {
  readonly nFeatures: number;
  readonly featureNamesIn?: readonly string[] | undefined;
  readonly classes?: readonly Label[];
  readonly nTargets?: number;
}

/** The mean of trees as they were grown. */
export const meanScores = (grown: readonly GrownTree[]): TreeScores => ({
  kind: "trees",
  trees: grown.map((tree) => ({ ...tree, covers: tree.weights })),
  divisor: grown.length,
  baseline: new Float64Array(grown[0]!.width),
});

/** Inputs of models that read the categories of tables themselves. */
export const tableInputs = (model: TreeModel, columns: TableColumns | undefined): Inputs => ({
  ...inputsOf(model),
  ...(columns && { columns: columns.columns }),
});

/** The mean of a model's trees: class proportions, or targets. */
export function treeStructure(model: TreeModel, trees: readonly Tree[]): Structure {
  const inputs = tableInputs(model, trees[0]!.columns);
  const scores = meanScores(trees.map(({ grown }) => grown));
  const { classes, nTargets } = model;
  if (classes) return classifierStructure({ ...model, classes }, scores, probabilityLink, { inputs });
  return regressorStructure(model, scores, { inputs, targets: nTargets ?? null });
}
