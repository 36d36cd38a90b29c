import type { EstimatorClass } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { shortNumber } from "../core/text/printing.js";
import { asCode } from "../core/text/printing-code.js";
import { lastStep } from "./simplicity.js";

/**
 * The parameters of a model that differ from their defaults: `maxDepth 6, criterion entropy`; empty if none does. Those of the steps before
 * it are not listed, nor is `randomState`, which does not say what kind of model it is.
 */
export function modelSettings(estimator: object): string {
  if (typeof estimator !== "object" || estimator === null)
    throw new ParameterError("modelSettings", "the estimator", "an estimator or a pipeline", show(estimator));
  const itself = lastStep(estimator) as { readonly params?: Readonly<Record<string, unknown>> };
  const { table = {} } = itself.constructor as Partial<EstimatorClass>;
  return Object.entries(itself.params ?? {})
    .filter(([name, value]) => name !== "randomState" && asCode(value) !== asCode(table[name]?.default))
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(", ");
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? shortNumber(value) : asCode(value);

/** The name of a model with its settings: `DecisionTreeClassifier (maxDepth 6)`. */
export function modelLabel(name: string, estimator: object): string {
  const settings = modelSettings(estimator);
  return settings === "" ? name : `${name} (${settings})`;
}
