import { type ScorerName, scorers } from "argmax";
import { UsageError } from "./command.js";
import { hint } from "./data/nearest.js";

/** A scorer by its name. */
export function readScoring(name: string | undefined): ScorerName | undefined {
  if (name === undefined || Object.hasOwn(scorers, name)) return name as ScorerName | undefined;
  const names = Object.keys(scorers);
  throw new UsageError(
    `There is no scoring ${JSON.stringify(name)}${hint(name, names)}. It may be ${names.join(", ")}.`,
  );
}
