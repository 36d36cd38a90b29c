import {
  DataError,
  type FittedModel,
  type Label,
  nearestName,
  ParameterError,
  type SignalLike,
} from "argmax/core";
import { capabilitiesOf, classWeights, isSupervised, requireTwoClasses } from "argmax/sums";
import { InputCells } from "../compile/cells.js";
import type { SourceColumn } from "../engines/engine.js";
import {
  type ColumnType,
  choose,
  compare,
  type Expression,
  isNull,
  multiply,
  number,
  when,
} from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { learnerOf } from "../learners/index.js";
import type { DatabaseRows } from "./database-rows.js";
import type { AnyEstimator, FitPart } from "./learner.js";
import { Passes, type PassProgress } from "./passes.js";
import { placeOf, type Target, TrainingRows } from "./training-rows.js";

export interface DatabaseFitOptions {
  /** The column to predict; none for what learns from X alone. */
  readonly target?: string | undefined;
  /** The columns of X; all but the target, the weights and the shard key unless given. */
  readonly features?: readonly string[] | undefined;
  /** The column of sample weights. */
  readonly sampleWeight?: string | undefined;
  readonly signal?: SignalLike | undefined;
  readonly onProgress?: ((progress: PassProgress) => void) | undefined;
  /** Milliseconds that one pass may take; 600,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** How often a pass is tried again after a lost connection or a time limit; 3 unless given. */
  readonly retries?: number | undefined;
}

/** An estimator whose `fit` returns a model of the type M. */
interface Fits<M> extends AnyEstimator {
  fit(...given: never[]): M;
}

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
export async function fitInDatabase<M extends FittedModel>(
  estimator: Fits<M>,
  rows: DatabaseRows,
  options: DatabaseFitOptions = {},
): Promise<M> {
  const { signal, onProgress, timeoutMs = 600_000, retries = 3 } = options;
  const passes = await Passes.open(WHERE, rows, { signal, timeoutMs, retries, onProgress });
  try {
    const columns = columnsOf(passes.columns, options, rows.source.shardKey);
    const used = [...columns.features, columns.target, columns.weight].flatMap((column) =>
      column ? [checked(column)] : [],
    );
    await passes.begin(used);
    const model = await fitPart(estimator, await trainingRows(estimator, passes, columns));
    await passes.end();
    return model as M;
  } finally {
    await passes.close();
  }
}

/** A column, as it is added up to see whether it changes. */
const checked = ({ name, type }: SourceColumn): Expression =>
  type === "text" ? column(name, type)("text") : column(name, type)("number");

const column =
  (name: string, type: ColumnType | undefined) =>
  (as: "number" | "text" | "any"): Expression => {
    const key = JSON.stringify([name, as, type]);
    const known = read.get(key) ?? ({ kind: "column", name, type, as } as const);
    read.set(key, known);
    return known;
  };

/** One object per column, so that what reads it more than once is computed once. */
const read = new Map<string, Expression>();

interface ChosenColumns {
  readonly features: readonly SourceColumn[];
  readonly target: SourceColumn | undefined;
  readonly weight: SourceColumn | undefined;
}

function columnsOf(
  all: readonly SourceColumn[],
  { target, features, sampleWeight }: DatabaseFitOptions,
  shardKey: string | undefined,
): ChosenColumns {
  const named = (subject: string, name: string): SourceColumn => {
    const found = all.find((candidate) => candidate.name === name);
    if (found?.type !== undefined) return found;
    const names = all.map((candidate) => candidate.name);
    if (found !== undefined)
      throw new DataError(
        WHERE,
        subject,
        "a column of numbers, text, booleans or dates",
        JSON.stringify(name),
      );
    const near = nearestName(name, names);
    const advice =
      near === undefined
        ? `There are ${names.slice(0, 20).join(", ")}.`
        : `Did you mean ${JSON.stringify(near)}?`;
    throw new ParameterError(WHERE, subject, "a column of the source", JSON.stringify(name), advice);
  };
  const shard = shardKey === undefined ? undefined : named("shardedBy", shardKey);
  const y = target === undefined ? undefined : named("target", target);
  const weight = sampleWeight === undefined ? undefined : named("sampleWeight", sampleWeight);
  const rest = () => all.filter((one) => one.type !== undefined && ![y, weight, shard].includes(one));
  const chosen = features?.map((name) => named("features", name)) ?? rest();
  if (chosen.length === 0)
    throw new DataError(WHERE, "the source", "one or more columns to learn from", "none");
  return { features: chosen, target: y, weight };
}

/** The rows as an estimator needs them: its target coded, weights checked. */
async function trainingRows(
  estimator: AnyEstimator,
  passes: Passes,
  { features, target, weight }: ChosenColumns,
): Promise<TrainingRows> {
  const sampleWeight = weight && column(weight.name, weight.type)("number");
  const cells = features.map(({ name, type }) => new InputCells(column(name, type) as never, type));
  const namesIn = features.map(({ name }) => name);
  const plain = new TrainingRows({
    where: WHERE,
    passes,
    features: cells,
    namesIn,
    target: undefined,
    sampleWeight,
  });
  if (passes.rows === 0) throw new DataError(WHERE, "the source", "at least one row", "none");
  const facts = capabilitiesOf(estimator);
  if (weight && facts?.sampleWeight === false)
    throw new ParameterError(
      WHERE,
      "sampleWeight",
      "absent, since nothing here depends on weights",
      "weights",
    );
  if (!target && facts && isSupervised(facts))
    throw new ParameterError(WHERE, "target", "the column to predict", "none");
  const [, own] = await Promise.all([
    sampleWeight && checkWeights(plain, weight.name, sampleWeight),
    target && targetOf(plain, target, isOfClasses(facts?.task, target)),
  ]);
  return own ? plain.for(WHERE, own) : plain;
}

/** Whether labels are predicted; what is no model by itself, as an encoder, takes numbers for numbers. */
const isOfClasses = (task: string | undefined, { type }: SourceColumn): boolean =>
  task === "classification" || (task !== "regression" && (type === "text" || type === "boolean"));

async function checkWeights(rows: TrainingRows, name: string, w: Expression): Promise<void> {
  const bad = choose(
    [
      {
        test: compare(w, ">=", number(0)),
        value: when(compare(w, "<", number(Infinity)), number(0), number(1)),
      },
    ],
    number(1),
  );
  const [groups] = await rows.passes.sums([{ groupBy: [], aggregates: [sumOf(bad), sumOf(w)] }]);
  const { values = [0, 0] } = groups![0] ?? {};
  if (values[0]! > 0)
    throw new DataError(
      WHERE,
      `sampleWeight ${JSON.stringify(name)}`,
      "finite numbers ≥ 0",
      `other values in ${values[0]} rows`,
    );
  if (values[1] === 0)
    throw new DataError(WHERE, `sampleWeight ${JSON.stringify(name)}`, "positive somewhere", "all zeros");
}

async function targetOf(rows: TrainingRows, { name, type }: SourceColumn, isClass: boolean): Promise<Target> {
  const y = column(name, type);
  const subject = `target ${JSON.stringify(name)}`;
  if (!isClass) {
    const value = y("number");
    const gaps = when(isNull(value), number(1), number(0));
    const far = choose(
      [
        {
          test: compare(value, ">", number(-Infinity)),
          value: when(compare(value, "<", number(Infinity)), number(0), number(1)),
        },
      ],
      number(1),
    );
    const [group] = await rows.sums({ groupBy: [], aggregates: [sumOf(gaps), sumOf(far)] });
    if (group!.values.some((count) => count > 0))
      throw new DataError(
        WHERE,
        subject,
        "finite numbers in all rows",
        `a gap or ±Infinity in ${Math.max(...group!.values)} of them`,
        "Leave these rows out in the query.",
      );
    return { name, value, classes: [] };
  }
  const keyType = type === "boolean" ? "boolean" : type === "text" ? "text" : "number";
  // A boolean is a key as it is: a number would be another label.
  const of = keyType === "text" ? y("text") : keyType === "boolean" ? y("any") : y("number");
  const groups = await rows.sums({ groupBy: [{ of, type: keyType }], aggregates: [] });
  const found = groups.map(({ keys }) => keys[0] ?? null);
  if (found.includes(null))
    throw new DataError(
      WHERE,
      subject,
      "a label in every row",
      "a gap",
      "Leave these rows out in the query.",
    );
  const classes = Object.freeze([...(found as Label[])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  requireTwoClasses(WHERE, classes);
  return { name, value: placeOf(y, classes), classes };
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
  return learner.learn(estimator as never, own, fitPart);
};

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
