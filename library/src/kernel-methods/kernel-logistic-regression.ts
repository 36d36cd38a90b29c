import type { FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, flag, type Params } from "../core/params/params.js";
import { reportJson } from "../core/report.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { kernelOf, kernelParams, requirePositiveDefinite } from "../kernel-functions/kernel-params.js";
import { inverseStrength, maxIterations, objectiveTol } from "../linear/fits/params.js";
import { type FittedLogisticRegression, LogisticRegression } from "../linear/logistic-regression.js";
import { featureMap } from "./feature-map.js";
import type { ReportedState } from "./fitted-kernel-classifier.js";
import { FittedProbabilisticKernelClassifier, readReportedClassifier } from "./fitted-kernel-classifier.js";
import { kernelClassificationSet, kernelClassifier } from "./kernel-classification-set.js";
import { pivotedFeatures } from "./pivoted-features.js";

export const kernelLogisticRegressionParams = {
  C: inverseStrength(),
  ...kernelParams,
  fitIntercept: flag({
    default: true,
    doc: "Fit an intercept b, which is not penalised; when false, b = 0.",
  }),
  classWeight: classWeight(),
  tol: objectiveTol(1e-4),
  maxIter: maxIterations(100),
};

/** Relative trace of the kernel matrix that its factorisation may omit: rounding. */
const TOL = 1e-12;

/**
 * Logistic regression in the feature space of a kernel, for two classes and (as softmax regression) for more:
 *
 *   minimise over (c, b):   C Σᵢ sᵢ log(1 + exp(−yᵢ f(xᵢ))) + ½ cᵀKc,      f(x) = Σₜ cₜ k(xₜ, x) + b,   yᵢ ∈ {−1, +1}
 *
 * It is LogisticRegression on the columns of KernelMap, where ½ cᵀKc is ½‖w‖²; the model stores the rows that span them. With the
 * linear kernel it is LogisticRegression [Zhu & Hastie 2005].
 */
export class KernelLogisticRegression extends Estimator<typeof kernelLogisticRegressionParams> {
  static readonly id = "KernelLogisticRegression";
  static readonly table = kernelLogisticRegressionParams;
  static readonly capabilities = kernelClassifier({ probabilities: true });

  constructor(params: Params<typeof kernelLogisticRegressionParams> = {}) {
    super(params);
    const { id } = KernelLogisticRegression;
    requirePositiveDefinite(id, kernelOf(id, this.params));
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedKernelLogisticRegression<L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, step by step: each step has its progress and the model as it stands. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Steps<FittedKernelLogisticRegression<L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState): FittedKernelLogisticRegression {
    return new FittedKernelLogisticRegression(readReportedClassifier(state));
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Steps<FittedKernelLogisticRegression<L>> {
    const { params } = this;
    const { C, fitIntercept, tol, maxIter } = params;
    const kernel = kernelOf(this.id, params);
    const { set, training } = kernelClassificationSet(where, kernel, x, y, options, params.classWeight);
    const found = pivotedFeatures(where, training, TOL);
    const map = featureMap(training, found);
    const linear = new LogisticRegression({ C, fitIntercept, tol, maxIter });
    const run = linear.steps(found.features, set.codes, { sampleWeight: set.weights });
    const modelOf = ({ coef, intercept, report }: FittedLogisticRegression<number>) =>
      new FittedKernelLogisticRegression({
        id: this.id,
        params,
        classes: set.classes,
        expansion: map.expansion(coef, intercept),
        report,
      });
    const last = yield* mapSteps(run, ({ iteration, total, objective, gradientNorm, model }) => ({
      iteration,
      total,
      objective,
      gradientNorm,
      model: () => modelOf(model()),
    }));
    return modelOf(last);
  }
}

export class FittedKernelLogisticRegression<
  L extends Label = Label,
> extends FittedProbabilisticKernelClassifier<L> {
  readonly report: FitReport;

  constructor(state: ReportedState<L>) {
    super(state);
    this.report = state.report;
  }

  protected override learned(): Learned {
    return { ...super.learned(), report: reportJson(this.report) };
  }
}
