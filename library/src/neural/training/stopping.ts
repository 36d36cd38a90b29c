/** When to stop, as scikit-learn decides it: after `patience` epochs in a row without an improvement of at least tol. */
export interface StoppingRule {
  readonly tol: number;
  /** scikit-learn's n_iter_no_change. */
  readonly patience: number;
}

/** What the rule remembers; plain values, so that a checkpoint keeps it. */
export interface StoppingState {
  /** The best so far: a loss, or the score of the held-out rows with its sign turned. */
  readonly best: number | null;
  readonly epochsWithout: number;
}

export const freshStopping: StoppingState = { best: null, epochsWithout: 0 };

/** After an epoch with `value` (smaller is better): the new state, and whether it is the best so far. */
export function observeEpoch(
  { tol, patience }: StoppingRule,
  { best, epochsWithout }: StoppingState,
  value: number,
): { readonly state: StoppingState; readonly improved: boolean; readonly stop: boolean } {
  const before = best ?? Infinity;
  const without = value > before - tol ? epochsWithout + 1 : 0;
  const improved = value < before;
  return {
    state: { best: improved ? value : best, epochsWithout: without },
    improved,
    stop: without > patience,
  };
}
