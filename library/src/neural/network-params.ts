import type { FitOptions } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { fitOptions } from "../core/params/options.js";
import { integer, optional, type ParamValues, randomState, real } from "../core/params/params.js";
import { type ValidationRows, validation } from "../data/validation-rows.js";
import { dtype } from "./autodiff/differentiate.js";
import { epochParams } from "./epoch-params.js";
import { resume } from "./resume-option.js";
import { type OptimizerLike, optimizerSpec } from "./training/optimizer-param.js";
import { readOptimizer } from "./training/parts-from-json.js";
import type { TrainingPlan } from "./training/task.js";

/** The parameters of training that all networks have, with their own number of epochs and rows per batch. */
export const trainingParams = ({
  maxIter,
  batchSize,
  optimizer = "adam",
  fullBatch = true,
}: {
  readonly maxIter: number;
  readonly batchSize: number;
  readonly optimizer?: OptimizerLike;
  readonly fullBatch?: boolean;
}) => ({
  optimizer: optimizerSpec(fullBatch, optimizer),
  batchSize: integer({ atLeast: 1, default: batchSize, doc: "Rows per step." }),
  maxIter: integer({ atLeast: 1, default: maxIter, doc: "Maximum number of epochs." }),
  alpha: real({
    atLeast: 0,
    default: 0,
    doc: "Strength α of the L2 penalty on the weights, biases excepted.",
  }),
  l1: real({ atLeast: 0, default: 0, doc: "Strength of the L1 penalty on the weights." }),
  clipNorm: optional(real({ above: 0, default: 1, doc: "Gradients longer than this are shortened to it." })),
  ...epochParams,
  dtype,
  randomState: randomState(),
});
export type TrainingValues = ParamValues<ReturnType<typeof trainingParams>>;

/** Throws where a parameter would do nothing. */
export function requireTrainingParams(id: string, params: TrainingValues): void {
  if (readOptimizer(params.optimizer)?.name !== "lbfgs") return;
  const refuse = (subject: keyof TrainingValues, expected: string): never => {
    throw new ParameterError(id, subject, expected, show(params[subject]));
  };
  if (params.earlyStopping) refuse("earlyStopping", "false with lbfgs, which has no epochs");
  if (params.l1 > 0) refuse("l1", "0 with lbfgs, which minimises smooth functions");
  if (params.clipNorm !== null)
    refuse("clipNorm", "null with lbfgs, which searches for the length of each step");
}

function planOf(params: TrainingValues): TrainingPlan {
  const optimizer = readOptimizer(params.optimizer)!;
  const batch = optimizer.name === "lbfgs";
  return {
    ...params,
    optimizer,
    dtype: batch ? "float64" : params.dtype,
    l2: params.alpha,
    adaptive: false,
  };
}

/** What `fit` of a network takes besides X and y. */
export interface NetworkFitOptions<M> extends FitOptions {
  /** A model of the same network, e.g. of an earlier step: its training goes on as if it had not stopped. */
  readonly resume?: M | undefined;
  /** Rows that early stopping is decided on, instead of a fraction of the training rows. */
  readonly validation?: ValidationRows | undefined;
}

export const networkFitOptions = { ...fitOptions, resume, validation };

/** The recipe of a network with `trainingParams`, apart from its loss, its layers and its input. */
export const trainedRecipe = <P extends TrainingValues>(id: string, params: P) => ({
  id,
  params,
  plan: planOf(params),
  fitOptions: networkFitOptions,
});
