export type {
  GraphOptions,
  KNeighborsOptions,
  NearestRows,
  RadiusNeighborsOptions,
  RowsWithin,
} from "./fitted-neighbors.js";
export type { Vote } from "./fitted-neighbors-classifier.js";
export { FittedNearestCentroid, NearestCentroid } from "./nearest-centroid.js";
export { FittedNearestNeighbors, NearestNeighbors } from "./nearest-neighbors.js";
export {
  FittedKNeighborsClassifier,
  FittedRadiusNeighborsClassifier,
  KNeighborsClassifier,
  RadiusNeighborsClassifier,
} from "./neighbors-classifiers.js";
export {
  FittedKNeighborsRegressor,
  FittedRadiusNeighborsRegressor,
  KNeighborsRegressor,
  RadiusNeighborsRegressor,
} from "./neighbors-regressors.js";
export type { DistanceFunction, MetricParam, WeightFunction, WeightsParam } from "./params.js";
