import { listOf } from "../core/column-like.js";
import type { Samples } from "../core/contract.js";
import { AbortError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { readOptions } from "../core/params/options.js";
import { integer, randomState, type TableOf } from "../core/params/params.js";
import { countRows, type Rows, selectRows } from "../data/select-rows.js";
import { findScorer, type ScoreFunction } from "../metrics/scorers.js";
import type { Learner, TargetsOf } from "./cross-validate.js";
import { inFold, type Plan, partsOf, planFolds, requireLearner } from "./folds.js";
import { type CurveOptions, curveOptions } from "./learning-curve.js";
import { measureFold } from "./measure-fold.js";
import { oneScorer } from "./scorer-list.js";

export interface PermutationTestOptions<E extends Learner> extends CurveOptions<E> {
  /** How often y is permuted. */
  readonly nPermutations?: number | undefined;
  readonly randomState?: number | undefined;
}

const permutationTestOptions = {
  ...curveOptions,
  nPermutations: integer({ atLeast: 1, default: 100, doc: "How often y is permuted." }),
  randomState: randomState(),
} satisfies TableOf<PermutationTestOptions<Learner>>;

export interface PermutationTest {
  /** Mean score over the folds. */
  readonly score: number;
  /** The same for each permutation of y. */
  readonly permutationScores: Float64Array;
  /** (1 + the number of permutations that score no less) / (1 + their number). */
  readonly pValue: number;
}

/**
 * How likely a score as good is if X told nothing about y: the estimator is cross-validated with y permuted, within groups if there
 * are any [Ojala & Garriga 2010]. Weights stay with their rows.
 */
export function permutationTestScore<E extends Learner>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: TargetsOf<E>,
  options: PermutationTestOptions<E> = {},
): PermutationTest {
  const where = "permutationTestScore";
  requireLearner(where, estimator);
  const { nPermutations, randomState: seed } = readOptions(where, permutationTestOptions, options);
  const scorer = findScorer(where, options.scoring, estimator, options.positiveLabel);
  const plan = planFolds(where, estimator, x as Samples, y, options);
  const random = new Random(seed);
  const n = countRows(where, plan.x);
  const places = groupsOf(n, options.groups && listOf(options.groups));
  const meanScore = (own: Plan) => {
    if (options.signal?.aborted) throw new AbortError(where, options.signal);
    return meanTestScore(estimator, own, scorer);
  };
  const score = meanScore(plan);
  const permutationScores = Float64Array.from({ length: nPermutations }, () => {
    const order = permuted(n, places, random);
    return meanScore({ ...plan, y: selectRows(plan.y as Rows, order, where) as Plan["y"] });
  });
  const better = permutationScores.reduce((count, other) => count + (other >= score ? 1 : 0), 0);
  return { score, permutationScores, pValue: (1 + better) / (1 + nPermutations) };
}

function meanTestScore(estimator: Learner, plan: Plan, scorer: ScoreFunction): number {
  const total = plan.folds.reduce((sum, _, f) => {
    const { testScores } = inFold(plan.where, f, () =>
      measureFold(estimator, partsOf(plan, f), oneScorer(scorer), { trainScore: false }),
    );
    return sum + testScores[0]!;
  }, 0);
  return total / plan.folds.length;
}

/** The rows of each group; without groups one of all rows. */
function groupsOf(n: number, groups: ArrayLike<unknown> | undefined): readonly Int32Array[] {
  const rows = new Map<unknown, number[]>();
  for (let i = 0; i < n; i++) {
    const group = groups?.[i];
    const list = rows.get(group) ?? [];
    rows.set(group, list);
    list.push(i);
  }
  return Array.from(rows.values(), (list) => Int32Array.from(list));
}

function permuted(n: number, places: readonly Int32Array[], random: Random): Int32Array {
  const order = new Int32Array(n);
  for (const rows of places) {
    const shuffled = rows.slice();
    random.shuffleInto(shuffled);
    rows.forEach((i, e) => {
      order[i] = shuffled[e]!;
    });
  }
  return order;
}
