import type { FittedTargets, MatrixLike } from "../core/contract.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import { readTableColumns } from "../data/table/table-columns.js";
import { readTargetNames, targetNamesJson } from "../data/targets.js";
import { withTargets } from "../fitted/targets.js";
import { FittedTree, type TreeState } from "./fitted-tree.js";
import { readTree } from "./tree.js";

interface TreeTargetsState extends TreeState {
  readonly targetNames?: readonly string[] | undefined;
}

/** A decision tree whose leaves predict several targets. */
export class FittedTreeTargets extends /* @__PURE__ */ withTargets(FittedTree) implements FittedTargets {
  static readonly id = "TreeTargets";

  /** Names of the targets, if Y was a table in fit. */
  readonly targetNames: readonly string[] | undefined;

  constructor(state: TreeTargetsState) {
    super(state);
    this.targetNames = state.targetNames;
  }

  get nTargets(): number {
    return this.tree.grown.width;
  }

  /** The mean targets in each row's leaf: one row per row of X, one column per target. */
  protected predictRows(where: string, x: MatrixLike): Matrix {
    const { values, width } = this.tree.grown;
    const leaves = this.tree.leaves(where, x);
    const out = Matrix.zeros(leaves.length, width);
    for (let i = 0; i < leaves.length; i++) {
      const leaf = leaves[i]! * width;
      for (let t = 0; t < width; t++) out.data[i * width + t] = values[leaf + t]!;
    }
    return out;
  }

  toState(): ModelState {
    const { learned, nTargets, targetNames } = this;
    const values = { estimator: learned.id, targets: nTargets, ...targetNamesJson(targetNames) };
    return { ...this.stateWith(values), kind: FittedTreeTargets.id };
  }

  static restore(state: ModelState): FittedTreeTargets {
    const reader = new StateReader(state);
    const targets = reader.count("targets");
    if (targets === 0) reader.fail("targets", "at least one", "0");
    const nFeatures = reader.count("nFeatures");
    return new FittedTreeTargets({
      id: reader.text("estimator"),
      params: state.params,
      tree: readTree(reader, targets, nFeatures, readTableColumns(reader, nFeatures)),
      targetNames: readTargetNames(reader, targets),
    });
  }

  protected describe(): (value: Float64Array) => string {
    return (value) => Array.from(value, (v) => v.toPrecision(4)).join(", ");
  }
}
