export {
  CalibratedClassifier,
  calibratedClassifierParams,
  FittedCalibratedClassifier,
} from "./calibrated-classifier.js";
export {
  FittedOneVsOneClassifier,
  OneVsOneClassifier,
  oneVsOneClassifierParams,
} from "./multiclass/one-vs-one-classifier.js";
export {
  FittedOneVsRestClassifier,
  OneVsRestClassifier,
  oneVsRestClassifierParams,
} from "./multiclass/one-vs-rest-classifier.js";
export {
  FittedOutputCodeClassifier,
  OutputCodeClassifier,
  outputCodeClassifierParams,
} from "./multiclass/output-code-classifier.js";
export type { NamedEstimators } from "./named-estimators.js";
export { FittedClassifierOutput, FittedClassifierOutputs } from "./outputs/classifier-outputs.js";
export type { LabelRows } from "./outputs/label-rows.js";
export { MultiOutputClassifier, multiOutputClassifierParams } from "./outputs/multi-output-classifier.js";
export { MultiOutputRegressor, multiOutputRegressorParams } from "./outputs/multi-output-regressor.js";
export { RegressorChain, regressorChainParams } from "./outputs/regressor-chain.js";
export { FittedRegressorOutput, FittedRegressorOutputs } from "./outputs/regressor-outputs.js";
export type { PrefitOptions } from "./prefit.js";
export { FittedRFE, RFE } from "./selectors/rfe.js";
export { type FeatureCountResult, FittedRFECV, RFECV } from "./selectors/rfecv.js";
export { FittedSelectFromModel, SelectFromModel } from "./selectors/select-from-model.js";
export {
  FittedSequentialFeatureSelector,
  SequentialFeatureSelector,
} from "./selectors/sequential-feature-selector.js";
export {
  FittedStackingClassifier,
  FittedStackingRegressor,
  StackingClassifier,
  StackingRegressor,
  stackingClassifierParams,
  stackingRegressorParams,
} from "./stacking.js";
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
export {
  FittedVotingClassifier,
  FittedVotingRegressor,
  VotingClassifier,
  VotingRegressor,
  votingClassifierParams,
  votingRegressorParams,
} from "./voting.js";
