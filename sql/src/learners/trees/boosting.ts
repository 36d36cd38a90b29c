import {
  FittedHistGradientBoostingClassifier,
  FittedHistGradientBoostingRegressor,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
} from "argmax";
import { ParameterError } from "argmax/core";
import {
  BINNED_ROWS,
  type BoostingLoss,
  baselineOfMean,
  boostingRounds,
  categoricalColumns,
  checkTargets,
  type HistParams,
  type HistState,
  logProportions,
  MAX_BEST_LEAVES,
  MAX_LEAVES,
  moderateScale,
  mostLeaves,
  requirePositive,
  stopsEarly,
  summedRun,
} from "argmax/sums";
import { compare, type Expression, multiply, number, shared, when } from "../../expressions/expression.js";
import { learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { type BoostingFacts, boostingFacts } from "./boosting-facts.js";
import { requireSummableLoss } from "./boosting-losses.js";
import type { BoostingTask } from "./boosting-task.js";
import { FileRounds } from "./file-rounds.js";
import { QueriedRounds } from "./queried-rounds.js";
import { placeOfRow, sampleOf } from "./sample.js";
import { categoriesOf, tableRows } from "./table-rows.js";

/** Throws for parameters that sums of rows cannot honour. */
function requireSummable(where: string, params: HistParams, facts: BoostingFacts): void {
  const { scoring, maxLeafNodes, maxDepth, minSamplesLeaf } = params;
  if (scoring !== "loss" && scoring !== "negLogLoss") {
    const advice = 'Take scoring "loss", or fit it in memory to a sample.';
    throw new ParameterError(where, "scoring", '"loss" in a database', JSON.stringify(scoring), advice);
  }
  const limits = { maxDepth: maxDepth ?? Infinity, minSamplesLeaf, rows: facts.rows };
  const natural = mostLeaves({ ...limits, maxLeaves: Infinity });
  const leaves = Math.min(natural, maxLeafNodes ?? Infinity);
  const most = leaves < natural ? MAX_BEST_LEAVES : MAX_LEAVES;
  if (leaves <= most) return;
  const expected = `at most ${MAX_BEST_LEAVES} in a database, unless maxDepth or minSamplesLeaf limit the leaves to ${MAX_LEAVES}`;
  throw new ParameterError(where, "maxLeafNodes", expected, String(maxLeafNodes));
}

async function taskOf(
  rows: TrainingRows,
  params: HistParams,
  loss: BoostingLoss,
  baselineOf: (facts: BoostingFacts) => Float64Array,
): Promise<BoostingTask> {
  const { where, passes } = rows;
  requireSummableLoss(where, loss);
  const table = await tableRows(rows);
  const { earlyStopping, validationFraction } = params;
  const isMany = earlyStopping === "auto" && stopsEarly("auto", passes.rows);
  // Rows of weight 0, and those of a fold left out, do not count.
  const [own] = isMany ? await rows.sums({ groupBy: [], aggregates: [] }) : [];
  const stops = stopsEarly(earlyStopping, own?.count ?? passes.rows);
  const isDrawn = stops && validationFraction !== null;
  const place = isDrawn || passes.rows > BINNED_ROWS ? shared(await placeOfRow(rows, table.x)) : undefined;
  const heldOut = isDrawn
    ? shared(when(compare(place!, "<", number(validationFraction)), number(1), number(0)))
    : undefined;
  const categorical = categoricalColumns(where, params.categoricalFeatures, table.x.length, table.table);
  const [facts, categories] = await Promise.all([
    boostingFacts(rows, heldOut),
    categoriesOf(table, categorical),
  ]);
  requireSummable(where, params, facts);
  const scale = moderateScale(facts.maxWeight);
  const factor = scale === 1 ? rows.weight : multiply(rows.weight, number(scale));
  const weight = (e: Expression) => (rows.isWeighted ? multiply(factor, e) : e);
  const run = summedRun(params, {
    where,
    table: table.table,
    sample: await sampleOf(table, facts.rows, place, isDrawn ? validationFraction : 0),
    categories,
    baseline: baselineOf(facts),
    meanWeight: (facts.total * scale) / facts.rows,
    scale,
    stops,
  });
  return { where, rows, table, facts, run, loss, heldOut, weight };
}

/** Runs the rounds, each with its passes. */
async function learned<M>(
  task: BoostingTask,
  params: HistParams,
  fitted: (state: HistState) => M,
): Promise<M> {
  const { scratch } = task.rows.passes.options;
  const rounds = scratch ? await FileRounds.open(task, scratch.directory) : new QueriedRounds(task);
  try {
    const steps = boostingRounds(rounds, params, task.run.begun, fitted);
    let step = steps.next();
    while (!step.done) {
      const { value } = step;
      if ("then" in value) {
        step = steps.next(await value);
        continue;
      }
      task.rows.passes.report(value.iteration, value.objective);
      step = steps.next();
    }
    return step.value;
  } finally {
    rounds.close();
  }
}

export const boostingLearners = [
  learner(
    HistGradientBoostingRegressor,
    async (estimator, rows) => {
      const { params } = estimator;
      const { loss } = params;
      const { id } = HistGradientBoostingRegressor;
      const task = await taskOf(rows, params, loss, ({ mean, range }) => {
        checkTargets(
          rows.where,
          loss,
          Float64Array.from(range),
          () => `target ${JSON.stringify(rows.target!.name)}`,
        );
        return Float64Array.of(baselineOfMean(loss, mean));
      });
      return learned(
        task,
        params,
        (state) => new FittedHistGradientBoostingRegressor({ ...state, id, params, loss }),
      );
    },
    { gaps: true },
  ),
  learner(
    HistGradientBoostingClassifier,
    async (estimator, rows) => {
      const { params } = estimator;
      const { classes } = rows.target!;
      const { id } = HistGradientBoostingClassifier;
      requirePositive(rows.where, [params.scoring], classes, params.positiveLabel);
      const task = await taskOf(rows, params, "logLoss", ({ classTotals }) => logProportions(classTotals));
      return learned(
        task,
        params,
        (state) => new FittedHistGradientBoostingClassifier({ ...state, id, params, classes }),
      );
    },
    { gaps: true },
  ),
];
