import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  FittedExtraTreesClassifier,
  FittedExtraTreesRegressor,
  FittedRandomForestClassifier,
  FittedRandomForestRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "argmax";
import { ParameterError } from "argmax/core";
import {
  classCriteria,
  countOf,
  exp,
  type ForestParams,
  HistogramTree,
  pruned,
  Random,
  Tree,
  type TreeTargetCriterion,
  treeTargetCriteria,
} from "argmax/sums";
import {
  call,
  choose,
  compare,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
} from "../../expressions/expression.js";
import { type AnyEstimator, learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { requireMeans } from "./decision-trees.js";
import type { TreeSource } from "./leaf-sums.js";
import { growTogether, MOST_LEAVES, treeTask } from "./tree-task.js";

/**
 * Forests from histograms. Rows have no numbers by which they could be drawn, so that how often a tree draws a row follows from what the row
 * is: a Poisson number of mean 1 (or maxSamples over the rows), by a hash of all its columns and the number of the tree. Equal rows are drawn
 * together, and every pass, engine and shard draws the same ones. Columns and thresholds are drawn by a generator per node.
 */

/** Trees that grow side by side: a pass has a query per column for each. */
const TOGETHER = 8;
/** Draws of a row by one tree: a Poisson number of mean 1 is larger once in 10⁷ rows. */
const MOST_DRAWS = 10;

/** A number from 0 to 1 by which all trees draw a row. */
function placeOfRow(rows: TrainingRows): Expression {
  const of = [...rows.features.map(({ given, number: own }) => given?.text ?? own), rows.target!.value];
  return shared({ kind: "hash", of });
}

/** How often a tree draws a row: multiples of the hash, which are spread evenly, against the Poisson distribution. */
function drawsOf(hash: Expression, multiple: number, mean: number): Expression {
  const product = shared(multiply(hash, number(multiple)));
  const place = shared(subtract(product, call("floor", product)));
  const branches = [];
  let probability = exp(-mean);
  let sum = probability;
  for (let count = 0; count < MOST_DRAWS; count++) {
    branches.push({ test: compare(place, "<", number(sum)), value: number(count) });
    probability *= mean / (count + 1);
    sum += probability;
  }
  return shared(choose(branches, number(MOST_DRAWS)));
}

async function grownForest(
  rows: TrainingRows,
  params: ForestParams,
  splitter: "best" | "random",
  code: number,
  criterion?: TreeTargetCriterion,
) {
  const { where } = rows;
  if (params.oobScore) {
    const advice = "Cross-validate it, or score it on rows that were left out.";
    throw new ParameterError(where, "oobScore", "false in a database", "true", advice);
  }
  const { table, facts, controls, source, centre } = await treeTask(
    rows,
    { ...params, splitter },
    code,
    criterion,
  );
  const random = new Random(params.randomState);
  const most = countOf(where, "maxSamples", params.maxSamples ?? 1, facts.rows, Math.round);
  const hash = params.bootstrap ? placeOfRow(rows) : undefined;
  const seeds = Array.from({ length: params.nEstimators }, () => ({
    seed: random.uint32(),
    // Of numbers below 2³², whose multiples by it have 20 bits behind the point.
    multiple: random.uniform(),
  }));
  const trees: Tree[] = [];
  for (let first = 0; first < seeds.length; first += TOGETHER) {
    const growing = seeds.slice(first, first + TOGETHER).map(({ seed, multiple }) => {
      const own = hash ? drawnSource(source, drawsOf(hash, multiple, most / facts.rows)) : source;
      const tree = new HistogramTree(where, {
        columns: source.columns.bins,
        classes: source.classes,
        controls,
        rows: facts.rows,
        isWeighted: own.weight !== undefined,
        maxWanted: MOST_LEAVES,
        drawsOf: (node) => new Random(seed * 2 ** 20 + node),
      });
      return { tree, source: own };
    });
    try {
      await growTogether(rows, growing);
      for (const { tree } of growing) {
        const grown = tree.grown();
        const whole = { ...grown, values: grown.values.map((value) => value + centre) };
        trees.push(new Tree(pruned(whole, params.ccpAlpha), table.x.length, table.table));
      }
    } finally {
      for (const { tree } of growing) tree.close();
    }
    rows.passes.report(trees.length);
  }
  return { params, trees, oobScore: undefined, draw: undefined };
}

/** The rows that a tree has drawn, each as often as it was. */
const drawnSource = (source: TreeSource, draws: Expression): TreeSource => ({
  ...source,
  weight: source.weight ? shared(multiply(source.weight, draws)) : draws,
  isDrawn: compare(draws, ">", number(0)),
});

type ForestEstimator = AnyEstimator & { readonly params: ForestParams & { readonly criterion: never } };

const classifiers = [
  [RandomForestClassifier, FittedRandomForestClassifier, "best"],
  [ExtraTreesClassifier, FittedExtraTreesClassifier, "random"],
] as const;
const regressors = [
  [RandomForestRegressor, FittedRandomForestRegressor, "best"],
  [ExtraTreesRegressor, FittedExtraTreesRegressor, "random"],
] as const;

export const forestLearners = [
  ...classifiers.map(([type, Model, splitter]) =>
    learner(
      type as never,
      async ({ params }: ForestEstimator, rows) => {
        const forest = await grownForest(rows, params, splitter, classCriteria[params.criterion as "gini"]);
        return new Model({ state: { id: type.id, ...forest }, classes: rows.target!.classes });
      },
      { gaps: true, manyPasses: true },
    ),
  ),
  ...regressors.map(([type, Model, splitter]) =>
    learner(
      type as never,
      async ({ params }: ForestEstimator, rows) => {
        const criterion = params.criterion as TreeTargetCriterion;
        requireMeans(rows.where, criterion);
        const forest = await grownForest(rows, params, splitter, treeTargetCriteria[criterion], criterion);
        return new Model({ id: type.id, ...forest });
      },
      { gaps: true, manyPasses: true },
    ),
  ),
];
