export { DummyClassifier, dummyClassifierParams, FittedDummyClassifier } from "./dummy-classifier.js";
export { DummyRegressor, dummyRegressorParams, FittedDummyRegressor } from "./dummy-regressor.js";
