export {
  type Change,
  Counterfactual,
  type CounterfactualOptions,
  counterfactual,
} from "./counterfactual.js";
export {
  type DecisionBoundary,
  type DecisionBoundaryOptions,
  decisionBoundary,
} from "./decision-boundary.js";
export { type ExplainOptions, explain } from "./explain.js";
export { Explanation, type ExplanationMethod } from "./explanation.js";
export type { FeatureKey } from "./inspected-rows.js";
export {
  type PartialDependence,
  type PartialDependenceOptions,
  partialDependence,
} from "./partial-dependence.js";
export {
  PermutationImportance,
  type PermutationImportanceOptions,
  permutationImportance,
} from "./permutation-importance.js";
