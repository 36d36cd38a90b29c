import type { Capabilities } from "./contract.js";

type Facts = Partial<Capabilities>;

/** What a transformer can do: of dense numbers without gaps, unless the facts say otherwise. */
export const transformer = (facts: Facts = {}): Capabilities => ({
  task: "transform",
  sparse: false,
  missing: false,
  categorical: false,
  multiclass: true,
  probabilities: false,
  decisionFunction: false,
  sampleWeight: false,
  partialFit: false,
  ...facts,
});

/** A classifier of any number of classes with sample weights, unless the facts say otherwise. */
export const classifier = (facts: Facts = {}): Capabilities =>
  transformer({ task: "classification", sampleWeight: true, ...facts });

/** A regressor with sample weights, unless the facts say otherwise. */
export const regressor = (facts: Facts = {}): Capabilities =>
  transformer({ task: "regression", multiclass: false, sampleWeight: true, ...facts });

/** A clusterer by distances with sample weights, unless the facts say otherwise. */
export const clusterer = (facts: Facts = {}): Capabilities =>
  transformer({ task: "clustering", sampleWeight: true, scale: "standard", ...facts });

/** A density of dense rows without gaps. */
export const density = (facts: Facts = {}): Capabilities => transformer({ task: "density", ...facts });

/** Whether an estimator learns from X and y, not from X alone. */
export const isSupervised = ({ task, needsTargets = false }: Capabilities): boolean =>
  task === "classification" || task === "regression" || needsTargets;
