export { AdaBoostClassifier, adaBoostClassifierParams, type BoostingStep } from "./ada-boost-classifier.js";
export { FittedAdaBoostClassifier } from "./fitted-ada-boost-classifier.js";
