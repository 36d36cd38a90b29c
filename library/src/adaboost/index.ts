export { AdaBoostClassifier, adaBoostClassifierParams } from "./ada-boost-classifier.js";
export { AdaBoostRegressor, adaBoostRegressorParams } from "./ada-boost-regressor.js";
export type { BoostingStep, BoostingStep as RegressionBoostingStep } from "./boosting-step.js";
export { FittedAdaBoostClassifier } from "./fitted-ada-boost-classifier.js";
export { FittedAdaBoostRegressor } from "./fitted-ada-boost-regressor.js";
