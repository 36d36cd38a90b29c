import {
  ABSOLUTE_ERROR,
  ENTROPY,
  GINI,
  NODE_ERROR,
  POISSON,
  SQUARED_ERROR,
  TWOING,
} from "../generated/trees.layout.js";

/** Codes of the criteria of classes, as the kernels have them. "deviance" and "entropy" are two names for one criterion. */
export const classCriteria = {
  gini: GINI,
  entropy: ENTROPY,
  deviance: ENTROPY,
  twoing: TWOING,
  nodeError: NODE_ERROR,
} as const;
export type ClassCriterion = keyof typeof classCriteria;

export const targetCriteria = { squaredError: SQUARED_ERROR, poisson: POISSON } as const;
export type TargetCriterion = keyof typeof targetCriteria;

/** Trees of absolute errors are not grown by the kernels. */
export const treeTargetCriteria = { ...targetCriteria, absoluteError: ABSOLUTE_ERROR } as const;
export type TreeTargetCriterion = keyof typeof treeTargetCriteria;
