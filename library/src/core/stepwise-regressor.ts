import type { FitOptions, MatrixLike } from "./contract.js";
import { Estimator, runSteps, type Steps } from "./estimator.js";
import type { NumberArray } from "./labels.js";
import type { ParamsTable } from "./params/params.js";

/** A regressor that learns step by step: `fit` runs its steps to the end. */
export abstract class StepwiseRegressor<
  T extends ParamsTable,
  M,
  O extends FitOptions = FitOptions,
> extends Estimator<T> {
  fit(x: MatrixLike, y: NumberArray, options: O = {} as O): M {
    const where = this.where("fit");
    return runSteps(where, this.learn(where, x, y, options), options);
  }

  /** The fit, step by step: each step has its progress and the model so far. */
  steps(x: MatrixLike, y: NumberArray, options: O = {} as O): Steps<M> {
    return this.learn(this.where("steps"), x, y, options);
  }

  protected abstract learn(where: string, x: MatrixLike, y: NumberArray, options: O): Steps<M>;
}
