export {
  CalibratedClassifier,
  calibratedClassifierParams,
  FittedCalibratedClassifier,
} from "./calibrated-classifier.js";
export type { NamedEstimators } from "./named-estimators.js";
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
export { FittedVotingClassifier, VotingClassifier, votingClassifierParams } from "./voting-classifier.js";
export { FittedVotingRegressor, VotingRegressor, votingRegressorParams } from "./voting-regressor.js";
