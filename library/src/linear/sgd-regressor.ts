import type { FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { choice, type ParamSpec, type Params } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { absolute, epsilonInsensitive, huber, squared, squaredEpsilonInsensitive } from "../losses/losses.js";
import { tubeWarnings } from "../losses/wide-tube.js";
import type { SgdState } from "../numeric/rows/sgd-rows.js";
import { totalWeight } from "../solvers/objective.js";
import { type Schedule, sgdSteps } from "../solvers/sgd.js";
import { linearRegressor } from "./fits/capabilities.js";
import { r2Of, refuseEarlyStopping, splitNumbers } from "./fits/hold-out.js";
import * as stochastic from "./fits/stochastic.js";
import { FittedLinearRegressor, type RegressorState, readRegressorState } from "./fitted-regressor.js";

const lossNames = [
  "squaredError",
  "huber",
  "absoluteError",
  "epsilonInsensitive",
  "squaredEpsilonInsensitive",
] as const;

const learningRate: ParamSpec<Schedule> = { ...stochastic.sharedParams.learningRate, default: "invscaling" };
export const sgdRegressorParams = {
  loss: choice(lossNames, {
    default: "squaredError",
    doc: "Loss function; squaredError is least squares, huber is robust to outliers.",
  }),
  ...stochastic.sharedParams,
  learningRate,
};

/**
 * Linear regression by stochastic gradient descent.
 *
 *   minimise over (w, b):   (1/Σs) Σᵢ sᵢ ℓ(w·xᵢ + b, yᵢ) + α (ρ‖w‖₁ + ½(1 − ρ)‖w‖²)
 *
 * Parity: the objective, learning rates and stopping rules of scikit-learn's SGDRegressor; rows are shuffled by another generator,
 * and with earlyStopping the best epoch is kept instead of the last.
 */
export class SGDRegressor extends Estimator<typeof sgdRegressorParams> {
  static readonly id = "SGDRegressor";
  static readonly table = sgdRegressorParams;
  static readonly capabilities = linearRegressor({ partialFit: true });
  static readonly searchSpace = { alpha: { log: [1e-6, 1e-1] } } as const;

  constructor(params: Params<typeof sgdRegressorParams> = {}) {
    super(params);
    stochastic.requireAlpha(this.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedSGDRegressor {
    const where = this.where("fit");
    const set = regressionSet(where, x, y, options, stochastic.rowRules);
    return runSteps(where, this.#learn(where, set, this.params.maxIter, null), options);
  }

  /** The fit, epoch by epoch. */
  *steps(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Steps<FittedSGDRegressor> {
    const where = this.where("steps");
    const set = regressionSet(where, x, y, options, stochastic.rowRules);
    return yield* this.#learn(where, set, this.params.maxIter, null);
  }

  /** One epoch over new rows, starting from `model` (null begins a new one). Returns a new model. */
  partialFit(
    model: FittedSGDRegressor | null,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): FittedSGDRegressor {
    const where = this.where("partialFit");
    stochastic.checkContinued(where, model, FittedSGDRegressor);
    refuseEarlyStopping(where, this.params);
    const set = regressionSet(where, x, y, options, {
      ...stochastic.rowRules,
      ...(model && { like: model }),
    });
    return runSteps(where, this.#learn(where, set, 1, model), options);
  }

  static restore(state: ModelState): FittedSGDRegressor {
    const linear = readRegressorState(state);
    return new FittedSGDRegressor(
      linear,
      stochastic.readRuns(state, [stochastic.joined(linear.coef, linear.intercept)]),
    );
  }

  *#learn(
    where: string,
    given: RegressionSet,
    maxIter: number,
    from: FittedSGDRegressor | null,
  ): Steps<FittedSGDRegressor> {
    const { loss, epsilon, fitIntercept } = this.params;
    const part = {
      squaredError: squared,
      absoluteError: absolute,
      huber: () => huber(epsilon || Number.MIN_VALUE),
      epsilonInsensitive: () => epsilonInsensitive(epsilon),
      squaredEpsilonInsensitive: () => squaredEpsilonInsensitive(epsilon),
    }[loss]();
    const { train: set, held } = splitNumbers(where, given, this.params);
    const heldOutScore = held ? r2Of(where, held) : undefined;
    const problem = stochastic.problemOf(this.params, where, set, set.y, part, maxIter, heldOutScore);
    const epochs = sgdSteps(problem, stochastic.optionsOf(this.params), from?.runs[0]);
    const solution = yield* stochastic.modelSteps(epochs, (epoch) =>
      this.#model(set, epoch.theta, stochastic.unfinishedReport(epoch), epoch.state),
    );
    const report = stochastic.finishedReport(solution, totalWeight(set));
    const { converged, warnings } = report;
    const more = [
      ...stochastic.unfinishedWarnings(converged, maxIter, warnings.length),
      ...(from === null ? tubeWarnings(part, set.y, fitIntercept) : []),
    ];
    const own = { ...report, warnings: [...warnings, ...more] };
    return this.#model(set, solution.theta, own, solution.state);
  }

  #model(set: RegressionSet, theta: Float64Array, report: FitReport, run: SgdState): FittedSGDRegressor {
    const state: RegressorState = {
      id: SGDRegressor.id,
      params: this.params,
      coef: theta.slice(0, -1),
      intercept: theta.at(-1)!,
      report,
      link: "identity",
      featureNamesIn: set.featureNamesIn,
    };
    return new FittedSGDRegressor(state, [run]);
  }
}

export class FittedSGDRegressor extends FittedLinearRegressor {
  constructor(
    state: RegressorState,
    /** State of the descent, from which `partialFit` continues. */
    readonly runs: readonly SgdState[],
  ) {
    super(state);
  }

  /** The number of the next step. */
  get stepCount(): number {
    return stochastic.stepCountOf(this.runs);
  }

  protected override learned(): Learned {
    return { ...super.learned(), ...stochastic.runTensors(this.runs) };
  }
}
