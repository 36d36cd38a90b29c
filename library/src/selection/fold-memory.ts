import { option } from "../core/params/options.js";

/** What was measured in a fold. */
export interface FoldRecord {
  /** One per scorer. */
  readonly testScores: readonly number[];
  /** Seconds. */
  readonly fitTime: number;
  readonly scoreTime: number;
}

/**
 * Keeps what was measured, so that a comparison or a search that was interrupted goes on where it stopped, with the same result.
 * Keys name a model or candidate and a fold; they are the same in every run on the same data with the same options.
 */
export interface FoldMemory {
  /** Asked before a fold is measured: what is known is not measured again. */
  recall(key: string): FoldRecord | undefined;
  /** Called after a fold has been measured. */
  remember(key: string, record: FoldRecord): void;
}

export const memoryOption = option<FoldMemory>(
  "union",
  "Keeps what was measured, so that an interrupted run goes on where it stopped.",
  "an object with recall(key) and remember(key, record)",
  (value) =>
    typeof (value as Partial<FoldMemory> | null)?.recall === "function" &&
    typeof (value as Partial<FoldMemory> | null)?.remember === "function",
);
