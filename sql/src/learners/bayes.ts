import { BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MixedNB, MultinomialNB } from "argmax";
import { DataError, type FittedModel } from "argmax/core";
import {
  allBlocks,
  BIT,
  blockEstimator,
  CODE,
  COUNT,
  LARGEST_CODE,
  layoutOf,
  leastCategories,
  requireCounted,
} from "argmax/sums";
import {
  call,
  choose,
  compare,
  type Expression,
  either,
  isIn,
  not,
  number,
  subtract,
  when,
} from "../expressions/expression.js";
import { type SumGroup, sumOf } from "../expressions/sums.js";
import { type AnyEstimator, type Learn, type Learner, learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { groupMoments } from "./moments.js";
import { classKey, modelState, stacked } from "./state.js";

/** Σ w e of expressions per class, and Σ w itself. */
async function classSums(rows: TrainingRows, of: readonly Expression[]) {
  const { classes, value } = rows.target!;
  const groups = await rows.sums({
    groupBy: [{ of: value, type: "number" }],
    aggregates: [sumOf(rows.weight), ...of.map((e) => sumOf(rows.weighted(e)))],
  });
  const byClass = classes.map(
    (_, k) => groups.find(({ keys }) => keys[0] === k)?.values ?? new Float64Array(1 + of.length),
  );
  return {
    classCount: Float64Array.from(byClass, (values) => values[0]!),
    sums: stacked(byClass.map((values) => values.subarray(1))),
  };
}

/** Throws for the first column with an entry for which the condition does not hold. */
async function requireEntries(
  rows: TrainingRows,
  isFine: (x: Expression) => Expression,
  { expected, advice }: { readonly expected: string; readonly advice: string },
): Promise<void> {
  const [group] = await rows.sums({
    groupBy: [],
    aggregates: rows.x.map((x) => sumOf(subtract(number(1), isFine(x)))),
  });
  const j = group!.values.findIndex((count) => count > 0);
  if (j < 0) return;
  const received = `another number in ${group!.values[j]} rows`;
  throw new DataError(rows.where, `column ${rows.nameOf(j)}`, expected, received, advice);
}

const learnGaussian: Learn<GaussianNB> = async (estimator, rows) => {
  const { classes } = rows.target!;
  const groups = await groupMoments(rows, rows.x, { by: classKey(rows) });
  const classCount = Float64Array.from(groups, ({ total }) => total);
  const theta = stacked(groups.map(({ mean }) => mean));
  const squares = stacked(groups.map((group) => group.squares));
  return GaussianNB.restore(modelState(estimator, rows, { classes }, { classCount, theta, squares }));
};

/** Σ w x per class, for models of counts. */
async function wordCounts(estimator: AnyEstimator, rows: TrainingRows) {
  const isCount = (x: Expression) => when(compare(x, ">=", number(0)), number(1), number(0));
  const [{ classCount, sums }] = await Promise.all([
    classSums(rows, rows.x),
    requireEntries(rows, isCount, COUNT),
  ]);
  if (!sums.data.every(Number.isFinite))
    throw new DataError(
      rows.where,
      "X",
      "of a sum that fits a double",
      "Infinity",
      "Divide it by a constant.",
    );
  return modelState(estimator, rows, { classes: rows.target!.classes }, { classCount, featureCount: sums });
}

const learnMultinomial: Learn<MultinomialNB> = async (estimator, rows) =>
  MultinomialNB.restore(await wordCounts(estimator, rows));

const learnComplement: Learn<ComplementNB> = async (estimator, rows) =>
  ComplementNB.restore(await wordCounts(estimator, rows));

const learnBernoulli: Learn<BernoulliNB> = async (estimator, rows) => {
  const { binarize } = estimator.params;
  const isBit = (x: Expression) => when(isIn(x, [number(0), number(1)]), number(1), number(0));
  const isOne = (x: Expression) => when(compare(x, ">", number(binarize ?? 0.5)), number(1), number(0));
  const [{ classCount, sums }] = await Promise.all([
    classSums(rows, rows.x.map(isOne)),
    ...(binarize === null ? [requireEntries(rows, isBit, BIT)] : []),
  ]);
  const { classes } = rows.target!;
  return BernoulliNB.restore(modelState(estimator, rows, { classes }, { classCount, featureCount: sums }));
};

const learnCategorical: Learn<CategoricalNB> = async (estimator, rows) => {
  const { where, x } = rows;
  const { classes, value } = rows.target!;
  const { alpha } = estimator.params;
  const least = leastCategories(where, estimator.params, x.length);
  // Before groups are asked for: a column of measurements has as many as rows.
  await requireEntries(rows, isCode, CODE);
  const [totals, ...counted] = await rows.several([
    { groupBy: [{ of: value, type: "number" }], aggregates: [sumOf(rows.weight)] },
    ...x.map((of) => ({
      groupBy: [
        { of: value, type: "number" as const },
        { of, type: "number" as const },
      ],
      aggregates: [sumOf(rows.weight)],
    })),
  ]);
  const seen = Int32Array.from(
    counted,
    (groups) => 1 + groups.reduce((most, { keys }) => Math.max(most, Number(keys[1])), 0),
  );
  if (typeof alpha !== "number") requireCounted(where, seen, least, (j) => rows.nameOf(j));
  const { sizes, offsets, total } = layoutOf(
    where,
    seen.map((size, j) => Math.max(size, least[j]!)),
    classes.length,
  );
  const categoryCount = new Float64Array(classes.length * total);
  counted.forEach((groups, j) => {
    for (const { keys, values } of groups)
      categoryCount[Number(keys[0]) * total + offsets[j]! + Number(keys[1])] = values[0]!;
  });
  const classCount = perClass(totals!, classes.length);
  const tensors = {
    classCount,
    nCategories: sizes,
    categoryCount: { shape: [classes.length, total], data: categoryCount },
  };
  return CategoricalNB.restore(modelState(estimator, rows, { classes }, tensors));
};

/** 1 for a whole number from 0 to the largest code. */
const isCode = (x: Expression): Expression =>
  choose(
    [
      { test: either(compare(x, "<", number(0)), compare(x, ">=", number(LARGEST_CODE))), value: number(0) },
      { test: not(compare(x, "=", call("floor", x))), value: number(0) },
    ],
    number(1),
  );

function perClass(groups: readonly SumGroup[], classes: number): Float64Array {
  const out = new Float64Array(classes);
  for (const { keys, values } of groups) out[Number(keys[0])] = values[0]!;
  return out;
}

const learnMixed: Learn<MixedNB> = async (estimator, rows, fit) => {
  const blocks = allBlocks(rows.where, estimator.params, rows.x.length);
  const learn = {
    gaussian: learnGaussian,
    bernoulli: learnBernoulli,
    categorical: learnCategorical,
    multinomial: learnMultinomial,
  };
  const parts = await Promise.all(
    blocks.map((block) => {
      const part = rows.withFeatures(
        block.columns.map((j) => rows.features[j]!),
        undefined,
      );
      return (learn[block.model] as Learn<AnyEstimator>)(blockEstimator(block), part, fit);
    }),
  );
  const groups = await rows.sums({
    groupBy: [{ of: rows.target!.value, type: "number" }],
    aggregates: [sumOf(rows.weight)],
  });
  const { classes } = rows.target!;
  const classCount = perClass(groups, classes.length);
  const states = parts.map((part) => part.toState());
  const values = { classes, nFeatures: rows.x.length };
  const restored = new Map<object, FittedModel>(states.map((state, p) => [state, parts[p]!]));
  return MixedNB.restore(
    modelState(estimator, rows, values, { classCount }, states),
    (state) => restored.get(state)!,
  );
};

export const bayesLearners: readonly Learner[] = [
  learner(GaussianNB, learnGaussian),
  learner(MultinomialNB, learnMultinomial),
  learner(ComplementNB, learnComplement),
  learner(BernoulliNB, learnBernoulli),
  learner(CategoricalNB, learnCategorical),
  learner(MixedNB, learnMixed),
];
