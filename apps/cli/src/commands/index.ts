import type { Command } from "../command.js";
import { leaderboard } from "./leaderboard.js";

/** Every command; the first one runs when none is named. */
export const commands: readonly Command[] = [leaderboard];
