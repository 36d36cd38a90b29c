export { BaggingClassifier, baggingClassifierParams } from "./bagging-classifier.js";
export { BaggingRegressor, baggingRegressorParams } from "./bagging-regressor.js";
export type { BaggedMember } from "./fitted-bag.js";
export { FittedBaggingClassifier, type OutOfBagVotes } from "./fitted-bagging-classifier.js";
export { FittedBaggingRegressor, type OutOfBagMeans } from "./fitted-bagging-regressor.js";
