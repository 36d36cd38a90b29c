import type { FitReport, FittedTargets, MatrixLike } from "../core/contract.js";
import { joinReports, readReport, reportJson } from "../core/report.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { readTargetNames, type TargetsSet } from "../data/targets.js";
import { withTargets } from "../fitted/targets.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { LinearModel, type LinearModelState } from "./linear-model.js";

export interface LinearTargetsState extends LinearModelState {
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly targetNames?: readonly string[] | undefined;
}

/** The fit of one target. */
interface TargetFit {
  readonly coef: Float64Array;
  readonly intercept: number;
  readonly report: FitReport;
}

/** A linear regressor of several targets: Ŷ = X Wᵀ + b. */
export class FittedLinearTargets
  extends /* @__PURE__ */ withTargets(LinearModel<LinearTargetsState>)
  implements FittedTargets
{
  static readonly id: string = "LinearTargets";

  /** W: one row per target, one column per feature. */
  declare readonly coef: Matrix;
  /** b: one per target. */
  declare readonly intercept: Float64Array;
  /** Of all targets: objectives are summed, of the rest the worst is kept. */
  declare readonly report: FitReport;

  get nFeatures(): number {
    return this.coef.cols;
  }

  get nTargets(): number {
    return this.coef.rows;
  }

  /** Names of the targets, if Y was a table in fit. */
  get targetNames(): readonly string[] | undefined {
    return this.state.targetNames;
  }

  /** One row per row of X, one column per target. */
  protected predictRows(where: string, x: MatrixLike): Matrix {
    const design = readMatrix(where, x, { like: this, sparse: true });
    return linearScores(where, design, this.coef.data, this.intercept);
  }

  [structure](): Structure {
    const { coef, intercept, nTargets: targets } = this;
    return regressorStructure(this, { kind: "linear", coef, intercept }, { targets });
  }

  toState(): ModelState {
    return stateOf(FittedLinearTargets.id, this.state, this.learned());
  }

  protected learned(): Learned {
    const { id: estimator, coef, intercept, report, targetNames } = this.state;
    return { estimator, report: reportJson(report), targetNames: targetNames?.slice(), coef, intercept };
  }

  static restore(state: ModelState): FittedLinearTargets {
    return new FittedLinearTargets(readLinearTargets(new StateReader(state)));
  }
}

export function readLinearTargets(reader: StateReader): LinearTargetsState {
  const intercept = reader.floats("intercept", [-1]);
  const targets = intercept.length;
  const weights = reader.floats("coef", [targets, -1]);
  if (targets === 0 || weights.length === 0) reader.fail("coef", "of one row and column or more", "none");
  if (![...weights, ...intercept].every(Number.isFinite)) reader.fail("coef", "finite", "±∞");
  const cols = weights.length / targets;
  return {
    id: reader.text("estimator"),
    params: reader.state.params,
    coef: new Matrix(weights, targets, cols),
    intercept,
    report: readReport(reader),
    featureNamesIn: readFeatureNames(reader, cols),
    targetNames: readTargetNames(reader, targets),
  };
}

/** The model of the fits of all targets. */
export const linearTargets = (...given: Parameters<typeof linearTargetsState>): FittedLinearTargets =>
  new FittedLinearTargets(linearTargetsState(...given));

export function linearTargetsState(
  { id, params }: Pick<LinearTargetsState, "id" | "params">,
  { x, featureNamesIn, targetNames }: TargetsSet,
  fits: readonly TargetFit[],
): LinearTargetsState {
  const coef = Matrix.zeros(fits.length, x.cols);
  for (const [t, fit] of fits.entries()) coef.data.set(fit.coef, t * x.cols);
  const intercept = Float64Array.from(fits, (fit) => fit.intercept);
  const report = joinReports(fits.map((fit) => fit.report));
  return { id, params, coef, intercept, report, featureNamesIn, targetNames };
}
