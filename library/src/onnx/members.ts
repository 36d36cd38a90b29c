import type { FittedModel } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { refuse, type Source } from "./converter.js";
import type { Value } from "./graph.js";
import type { Classified, Valued } from "./prediction.js";

export const classesOf = ({ model }: Source) =>
  (model as FittedModel & { classes: readonly Label[] }).classes;

export function classified(source: Source, member: FittedModel, rows = source.rows): Classified {
  const found = source.convert(member, rows);
  if (found.kind !== "classes") refuse(`the members of ${source.state.kind}`, "classifiers", "others");
  return found;
}

export function valued(source: Source, member: FittedModel, rows = source.rows): Valued {
  const found = source.convert(member, rows);
  if (found.kind !== "values") refuse(`the members of ${source.state.kind}`, "regressors", "others");
  return found;
}

export type Method = "predictProba" | "decisionFunction";

/** Whether the library's model has the method: a file decides by what the model decides by. */
export const has = (model: FittedModel, method: Method): boolean =>
  typeof (model as unknown as Readonly<Record<string, unknown>>)[method] === "function";

/** What a member computes by the method, which it has. */
export function askedOf(
  member: FittedModel,
  found: Classified,
  method: Method,
): { readonly value: Value; readonly cols: number } {
  const value = method === "predictProba" ? found.probabilities : found.scores;
  const what = method === "predictProba" ? "probabilities" : "scores";
  if (value === undefined)
    refuse(`the ${what} of a member`, "what standard operators compute", kindOf(member));
  return { value, cols: method === "predictProba" ? found.classes.length : found.scoreCols! };
}

const kindOf = (member: FittedModel): string => `those of ${member.toState().kind}`;
