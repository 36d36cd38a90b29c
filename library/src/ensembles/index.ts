export { AdaBoostClassifier, adaBoostClassifierParams, type BoostingStep } from "./ada-boost-classifier.js";
export {
  BaggingClassifier,
  baggingClassifierParams,
  FittedBaggingClassifier,
  type OutOfBagVotes,
} from "./bagging-classifier.js";
export {
  BaggingRegressor,
  baggingRegressorParams,
  FittedBaggingRegressor,
  type OutOfBagMeans,
} from "./bagging-regressor.js";
export { Cascade, type CascadeFitOptions, cascadeParams } from "./cascade.js";
export type { SensitivityGuarantee } from "./cascade-blocks.js";
export { type CascadeFromCostsOptions, cascadeFromCosts } from "./cascade-from-costs.js";
export type { CascadeReport, SingleReport, StageReport } from "./cascade-report.js";
export type { CascadeStage } from "./cascade-stage.js";
export type { FittedStage } from "./cascade-walk.js";
export { DecisionStump, decisionStumpParams, FittedDecisionStump } from "./decision-stump.js";
export { ExtraTreesClassifier, FittedExtraTreesClassifier } from "./extra-trees-classifier.js";
export { ExtraTreesRegressor, FittedExtraTreesRegressor } from "./extra-trees-regressor.js";
export type { AsyncFeatureProvider, FeatureProvider } from "./feature-provider.js";
export { FittedAdaBoostClassifier } from "./fitted-ada-boost-classifier.js";
export type { BaggedMember } from "./fitted-bag.js";
export { type CascadePredictions, FittedCascade, type JudgedRows } from "./fitted-cascade.js";
export { FittedHist } from "./fitted-hist.js";
export {
  FittedHistGradientBoostingClassifier,
  HistGradientBoostingClassifier,
  histGradientBoostingClassifierParams,
} from "./hist-gradient-boosting-classifier.js";
export {
  FittedHistGradientBoostingRegressor,
  HistGradientBoostingRegressor,
  histGradientBoostingRegressorParams,
} from "./hist-gradient-boosting-regressor.js";
export type { HistNode } from "./hist-trees.js";
export { FittedRandomForestClassifier, RandomForestClassifier } from "./random-forest-classifier.js";
export { FittedRandomForestRegressor, RandomForestRegressor } from "./random-forest-regressor.js";
