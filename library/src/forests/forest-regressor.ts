import type { FitOptions, FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { choice, type ParamValues } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { openTable } from "../data/table-columns.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import { centredTargets } from "../trees/decision-tree-regressor.js";
import { treeRows } from "../trees/growth.js";
import { type TreeTargetCriterion, treeTargetCriteria } from "../trees/impurities.js";
import {
  type DrawsRows,
  FittedForest,
  type ForestState,
  forestParams,
  forestSteps,
  readTrees,
} from "./forest.js";

const criteria = Object.keys(treeTargetCriteria) as [TreeTargetCriterion, ...TreeTargetCriterion[]];

/** The params table of forests of regressors. */
export const targetForestParams = (draws: DrawsRows) => ({
  criterion: choice(criteria, {
    default: "squaredError",
    doc: "What a split lowers: the variance, the Poisson deviance of counts, or the absolute error around the median.",
  }),
  ...forestParams(draws),
});

/** Everything that forests of regressors do to learn, tree by tree; `fitted` makes their model. */
export function* targetForestSteps<M>(
  id: string,
  where: string,
  params: ParamValues<ReturnType<typeof targetForestParams>>,
  splitter: "best" | "random",
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  fitted: (state: ForestState) => M,
): Generator<Step<M>, M, void> {
  const opened = openTable(where, x);
  const set = regressionSet(where, opened.x, y, options, { sparse: true, missing: true });
  const { targets, restored } = centredTargets(where, set.y, params.criterion);
  const task = {
    id,
    where,
    params,
    splitter,
    criterion: treeTargetCriteria[params.criterion],
    rows: treeRows(where, set.x, opened, params.categoricalFeatures),
    targets: { y: targets },
    weights: set.weights,
    restored,
    score: (means: Float64Array) => outOfBagScore(means, set),
  };
  return yield* forestSteps(task, fitted);
}

/** R² of the rows that at least one tree has left out; undefined of fewer than two, which have no spread. */
function outOfBagScore(means: Float64Array, { y, weights }: RegressionSet): number | undefined {
  const told = Int32Array.from(means.keys()).filter((i) => !Number.isNaN(means[i]!));
  if (told.length < 2) return undefined;
  const sampleWeight = weights && Float64Array.from(told, (i) => weights[i]!);
  return r2Score(
    Float64Array.from(told, (i) => y[i]!),
    Float64Array.from(told, (i) => means[i]!),
    { sampleWeight },
  );
}

/** Rebuilds what `toState` of a forest of regressors wrote. */
export function restoreTargetForest(state: ModelState): ForestState {
  const reader = new StateReader(state);
  const trees = readTrees(reader, 1);
  const oobScore = state.values["oobScore"] === undefined ? undefined : reader.number("oobScore");
  return { id: state.kind, params: state.params, trees, oobScore };
}

export class FittedForestRegressor extends FittedForest implements FittedRegressor {
  /** Mean over the trees of the mean, or median, of each row's leaf. */
  predict(x: MatrixLike): Float64Array {
    return this.means(`${this.learned.id}.predict`, x);
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({});
  }
}
