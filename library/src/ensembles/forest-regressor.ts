import type { FitOptions, FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import type { GrownTree } from "../numeric/tree-grower.js";
import { centred } from "../trees/decision-tree-regressor.js";
import { controlsOf, type GrowthParams } from "../trees/growth.js";
import { type TargetCriterion, targetCriteria } from "../trees/impurities.js";
import { pruned } from "../trees/pruning.js";
import { readTree } from "../trees/tree.js";
import {
  FittedForest,
  type ForestParams,
  type ForestState,
  forestRows,
  type GrownForest,
  growSteps,
  outOfBag,
  splitTrees,
} from "./forest.js";

export interface TargetForestParams extends ForestParams, Omit<GrowthParams, "splitter"> {
  readonly criterion: TargetCriterion;
}

/** Everything that forests of regressors do to learn, tree by tree; `fitted` makes their model. */
export function* targetForestSteps<M>(
  id: string,
  where: string,
  params: TargetForestParams,
  splitter: "best" | "random",
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  fitted: (state: ForestState) => M,
): Generator<Step<M>, M, void> {
  const set = regressionSet(where, x, y, options, { sparse: true, missing: true });
  const rows = forestRows(where, set.x);
  const weight = set.weights ? set.weights.reduce((sum, w) => sum + w, 0) : rows.rows;
  const controls = controlsOf(where, { ...params, splitter }, targetCriteria[params.criterion], rows, weight);
  const { targets, restored } = centred(where, set.y, params.criterion);
  const modelOf = ({ trees, samples }: GrownForest) => {
    const oobScore = params.oobScore ? outOfBagScore(outOfBag(rows, { trees, samples }), set) : undefined;
    return fitted({ id, params: params as never, trees, oobScore });
  };
  const finish = (grown: GrownTree) =>
    pruned({ ...grown, values: grown.values.map(restored) }, params.ccpAlpha);
  const { categoricalFeatures: categories } = params;
  return yield* growSteps(
    where,
    rows,
    categories,
    { y: targets },
    set.weights,
    controls,
    params,
    finish,
    modelOf,
  );
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
  const nFeatures = reader.count("nFeatures");
  const trees = splitTrees(reader, 1).map((tree) => readTree(new StateReader(tree), 1, nFeatures));
  const oobScore = state.values["oobScore"] === undefined ? undefined : reader.number("oobScore");
  return { id: state.kind, params: state.params, trees, oobScore };
}

export class FittedForestRegressor extends FittedForest implements FittedRegressor {
  /** Mean over the trees of the means of each row's leaf. */
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
