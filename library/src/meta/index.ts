export {
  CalibratedClassifier,
  calibratedClassifierParams,
  FittedCalibratedClassifier,
} from "./calibrated-classifier.js";
export { FittedClassifierOutput, FittedClassifierOutputs } from "./classifier-outputs.js";
export type { LabelRows } from "./label-rows.js";
export { MultiOutputClassifier, multiOutputClassifierParams } from "./multi-output-classifier.js";
export { MultiOutputRegressor, multiOutputRegressorParams } from "./multi-output-regressor.js";
export type { NamedEstimators } from "./named-estimators.js";
export {
  FittedOneVsOneClassifier,
  OneVsOneClassifier,
  oneVsOneClassifierParams,
} from "./one-vs-one-classifier.js";
export {
  FittedOneVsRestClassifier,
  OneVsRestClassifier,
  oneVsRestClassifierParams,
} from "./one-vs-rest-classifier.js";
export {
  FittedOutputCodeClassifier,
  OutputCodeClassifier,
  outputCodeClassifierParams,
} from "./output-code-classifier.js";
export type { PrefitOptions } from "./prefit.js";
export { RegressorChain, regressorChainParams } from "./regressor-chain.js";
export { FittedRegressorOutput, FittedRegressorOutputs } from "./regressor-outputs.js";
export { FittedRFE, RFE } from "./rfe.js";
export { type FeatureCountResult, FittedRFECV, RFECV } from "./rfecv.js";
export { FittedSelectFromModel, SelectFromModel } from "./select-from-model.js";
export { FittedSequentialFeatureSelector, SequentialFeatureSelector } from "./sequential-feature-selector.js";
export {
  FittedStackingClassifier,
  StackingClassifier,
  stackingClassifierParams,
} from "./stacking-classifier.js";
export { FittedStackingRegressor, StackingRegressor, stackingRegressorParams } from "./stacking-regressor.js";
export {
  FittedThresholdClassifier,
  ThresholdClassifier,
  thresholdClassifierParams,
} from "./threshold-classifier.js";
export type { ThresholdCurve } from "./threshold-curve.js";
export {
  FittedTransformedTargetRegressor,
  TransformedTargetRegressor,
  transformedTargetRegressorParams,
} from "./transformed-target-regressor.js";
export { FittedVotingClassifier, VotingClassifier, votingClassifierParams } from "./voting-classifier.js";
export { FittedVotingRegressor, VotingRegressor, votingRegressorParams } from "./voting-regressor.js";
