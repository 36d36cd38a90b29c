import type { ParamSpec, ParamsTable } from "argmax/core";
import { functionOption, onWarning, option, readOptions, signal } from "argmax/sums";

/** What the functions of a database take: a misspelt option would be ignored, as weights that nobody reads. */

const name = option<string>(
  "name",
  "A column.",
  "the name of a column",
  (value) => typeof value === "string",
);

const names = option<readonly string[]>(
  "names",
  "The columns of X.",
  "a list of names of columns",
  (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
);

const anything = option<unknown>("value", "Checked where it is read.", "a value", () => true);

const counted = (least: number): ParamSpec<number | undefined> =>
  option(
    "integer",
    "A number.",
    `a whole number ≥ ${least}`,
    (value) => Number.isInteger(value) && (value as number) >= least,
  );

const timeoutMs = option<number>(
  "real",
  "Milliseconds of a pass.",
  "a number of milliseconds > 0",
  (value) => typeof value === "number" && value > 0,
);

const scratch = option<object>(
  "scratch",
  "Where a file may be.",
  "an object: { directory }",
  (value) => typeof value === "object" && value !== null,
);

const source = {
  ...{ target: name, features: names, sampleWeight: name, signal, timeoutMs },
  retries: counted(0),
  onProgress: functionOption("Called as rows are read."),
} satisfies ParamsTable;

const fit = {
  ...{ ...source, onWarning, scratch, checkpoint: anything },
  onCheckpoint: functionOption("Called after each pass."),
} satisfies ParamsTable;

// What these hold is checked where they are read.
const folds = { ...fit, cv: anything, fold: name, tested: anything, randomState: counted(0) };

const tables = {
  fitInDatabase: fit,
  crossValidateInDatabase: { ...folds, scoring: anything, positiveLabel: anything },
  compareInDatabase: {
    ...{ ...folds, scoring: anything, positiveLabel: anything, task: anything, models: anything },
    onModel: functionOption("Called as models begin and end."),
  },
  batches: { ...source, batchSize: anything, shuffle: anything },
  partialFitInDatabase: {
    ...source,
    batchSize: anything,
    shuffle: anything,
    epochs: anything,
    model: anything,
  },
} satisfies Record<string, ParamsTable>;

/** Refuses options that there are not, and those of another kind. */
export function requireOptions(where: keyof typeof tables, given: object): void {
  readOptions(where, tables[where], given);
}
