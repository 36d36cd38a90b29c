/** Discriminants of the moments of each class. */
export { deviationsOf } from "../discriminant/covariance.js";
export { linearDiscriminantOfSums } from "../discriminant/linear-discriminant-analysis.js";
export { quadraticDiscriminantOfSums } from "../discriminant/quadratic-discriminant-analysis.js";
export { mergeScatter, type Scatter } from "../numeric/rows/moments.js";
