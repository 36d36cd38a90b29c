import type { FittedTargets, MatrixLike } from "../core/contract.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import { withTargets } from "../fitted/targets.js";
import { readSeveralTargets, severalTargetsJson } from "../trees/tree-targets.js";
import { FittedForest, type ForestState, readForest } from "./forest.js";

interface ForestTargetsState extends ForestState {
  readonly targetNames?: readonly string[] | undefined;
}

/** A forest whose leaves predict several targets. */
export class FittedForestTargets extends /* @__PURE__ */ withTargets(FittedForest) implements FittedTargets {
  static readonly id = "ForestTargets";

  /** Names of the targets, if Y was a table in fit. */
  readonly targetNames: readonly string[] | undefined;

  constructor(state: ForestTargetsState) {
    super(state);
    this.targetNames = state.targetNames;
  }

  get nTargets(): number {
    return this.trees[0]!.grown.width;
  }

  /** The mean over the trees of the mean targets in each row's leaf: one row per row of X, one column per target. */
  protected predictRows(where: string, x: MatrixLike): Matrix {
    const means = this.means(where, x);
    return new Matrix(means, means.length / this.nTargets, this.nTargets);
  }

  toState(): ModelState {
    return { ...this.stateWith(severalTargetsJson(this.id, this)), kind: FittedForestTargets.id };
  }

  static restore(state: ModelState): FittedForestTargets {
    const reader = new StateReader(state);
    const { nTargets, ...known } = readSeveralTargets(reader);
    return new FittedForestTargets({ ...readForest(reader, nTargets), ...known });
  }
}
