import {
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  FittedDecisionTreeClassifier,
  FittedDecisionTreeRegressor,
} from "argmax";
import { ParameterError } from "argmax/core";
import {
  categoricalColumns,
  classCriteria,
  controlsOf,
  type GrownTree,
  type GrowthParams,
  HistogramTree,
  pruned,
  requireCounts,
  Tree,
  targetCentre,
  treeTargetCriteria,
} from "argmax/sums";
import {
  call,
  compare,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  when,
} from "../../expressions/expression.js";
import { learner } from "../../fit/learner.js";
import type { TrainingRows } from "../../fit/training-rows.js";
import { boostingFacts } from "./boosting-facts.js";
import { leafHistograms, leafQueries, type TreeSource } from "./leaf-sums.js";
import { type TableRows, tableRows } from "./table-rows.js";
import { treeBins } from "./tree-bins.js";

/**
 * Decision trees from histograms: a pass per level. A column of at most 255 values has a bin for each, and is split where the tree in memory splits
 * it; the thresholds of others are quantiles of the column (of a sample of 200,000 rows), and not midpoints of neighbouring values.
 */

/** Leaves whose histograms are asked for in one pass. */
const MOST_LEAVES = 64;

type TreeParams = Omit<GrowthParams, never>;

/** Throws for parameters that take turns with the rows. */
function requireAllColumns(where: string, { splitter, maxFeatures }: TreeParams, columns: number): void {
  if (splitter === "random")
    throw new ParameterError(
      where,
      "splitter",
      '"best" in a database',
      '"random"',
      "Take an ensemble of extra trees.",
    );
  if (maxFeatures === null || maxFeatures === columns) return;
  const advice = "Take a forest, which draws columns.";
  throw new ParameterError(where, "maxFeatures", "null in a database", JSON.stringify(maxFeatures), advice);
}

interface TreeTask {
  readonly table: TableRows;
  readonly grown: GrownTree;
}

async function grownTree(
  rows: TrainingRows,
  params: TreeParams,
  criterion: number,
  sourceOf: (
    rows: TrainingRows,
    facts: Awaited<ReturnType<typeof boostingFacts>>,
  ) => Promise<Pick<TreeSource, "y" | "square">>,
): Promise<TreeTask> {
  const { where, target } = rows;
  const table = await tableRows(rows);
  const { x } = table;
  requireAllColumns(where, params, x.length);
  const categorical = categoricalColumns(where, params.categoricalFeatures, x.length, table.table);
  const facts = await boostingFacts(rows, undefined);
  const controls = controlsOf(where, params, criterion, { rows: facts.rows, cols: x.length }, facts.total);
  const columns = await treeBins(table, categorical, facts.rows);
  const classes = target!.classes.length;
  const weight = rows.isWeighted ? rows.weight : undefined;
  const source: TreeSource = { x, columns, classes, weight, ...(await sourceOf(rows, facts)) };
  const tree = new HistogramTree(where, {
    columns: columns.bins,
    classes,
    controls,
    rows: facts.rows,
    isWeighted: rows.isWeighted,
    totalWeight: facts.total,
    maxWanted: MOST_LEAVES,
  });
  try {
    while (tree.wanted.length > 0)
      tree.give(leafHistograms(source, tree, await rows.several(leafQueries(source, tree))));
    return { table, grown: tree.grown() };
  } finally {
    tree.close();
  }
}

const zero = number(0);

/** Targets minus a number near their mean, as in memory. */
async function centredTarget(
  rows: TrainingRows,
  mean: number,
): Promise<{ readonly y: Expression; readonly centre: number }> {
  const { name, value } = rows.target!;
  const distance = shared(call("abs", subtract(value, number(mean))));
  const [group] = await rows.sums({ groupBy: [], aggregates: [{ kind: "max", of: distance }] });
  const centre = targetCentre(rows.where, mean, group!.values[0]!, `target ${JSON.stringify(name)}`);
  return { y: shared(subtract(value, number(centre))), centre };
}

async function learnRegressor(estimator: DecisionTreeRegressor, rows: TrainingRows) {
  const { params } = estimator;
  const { criterion } = params;
  const { where, target } = rows;
  if (criterion === "absoluteError") {
    const advice = "Its leaves are medians: fit it in memory to a sample, or take another criterion.";
    throw new ParameterError(
      where,
      "criterion",
      "squaredError or poisson in a database",
      '"absoluteError"',
      advice,
    );
  }
  let centre = 0;
  const { table, grown } = await grownTree(
    rows,
    params,
    treeTargetCriteria[criterion],
    async (own, facts) => {
      if (criterion === "poisson") {
        const name = `target ${JSON.stringify(target!.name)}`;
        requireCounts(where, Float64Array.from(facts.range), { list: name, entry: () => name });
        const y = target!.value;
        return { y, square: when(compare(y, ">", zero), multiply(y, call("log", y)), zero) };
      }
      const centred = await centredTarget(own, facts.plainMean);
      centre = centred.centre;
      return { y: centred.y, square: multiply(centred.y, centred.y) };
    },
  );
  const whole = { ...grown, values: grown.values.map((value) => value + centre) };
  const tree = new Tree(pruned(whole, params.ccpAlpha), table.x.length, table.table);
  return new FittedDecisionTreeRegressor({ id: DecisionTreeRegressor.id, params, tree });
}

async function learnClassifier(estimator: DecisionTreeClassifier, rows: TrainingRows) {
  const { params } = estimator;
  const { value, classes } = rows.target!;
  const none = async () => ({ y: value, square: zero });
  const { table, grown } = await grownTree(rows, params, classCriteria[params.criterion], none);
  const tree = new Tree(pruned(grown, params.ccpAlpha), table.x.length, table.table);
  return new FittedDecisionTreeClassifier({ id: DecisionTreeClassifier.id, params, tree }, classes);
}

export const treeLearners = [
  learner(DecisionTreeClassifier, learnClassifier, { gaps: true }),
  learner(DecisionTreeRegressor, learnRegressor, { gaps: true }),
];
