/** What is computed of order statistics. */
export { expandedQuantilesOf, type Weighed, weighedMedian } from "../metrics/weighted-quantiles.js";
export { binCounts, binEdges } from "../preprocessing/bins/k-bins-discretizer.js";
export { rankedMedian } from "../preprocessing/imputers/fill-values.js";
export { spacedQuantiles } from "../preprocessing/scalers/quantile-transformer.js";
export type { Ranked } from "../preprocessing/scalers/quantiles.js";
export { robustStatistics } from "../preprocessing/scalers/robust-scaler.js";
export { givenKnots, learnedKnots, type WeighedColumn } from "../preprocessing/spline-transformer.js";
