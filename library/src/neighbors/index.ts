export type {
  GraphOptions,
  KNeighborsOptions,
  NearestRows,
  RadiusNeighborsOptions,
  RowsWithin,
} from "./fitted-neighbors.js";
export type { Vote } from "./fitted-neighbors-classifier.js";
export { FittedKNeighborsClassifier, KNeighborsClassifier } from "./k-neighbors-classifier.js";
export { FittedKNeighborsRegressor, KNeighborsRegressor } from "./k-neighbors-regressor.js";
export { FittedNearestCentroid, NearestCentroid } from "./nearest-centroid.js";
export { FittedNearestNeighbors, NearestNeighbors } from "./nearest-neighbors.js";
export type { DistanceFunction, MetricParam, WeightFunction, WeightsParam } from "./params.js";
export { FittedRadiusNeighborsClassifier, RadiusNeighborsClassifier } from "./radius-neighbors-classifier.js";
export { FittedRadiusNeighborsRegressor, RadiusNeighborsRegressor } from "./radius-neighbors-regressor.js";
