import type { FitReport, MatrixLike } from "../core/contract.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { readTargetNames } from "../data/targets.js";
import { withTargets } from "../fitted/targets.js";
import { readExpansion } from "../kernel-functions/expansion.js";
import { ExpansionModel } from "../kernel-functions/expansion-model.js";
import type { KernelRidgeFit } from "./solve-kernel-ridge.js";

/** A function Σₜ cₜ k(xₜ, x) + b of the training rows. */
export abstract class FittedKernelFunction extends ExpansionModel {
  readonly report: FitReport;

  constructor(params: object, { expansion, report }: KernelRidgeFit) {
    super(params, expansion);
    this.report = report;
  }

  /** Indices of the training rows of `dualCoef`: all, or the pivots if α is 0 or too small. */
  get rows(): Int32Array {
    return this.expansion.parts.rows;
  }
}

/** Kernel ridge regression of several targets: one function Σₜ cₜ k(xₜ, x) + b each. */
export class FittedKernelRidgeTargets extends /* @__PURE__ */ withTargets(FittedKernelFunction) {
  static readonly id = "KernelRidgeTargets";

  constructor(
    params: object,
    fit: KernelRidgeFit,
    /** The estimator. */
    protected readonly id: string,
    /** Names of the targets, if Y was a table in fit. */
    readonly targetNames: readonly string[] | undefined,
  ) {
    super(params, fit);
  }

  get nTargets(): number {
    return this.dualCoef.rows;
  }

  /** One row per target, one column per training row in `rows`. */
  get dualCoef(): Matrix {
    return this.expansion.parts.coef;
  }

  /** One per target. */
  get intercept(): Float64Array {
    return this.expansion.parts.intercept;
  }

  /** One row per row of X, one column per target. */
  protected predictRows(where: string, x: MatrixLike): Matrix {
    return this.expansion.scores(where, x);
  }

  [structure](): Structure {
    return regressorStructure(this, this.expansion.described(), { targets: this.nTargets });
  }

  toState(): ModelState {
    const { id: estimator, nTargets: targets, targetNames } = this;
    const learned = { estimator, targets, report: reportJson(this.report), targetNames };
    return this.stateWith(learned, FittedKernelRidgeTargets.id);
  }

  static restore(state: ModelState): FittedKernelRidgeTargets {
    const reader = new StateReader(state);
    const targets = reader.count("targets");
    if (targets === 0) reader.fail("targets", "at least one", "0");
    const fit = { expansion: readExpansion(reader, targets), report: readReport(reader) };
    const targetNames = readTargetNames(reader, targets);
    return new FittedKernelRidgeTargets(state.params, fit, reader.text("estimator"), targetNames);
  }
}
