export { type AccuracyOptions, accuracyScore, balancedAccuracyScore } from "./accuracy.js";
export type { CohenKappaOptions, ZeroOneOptions } from "./agreement.js";
export { cohenKappaScore, hammingLoss, zeroOneLoss } from "./agreement.js";
export { type BinaryRateOptions, type BinaryRates, binaryRates } from "./binary-rates.js";
export type { CalibrationCurve, CalibrationCurveOptions, CalibrationErrorOptions } from "./calibration.js";
export { calibrationCurve, expectedCalibrationError } from "./calibration.js";
export type { ClassScoreOptions, TopKOptions } from "./class-scores.js";
export { hingeLoss, topKAccuracyScore } from "./class-scores.js";
export type { ClassFigures, ClassificationReportOptions } from "./classification-report.js";
export { ClassificationReport, classificationReport } from "./classification-report.js";
export {
  calinskiHarabaszScore,
  daviesBouldinScore,
  type SilhouetteMetric,
  type SilhouetteOptions,
  type SilhouetteScoreOptions,
  silhouetteSamples,
  silhouetteScore,
} from "./cluster-shape.js";
export type { ConfusionLayout, ConfusionOptions } from "./confusion-matrix.js";
export { ConfusionMatrix, confusionMatrix } from "./confusion-matrix.js";
export { type Contingency, contingencyMatrix } from "./contingency.js";
export { type CostOptions, costScore } from "./costs.js";
export type { DetCurve, PrecisionRecallCurve, RocCurve, RocCurveOptions } from "./curves.js";
export { auc, detCurve, precisionRecallCurve, rocCurve } from "./curves.js";
export { type FBetaOptions, fBetaScore } from "./f-beta.js";
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
export { type IntervalOptions, meanInterval, rocAucInterval, wilsonInterval } from "./intervals.js";
export { matthewsCorrcoef } from "./matthews.js";
export { adjustedRandScore, fowlkesMallowsScore, randScore } from "./pair-scores.js";
export type { PrecisionRecallF1, PrecisionRecallOptions } from "./precision-recall.js";
export { f1Score, jaccardScore, precisionRecallF1, precisionScore, recallScore } from "./precision-recall.js";
export { type BrierOptions, brierScoreLoss, type LogLossOptions, logLoss } from "./probabilities.js";
export type { ClassRankingOptions, RocAucOptions } from "./ranking-scores.js";
export { averagePrecisionScore, rocAucScore } from "./ranking-scores.js";
export { meanGammaDeviance, meanPoissonDeviance } from "./regression/deviances.js";
export { d2AbsoluteErrorScore, meanPinballLoss, type PinballOptions } from "./regression/quantile-errors.js";
export {
  explainedVarianceScore,
  meanAbsoluteError,
  meanSquaredError,
  r2Score,
  rootMeanSquaredError,
} from "./regression/regression.js";
export {
  maxError,
  meanAbsolutePercentageError,
  meanSquaredLogError,
  medianAbsoluteError,
  rootMeanSquaredLogError,
} from "./regression/regression-errors.js";
export { d2TweedieScore, meanTweedieDeviance, type TweedieOptions } from "./regression/tweedie.js";
export type { RankingOptions } from "./threshold-counts.js";
