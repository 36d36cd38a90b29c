import type { Command, CommandEntry } from "../command.js";

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "compare",
    summary: "Trains every sensible model on a table, ranks them honestly, and saves the best.",
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
    name: "completion",
    summary: "Writes what a shell needs to complete commands, options, models and datasets.",
    load: async () => (await import("./completion.js")).completion as Command,
  },
  {
    name: "leaderboard",
    summary: "Trains every model on a dataset of numbers and ranks them by cross-validation.",
    load: async () => (await import("./leaderboard.js")).leaderboard,
  },
];
