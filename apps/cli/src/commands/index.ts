import type { Command, CommandEntry } from "../command.js";

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "compare",
    summary: "Trains every sensible model on a table, ranks them honestly, and saves the best.",
    load: async () => (await import("./compare.js")).compare as Command,
  },
  {
    name: "leaderboard",
    summary: "Trains every model on a dataset of numbers and ranks them by cross-validation.",
    load: async () => (await import("./leaderboard.js")).leaderboard,
  },
];
