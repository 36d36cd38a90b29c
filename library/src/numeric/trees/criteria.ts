import {
  ABSOLUTE_ERROR,
  ENTROPY,
  GINI,
  NODE_ERROR,
  POISSON,
  SQUARED_ERROR,
  TWOING,
} from "../generated/trees.layout.js";

/** Kernel codes of the classification criteria. "deviance" is another name for "entropy". */
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

/** Trees by absolute error are not grown by the kernels. */
export const treeTargetCriteria = { ...targetCriteria, absoluteError: ABSOLUTE_ERROR } as const;
export type TreeTargetCriterion = keyof typeof treeTargetCriteria;
