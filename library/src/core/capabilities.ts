import type { Capabilities } from "./contract.js";

/** A transformer of dense numbers without gaps, unless a family says otherwise. */
export const transformerCapabilities: Capabilities = {
  task: "transform",
  sparse: false,
  missing: false,
  categorical: false,
  multiclass: true,
  probabilities: false,
  decisionFunction: false,
  sampleWeight: false,
  partialFit: false,
};

/** A classifier of any number of classes with sample weights, unless a family says otherwise. */
export const classifierCapabilities: Capabilities = {
  ...transformerCapabilities,
  task: "classification",
  sampleWeight: true,
};

/** A regressor with sample weights, unless a family says otherwise. */
export const regressorCapabilities: Capabilities = {
  ...transformerCapabilities,
  task: "regression",
  multiclass: false,
  sampleWeight: true,
};

/** A clusterer by distances with sample weights, unless a family says otherwise. */
export const clustererCapabilities: Capabilities = {
  ...transformerCapabilities,
  task: "clustering",
  sampleWeight: true,
  scale: "standard",
};

/** A density of dense rows without gaps, unless a family says otherwise. */
export const densityCapabilities: Capabilities = { ...transformerCapabilities, task: "density" };

/** Whether an estimator learns from X and y, not from X alone. */
export const isSupervised = ({ task, needsTargets = false }: Capabilities): boolean =>
  task === "classification" || task === "regression" || needsTargets;
