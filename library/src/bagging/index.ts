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
export type { BaggedMember } from "./fitted-bag.js";
