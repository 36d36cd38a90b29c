import type { Options } from "../command.js";
import { forceOption } from "../model-output.js";

/** Options of commands that measure by cross-validation and save the best model. */
const foldsOption = {
  type: "string",
  short: "f",
  value: "N",
  default: "5",
  doc: "Folds of the cross-validation, 2 to 20",
} as const;

export const validationOptions = {
  scoring: { type: "string", value: "NAME", doc: "What is measured (default accuracy, or r2)" },
  positive: {
    type: "string",
    value: "CLASS",
    doc: "Of two classes: the one that precision, recall, f1, jaccard and averagePrecision are about; by default 1, true, yes and the like",
  },
  folds: foldsOption,
  seed: {
    type: "string",
    value: "N",
    default: "0",
    doc: "For folds, candidates and models that draw random numbers",
  },
  force: forceOption,
  resume: { type: "boolean", doc: "Go on with a run that was interrupted" },
} as const satisfies Options;
