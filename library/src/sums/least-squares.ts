/** Least squares from moments, for packages that sum them elsewhere. */
export { strengthOfOne } from "../linear/fits/params.js";
export { leastScale, ScaleBracket, scaleWarnings, UNFINISHED } from "../linear/huber-regressor.js";
export { spreadSolver } from "../linear/least-squares/dependent-solution.js";
export { definiteSolver, direct, fromMoments } from "../linear/least-squares/least-squares.js";
export {
  NonNegativeLeastSquares,
  type NonNegativeObjective,
  nonNegativeElasticNet,
  nonNegativeRidge,
  tooFewSweeps,
} from "../linear/least-squares/non-negative.js";
export { gramBlock } from "../linear/least-squares/target-moments.js";
export { areRounding } from "../numeric/linalg/dependent-columns.js";
export { type IndependentColumns, independentColumns } from "../numeric/linalg/pivoted-cholesky.js";
export type { TargetMoments } from "../numeric/rows/moments.js";
export { gramDescent } from "../solvers/coordinate-descent.js";
