import type { CommandEntry } from "../command.js";

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "evaluate",
    summary: "Compares the predictions of a model with the truth: figures, tables and curves.",
    load: async () => (await import("./evaluate.js")).evaluate,
  },
  {
    name: "explain",
    summary: "Shows what a model has learned, which columns matter, and why a row is predicted as it is.",
    load: async () => (await import("./explain.js")).explain,
  },
  {
    name: "leaderboard",
    summary: "Trains every model on a dataset of numbers and ranks them by cross-validation.",
    load: async () => (await import("./leaderboard.js")).leaderboard,
  },
];
