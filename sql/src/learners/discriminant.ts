import { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } from "argmax";
import {
  deviationsOf,
  linearDiscriminantOfSums,
  mergeScatter,
  quadraticDiscriminantOfSums,
  type Scatter,
} from "argmax/sums";
import {
  choose,
  compare,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  sum,
} from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { groupMoments } from "./moments.js";
import { classKey } from "./state.js";

async function classMoments(rows: TrainingRows): Promise<readonly Scatter[]> {
  const groups = await groupMoments(rows, rows.x, { by: classKey(rows), cross: true });
  return groups.map(({ total, mean, squares }) => ({ count: total, mean, scatter: squares }));
}

/** Σ w ‖(x − mean) / deviation‖⁴ of each class around its mean, and last of all rows around theirs: what Ledoit and Wolf shrink by. */
async function quartics(rows: TrainingRows, moments: readonly Scatter[]): Promise<Float64Array> {
  const { key } = classKey(rows);
  const own = fourthPower(
    rows,
    (j) => perClass(key, moments, (moment) => moment.mean[j]!),
    (j) => perClass(key, moments, (moment) => deviationsOf(moment)[j]!),
  );
  const all = moments.reduce(mergeScatter);
  const scale = deviationsOf(all);
  const whole = fourthPower(
    rows,
    (j) => number(all.mean[j]!),
    (j) => number(scale[j]!),
  );
  const [groups, total] = await rows.several([
    { groupBy: [{ of: key, type: "number" }], aggregates: [sumOf(rows.weighted(own))] },
    { groupBy: [], aggregates: [sumOf(rows.weighted(whole))] },
  ]);
  const out = new Float64Array(moments.length + 1);
  for (const { keys, values } of groups!) out[Number(keys[0])] = values[0]!;
  out[moments.length] = total![0]!.values[0]!;
  return out;
}

/** ‖(x − mean) / deviation‖⁴ of a row. */
function fourthPower(
  { x }: TrainingRows,
  mean: (j: number) => Expression,
  deviation: (j: number) => Expression,
): Expression {
  const squares = x.map((e, j) => {
    const z = shared(divide(subtract(e, mean(j)), deviation(j)));
    return multiply(z, z);
  });
  const square = shared(sum(squares));
  return multiply(square, square);
}

const perClass = (key: Expression, moments: readonly Scatter[], of: (moment: Scatter) => number) =>
  choose(moments.map((moment, k) => ({ test: compare(key, "=", number(k)), value: number(of(moment)) })));

export const discriminantLearners = [
  learner(LinearDiscriminantAnalysis, async (estimator, rows) => {
    const moments = await classMoments(rows);
    const sums =
      estimator.params.shrinkage === "auto"
        ? { moments, quartics: await quartics(rows, moments) }
        : { moments };
    const known = { classes: rows.target!.classes, featureNamesIn: rows.namesIn };
    return linearDiscriminantOfSums(rows.where, estimator.params, known, sums);
  }),
  learner(QuadraticDiscriminantAnalysis, async (estimator, rows) => {
    const known = { classes: rows.target!.classes, featureNamesIn: rows.namesIn };
    return quadraticDiscriminantOfSums(rows.where, estimator.params, known, await classMoments(rows));
  }),
];
