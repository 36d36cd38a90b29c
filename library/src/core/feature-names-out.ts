import type { FittedModel } from "./contract.js";
import { DataError } from "./errors.js";

interface NamesOutputs extends FittedModel {
  featureNames?(input?: readonly string[]): readonly string[];
  readonly featureNamesOut?: readonly string[];
}

/**
 * The names of what a transformer makes of columns with these names: its own, or, where it has none, its class in lower case and a
 * number, of which there are `cols`.
 */
export function outputNames(
  where: string,
  model: FittedModel,
  input: readonly string[] | undefined,
  cols?: number,
): readonly string[] {
  const { featureNamesOut } = model as NamesOutputs;
  if (typeof (model as NamesOutputs).featureNames === "function")
    return (model as Required<NamesOutputs>).featureNames(input);
  if (featureNamesOut !== undefined) return featureNamesOut;
  const { kind } = model.toState();
  if (cols !== undefined) return Array.from({ length: cols }, (_, j) => `${kind.toLowerCase()}${j}`);
  throw new DataError(where, "every step", "a transformer that names its outputs", `a fitted ${kind}`);
}
