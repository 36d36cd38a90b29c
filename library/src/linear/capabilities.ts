import { classifierCapabilities, regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities } from "../core/contract.js";

export const linearClassifierCapabilities: Capabilities = {
  ...classifierCapabilities,
  sparse: true,
  decisionFunction: true,
};

export const linearRegressorCapabilities: Capabilities = { ...regressorCapabilities, sparse: true };
