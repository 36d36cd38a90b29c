export type { Selected } from "./fitted-selector.js";
export type { ColumnScores, DiscreteFeatures, MutualInformationOptions } from "./score-functions.js";
export { chi2, fClassif, fRegression, mutualInfoClassif, mutualInfoRegression } from "./score-functions.js";
export type { MutualInformation, OwnScores, ScoreFunction } from "./score-param.js";
export {
  FittedSelectFdr,
  FittedSelectFpr,
  FittedSelectFwe,
  SelectFdr,
  SelectFpr,
  SelectFwe,
} from "./select-by-p-value.js";
export { FittedSelectKBest, FittedSelectPercentile, SelectKBest, SelectPercentile } from "./univariate.js";
export { FittedVarianceThreshold, VarianceThreshold } from "./variance-threshold.js";
