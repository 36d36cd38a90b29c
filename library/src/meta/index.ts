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
export { RegressorChain, regressorChainParams } from "./regressor-chain.js";
export { FittedRegressorOutput, FittedRegressorOutputs } from "./regressor-outputs.js";
export {
  FittedStackingClassifier,
  StackingClassifier,
  stackingClassifierParams,
} from "./stacking-classifier.js";
export { FittedStackingRegressor, StackingRegressor, stackingRegressorParams } from "./stacking-regressor.js";
export { FittedVotingClassifier, VotingClassifier, votingClassifierParams } from "./voting-classifier.js";
export { FittedVotingRegressor, VotingRegressor, votingRegressorParams } from "./voting-regressor.js";
