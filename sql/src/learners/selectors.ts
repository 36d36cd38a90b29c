import { SelectFdr, SelectFpr, SelectFwe, SelectKBest, SelectPercentile, VarianceThreshold } from "argmax";
import { DataError, type FittedModel, type Label, type ModelState, ParameterError } from "argmax/core";
import {
  chi2Of,
  fOfClasses,
  fOfCorrelation,
  pValuesOf,
  requireFewClasses,
  requireSome,
  storable,
} from "argmax/sums";
import type { Expression } from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { type AnyEstimator, learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { groupMoments } from "./moments.js";
import { columnRanges } from "./quantiles.js";
import { modelState } from "./state.js";
import { classTarget, numericTarget } from "./targets.js";

interface Classes {
  readonly value: Expression;
  readonly classes: readonly Label[];
}

/** Rows of each class with the mean of each column, and the squares within classes. */
async function classMeans(rows: TrainingRows, { value, classes }: Classes) {
  const moments = await groupMoments(rows, rows.x, { by: { key: value, groups: classes.length } });
  return { moments, counts: Float64Array.from(moments, ({ count }) => count) };
}

/** Which columns hold one number only, whose squares need not be 0. */
async function constantColumns(rows: TrainingRows): Promise<readonly boolean[]> {
  const ranges = await columnRanges(rows, rows.x);
  return ranges.map(({ least, greatest }) => least === greatest);
}

const scorers = {
  async fClassif(rows: TrainingRows): Promise<Float64Array> {
    const target = await classesOf(rows);
    const [{ moments, counts }, constant] = await Promise.all([
      classMeans(rows, target),
      constantColumns(rows),
    ]);
    const n = rows.passes.rows;
    return Float64Array.from(rows.x, (_, j) => {
      if (constant[j]) return Number.NaN;
      const means = Float64Array.from(moments, ({ mean }) => mean[j]!);
      // Around one of the means, since a sum of all may lose digits.
      const apart = means.map((mean) => mean - means[0]!);
      const mean = apart.reduce((sum, own, k) => sum + (own * counts[k]!) / n, 0);
      const inside = moments.reduce((sum, { squares }) => sum + squares[j]!, 0);
      return fOfClasses(counts, apart, mean, inside);
    });
  },
  async fRegression(rows: TrainingRows): Promise<Float64Array> {
    const y = numericTarget(rows);
    const n = rows.passes.rows;
    const d = rows.x.length;
    const [[moments], constant, [range]] = await Promise.all([
      groupMoments(rows, [...rows.x, y], { cross: true }),
      constantColumns(rows),
      columnRanges(rows, [y]),
    ]);
    const { squares } = moments;
    const side = d + 1;
    return Float64Array.from(rows.x, (_, j) =>
      n <= 2 || constant[j] || range!.least === range!.greatest
        ? 0
        : fOfCorrelation(n, squares[j * side + j]!, squares[j * side + d]!, squares[d * side + d]!),
    );
  },
  async chi2(rows: TrainingRows): Promise<Float64Array> {
    const { value, classes } = await classesOf(rows);
    const [groups, ranges] = await Promise.all([
      rows.sums({ groupBy: [{ of: value, type: "number" }], aggregates: rows.x.map(sumOf) }),
      columnRanges(rows, rows.x),
    ]);
    const negative = ranges.findIndex(({ least }) => least < 0);
    if (negative >= 0)
      throw new DataError(
        rows.where,
        `column ${rows.nameOf(negative)}`,
        "counts or frequencies ≥ 0, as chi2 requires",
        `${ranges[negative]!.least}`,
      );
    const shares = new Float64Array(classes.length);
    for (const { keys, count } of groups) shares[Number(keys[0])] = count / rows.passes.rows;
    return Float64Array.from(rows.x, (_, j) => {
      const observed = new Float64Array(classes.length);
      for (const { keys, values } of groups) observed[Number(keys[0])] = values[j]!;
      return chi2Of(
        observed,
        observed.reduce((sum, own) => sum + own, 0),
        shares,
      );
    });
  },
} as const;

async function classesOf(rows: TrainingRows): Promise<Classes> {
  const target = await classTarget(rows);
  requireFewClasses(rows.where, target.classes.length, rows.passes.rows, "fRegression");
  return target;
}

interface Selector extends AnyEstimator {
  chosen(where: string, scored: object): readonly number[];
}

/** Learns a selector by scores that sums know. */
const byScores =
  (type: { restore(state: ModelState): FittedModel }) =>
  async (estimator: AnyEstimator, rows: TrainingRows): Promise<FittedModel> => {
    const { scoreFunction } = estimator.params as { readonly scoreFunction: unknown };
    const name = Object.keys(scorers).find((known) => known === scoreFunction) as
      | keyof typeof scorers
      | undefined;
    if (name === undefined) {
      const expected = `one of ${Object.keys(scorers)
        .map((known) => JSON.stringify(known))
        .join(", ")}, which sums over rows know`;
      throw new ParameterError(rows.where, "scoreFunction", expected, String(JSON.stringify(scoreFunction)));
    }
    const scores = await scorers[name](rows);
    const K = name === "fRegression" ? 0 : (await classTarget(rows)).classes.length;
    const pValues = pValuesOf[name](scores, rows.passes.rows, K);
    const nFeatures = scores.length;
    const selected = (estimator as unknown as Selector).chosen(rows.where, { scores, pValues, nFeatures });
    const values = {
      nFeatures,
      selected: [...selected],
      scores: [...storable(scores)],
      pValues: [...storable(pValues)],
    };
    return type.restore(modelState(estimator, rows, values, {}));
  };

export const selectorLearners = [
  learner(VarianceThreshold, async (estimator, rows) => {
    const { threshold } = estimator.params;
    const [[{ total, squares }], constant] = await Promise.all([
      groupMoments(rows, rows.x),
      constantColumns(rows),
    ]);
    const variance = squares.map((sum, j) => (constant[j] ? 0 : sum / total));
    const selected = [...variance.keys()].filter(
      (j) => variance[j]! > threshold || (threshold === 0 && !constant[j]),
    );
    requireSome(rows.where, selected, `of variance above ${threshold}`, "Lower the threshold, or look at X.");
    const values = { nFeatures: variance.length, selected, scores: [...storable(variance)] };
    return VarianceThreshold.restore(modelState(estimator, rows, values, {}));
  }),
  learner(SelectKBest, byScores(SelectKBest)),
  learner(SelectPercentile, byScores(SelectPercentile)),
  learner(SelectFpr, byScores(SelectFpr)),
  learner(SelectFdr, byScores(SelectFdr)),
  learner(SelectFwe, byScores(SelectFwe)),
];
