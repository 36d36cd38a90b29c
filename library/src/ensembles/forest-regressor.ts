import type { FitOptions, FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import { runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { type ModelState, StateReader } from "../core/state.js";
import { regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import { centred } from "../trees/decision-tree-regressor.js";
import { controlsOf, type GrowthParams } from "../trees/growth.js";
import { type TargetCriterion, targetCriteria } from "../trees/impurities.js";
import { pruned } from "../trees/pruning.js";
import { readTree, Tree } from "../trees/tree.js";
import {
  FittedForest,
  type ForestParams,
  type ForestState,
  forestRows,
  growSteps,
  outOfBag,
  splitTrees,
} from "./forest.js";

export interface TargetForestParams extends ForestParams, Omit<GrowthParams, "splitter"> {
  readonly criterion: TargetCriterion;
}

/** Everything that forests of regressors do to learn. */
export function fitTargetForest(
  id: string,
  params: TargetForestParams,
  splitter: "best" | "random",
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
): ForestState {
  const where = `${id}.fit`;
  const set = regressionSet(where, x, y, options, { sparse: true, missing: true });
  const rows = forestRows(where, set.x);
  const weight = set.weights ? set.weights.reduce((sum, w) => sum + w, 0) : rows.rows;
  const controls = controlsOf(where, { ...params, splitter }, targetCriteria[params.criterion], rows, weight);
  const { targets, restored } = centred(where, set.y, params.criterion);
  const steps = growSteps(
    where,
    rows,
    params.categoricalFeatures,
    { y: targets },
    set.weights,
    controls,
    params,
  );
  const forest = runSteps(where, steps, options);
  const trees = forest.trees.map(({ grown }) => {
    const whole = { ...grown, values: grown.values.map(restored) };
    return new Tree(pruned(whole, params.ccpAlpha), rows.cols);
  });
  let oobScore: number | undefined;
  if (params.oobScore) {
    const means = outOfBag(rows, { trees, samples: forest.samples });
    const told = Int32Array.from(means.keys()).filter((i) => !Number.isNaN(means[i]!));
    const sampleWeight = set.weights && Float64Array.from(told, (i) => set.weights![i]!);
    oobScore = r2Score(
      Float64Array.from(told, (i) => set.y[i]!),
      Float64Array.from(told, (i) => means[i]!),
      { sampleWeight },
    );
  }
  return { id, params: params as never, trees, oobScore };
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
