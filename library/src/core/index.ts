export { type ParamName, type ParamOf, withParams } from "./composite.js";
export * from "./contract.js";
export {
  AbortError,
  ArgmaxError,
  DataError,
  EnvironmentError,
  type ErrorCode,
  type ErrorDetails,
  FormatError,
  ParameterError,
  ShapeError,
} from "./errors.js";
export { Estimator, type Step } from "./estimator.js";
export type { Label, Labels, NumberArray } from "./labels.js";
export { Random } from "./numbers/random.js";
export { nearestName } from "./params/nearest-name.js";
export type {
  ClassWeight,
  NumberRange,
  ParamSpec,
  Params,
  ParamsTable,
  ParamValues,
} from "./params/params.js";
export type { MarginOptions, NoReject, PredictOptions, ProbaOptions } from "./params/predict-options.js";
export { usualPositive } from "./positive-label.js";
export type { SignalLike } from "./signal.js";
export type { Json, ModelState, Tensor, TensorData } from "./state/state.js";
export { timeLimit } from "./time-limit.js";
