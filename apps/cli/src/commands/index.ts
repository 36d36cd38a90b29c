import type { CommandEntry } from "../command.js";

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "leaderboard",
    summary: "Trains every model on a dataset of numbers and ranks them by cross-validation.",
    load: async () => (await import("./leaderboard.js")).leaderboard,
  },
  {
    name: "serve",
    summary: "Serves models over HTTP.",
    load: async () => (await import("./serve.js")).serve,
  },
  {
    name: "client",
    summary: "Writes a TypeScript client of a model.",
    load: async () => (await import("./client.js")).client,
  },
];
