import type { FitOptions, MatrixLike } from "../core/contract.js";
import { ParameterError, ShapeError, show } from "../core/errors.js";
import type { NumberArray } from "../core/labels.js";
import { fitOptions, option } from "../core/params/options.js";
import { choice, either, flag, integer, type ParamValues, randomState, real } from "../core/params/params.js";
import type { Design } from "../data/input.js";
import { type ValidationRows, validation } from "../data/validation-rows.js";
import type { NdArray, NestedNumbers } from "./autodiff/arrays.js";
import { readTensor } from "./autodiff/arrays.js";
import { dtype } from "./autodiff/differentiate.js";
import { sigmoid } from "./autodiff/ops/functions.js";
import { type Shape, sameShape, showShape } from "./autodiff/shape.js";
import { epochParams } from "./epoch-params.js";
import type { FittedNetwork } from "./fitted-network.js";
import { layerSizes } from "./layer-sizes.js";
import { sequential } from "./layers/composition.js";
import { type AppliedActivation, denseLayer } from "./layers/dense.js";
import { classOutputs } from "./learn-network.js";
import type { Layer } from "./network/layer.js";
import { Network } from "./network/network.js";
import { resume } from "./resume-option.js";
import { adam, lbfgs, type Optimizer, sgd } from "./training/optimizers.js";
import { inverseScaling } from "./training/schedules.js";
import type { TrainingPlan, TrainingState } from "./training/task.js";

/** The parameters of MLPClassifier and MLPRegressor: scikit-learn's names and defaults. */
export const mlpParams = {
  hiddenLayerSizes: layerSizes([100], "Neurons of each hidden layer; [] is a network without hidden layers."),
  activation: {
    ...choice(["relu", "tanh", "logistic", "identity"], {
      default: "relu",
      doc: "Activation function of the hidden layers.",
    }),
    advice: (value: unknown) =>
      value === "sigmoid"
        ? 'It is called "logistic" here.'
        : value === "linear"
          ? 'It is called "identity" here.'
          : undefined,
  },
  solver: choice(["adam", "sgd", "lbfgs"], {
    default: "adam",
    doc: "adam and sgd train in batches; lbfgs on all rows at once in 64 bits, best for small data.",
  }),
  alpha: real({ atLeast: 0, default: 1e-4, doc: "Strength α of the L2 penalty on the weights." }),
  batchSize: either(
    choice(["auto"], { default: "auto", doc: "Rows per step; auto is min(200, rows)." }),
    integer({ atLeast: 1, default: 1, doc: "" }),
  ),
  learningRate: {
    ...choice(["constant", "invscaling", "adaptive"], {
      default: "constant",
      doc: "Learning rate of sgd: constant, divided by (rows seen)^powerT, or divided by 5 when the loss stops falling.",
    }),
    advice: (value: unknown) =>
      typeof value === "number" ? `The rate itself is learningRateInit: ${value}.` : undefined,
  },
  learningRateInit: real({ above: 0, default: 0.001, doc: "First learning rate." }),
  powerT: real({ atLeast: 0, default: 0.5, doc: "Exponent of invscaling." }),
  maxIter: integer({ atLeast: 1, default: 200, doc: "Maximum number of epochs (iterations of lbfgs)." }),
  shuffle: epochParams.shuffle,
  tol: epochParams.tol,
  momentum: real({ atLeast: 0, below: 1, default: 0.9, doc: "Momentum of sgd." }),
  nesterovsMomentum: flag({ default: true, doc: "Whether sgd uses Nesterov's momentum." }),
  earlyStopping: epochParams.earlyStopping,
  validationFraction: epochParams.validationFraction,
  beta1: real({ atLeast: 0, below: 1, default: 0.9, doc: "Decay of adam's mean of the gradients." }),
  beta2: real({ atLeast: 0, below: 1, default: 0.999, doc: "Decay of adam's mean of their squares." }),
  epsilon: real({ above: 0, default: 1e-8, doc: "Added to the root of adam's squares." }),
  nIterNoChange: epochParams.nIterNoChange,
  dtype,
  randomState: randomState(),
};
export type MlpValues = ParamValues<typeof mlpParams>;

/** The first weights and biases, layer by layer: those of another model, or of scikit-learn's `coefs_` and `intercepts_`. */
export interface MlpStart {
  /** Inputs × neurons, per layer. */
  readonly coefs: readonly (NestedNumbers | NdArray)[];
  readonly intercepts: readonly (NumberArray | NdArray)[];
}

export interface MlpFitOptions<M> extends FitOptions {
  /** First weights and biases, instead of random ones. */
  readonly start?: MlpStart | undefined;
  /** A model of the same network, e.g. of an earlier step: its training goes on as if it had not stopped. */
  readonly resume?: M | undefined;
  /** Rows that early stopping is decided on, instead of a fraction of the training rows. */
  readonly validation?: ValidationRows | undefined;
}

export const mlpFitOptions = {
  ...fitOptions,
  start: option<MlpStart>(
    "start",
    "First weights: { coefs, intercepts }.",
    "{ coefs, intercepts }",
    (value) =>
      value !== null && typeof value === "object" && Array.isArray((value as Partial<MlpStart>).coefs),
  ),
  resume,
  validation,
};

/** Activations of the hidden layers; a layer by itself, so that a bundle has no other functions. */
const activations: Readonly<Record<MlpValues["activation"], AppliedActivation>> = {
  relu: { fused: { name: "relu" }, apply: (sums) => sums },
  tanh: { fused: { name: "tanh" }, apply: (sums) => sums },
  // An operation of its own, since a loss of 32 bits is computed from what it is applied to.
  logistic: { fused: undefined, apply: sigmoid },
  identity: { fused: { name: "linear" }, apply: (sums) => sums },
};

/** Dense layers of the given sizes, then `outputs` neurons without activation. */
function mlpNetwork(where: string, params: MlpValues, inputs: number, outputs: number): Network {
  const { activation } = params;
  const hidden = params.hiddenLayerSizes as readonly number[];
  const layers = [...hidden, outputs].map((units, e) =>
    mlpLayer(units, e < hidden.length ? activation : "identity", activation === "logistic"),
  );
  return new Network(where, sequential(...layers), [inputs]);
}

/** Weights and biases uniform in ±√(6/(inputs + neurons)), or √2 for the logistic function, as in scikit-learn [Glorot & Bengio 2010]. */
function mlpLayer(units: number, activation: MlpValues["activation"], logistic: boolean): Layer {
  return denseLayer({ units, activation }, units, activations[activation], true, (d) => {
    const start = { kind: "uniform", bound: Math.sqrt((logistic ? 2 : 6) / (d + units)) } as const;
    return { weights: start, bias: start };
  });
}

/** What the two have in common as recipes of networks. A regressor has one output, as two classes have. */
export const mlpRecipe = <P extends MlpValues>(id: string, params: P, start?: MlpStart) => ({
  id,
  params,
  plan: mlpPlan(params),
  fitOptions: mlpFitOptions,
  inputShape: (_where: string, _x: MatrixLike, { cols }: Design) => [cols],
  start: (where: string, network: Network) => startOf(where, network, start),
  network: (where: string, [inputs = 1]: Shape, classes = 2) =>
    mlpNetwork(where, params, inputs, classOutputs(classes)),
});

function mlpPlan(params: MlpValues): TrainingPlan {
  const { solver, learningRate, alpha } = params;
  return {
    ...params,
    optimizer: mlpOptimizer(params),
    dtype: solver === "lbfgs" ? "float64" : params.dtype,
    l1: 0,
    l2: alpha,
    clipNorm: null,
    adaptive: solver === "sgd" && learningRate === "adaptive",
  };
}

function mlpOptimizer(params: MlpValues): Optimizer {
  const { solver, learningRateInit, momentum, nesterovsMomentum, beta1, beta2, epsilon, learningRate } =
    params;
  if (solver === "lbfgs") return lbfgs();
  if (solver === "adam") return adam({ learningRate: learningRateInit, beta1, beta2, epsilon });
  const schedule = learningRate === "invscaling" ? inverseScaling({ power: params.powerT }) : undefined;
  return sgd({
    learningRate: learningRateInit,
    momentum,
    nesterov: nesterovsMomentum && momentum > 0,
    ...(schedule ? { schedule } : {}),
  });
}

/** Throws where earlyStopping would do nothing. */
export function requireMlpParams(id: string, { earlyStopping, solver }: MlpValues): void {
  if (!earlyStopping || solver !== "lbfgs") return;
  throw new ParameterError(id, "earlyStopping", 'false with solver "lbfgs", which has no epochs', "true");
}

/** The training that `partialFit` continues; undefined begins a new one. */
export function readContinued<M extends FittedNetwork>(
  where: string,
  { solver, earlyStopping }: MlpValues,
  model: M | null,
  kind: abstract new (...args: never[]) => M,
): TrainingState | undefined {
  const refuse = (subject: string, expected: string, received: unknown): never => {
    throw new ParameterError(where, subject, expected, show(received));
  };
  if (solver === "lbfgs") refuse("solver", "adam or sgd in partialFit, which sees the rows in parts", solver);
  if (earlyStopping) refuse("earlyStopping", "false in partialFit, which never sees all rows", earlyStopping);
  if (model === null) return undefined;
  if (!(model instanceof kind)) refuse("model", "a model of this estimator, or null to begin", model);
  const { best, ...training } = model.training;
  return { ...training, ...best, best: undefined };
}

/** The parameters of a network from given weights and biases. */
function startOf(where: string, network: Network, start: MlpStart | undefined): Float64Array | undefined {
  if (start === undefined) return undefined;
  const { coefs, intercepts } = start;
  const layers = network.parameters.length / 2;
  if (coefs.length !== layers || !Array.isArray(intercepts) || intercepts.length !== layers) {
    const expected = `${layers} matrices of weights and ${layers} vectors of biases`;
    const received = `${coefs.length} and ${show(intercepts?.length)}`;
    throw new ShapeError(where, "start", expected, received);
  }
  const theta = new Float64Array(network.size);
  for (const [k, place] of network.parameters.entries()) {
    const given = k % 2 === 0 ? coefs[k / 2] : intercepts[(k - 1) / 2];
    const { data, shape } = readTensor(where, `start of ${place.name}`, given);
    if (!sameShape(shape, place.shape)) {
      throw new ShapeError(where, `start of ${place.name}`, showShape(place.shape), showShape(shape));
    }
    theta.set(Array.from(data), place.offset);
  }
  return theta;
}

/** Weights of every layer: matrices of inputs × neurons. */
export const coefsOf = (model: FittedNetwork): readonly NdArray[] =>
  [...model.weights].filter(([name]) => name.endsWith(".weights")).map(([, values]) => values);

/** Biases of every layer. */
export const interceptsOf = (model: FittedNetwork): readonly Float64Array[] =>
  [...model.weights].filter(([name]) => name.endsWith(".bias")).map(([, { data }]) => data);
