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
  Matrix,
  moderateScale,
  mostLeaves,
  requirePositive,
  stopsEarly,
  summedRun,
} from "argmax/sums";
import { both, compare, type Expression, multiply, number, shared } from "../../expressions/expression.js";
import { learner } from "../../fit/learner.js";
import type { TrainingRows } from "../../fit/training-rows.js";
import { type BoostingFacts, boostingFacts, heldOutKey } from "./boosting-facts.js";
import { requireSummableLoss } from "./boosting-losses.js";
import type { BoostingTask } from "./boosting-task.js";
import { QueriedRounds } from "./queried-rounds.js";
import { categoriesOf, type TableRows, tableRows } from "./table-rows.js";

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
  const stops = stopsEarly(earlyStopping, passes.rows);
  const heldOut =
    stops && validationFraction !== null ? shared(heldOutKey(rows, validationFraction)) : undefined;
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
    sample: await sampleOf(table, heldOut, facts),
    categories,
    baseline: baselineOf(facts),
    meanWeight: (facts.total * scale) / facts.rows,
    scale,
    stops,
  });
  return { where, rows, table, facts, run, loss, heldOut, weight };
}

/** Rows in a first look at the columns. */
const LOOK = 1000;
/** Columns of many values tell rows apart; more of them only take time. */
const TELLING = 2;
/** Rows per block of a sample. */
const BLOCK = 20_000;

/** The rows that bins are learned from: all, or about as many as in memory, drawn by a hash of their values. */
async function sampleOf(
  { rows, x }: TableRows,
  heldOut: Expression | undefined,
  facts: BoostingFacts,
): Promise<Matrix> {
  const isTraining = heldOut ? [compare(heldOut, "=", number(0))] : [];
  const isAll = facts.rows <= BINNED_ROWS;
  // Somewhat fewer than are kept at most, since the number drawn is random.
  const drawn = isAll
    ? []
    : [compare(await hashOf(rows, x), "<", number((0.98 * BINNED_ROWS * 2 ** 32) / facts.rows))];
  const tests = [...isTraining, ...drawn];
  const data = new Float64Array(Math.min(facts.rows, BINNED_ROWS) * x.length);
  let count = 0;
  const options = { limit: BINNED_ROWS, ...(tests.length > 0 && { test: both(...tests) }) };
  for await (const block of rows.blocks(BLOCK, x, options)) {
    for (const [j, values] of block.entries())
      for (let i = 0, e = count * x.length + j; i < values.length; i++, e += x.length) data[e] = values[i]!;
    count += block[0]!.length;
  }
  return new Matrix(data.subarray(0, count * x.length), count, x.length);
}

/** A hash of the columns that differ most among the first rows. */
async function hashOf(rows: TrainingRows, x: readonly Expression[]): Promise<Expression> {
  const columns = rows.target!.classes.length > 0 ? x : [...x, rows.target!.value];
  const look = (await rows.first(LOOK, columns)) ?? [];
  const values = look.map((column) => new Set(column).size);
  const order = [...values.keys()].sort((a, b) => values[b]! - values[a]!);
  return { kind: "hash", of: order.slice(0, TELLING).map((j) => columns[j]!) };
}

/** Runs the rounds, each with its passes. */
async function learned<M>(
  task: BoostingTask,
  params: HistParams,
  fitted: (state: HistState) => M,
): Promise<M> {
  const rounds = new QueriedRounds(task);
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
