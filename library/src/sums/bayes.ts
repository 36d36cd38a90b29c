/** What naive Bayes models do with sums, once they have them. */
export { BIT } from "../bayes/bernoulli-nb.js";
export { leastCategories } from "../bayes/categorical-nb.js";
export { CODE, LARGEST_CODE, layoutOf, requireCounted } from "../bayes/categories.js";
export { COUNT } from "../bayes/feature-sums.js";
export { allBlocks, blockEstimator } from "../bayes/mixed-nb.js";
