import { regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { Estimator, restoreParams, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { Params, ParamValues } from "../core/params.js";
import { readReport } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import type { NdArray } from "./autodiff/arrays.js";
import { FittedNetworkRegressor } from "./fitted-network-regressor.js";
import {
  coefsOf,
  interceptsOf,
  isInputShape,
  type MlpFitOptions,
  mlpFitOptions,
  mlpNetwork,
  mlpParams,
  mlpPlan,
  mlpRules,
  readContinued,
  requireMlpParams,
  startOf,
} from "./mlp.js";
import type { Network } from "./network/network.js";
import { type NetworkSteps, regressorSteps } from "./network-steps.js";
import { halfSquaredError } from "./training/losses.js";
import { requireSameNetwork } from "./training/plan.js";
import { readTraining } from "./training/state.js";
import type { TrainingState } from "./training/task.js";

/**
 * A feed-forward network for regression (multi-layer perceptron).
 *
 *   minimise over W, b:   (1/2n) Σᵢ sᵢ (network(xᵢ) − yᵢ)² + (α/2n) Σ‖W‖²
 *
 * Parity: objective, parameters, defaults and training of scikit-learn's MLPRegressor; weights are 32 bits wide unless dtype is
 * "float64", and the random numbers are drawn by another generator.
 */
export class MLPRegressor extends Estimator<typeof mlpParams> {
  static readonly id = "MLPRegressor";
  static readonly table = mlpParams;
  static readonly capabilities: Capabilities = { ...regressorCapabilities, sparse: true, partialFit: true };
  static readonly fitOptions = mlpFitOptions;

  constructor(params: Params<typeof mlpParams> = {}) {
    super(MLPRegressor.id, mlpParams, params);
    requireMlpParams(MLPRegressor.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: MlpFitOptions<FittedMLPRegressor> = {}): FittedMLPRegressor {
    const where = "MLPRegressor.fit";
    const set = regressionSet(where, x, y, options, mlpRules(options));
    return runSteps(where, this.#learn(where, set, options, false), options);
  }

  /** The fit, epoch by epoch. */
  *steps(
    x: MatrixLike,
    y: NumberArray,
    options: MlpFitOptions<FittedMLPRegressor> = {},
  ): NetworkSteps<FittedMLPRegressor> {
    const where = "MLPRegressor.steps";
    const set = regressionSet(where, x, y, options, mlpRules(options));
    return yield* this.#learn(where, set, options, true);
  }

  /** One epoch over new rows, starting from `model` (null begins a new one). Returns a new model; the old one is untouched. */
  partialFit(
    model: FittedMLPRegressor | null,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): FittedMLPRegressor {
    const where = "MLPRegressor.partialFit";
    const begun = readContinued(where, this.params, model, FittedMLPRegressor);
    const partial = {
      sparse: true,
      keepSingles: true,
      deferFiniteCheck: true,
      ...(model && { like: model }),
    };
    const set = regressionSet(where, x, y, options, partial);
    const network = mlpNetwork(where, this.params, set.x.cols, 1);
    if (model) requireSameNetwork(where, model.network, network);
    const plan = { ...mlpPlan(this.params), maxIter: (begun?.epoch ?? 0) + 1 };
    const beginning = { snapshots: false, resume: begun };
    const make = this.#make(set, network);
    const steps = regressorSteps(where, plan, network, halfSquaredError, set, beginning, make);
    return runSteps(where, steps, options);
  }

  static restore(state: ModelState): FittedMLPRegressor {
    const reader = new StateReader(state);
    const params = restoreParams(mlpParams, reader);
    const [inputs] = reader.value("inputShape", "[inputs]", isInputShape);
    const network = mlpNetwork(reader.where, params, inputs, 1);
    const { dtype } = mlpPlan(params);
    const training = readTraining(reader, network, dtype);
    const report = readReport(reader);
    const featureNamesIn = readFeatureNames(reader, inputs);
    return new FittedMLPRegressor({
      id: MLPRegressor.id,
      params,
      network,
      dtype,
      training,
      report,
      featureNamesIn,
    });
  }

  #learn(
    where: string,
    set: RegressionSet,
    { start, resume }: MlpFitOptions<FittedMLPRegressor>,
    snapshots: boolean,
  ): NetworkSteps<FittedMLPRegressor> {
    const network = mlpNetwork(where, this.params, set.x.cols, 1);
    if (resume !== undefined) requireSameNetwork(where, resume.network, network);
    const beginning = { start: startOf(where, network, start), resume: resume?.training, snapshots };
    const plan = mlpPlan(this.params);
    const make = this.#make(set, network);
    return regressorSteps(where, plan, network, halfSquaredError, set, beginning, make);
  }

  #make({ featureNamesIn }: RegressionSet, network: Network) {
    const { params } = this;
    const { dtype } = mlpPlan(params);
    return (training: TrainingState, report: FitReport) =>
      new FittedMLPRegressor({
        id: MLPRegressor.id,
        params,
        network,
        dtype,
        training,
        report,
        featureNamesIn,
      });
  }
}

export class FittedMLPRegressor extends FittedNetworkRegressor {
  declare readonly params: ParamValues<typeof mlpParams>;

  /** Weights of every layer: inputs × neurons. */
  get coefs(): readonly NdArray[] {
    return coefsOf(this);
  }

  /** Biases of every layer. */
  get intercepts(): readonly Float64Array[] {
    return interceptsOf(this);
  }
}
