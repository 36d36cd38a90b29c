import type {
  Capabilities,
  DefaultCandidate,
  FitOptions,
  FittedRegressor,
  MatrixLike,
} from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { type OpenedX, openTable, readTableColumns } from "../data/table/table-columns.js";
import { targetsSet } from "../data/targets.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { withRegression } from "../fitted/regressor.js";
import { type GrownTree, growTree, type TreeControls, type TreeTargets } from "../numeric/trees/grow-tree.js";
import { growByAbsoluteError } from "./absolute-tree.js";
import { centredColumns, centredTargets } from "./centred-targets.js";
import { treeClassifier } from "./decision-tree-classifier.js";
import { FittedTree } from "./fitted-tree.js";
import type { TreeRows } from "./growth.js";
import { absoluteRows, controlsOf, growthParams, targetCriterion, treeColumns, treeRows } from "./growth.js";
import { treeTargetCriteria } from "./impurities.js";
import { pruned } from "./pruning.js";
import { treeSpace } from "./search-space.js";
import { readTree, Tree } from "./tree.js";
import { FittedTreeTargets } from "./tree-targets.js";

export const decisionTreeRegressorParams = {
  criterion: targetCriterion,
  ...growthParams,
};

const treeInput = { sparse: true, missing: true } as const;

export const treeRegressor = (facts: Partial<Capabilities> = {}): Capabilities =>
  treeClassifier({ task: "regression", multiclass: false, probabilities: false, ...facts });

/**
 * A binary tree of splits xⱼ ≤ θ, each with the largest decrease of squared error, Poisson deviance or absolute error:
 *
 *   maximise over (j, θ) at every node:   (Σ_L y)²/N_L + (Σ_R y)²/N_R,      or   Σ_L y log ȳ_L + Σ_R y log ȳ_R  (poisson)
 *   minimise over (j, θ):   Σ_L |y − median_L| + Σ_R |y − median_R|      (absoluteError)
 *
 * Ties go to the first column and the lowest θ. NaN is a missing value: each split sends it to the better side. A leaf predicts its
 * mean target, or its weighted median with absoluteError. Of several targets, the mean of their errors decreases most.
 * Parity: scikit-learn's DecisionTreeRegressor, in 64 bits (it rounds X to 32).
 */
export class DecisionTreeRegressor extends Estimator<typeof decisionTreeRegressorParams> {
  static readonly id = "DecisionTreeRegressor";
  static readonly table = decisionTreeRegressorParams;
  static readonly capabilities = treeRegressor();
  static readonly starter = { place: 4 } as const;
  static readonly candidate: DefaultCandidate = { cost: 7 };
  static readonly searchSpace = treeSpace;
  static readonly severalTargets = FittedTreeTargets;

  /** A matrix Y has several targets, one per column: one tree, whose splits decrease the mean of their errors. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedTreeTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedDecisionTreeRegressor;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedDecisionTreeRegressor | FittedTreeTargets {
    const where = this.where("fit");
    beginFit(where, options);
    const { id, params } = this;
    const opened = openTable(where, x);
    if (isTargetMatrix(y)) {
      const set = targetsSet(where, opened.x, y, options, treeInput);
      const { targets, uncentred } = centredColumns(where, set.y, params.criterion);
      const tree = this.#grow(where, opened, set, targets, uncentred);
      return new FittedTreeTargets({ id, params, tree, targetNames: set.targetNames });
    }
    const set = regressionSet(where, opened.x, y, options, treeInput);
    const { targets, uncentred } = centredTargets(where, set.y, params.criterion);
    const tree = this.#grow(where, opened, set, { y: targets }, uncentred);
    return new FittedDecisionTreeRegressor({ id, params, tree });
  }

  #grow(
    where: string,
    opened: OpenedX,
    { x, weights }: Pick<RegressionSet, "x" | "weights">,
    targets: TreeTargets,
    uncentred: (value: number, e: number) => number,
  ): Tree {
    const { params } = this;
    const rows = treeRows(where, x, opened, params.categoricalFeatures);
    const weight = weights ? weights.reduce((sum, w) => sum + w, 0) : rows.x.rows;
    const controls = controlsOf(where, params, treeTargetCriteria[params.criterion], rows.x, weight);
    const grown =
      params.criterion === "absoluteError" && "y" in targets
        ? growByAbsoluteError({
            x: absoluteRows(where, rows.x),
            categories: rows.categories,
            y: targets.y,
            weights,
            controls,
          })
        : growSorted(where, rows, targets, weights, controls);
    const whole = { ...grown, values: grown.values.map(uncentred) };
    return new Tree(pruned(whole, params.ccpAlpha), rows.x.cols, rows.columns);
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
  targets: TreeTargets,
  weights: Float64Array | undefined,
  controls: TreeControls,
): GrownTree {
  const columns = treeColumns(where, rows, controls);
  try {
    return growTree(where, columns, targets, weights, controls);
  } finally {
    columns.close();
  }
}

export class FittedDecisionTreeRegressor
  extends /* @__PURE__ */ withRegression(FittedTree)
  implements FittedRegressor
{
  /** The mean target in each row's leaf, or the median with absoluteError. */
  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return Float64Array.from(this.tree.leaves(where, x), (leaf) => this.tree.grown.values[leaf]!);
  }

  toState(): ModelState {
    return this.stateWith({});
  }

  protected describe(): (value: Float64Array) => string {
    return (value) => value[0]!.toPrecision(4);
  }
}
