export { FittedMLPClassifier, MLPClassifier } from "./mlp-classifier.js";
export { FittedMLPRegressor, MLPRegressor } from "./mlp-regressor.js";
