import type { FitOptions, MatrixLike } from "../../core/contract.js";
import { Estimator, runSteps, type Steps } from "../../core/estimator.js";
import type { Label, Labels, NumberArray } from "../../core/labels.js";
import type { ClassWeight, Params, ParamsTable } from "../../core/params/params.js";
import { StepwiseRegressor } from "../../core/stepwise-regressor.js";
import type { ClassificationSet, RegressionSet } from "../../data/training-set.js";
import { classificationSet, regressionSet } from "../../data/training-set.js";
import type { LinearState } from "../fitted-classifier.js";
import type { RegressorState } from "../fitted-regressor.js";
import type { ClassifierParts, LinearEstimator, RegressorParts } from "./linear-fit.js";
import { classifierSetSteps, linearRules, regressorSetSteps } from "./linear-fit.js";

/** A linear classifier that its loss, penalty and solver define. */
export abstract class SolvedClassifier<T extends ParamsTable, P = Params<T>> extends Estimator<T, P> {
  protected abstract parts(set: ClassificationSet<Label>): ClassifierParts;

  protected fitBy<L extends Label, M>(
    build: (state: LinearState<L>) => M,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): M {
    return runSteps(this.where("fit"), this.learn("fit", build, x, y, options), options);
  }

  /** check → parts → solve → model. */
  protected *learn<L extends Label, M>(
    call: "fit" | "steps",
    build: (state: LinearState<L>) => M,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Steps<M> {
    const where = this.where(call);
    const estimator = this as unknown as LinearEstimator & {
      readonly params: { readonly classWeight: ClassWeight };
    };
    const set = classificationSet(where, x, y, options, linearRules, estimator.params.classWeight);
    return yield* classifierSetSteps(where, estimator, this.parts(set), set, build);
  }
}

/** A linear regressor that its loss, penalty and solver define. */
export abstract class SolvedRegressor<T extends ParamsTable, M> extends StepwiseRegressor<T, M> {
  protected abstract parts(set: RegressionSet, where: string): RegressorParts;
  protected abstract model(state: RegressorState): M;

  /** check → parts → solve → model. */
  protected *learn(where: string, x: MatrixLike, y: NumberArray, options: FitOptions): Steps<M> {
    const set = regressionSet(where, x, y, options, linearRules);
    const estimator = this as unknown as LinearEstimator;
    return yield* regressorSetSteps(where, estimator, this.parts(set, where), set, (state) =>
      this.model(state),
    );
  }
}
