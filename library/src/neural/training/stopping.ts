import type { TrainingPlan } from "./task.js";

/** What the stopping rule remembers; plain values, so that a checkpoint keeps it. */
export interface StoppingState {
  /** The best so far: a loss, or the score of the held-out rows with its sign turned. */
  readonly best: number | null;
  readonly epochsWithout: number;
}

export const freshStopping: StoppingState = { best: null, epochsWithout: 0 };

/**
 * After an epoch with `value` (smaller is better): the new state, and whether it is the best so far. Training stops, as in scikit-learn,
 * after nIterNoChange epochs in a row without an improvement of at least tol.
 */
export function observeEpoch(
  { tol, nIterNoChange }: Pick<TrainingPlan, "tol" | "nIterNoChange">,
  { best, epochsWithout }: StoppingState,
  value: number,
): { readonly state: StoppingState; readonly improved: boolean; readonly stop: boolean } {
  const before = best ?? Infinity;
  const without = value > before - tol ? epochsWithout + 1 : 0;
  const improved = value < before;
  return {
    state: { best: improved ? value : best, epochsWithout: without },
    improved,
    stop: without > nIterNoChange,
  };
}
