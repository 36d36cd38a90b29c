import { DataError, type FittedModel, type Json, type SignalLike } from "argmax/core";
import { capabilitiesOf, classWeights } from "argmax/sums";
import { choose, compare, type Expression, multiply, number } from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { learnerOf } from "../learners/index.js";
import { AnswerLog, type FitCheckpoint } from "../rows/checkpoint.js";
import { type ChosenColumns, checked, columnsOf, namedColumn } from "../rows/columns.js";
import type { AnyEstimator, FitPart } from "../rows/learner.js";
import { Passes, type PassProgress, type ScratchOptions } from "../rows/passes.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { trainingRows } from "./checked-rows.js";
import type { DatabaseRows } from "./database-rows.js";
import { requireOptions } from "./options.js";

export interface DatabaseFitOptions {
  /** The column to predict; none for what learns from X alone. */
  readonly target?: string | undefined;
  /** The columns of X; all but those of the other options and the shard key unless given. */
  readonly features?: readonly string[] | undefined;
  /** The column of sample weights. */
  readonly sampleWeight?: string | undefined;
  readonly signal?: SignalLike | undefined;
  readonly onProgress?: ((progress: PassProgress) => void) | undefined;
  /** Called with the warnings that `fit` gives in memory: of solvers that stopped early, of columns that are dropped. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /**
   * Allows learners of many passes, as boosting is, to read the rows once and keep their bins in a file on this machine, of about 2 bytes per cell; it is removed with the fit. Unless given, every pass is a query.
   */
  readonly scratch?: ScratchOptions | undefined;
  /** Milliseconds that one pass may take; 600,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /**
   * What `onCheckpoint` gave, in this process or in another: the fit goes on from there, without the passes that it has answers of. The rows
   * have to be the same.
   */
  readonly checkpoint?: FitCheckpoint | undefined;
  /**
   * Called after each pass with all that the fit has learned so far, as JSON: some hundred bytes to a few KB per pass. It holds sums of the rows
   * and labels, no rows.
   */
  readonly onCheckpoint?: ((checkpoint: FitCheckpoint) => void) | undefined;
  /** How often a pass is tried again after a lost connection or a time limit; 3 unless given. */
  readonly retries?: number | undefined;
}

/** An estimator whose `fit` returns a model. */
export interface Fits extends AnyEstimator {
  fit(...given: never[]): FittedModel;
}

/** The model that an estimator of the type E is fitted to; of a union one of several. */
export type ModelOf<E extends Fits> = E extends { fit(...given: never[]): infer M } ? M : never;

const WHERE = "fitInDatabase";

/**
 * Fits an estimator or a pipeline to the rows of a database, by read-only queries of sums: the rows stay where they are. The model is the one
 * that `fit` in memory returns, of the same class.
 *
 * ```ts
 * import { DuckDBInstance } from "@duckdb/node-api";
 * import { LogisticRegression, pipeline, StandardScaler } from "argmax";
 * import { duckdb, fitInDatabase } from "@argmax/sql";
 *
 * const connection = await (await DuckDBInstance.create(":memory:")).connect();
 * await connection.run("CREATE TABLE parts AS SELECT i AS size, i > 5 AS large FROM range(10) t(i)");
 * const model = await fitInDatabase(pipeline(new StandardScaler(), new LogisticRegression()), duckdb(connection).table("parts"), {
 *   target: "large",
 * });
 * ```
 */
export async function fitInDatabase<E extends Fits>(
  estimator: E,
  rows: DatabaseRows,
  options: DatabaseFitOptions = {},
): Promise<ModelOf<E>> {
  requireOptions(WHERE, options);
  return (await withTrainingRows(estimator, rows, options, (own) => fitPart(estimator, own))) as ModelOf<E>;
}

/** Opens a source, checks what an estimator reads of it, and sees at the end that its rows are still the same. */
export async function withTrainingRows<T>(
  estimator: AnyEstimator,
  rows: DatabaseRows,
  options: DatabaseFitOptions & { readonly fold?: string | undefined },
  use: (rows: TrainingRows, columnOf: (name: string) => Expression) => Promise<T>,
): Promise<T> {
  const { signal, onProgress, onWarning, onCheckpoint, scratch, timeoutMs = 600_000, retries = 3 } = options;
  const settings = { signal, timeoutMs, retries, onProgress, onWarning, onCheckpoint, scratch };
  const passes = await Passes.open(WHERE, rows, settings);
  try {
    const columns = columnsOf(WHERE, passes.columns, options, rows.source.shardKey);
    const used = [...columns.features, columns.target, columns.weight].flatMap((column) =>
      column ? [checked(column)] : [],
    );
    await passes.begin(used, answerLog(estimator, columns, options));
    const found = await use(await trainingRows(WHERE, estimator, passes, columns), (name) =>
      checked(namedColumn(WHERE, passes.columns, "fold", name)),
    );
    await passes.end();
    return found;
  } finally {
    await passes.close();
  }
}

/** The log of a fit that makes checkpoints or goes on from one. */
function answerLog(
  estimator: AnyEstimator,
  columns: ChosenColumns,
  { checkpoint, onCheckpoint }: DatabaseFitOptions,
): AnswerLog | undefined {
  if (checkpoint === undefined && onCheckpoint === undefined) return undefined;
  const identity = JSON.parse(JSON.stringify([estimator, columns])) as Json;
  return new AnswerLog(WHERE, identity, checkpoint);
}

/** Fits an estimator to rows by the learner of its class. */
export const fitPart: FitPart = async (estimator, rows) => {
  const learner = learnerOf(WHERE, estimator);
  const where = `${WHERE}(${learner.type.id})`;
  // Weights go to every step that takes them.
  const given = capabilitiesOf(estimator)?.sampleWeight === false ? rows.unweighted() : rows;
  const weight = await weightOf(estimator, where, given);
  const own = given.for(where, rows.target, weight);
  if (own.isSparse && capabilitiesOf(estimator)?.sparse === false) {
    const advice =
      "OneHotEncoder({ sparseOutput: false }) and columnTransformer(…, { sparseThreshold: 0 }) make dense rows.";
    throw new DataError(where, "X", "dense here", "a sparse matrix", advice);
  }
  requireNumbers(estimator, own);
  if (!learner.gaps) await own.requireFinite();
  const model = await learner.learn(estimator as never, own, fitPart);
  for (const warning of warningsOf(model)) rows.passes.options.onWarning?.(warning);
  return model;
};

/** Warnings of a model itself: its report's, or those about its columns. */
function warningsOf(model: FittedModel): string[] {
  const { report, warnings } = model as {
    readonly report?: { readonly warnings?: readonly string[] };
    readonly warnings?: readonly (string | { readonly message: string })[];
  };
  const own = (warnings ?? []).map((warning) => (typeof warning === "string" ? warning : warning.message));
  return [...own, ...(report?.warnings ?? [])];
}

/** Gives each text once: folds and models side by side have the same warnings. */
export function onceEach(
  onWarning: ((warning: string) => void) | undefined,
): ((warning: string) => void) | undefined {
  const seen = new Set<string>();
  return (
    onWarning &&
    ((warning) => {
      if (seen.has(warning)) return;
      seen.add(warning);
      onWarning(warning);
    })
  );
}

/** Text and dates are for estimators that take categories; steps of a pipeline check what they get. */
function requireNumbers(estimator: AnyEstimator, rows: TrainingRows): void {
  if (capabilitiesOf(estimator)?.categorical !== false || "steps" in estimator) return;
  const j = rows.features.findIndex(({ kind, isDate }) => kind === "categorical" || isDate);
  if (j < 0) return;
  const advice =
    "Encode it in a step before it (tableVectorizer(), columnTransformer), or leave it out: features.";
  const received = rows.features[j]!.isDate ? "dates" : "text";
  throw new DataError(rows.where, `column ${rows.nameOf(j)}`, "numeric or boolean", received, advice);
}

/** Sample weights times those of classes, where the estimator takes them. */
async function weightOf(
  estimator: AnyEstimator,
  where: string,
  rows: TrainingRows,
): Promise<Expression | undefined> {
  const { classWeight = null } = estimator.params as { classWeight?: Parameters<typeof classWeights>[1] };
  const plain = rows.for(where, rows.target);
  const { target } = rows;
  if (classWeight === null || target === undefined || target.classes.length === 0) return undefined;
  const { value, classes } = target;
  const groups = await plain.sums({
    groupBy: [{ of: value, type: "number" }],
    aggregates: [sumOf(plain.weight)],
  });
  const counts = new Float64Array(classes.length);
  for (const { keys, values } of groups) counts[Number(keys[0])] = values[0]!;
  const factors = classWeights(where, classWeight, classes, counts);
  const factor = choose(
    Array.from(factors, (f, k) => ({ test: compare(value, "=", number(k)), value: number(f) })),
  );
  return multiply(plain.weight, factor);
}
