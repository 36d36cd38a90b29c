import { classifierCapabilities, regressorCapabilities } from "../../core/capabilities.js";
import type { Capabilities } from "../../core/contract.js";

const linear = { scale: "standard", manyColumns: true, form: "linear" } as const;

export const linearClassifierCapabilities: Capabilities = {
  ...classifierCapabilities,
  sparse: true,
  decisionFunction: true,
  ...linear,
};

export const linearRegressorCapabilities: Capabilities = {
  ...regressorCapabilities,
  sparse: true,
  ...linear,
};
