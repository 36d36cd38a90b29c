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
export type { HistFitOptions } from "./resumed-rounds.js";
