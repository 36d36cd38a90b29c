import type { FitOptions, FittedClusterer, MatrixLike, Unlabelled } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import { unlabelledOptions } from "../core/params/options.js";
import type { ParamsTable } from "../core/params/params.js";

/** Learns groups of rows. */
export abstract class ClustererEstimator<
  T extends ParamsTable,
  M extends FittedClusterer,
> extends Estimator<T> {
  abstract fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): M;

  /** `fit(x).labels`. */
  fitPredict(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Int32Array {
    return this.fit(x, y, options).labels;
  }
}

/** The same step by step: `fit` runs its steps to the end. */
export abstract class StepwiseClusterer<
  T extends ParamsTable,
  M extends FittedClusterer,
> extends ClustererEstimator<T, M> {
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): M {
    const where = this.where("fit");
    return runSteps(where, this.learn(where, x, y, options), unlabelledOptions(where, y, options));
  }

  /** The fit, step by step: each step has its progress and the model so far. */
  steps(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Steps<M> {
    return this.learn(this.where("steps"), x, y, options);
  }

  protected abstract learn(where: string, x: MatrixLike, y: Unlabelled, options?: FitOptions): Steps<M>;
}
