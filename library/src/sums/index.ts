/** The seam of sums: what a package needs that learns from sums over rows which it does not have, as `@argmax/sql` does. */
export { isSupervised } from "../core/capabilities.js";
export { capabilitiesOf, describeParams } from "../core/estimator.js";
export { classWeights, requireTwoClasses } from "../core/labels.js";
export { functionOption, onWarning, option, readOptions, signal } from "../core/params/options.js";
export { reportJson } from "../core/report.js";
export { runToEnd } from "../core/steps.js";
export { centreInto, unpack } from "../linear/fits/linear-fit.js";
export { isMarginLoss, type Loss, type MarginLoss } from "../losses/loss.js";
export { tubeWarnings } from "../losses/wide-tube.js";
export { minimiseLbfgs } from "../minimisers/lbfgs.js";
export { minimiseNewton } from "../minimisers/newton.js";
export type {
  Minimiser,
  MinimiserStep,
  Preconditioner,
  TwiceSmoothFunction,
} from "../minimisers/smooth-function.js";
export { LARGEST_SHIFT } from "../numeric/rows/moments.js";
export { isRoundingNoise } from "../preprocessing/scalers/rounding-noise.js";
export type { Baseline } from "../solvers/baseline.js";
export { type Regularisation, requireFiniteSquares, type Solution } from "../solvers/objective.js";
export { type PenalisedSum, proximalSteps } from "../solvers/proximal-steps.js";
export * from "./bayes.js";
export * from "./clustering.js";
export * from "./compare.js";
export * from "./compose.js";
export * from "./csv.js";
export * from "./decomposition.js";
export * from "./discriminant.js";
export * from "./feature-selection.js";
export * from "./least-squares.js";
export * from "./linear.js";
export * from "./mixture.js";
export * from "./preprocessing.js";
export * from "./quantiles.js";
export * from "./quantiles.js";
export * from "./scores.js";
export * from "./trees.js";
