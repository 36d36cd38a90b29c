import type { Capabilities } from "../core/contract.js";

export const linearClassifierCapabilities: Capabilities = {
  task: "classification",
  sparse: true,
  missing: false,
  categorical: false,
  multiclass: true,
  probabilities: false,
  decisionFunction: true,
  sampleWeight: true,
  partialFit: false,
};

export const linearRegressorCapabilities: Capabilities = {
  task: "regression",
  sparse: true,
  missing: false,
  categorical: false,
  multiclass: false,
  probabilities: false,
  decisionFunction: false,
  sampleWeight: true,
  partialFit: false,
};
