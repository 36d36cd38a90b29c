import type {
  Capabilities,
  FitOptions,
  FittedRegressor,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit, refuseOptions } from "../core/options.js";
import type { Params } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { openTable, readTableColumns } from "../data/table-columns.js";
import { regressionSet } from "../data/training-set.js";
import { r2Score } from "../metrics/regression.js";
import { type GrownTree, growTree, type TreeControls } from "../numeric/trees/grow-tree.js";
import { growByAbsoluteError } from "./absolute-tree.js";
import { centredTargets } from "./centred-targets.js";
import { treeClassifierCapabilities } from "./decision-tree-classifier.js";
import { FittedTree } from "./fitted-tree.js";
import {
  absoluteRows,
  controlsOf,
  growthParams,
  type TreeRows,
  targetCriterion,
  treeColumns,
  treeRows,
} from "./growth.js";
import { treeTargetCriteria } from "./impurities.js";
import { pruned } from "./pruning.js";
import { readTree, Tree } from "./tree.js";

export const decisionTreeRegressorParams = {
  criterion: targetCriterion,
  ...growthParams,
};

export const treeRegressorCapabilities: Capabilities = {
  ...treeClassifierCapabilities,
  task: "regression",
  multiclass: false,
  probabilities: false,
};

/**
 * A binary tree of splits xⱼ ≤ θ, each with the largest decrease of squared error, Poisson deviance or absolute error:
 *
 *   maximise over (j, θ) at every node:   (Σ_L y)²/N_L + (Σ_R y)²/N_R,      or   Σ_L y log ȳ_L + Σ_R y log ȳ_R  (poisson)
 *   minimise over (j, θ):   Σ_L |y − median_L| + Σ_R |y − median_R|      (absoluteError)
 *
 * Ties go to the first column and the lowest θ. NaN is a missing value: each split sends it to the better side. A leaf predicts its
 * mean target, or its weighted median with absoluteError.
 * Parity: scikit-learn's DecisionTreeRegressor, in 64 bits (it rounds X to 32).
 */
export class DecisionTreeRegressor extends Estimator<typeof decisionTreeRegressorParams> {
  static readonly id = "DecisionTreeRegressor";
  static readonly table = decisionTreeRegressorParams;
  static readonly capabilities: Capabilities = treeRegressorCapabilities;

  constructor(params: Params<typeof decisionTreeRegressorParams> = {}) {
    super(DecisionTreeRegressor.id, decisionTreeRegressorParams, params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedDecisionTreeRegressor {
    const where = "DecisionTreeRegressor.fit";
    beginFit(where, options);
    const { params } = this;
    const opened = openTable(where, x);
    const set = regressionSet(where, opened.x, y, options, { sparse: true, missing: true });
    const rows = treeRows(where, set.x, opened, params.categoricalFeatures);
    const weight = set.weights ? set.weights.reduce((sum, w) => sum + w, 0) : rows.x.rows;
    const controls = controlsOf(where, params, treeTargetCriteria[params.criterion], rows.x, weight);
    const { targets, uncentred } = centredTargets(where, set.y, params.criterion);
    const { weights } = set;
    const grown =
      params.criterion === "absoluteError"
        ? growByAbsoluteError({
            x: absoluteRows(where, rows.x),
            categories: rows.categories,
            y: targets,
            weights,
            controls,
          })
        : growSorted(where, rows, targets, weights, controls);
    const whole = { ...grown, values: grown.values.map(uncentred) };
    const tree = new Tree(pruned(whole, params.ccpAlpha), rows.x.cols, rows.columns);
    return new FittedDecisionTreeRegressor({ id: DecisionTreeRegressor.id, params, tree });
  }

  static restore(state: ModelState): FittedDecisionTreeRegressor {
    const reader = new StateReader(state);
    const nFeatures = reader.count("nFeatures");
    const tree = readTree(reader, 1, nFeatures, readTableColumns(reader, nFeatures));
    return new FittedDecisionTreeRegressor({ id: state.kind, params: state.params, tree });
  }
}

function growSorted(
  where: string,
  rows: TreeRows,
  y: Float64Array,
  weights: Float64Array | undefined,
  controls: TreeControls,
): GrownTree {
  const columns = treeColumns(where, rows, controls);
  try {
    return growTree(where, columns, { y }, weights, controls);
  } finally {
    columns.close();
  }
}

export class FittedDecisionTreeRegressor extends FittedTree implements FittedRegressor {
  /** The mean target in each row's leaf, or the median with absoluteError. */
  predict(x: MatrixLike): Float64Array;
  predict(x: MatrixLike, ...given: readonly unknown[]): Float64Array {
    refuseOptions("DecisionTreeRegressor.predict", given);
    const leaves = this.tree.leaves("DecisionTreeRegressor.predict", x);
    return Float64Array.from(leaves, (leaf) => this.tree.grown.values[leaf]!);
  }

  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({});
  }

  protected describe(): (value: Float64Array) => string {
    return (value) => value[0]!.toPrecision(4);
  }
}
