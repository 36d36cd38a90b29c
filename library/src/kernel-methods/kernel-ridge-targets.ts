import type { FitReport, FittedTargets, MatrixLike } from "../core/contract.js";
import { stateOf } from "../core/model-state.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { readTargetNames } from "../data/targets.js";
import { TargetsModel } from "../fitted/targets.js";
import { readExpansion } from "../kernel-functions/expansion.js";
import type { KernelRidgeFit } from "./solve-kernel-ridge.js";

interface KernelRidgeTargetsState extends KernelRidgeFit {
  /** The estimator and its parameters. */
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly targetNames?: readonly string[] | undefined;
}

/** Kernel ridge regression of several targets: one function Σₜ cₜ k(xₜ, x) + b each. */
export class FittedKernelRidgeTargets extends TargetsModel implements FittedTargets {
  static readonly id = "KernelRidgeTargets";

  readonly report: FitReport;
  readonly #state: KernelRidgeTargetsState;

  constructor(state: KernelRidgeTargetsState) {
    super();
    this.#state = state;
    this.report = state.report;
  }

  protected get id(): string {
    return this.#state.id;
  }

  get nFeatures(): number {
    return this.#state.expansion.parts.nFeatures;
  }

  get nTargets(): number {
    return this.dualCoef.rows;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.#state.expansion.parts.featureNamesIn;
  }

  /** Names of the targets, if Y was a table in fit. */
  get targetNames(): readonly string[] | undefined {
    return this.#state.targetNames;
  }

  /** One row per target, one column per training row in `rows`. */
  get dualCoef(): Matrix {
    return this.#state.expansion.parts.coef;
  }

  /** One per target. */
  get intercept(): Float64Array {
    return this.#state.expansion.parts.intercept;
  }

  /** Indices of the training rows of `dualCoef`: all, or the pivots if α is 0 or too small. */
  get rows(): Int32Array {
    return this.#state.expansion.parts.rows;
  }

  /** One row per row of X, one column per target. */
  protected predictRows(where: string, x: MatrixLike): Matrix {
    return this.#state.expansion.scores(where, x);
  }

  [structure](): Structure {
    return regressorStructure(this, this.#state.expansion.described(), { targets: this.nTargets });
  }

  toState(): ModelState {
    const { id: estimator, params, expansion, targetNames } = this.#state;
    const { nTargets: targets, featureNamesIn } = this;
    const learned = {
      ...expansion.learned(`saveModel(${estimator})`),
      ...{ estimator, targets, report: reportJson(this.report), targetNames },
    };
    return stateOf(FittedKernelRidgeTargets.id, { params, featureNamesIn }, learned);
  }

  static restore(state: ModelState): FittedKernelRidgeTargets {
    const reader = new StateReader(state);
    const targets = reader.count("targets");
    if (targets === 0) reader.fail("targets", "at least one", "0");
    return new FittedKernelRidgeTargets({
      id: reader.text("estimator"),
      params: state.params,
      expansion: readExpansion(reader, targets),
      report: readReport(reader),
      targetNames: readTargetNames(reader, targets),
    });
  }
}
