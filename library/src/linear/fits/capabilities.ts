import { classifier, regressor } from "../../core/capabilities.js";
import type { Capabilities } from "../../core/contract.js";

const linear = { scale: "standard", manyColumns: true, form: "linear" } as const;

export const linearClassifier = (facts: Partial<Capabilities> = {}): Capabilities =>
  classifier({ sparse: true, decisionFunction: true, ...linear, ...facts });

export const linearRegressor = (facts: Partial<Capabilities> = {}): Capabilities =>
  regressor({ sparse: true, ...linear, ...facts });
