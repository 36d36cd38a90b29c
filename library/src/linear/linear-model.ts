import type { FitReport } from "../core/contract.js";
import { Model } from "../core/model.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";

/** What the state of a linear model of one or several targets has. */
export interface LinearModelState {
  readonly id: string;
  /** The estimator's parameters; described in JSON when the model is saved. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly coef: unknown;
  readonly intercept: unknown;
  readonly report: FitReport;
  /** Names of the columns, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** What fitted linear regressors of one and of several targets share. */
export abstract class LinearModel<S extends LinearModelState> extends Model {
  readonly coef: S["coef"];
  readonly intercept: S["intercept"];
  readonly report: FitReport;

  constructor(protected readonly state: S) {
    super();
    this.coef = state.coef;
    this.intercept = state.intercept;
    this.report = state.report;
  }

  protected get id(): string {
    return this.state.id;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.featureNamesIn;
  }

  toState(): ModelState {
    return stateOf(this.state.id, this.state, this.learned());
  }

  protected abstract learned(): Learned;
}
