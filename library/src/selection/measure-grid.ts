import { AbortError } from "../core/errors.js";
import type { SignalLike } from "../core/signal.js";
import { Matrix } from "../data/matrix.js";
import type { ScoreFunction } from "../metrics/scorers.js";
import type { Learner } from "./cross-validate.js";
import { inFold, type Plan, partsOf } from "./folds.js";
import { measureFold } from "./measure-fold.js";
import { oneScorer } from "./scorer-list.js";

/** One estimator and the folds that it is measured by. */
export interface GridPoint {
  readonly estimator: Learner;
  readonly plan: Plan;
}

/** Training and test scores, one row per point, one column per fold. */
export function measureGrid(
  where: string,
  points: readonly GridPoint[],
  scorer: ScoreFunction,
  signal: SignalLike | undefined,
): { trainScores: Matrix; testScores: Matrix } {
  const cols = points[0]!.plan.folds.length;
  const trainScores = Matrix.zeros(points.length, cols);
  const testScores = Matrix.zeros(points.length, cols);
  points.forEach(({ estimator, plan }, p) => {
    for (let f = 0; f < cols; f++) {
      if (signal?.aborted) throw new AbortError(where, signal);
      const { trainScores: train, testScores: test } = inFold(where, f, () =>
        measureFold(estimator, partsOf(plan, f), oneScorer(scorer), { trainScore: true, signal }),
      );
      trainScores.data[p * cols + f] = train![0]!;
      testScores.data[p * cols + f] = test[0]!;
    }
  });
  return { trainScores, testScores };
}
