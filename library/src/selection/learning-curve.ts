import type { Samples } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { minOf } from "../core/numbers/extremes.js";
import { Random } from "../core/numbers/random.js";
import { readOptions } from "../core/params/options.js";
import { flag, numbers, randomState, type TableOf } from "../core/params/params.js";
import type { Matrix } from "../data/matrix.js";
import { findScorer } from "../metrics/scorers.js";
import type { Learner, TargetsOf, ValidationOptions } from "./cross-validate.js";
import { crossValidationOptions } from "./cross-validate.js";
import { type Plan, planFolds, requireLearner } from "./folds.js";
import { measureGrid } from "./measure-grid.js";

/** What all functions that measure by folds take. */
export type CurveOptions<E extends Learner> = Omit<
  ValidationOptions<E>,
  "returnTrainScore" | "returnModels" | "onProgress"
>;

const { cv, scoring, positiveLabel, groups, sampleWeight, signal } = crossValidationOptions;
export const curveOptions = { cv, scoring, positiveLabel, groups, sampleWeight, signal } satisfies TableOf<
  CurveOptions<Learner>
>;

export interface LearningCurveOptions<E extends Learner> extends CurveOptions<E> {
  /** Numbers of training rows, or, up to 1, fractions of the training rows of a fold. */
  readonly trainSizes?: ArrayLike<number> | undefined;
  /** Draw the rows of each size at random; otherwise the first ones are taken. */
  readonly shuffle?: boolean | undefined;
  readonly randomState?: number | undefined;
}

const learningCurveOptions = {
  ...curveOptions,
  trainSizes: numbers({
    above: 0,
    default: [0.1, 0.325, 0.55, 0.775, 1],
    doc: "Numbers of training rows, or fractions of those of a fold.",
  }),
  shuffle: flag({ default: true, doc: "Draw the rows of each size at random." }),
  randomState: randomState(),
} satisfies TableOf<LearningCurveOptions<Learner>>;

export interface LearningCurve {
  /** Numbers of training rows, ascending. */
  readonly trainSizes: Int32Array;
  /** One row per size, one column per fold. */
  readonly trainScores: Matrix;
  readonly testScores: Matrix;
}

/**
 * Scores of models that learn from more and more rows. Where the test score still rises, more rows help; where training and test score
 * meet below what is wanted, another model does.
 * Parity: scikit-learn's `shuffle` is false by default; rows sorted by class would then be learned one class at a time.
 */
export function learningCurve<E extends Learner>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: TargetsOf<E>,
  options: LearningCurveOptions<E> = {},
): LearningCurve {
  const where = "learningCurve";
  requireLearner(where, estimator);
  const {
    shuffle,
    trainSizes: wanted,
    randomState: seed,
  } = readOptions(where, learningCurveOptions, options);
  const scorer = findScorer(where, options.scoring, estimator, options.positiveLabel);
  const plan = planFolds(where, estimator, x as Samples, y, options);
  const trainSizes = sizesOf(where, wanted, minOf(plan.folds.map(({ train }) => train.length)));
  const orders = ordersOf(plan, shuffle ? new Random(seed) : undefined);
  const points = Array.from(trainSizes, (size) => ({
    estimator,
    plan: {
      ...plan,
      folds: plan.folds.map(({ test }, f) => ({ train: orders[f]!.slice(0, size), test })),
    },
  }));
  return { trainSizes, ...measureGrid(where, points, scorer, options.signal) };
}

/** The training rows of each fold in the order in which they are added. */
const ordersOf = ({ folds }: Plan, random: Random | undefined): readonly Int32Array[] =>
  folds.map(({ train }) => {
    const order = train.slice();
    random?.shuffleInto(order);
    return order;
  });

/** Distinct sizes, ascending. */
function sizesOf(where: string, wanted: readonly number[], most: number): Int32Array {
  if (wanted.length === 0) throw new ParameterError(where, "trainSizes", "one size or more", "none");
  const fractions = wanted.every((size) => size <= 1);
  const sizes = wanted.map((size) => (fractions ? Math.floor(size * most) : size));
  for (const size of sizes) {
    if (Number.isInteger(size) && size >= 1 && size <= most) continue;
    const expected = `fractions up to 1, or whole numbers up to the training rows of a fold (${most})`;
    throw new DataError(where, "trainSizes", expected, show(size));
  }
  return Int32Array.from(new Set(sizes)).sort();
}
