import type { CommandEntry } from "../command.js";

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "predict",
    summary: "Predicts the rows of a file with a saved model, in batches.",
    load: async () => (await import("./predict.js")).predict,
  },
  {
    name: "inspect",
    summary: "Describes the columns of a file and warns of what spoils a model.",
    load: async () => (await import("./inspect.js")).inspect,
  },
  {
    name: "convert",
    summary: "Writes a saved model as JSON or in the format of LIBSVM.",
    load: async () => (await import("./convert.js")).convert,
  },
  {
    name: "datasets",
    summary: "Lists the included datasets, which can be named in place of a file.",
    load: async () => (await import("./datasets.js")).datasets,
  },
  {
    name: "leaderboard",
    summary: "Trains every model on a dataset of numbers and ranks them by cross-validation.",
    load: async () => (await import("./leaderboard.js")).leaderboard,
  },
];
