import {
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  FittedDecisionTreeClassifier,
  FittedDecisionTreeRegressor,
} from "argmax";
import { ParameterError } from "argmax/core";
import {
  classCriteria,
  type GrowthParams,
  HistogramTree,
  pruned,
  Tree,
  type TreeTargetCriterion,
  treeTargetCriteria,
} from "argmax/sums";
import { learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { growTogether, MOST_LEAVES, treeTask } from "./tree-task.js";

/**
 * Decision trees from histograms: a pass per level. A column of at most 255 values has a bin for each, and is split where the tree in memory
 * splits it; the thresholds of others are quantiles of the column (of a sample of 200,000 rows), and not midpoints of neighbouring values.
 * Splits that are equally good may differ where weights round.
 */

/** Throws for draws that depend on the order of the rows. */
export function requireAllColumns(where: string, { splitter, maxFeatures }: GrowthParams): void {
  if (splitter === "random") {
    const advice = "Take an ensemble of extra trees.";
    throw new ParameterError(where, "splitter", '"best" in a database', '"random"', advice);
  }
  if (maxFeatures === null) return;
  const advice = "Take a forest, which draws columns.";
  throw new ParameterError(where, "maxFeatures", "null in a database", JSON.stringify(maxFeatures), advice);
}

/** Throws for trees whose leaves are medians. */
export function requireMeans(where: string, criterion: TreeTargetCriterion): void {
  if (criterion !== "absoluteError") return;
  const advice = "Its leaves are medians: fit it in memory to a sample, or take another criterion.";
  throw new ParameterError(
    where,
    "criterion",
    "squaredError or poisson in a database",
    '"absoluteError"',
    advice,
  );
}

async function learned(
  rows: TrainingRows,
  params: GrowthParams,
  code: number,
  criterion?: TreeTargetCriterion,
) {
  requireAllColumns(rows.where, params);
  const { table, facts, controls, source, centre } = await treeTask(rows, params, code, criterion);
  const tree = new HistogramTree(rows.where, {
    columns: source.columns.bins,
    classes: source.classes,
    controls,
    rows: facts.rows,
    isWeighted: rows.isWeighted,
    maxWanted: MOST_LEAVES,
  });
  try {
    await growTogether(rows, [{ tree, source }]);
    const grown = tree.grown();
    const whole = { ...grown, values: grown.values.map((value) => value + centre) };
    return new Tree(pruned(whole, params.ccpAlpha), table.x.length, table.table);
  } finally {
    tree.close();
  }
}

async function learnRegressor({ params }: DecisionTreeRegressor, rows: TrainingRows) {
  const { criterion } = params;
  requireMeans(rows.where, criterion);
  const tree = await learned(rows, params, treeTargetCriteria[criterion], criterion);
  return new FittedDecisionTreeRegressor({ id: DecisionTreeRegressor.id, params, tree });
}

async function learnClassifier({ params }: DecisionTreeClassifier, rows: TrainingRows) {
  const tree = await learned(rows, params, classCriteria[params.criterion]);
  return new FittedDecisionTreeClassifier(
    { id: DecisionTreeClassifier.id, params, tree },
    rows.target!.classes,
  );
}

export const treeLearners = [
  learner(DecisionTreeClassifier, learnClassifier, { gaps: true }),
  learner(DecisionTreeRegressor, learnRegressor, { gaps: true }),
];
