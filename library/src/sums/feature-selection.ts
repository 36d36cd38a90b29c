/** Scores of columns from sums, and what selectors keep by them. */
export { requireSome, storable } from "../feature-selection/fitted-selector.js";
export { pValuesOf, requireFewClasses } from "../feature-selection/score-functions.js";
export { chi2Of, fOfClasses, fOfCorrelation } from "../feature-selection/test-statistics.js";
