import { ParameterError, structureOf } from "argmax";
import type { FittedModel, Label } from "argmax/core";
import { findScorer, labelScorers, type ScorerName } from "argmax/sums";
import { answerOf } from "../compile/compile-model.js";
import { logarithm } from "../compile/functions.js";
import {
  call,
  choose,
  clipped,
  compare,
  divide,
  type Expression,
  multiply,
  negative,
  number,
  shared,
  subtract,
  sum,
} from "../expressions/expression.js";
import { type Aggregate, type SumGroup, sumOf } from "../expressions/sums.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** Scorers that sums over rows determine. */
export const databaseScorers = [
  ...labelScorers,
  "negLogLoss",
  "r2",
  "explainedVariance",
  "negMeanSquaredError",
  "negRootMeanSquaredError",
  "negMeanAbsoluteError",
  "negMaxError",
] as const satisfies readonly ScorerName[];

export type DatabaseScorer = (typeof databaseScorers)[number];

/** The models of folds, each to be scored on the rows of its own. */
interface Scored {
  /** Without folds and hidden groups: every row counts. */
  readonly rows: TrainingRows;
  readonly fold: Expression;
  readonly models: readonly FittedModel[];
  readonly positiveLabel: Label | undefined;
}

/** One scorer per name that is given; the estimator's own score otherwise. */
export function requireScorers(
  where: string,
  estimator: object,
  given: readonly string[] | undefined,
  isClass: boolean,
) {
  const names = given ?? [isClass ? "accuracy" : "r2"];
  for (const name of names) {
    if (!(databaseScorers as readonly string[]).includes(name)) {
      const expected = `one that sums over rows determine: ${databaseScorers.join(", ")}`;
      throw new ParameterError(where, "scoring", expected, JSON.stringify(name));
    }
    findScorer(where, name as ScorerName, estimator);
  }
  return names as readonly DatabaseScorer[];
}

/** Scores per name and fold, in one pass over the rows. */
export async function foldScores(
  scored: Scored,
  names: readonly DatabaseScorer[],
): Promise<Record<string, Float64Array>> {
  const isClass = scored.rows.target!.classes.length > 0;
  return isClass ? classScores(scored, names) : numberScores(scored, names);
}

/** An expression that is that of the model of each row's fold. */
const ofFold = ({ fold, models }: Scored, own: (model: FittedModel) => Expression): Expression =>
  shared(choose(models.map((model, f) => ({ test: compare(fold, "=", number(f)), value: own(model) }))));

/** From the cells of the confusion matrix: how often a class is taken for another, by weight. */
async function classScores(scored: Scored, names: readonly DatabaseScorer[]) {
  const { rows, fold, models, positiveLabel } = scored;
  const { value, classes } = rows.target!;
  const wantsLoss = names.includes("negLogLoss");
  const found = ofFold(scored, (model) => answerOf(structureOf(model), rows.features).place!);
  const loss = wantsLoss ? [sumOf(rows.weighted(ofFold(scored, (model) => logLossOf(model, rows))))] : [];
  const groupBy = [fold, value, found].map((of) => ({ of, type: "number" as const }));
  const groups = await rows.sums({ groupBy, aggregates: [sumOf(rows.weight), ...loss] });
  const scoreOf = (name: DatabaseScorer, model: FittedModel, cells: readonly SumGroup[]): number => {
    const weights = Float64Array.from(cells, ({ values }) => values[0]!);
    if (name === "negLogLoss") {
      const total = weights.reduce((all, w) => all + w, 0);
      return -cells.reduce((all, { values }) => all + values[1]!, 0) / total;
    }
    const labels = (key: number) => cells.map(({ keys }) => classes[Number(keys[key])]!);
    const predicted = {
      classes,
      predict: () => labels(2),
      score: () => Number.NaN,
      params: (model as { params?: object }).params,
    };
    const options = { sampleWeight: weights, ...(positiveLabel !== undefined && { positiveLabel }) };
    return findScorer("crossValidateInDatabase", name)(
      predicted as never,
      [] as never,
      labels(1) as never,
      options,
    );
  };
  return scoresOf(names, models, groups, scoreOf);
}

/** The same clipping as `logLoss`. */
const LEAST = Number.EPSILON;

function logLossOf(model: FittedModel, { features, target, where }: TrainingRows): Expression {
  const { probabilities } = answerOf(structureOf(model), features);
  if (probabilities === undefined)
    throw new ParameterError(
      where,
      "scoring",
      "one that needs no probabilities, since the model has none",
      '"negLogLoss"',
    );
  const p = probabilities.map((given) => shared(clipped(given, LEAST, 1 - LEAST)));
  const own = choose(p.map((of, k) => ({ test: compare(target!.value, "=", number(k)), value: of })));
  return negative(logarithm(divide(own, sum(p))));
}

async function numberScores(scored: Scored, names: readonly DatabaseScorer[]) {
  const { rows, fold, models } = scored;
  const y = rows.target!.value;
  const [centre] = await rows.centres([y]);
  const off = shared(subtract(y, number(centre!)));
  const error = shared(
    subtract(
      y,
      ofFold(scored, (model) => answerOf(structureOf(model), rows.features).values![0]!),
    ),
  );
  const size = shared(call("abs", error));
  const weighted = [number(1), off, multiply(off, off), error, multiply(error, error), size];
  const aggregates: Aggregate[] = [
    ...weighted.map((e) => sumOf(e.kind === "number" ? rows.weight : rows.weighted(e))),
    { kind: "max", of: size },
  ];
  const groups = await rows.sums({ groupBy: [{ of: fold, type: "number" }], aggregates });
  return scoresOf(names, models, groups, (name, _, [group]) => numberScore(name, group!.values));
}

function numberScore(name: DatabaseScorer, sums: Float64Array): number {
  const [total, first, second, error, square, size, largest] = sums as unknown as number[];
  const spread = second! - (first! * first!) / total!;
  switch (name) {
    case "r2":
      return 1 - square! / spread;
    case "explainedVariance":
      return 1 - (square! - (error! * error!) / total!) / spread;
    case "negMeanSquaredError":
      return -square! / total!;
    case "negRootMeanSquaredError":
      return -Math.sqrt(square! / total!);
    case "negMeanAbsoluteError":
      return -size! / total!;
    default:
      return -largest!;
  }
}

function scoresOf(
  names: readonly DatabaseScorer[],
  models: readonly FittedModel[],
  groups: readonly SumGroup[],
  scoreOf: (name: DatabaseScorer, model: FittedModel, groups: readonly SumGroup[]) => number,
): Record<string, Float64Array> {
  const byFold = models.map((_, f) => groups.filter(({ keys }) => keys[0] === f));
  return Object.fromEntries(
    names.map((name) => [name, Float64Array.from(models, (model, f) => scoreOf(name, model, byFold[f]!))]),
  );
}
