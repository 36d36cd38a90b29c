export type { Selected } from "./fitted-selector.js";
export { FittedSelectKBest, FittedSelectPercentile, SelectKBest, SelectPercentile } from "./univariate.js";
export { FittedVarianceThreshold, VarianceThreshold } from "./variance-threshold.js";
