import { oneOf, ParameterError, show } from "../core/errors.js";
import type { CsvDatasetName, CsvDatasets } from "./types.js";

const loaders: { readonly [N in CsvDatasetName]: () => Promise<CsvDatasets[N]> } = {
  async titanic() {
    const { rows } = await import("../data/included/titanic.js");
    return {
      name: "titanic",
      task: "classification",
      csv: rows.trimStart(),
      targetName: "survived",
      description:
        "The 1,309 passengers of the Titanic: class, name, sex, age, relatives on board, ticket, fare, cabin, port, and who survived. " +
        "Boat and body are known of some afterwards only: leave them out of X.",
      source:
        "F. E. Harrell Jr., T. Cason (Vanderbilt), Encyclopedia Titanica; OpenML 40945, via scikit-learn.",
      licence: "Public",
    };
  },
};

/** `const { csv } = await loadCsv("titanic")`: the text of a CSV file, as people have them, for `parseCsv`. Imported on demand. */
export async function loadCsv<N extends CsvDatasetName>(name: N): Promise<CsvDatasets[N]> {
  if (Object.hasOwn(loaders, name)) return loaders[name]();
  throw new ParameterError("loadCsv", "the name", oneOf(Object.keys(loaders)), show(name));
}

/** What `loadCsv` can load. */
export const csvDatasetNames = Object.freeze(Object.keys(loaders)) as readonly CsvDatasetName[];
