import type { FittedRegressor, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { Params } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { type OpenedX, openTable } from "../data/table/table-columns.js";
import { type TargetsSet, targetsSet } from "../data/targets.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import type { ResumeOptions } from "../ensembles/resume.js";
import { withRegression } from "../fitted/regressor.js";
import { r2Score } from "../metrics/regression/regression.js";
import { centredColumns, centredTargets } from "../trees/centred-targets.js";
import { treeRegressor } from "../trees/decision-tree-regressor.js";
import { targetCriterion, treeRows } from "../trees/growth.js";
import { treeTargetCriteria } from "../trees/impurities.js";
import type { ForestDefaults, ForestState, ForestTask, Splitter } from "./forest.js";
import { checkForest, FittedForest, forestParams, forestSteps, readForest } from "./forest.js";
import { FittedForestTargets } from "./forest-targets.js";
import { forestFitOptions, resumedTrees } from "./resumed-trees.js";
import { forestSpace } from "./search-space.js";

/** The params table of forest regressors. */
export const forestRegressorParams = (defaults: ForestDefaults) => ({
  criterion: targetCriterion,
  ...forestParams(defaults),
});
type ForestRegressorTable = ReturnType<typeof forestRegressorParams>;

const RULES = { sparse: true, missing: true, options: forestFitOptions };

interface ForestKind<M> {
  readonly splitter: Splitter;
  readonly Model: new (state: ForestState) => M;
}

/** The fit of forest regressors, which differ in their splitter, their defaults and the class of their models. */
export abstract class ForestRegressor<
  M extends FittedForestRegressor,
> extends Estimator<ForestRegressorTable> {
  static readonly capabilities = treeRegressor({ step: "tree", form: "ensemble" });
  static readonly searchSpace = forestSpace;
  static readonly fitOptions = forestFitOptions;
  static readonly severalTargets = FittedForestTargets;

  /** Its splitter, and the class of its models of one target. */
  protected abstract get kind(): ForestKind<M>;

  constructor(params: Params<ForestRegressorTable> = {}) {
    super(params);
    checkForest(this.id, this.params);
  }

  /** A matrix Y has several targets, one per column: one forest, whose splits decrease the mean error of the targets. */
  fit(x: MatrixLike, y: MatrixLike, options?: ResumeOptions<FittedForestTargets>): FittedForestTargets;
  fit(x: MatrixLike, y: NumberArray, options?: ResumeOptions<M>): M;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: ResumeOptions<FittedForest> = {},
  ): M | FittedForestTargets {
    const where = this.where("fit");
    return isTargetMatrix(y)
      ? runSteps(where, this.#growTargets(where, x, y, options), options)
      : runSteps(where, this.#growForest(where, x, y, options), options);
  }

  /** The fit, tree by tree. */
  steps(x: MatrixLike, y: NumberArray, options: ResumeOptions<M> = {}): Steps<M> {
    return this.#growForest(this.where("steps"), x, y, options);
  }

  *#growTargets(
    where: string,
    x: MatrixLike,
    y: MatrixLike,
    options: ResumeOptions<FittedForest>,
  ): Steps<FittedForestTargets> {
    const opened = openTable(where, x);
    const set = targetsSet(where, opened.x, y, options, RULES);
    const { targetNames } = set;
    const task = {
      ...this.#taskOf(where, opened, set, set.y.length, options.resume),
      ...centredColumns(where, set.y, this.params.criterion),
      score: (means: Float64Array) => outOfBagR2(means, set),
    };
    return yield* forestSteps(task, (state) => new FittedForestTargets({ ...state, targetNames }));
  }

  /** What does not depend on the targets. */
  #taskOf(
    where: string,
    opened: OpenedX,
    { x, weights }: Pick<RegressionSet, "x" | "weights">,
    width: number,
    resume: FittedForest | undefined,
  ): Omit<ForestTask, "targets" | "uncentred" | "score"> {
    const { id, params } = this;
    const { splitter } = this.kind;
    const criterion = treeTargetCriteria[params.criterion];
    const rows = treeRows(where, x, opened, params.categoricalFeatures);
    const resumed = resumedTrees({ id, where, params, rows }, resume, width);
    return { id, where, params, splitter, criterion, rows, weights, ...resumed };
  }

  *#growForest(where: string, x: MatrixLike, y: NumberArray, options: ResumeOptions<FittedForest>): Steps<M> {
    const opened = openTable(where, x);
    const set = regressionSet(where, opened.x, y, options, RULES);
    const { targets, uncentred } = centredTargets(where, set.y, this.params.criterion);
    const task = {
      ...this.#taskOf(where, opened, set, 1, options.resume),
      targets: { y: targets },
      uncentred,
      score: (means: Float64Array) => outOfBagR2(means, { ...set, y: [set.y] }),
    };
    return yield* forestSteps(task, (state) => new this.kind.Model(state));
  }
}

/** Mean R² of the targets over the rows that at least one tree has not drawn; undefined for fewer than two, which have no variance. */
function outOfBagR2(
  means: Float64Array,
  { y, weights }: Pick<TargetsSet, "y" | "weights">,
): number | undefined {
  const width = y.length;
  const rows = Int32Array.from(y[0]!.keys()).filter((i) => !Number.isNaN(means[i * width]!));
  if (rows.length < 2) return undefined;
  const sampleWeight = weights && Float64Array.from(rows, (i) => weights[i]!);
  const scores = y.map((target, t) =>
    r2Score(
      Float64Array.from(rows, (i) => target[i]!),
      Float64Array.from(rows, (i) => means[i * width + t]!),
      { sampleWeight },
    ),
  );
  return scores.reduce((sum, score) => sum + score, 0) / width;
}

/** The inverse of `FittedForestRegressor.toState`. */
export const readForestRegressor = (state: ModelState): ForestState => readForest(new StateReader(state), 1);

export class FittedForestRegressor
  extends /* @__PURE__ */ withRegression(FittedForest)
  implements FittedRegressor
{
  /** The mean over the trees of the value of each row's leaf: its mean target, or its median with absoluteError. */
  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return this.means(where, x);
  }

  toState(): ModelState {
    return this.stateWith({});
  }
}
