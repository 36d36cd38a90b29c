export { AdaBoostClassifier, adaBoostClassifierParams, type BoostingStep } from "./ada-boost-classifier.js";
export {
  AdaBoostRegressor,
  adaBoostRegressorParams,
  type RegressionBoostingStep,
} from "./ada-boost-regressor.js";
export { FittedAdaBoostClassifier } from "./fitted-ada-boost-classifier.js";
export { FittedAdaBoostRegressor } from "./fitted-ada-boost-regressor.js";
