import { classifier } from "../core/capabilities.js";
import type {
  Capabilities,
  DefaultCandidate,
  FitOptions,
  FittedProbabilisticClassifier,
  MatrixLike,
} from "../core/contract.js";
import { show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { argmax } from "../core/numbers/scores.js";
import { beginFit } from "../core/params/options.js";
import { classWeight } from "../core/params/params.js";
import { type Json, type ModelState, StateReader } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import { openTable, readTableColumns } from "../data/table/table-columns.js";
import { classificationSet } from "../data/training-set.js";
import { withProbabilities } from "../fitted/classifiers.js";
import { growTree } from "../numeric/trees/grow-tree.js";
import { FittedTree, type TreeState } from "./fitted-tree.js";
import { classCriterion, controlsOf, growthParams, treeColumns, treeRows } from "./growth.js";
import { classCriteria } from "./impurities.js";
import { pruned } from "./pruning.js";
import { treeSpace } from "./search-space.js";
import { readTree, Tree } from "./tree.js";

export const decisionTreeClassifierParams = {
  criterion: classCriterion,
  ...growthParams,
  classWeight: classWeight(),
};

export const treeClassifier = (facts: Partial<Capabilities> = {}): Capabilities =>
  classifier({ sparse: true, missing: true, categorical: true, probabilities: true, form: "tree", ...facts });

/**
 * A binary tree of splits xⱼ ≤ θ, each with the largest decrease of impurity:
 *
 *   maximise over (j, θ) at every node:   Δi = i(P) − (N_L/N_P) i(L) − (N_R/N_P) i(R)
 *
 * Ties go to the first column and the lowest θ. NaN is a missing value: each split sends it to the side with the larger decrease. A
 * categorical column, or text in a table, is split into two groups of categories. A leaf predicts its class proportions.
 * Parity: scikit-learn's DecisionTreeClassifier, in 64 bits (it rounds X to 32).
 */
export class DecisionTreeClassifier extends Estimator<typeof decisionTreeClassifierParams> {
  static readonly id = "DecisionTreeClassifier";
  static readonly table = decisionTreeClassifierParams;
  static readonly capabilities = treeClassifier();
  static readonly starter = { place: 4, params: { maxDepth: 4 } } as const;
  static readonly candidate: DefaultCandidate = { cost: 7 };
  static readonly searchSpace = treeSpace;

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedDecisionTreeClassifier<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const { params } = this;
    const opened = openTable(where, x);
    const rules = { sparse: true, missing: true };
    const set = classificationSet(where, opened.x, y, options, rules, params.classWeight);
    const rows = treeRows(where, set.x, opened, params.categoricalFeatures);
    const weight = set.weights ? set.weights.reduce((sum, w) => sum + w, 0) : rows.x.rows;
    const controls = controlsOf(where, params, classCriteria[params.criterion], rows.x, weight);
    const columns = treeColumns(where, rows, controls);
    try {
      const targets = { codes: set.codes, classes: set.classes.length };
      const grown = growTree(where, columns, targets, set.weights, controls);
      const tree = new Tree(pruned(grown, params.ccpAlpha), rows.x.cols, rows.columns);
      return new FittedDecisionTreeClassifier({ id: DecisionTreeClassifier.id, params, tree }, set.classes);
    } finally {
      columns.close();
    }
  }

  static restore(state: ModelState): FittedDecisionTreeClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const nFeatures = reader.count("nFeatures");
    const tree = readTree(reader, classes.length, nFeatures, readTableColumns(reader, nFeatures));
    return new FittedDecisionTreeClassifier({ id: state.kind, params: state.params, tree }, classes);
  }
}

export class FittedDecisionTreeClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withProbabilities(FittedTree)<L>
  implements FittedProbabilisticClassifier<L>
{
  constructor(
    state: TreeState,
    readonly classes: readonly L[],
  ) {
    super(state);
  }

  /** The tree as plain data; the `value` of a node is its class proportions, in the order of `classes`. */
  override toJSON(): Json {
    return { ...(super.toJSON() as object), classes: [...this.classes] };
  }

  toState(): ModelState {
    return this.stateWith({ classes: [...this.classes] });
  }

  /** The most frequent class in each row's leaf; of equally frequent ones the first. */
  protected override predictedLabels(where: string, x: MatrixLike): L[] {
    const { values, width } = this.tree.grown;
    const leaves = this.tree.leaves(where, x);
    const labels = new Array<L>(leaves.length);
    for (let i = 0; i < leaves.length; i++)
      labels[i] = this.classes[argmax(values, leaves[i]! * width, width)]!;
    return labels;
  }

  /** Class proportions in the leaf of each row. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const { values, width } = this.tree.grown;
    const leaves = this.tree.leaves(where, x);
    const out = Matrix.zeros(leaves.length, width);
    for (let i = 0; i < leaves.length; i++) {
      for (let k = 0; k < width; k++) out.data[i * width + k] = values[leaves[i]! * width + k]!;
    }
    return out;
  }

  protected describe(): (value: Float64Array) => string {
    return (value) => {
      const best = argmax(value);
      return `class ${show(this.classes[best])} (${(100 * value[best]!).toFixed(0)} %)`;
    };
  }
}
