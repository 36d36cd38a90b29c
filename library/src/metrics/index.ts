export { type AccuracyOptions, accuracyScore, balancedAccuracyScore } from "./accuracy.js";
export { type BinaryRateOptions, type BinaryRates, binaryRates } from "./binary-rates.js";
export {
  calinskiHarabaszScore,
  daviesBouldinScore,
  type SilhouetteMetric,
  type SilhouetteOptions,
  type SilhouetteScoreOptions,
  silhouetteSamples,
  silhouetteScore,
} from "./cluster-shape.js";
export {
  type ConfusionLayout,
  ConfusionMatrix,
  type ConfusionOptions,
  confusionMatrix,
} from "./confusion-matrix.js";
export { type Contingency, contingencyMatrix } from "./contingency.js";
export {
  adjustedMutualInfoScore,
  completenessScore,
  type EntropyAverage,
  type HomogeneityCompleteness,
  homogeneityCompletenessVMeasure,
  homogeneityScore,
  type MutualInfoOptions,
  mutualInfoScore,
  normalizedMutualInfoScore,
  type VMeasureOptions,
  vMeasureScore,
} from "./information-scores.js";
export type { MetricOptions } from "./inputs.js";
export { adjustedRandScore, fowlkesMallowsScore, randScore } from "./pair-scores.js";
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
