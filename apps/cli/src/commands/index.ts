import type { Command, CommandEntry } from "../command.js";

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "inspect",
    summary: "Describes the columns of a file and warns of problems such as leaks and duplicates.",
    load: async () => (await import("./inspect.js")).inspect as Command,
  },
  {
    name: "compare",
    summary: "Compares models on a table by cross-validation, ranks them, and saves the best.",
    load: async () => (await import("./compare.js")).compare as Command,
  },
  {
    name: "train",
    summary: "Trains one model on a table, measures it on held-out rows, and saves it.",
    load: async () => (await import("./train.js")).train as Command,
  },
  {
    name: "tune",
    summary: "Searches the best parameters of a model, and saves it.",
    load: async () => (await import("./tune.js")).tune as Command,
  },
  {
    name: "evaluate",
    summary: "Compares the predictions of a model with the truth: figures, tables and curves.",
    load: async () => (await import("./evaluate.js")).evaluate as Command,
  },
  {
    name: "explain",
    summary: "Shows what a model has learned, which columns matter, and why a row is predicted as it is.",
    load: async () => (await import("./explain.js")).explain as Command,
  },
  {
    name: "predict",
    summary: "Predicts the rows of a file with a saved model, in batches.",
    load: async () => (await import("./predict.js")).predict as Command,
  },
  {
    name: "serve",
    summary: "Serves models over HTTP.",
    load: async () => (await import("./serve.js")).serve as Command,
  },
  {
    name: "studio",
    summary: "Serves the studio: models in the browser, on your own table.",
    load: async () => (await import("./studio.js")).studio as Command,
  },
  {
    name: "client",
    summary: "Writes a TypeScript client of a model.",
    load: async () => (await import("./client.js")).client as Command,
  },
  {
    name: "convert",
    summary: "Writes a saved model as JSON or in the format of LIBSVM.",
    load: async () => (await import("./convert.js")).convert as Command,
  },
  {
    name: "sql",
    summary: "Writes a saved model as a SELECT for DuckDB, PostgreSQL or ClickHouse.",
    load: async () => (await import("./sql.js")).sql as Command,
  },
  {
    name: "datasets",
    summary: "Lists the included datasets, which can be named in place of a file.",
    load: async () => (await import("./datasets.js")).datasets as Command,
  },
  {
    name: "completion",
    summary: "Writes what a shell needs to complete commands, options, models and datasets.",
    load: async () => (await import("./completion.js")).completion as Command,
  },
];
