export { type Boundary, type ConicKind, conicKind } from "./conic.js";
export { fisherCriterion } from "./fisher-criterion.js";
export { FittedDiscriminant } from "./fitted-discriminant.js";
export {
  FittedLinearDiscriminantAnalysis,
  LinearDiscriminantAnalysis,
} from "./linear-discriminant-analysis.js";
export {
  FittedQuadraticDiscriminantAnalysis,
  QuadraticDiscriminantAnalysis,
} from "./quadratic-discriminant-analysis.js";
