export { type AccuracyOptions, accuracyScore, balancedAccuracyScore } from "./accuracy.js";
export { type BinaryRateOptions, type BinaryRates, binaryRates } from "./binary-rates.js";
export {
  type ConfusionLayout,
  ConfusionMatrix,
  type ConfusionOptions,
  confusionMatrix,
} from "./confusion-matrix.js";
export type { MetricOptions } from "./inputs.js";
export {
  f1Score,
  type PrecisionRecallF1,
  type PrecisionRecallOptions,
  precisionRecallF1,
  precisionScore,
  recallScore,
} from "./precision-recall.js";
export { type BrierOptions, brierScoreLoss, type LogLossOptions, logLoss } from "./probabilities.js";
export { meanAbsoluteError, meanSquaredError, r2Score, rootMeanSquaredError } from "./regression.js";
