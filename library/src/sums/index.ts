/** The seam of sums: what a package needs that learns from sums over rows which it does not have, as `@argmax/sql` does. */
export { isSupervised } from "../core/capabilities.js";
export { capabilitiesOf, describeParams } from "../core/estimator.js";
export { classWeights, requireTwoClasses } from "../core/labels.js";
export { LARGEST_SHIFT } from "../numeric/rows/moments.js";
export { isRoundingNoise } from "../preprocessing/scalers/rounding-noise.js";
export * from "./bayes.js";
export * from "./decomposition.js";
export * from "./discriminant.js";
export * from "./quantiles.js";
