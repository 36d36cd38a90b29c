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

/** What a model of trees with several targets stores of them, and of its estimator. */
export const severalTargetsJson = (estimator: string, { nTargets, targetNames }: SeveralTargets) => ({
  estimator,
  targets: nTargets,
  ...targetNamesJson(targetNames),
});

type SeveralTargets = Pick<FittedTargets, "nTargets" | "targetNames">;

/** The inverse of `severalTargetsJson`. */
export function readSeveralTargets(reader: StateReader) {
  const nTargets = reader.count("targets");
  if (nTargets === 0) reader.fail("targets", "at least one", "0");
  return { id: reader.text("estimator"), nTargets, targetNames: readTargetNames(reader, nTargets) };
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
    return { ...this.stateWith(severalTargetsJson(this.id, this)), kind: FittedTreeTargets.id };
  }

  static restore(state: ModelState): FittedTreeTargets {
    const reader = new StateReader(state);
    const { nTargets, ...known } = readSeveralTargets(reader);
    const nFeatures = reader.count("nFeatures");
    const tree = readTree(reader, nTargets, nFeatures, readTableColumns(reader, nFeatures));
    return new FittedTreeTargets({ ...known, params: state.params, tree });
  }

  protected describe(): (value: Float64Array) => string {
    return (value) => Array.from(value, (v) => v.toPrecision(4)).join(", ");
  }
}
