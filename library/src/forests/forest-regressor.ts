import type { FitOptions, FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { refuseOptions } from "../core/options.js";
import type { Params } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { openTable } from "../data/table-columns.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import { centredTargets } from "../trees/centred-targets.js";
import { targetCriterion, treeRows } from "../trees/growth.js";
import { treeTargetCriteria } from "../trees/impurities.js";
import {
  checkForest,
  FittedForest,
  type ForestDefaults,
  type ForestState,
  forestParams,
  forestSteps,
  readForest,
  type Splitter,
} from "./forest.js";

/** The params table of forest regressors. */
export const forestRegressorParams = (defaults: ForestDefaults) => ({
  criterion: targetCriterion,
  ...forestParams(defaults),
});
type ForestRegressorTable = ReturnType<typeof forestRegressorParams>;

/** The fit of forest regressors, which differ in their splitter, their defaults and the class of their models. */
export abstract class ForestRegressor extends Estimator<ForestRegressorTable> {
  constructor(id: string, table: ForestRegressorTable, params: Params<ForestRegressorTable>) {
    super(id, table, params);
    checkForest(id, this.params);
  }

  protected fitForest<M>(
    splitter: Splitter,
    Model: new (state: ForestState) => M,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): M {
    const where = `${this.id}.fit`;
    return runSteps(where, this.growForest(where, splitter, Model, x, y, options), options);
  }

  /** The fit, tree by tree. */
  protected *growForest<M>(
    where: string,
    splitter: Splitter,
    Model: new (state: ForestState) => M,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Steps<M> {
    const { id, params } = this;
    const opened = openTable(where, x);
    const set = regressionSet(where, opened.x, y, options, { sparse: true, missing: true });
    const { targets, uncentred } = centredTargets(where, set.y, params.criterion);
    const task = {
      id,
      where,
      params,
      splitter,
      criterion: treeTargetCriteria[params.criterion],
      rows: treeRows(where, set.x, opened, params.categoricalFeatures),
      targets: { y: targets },
      weights: set.weights,
      uncentred,
      score: (means: Float64Array) => outOfBagR2(means, set),
    };
    return yield* forestSteps(task, (state) => new Model(state));
  }
}

/** R² over the rows that at least one tree has not drawn; undefined for fewer than two, which have no variance. */
function outOfBagR2(means: Float64Array, { y, weights }: RegressionSet): number | undefined {
  const rows = Int32Array.from(means.keys()).filter((i) => !Number.isNaN(means[i]!));
  if (rows.length < 2) return undefined;
  const sampleWeight = weights && Float64Array.from(rows, (i) => weights[i]!);
  return r2Score(
    Float64Array.from(rows, (i) => y[i]!),
    Float64Array.from(rows, (i) => means[i]!),
    { sampleWeight },
  );
}

/** The inverse of `FittedForestRegressor.toState`. */
export const readForestRegressor = (state: ModelState): ForestState => readForest(new StateReader(state), 1);

export class FittedForestRegressor extends FittedForest implements FittedRegressor {
  /** The mean over the trees of the value of each row's leaf: its mean target, or its median with absoluteError. */
  predict(x: MatrixLike): Float64Array;
  predict(x: MatrixLike, ...given: readonly unknown[]): Float64Array {
    refuseOptions(`${this.learned.id}.predict`, given);
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
