/** Steps of one generator as steps of another kind. Returns what it returns; whoever closes the outer one closes the inner one. */
export function* mapSteps<S, T, R>(steps: Generator<S, R, void>, map: (step: S) => T): Generator<T, R, void> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      yield map(step.value);
    }
  } finally {
    // Frees what the inner one holds when the caller stops early.
    steps.return(undefined as R);
  }
}

/** Runs to the end, and returns what the last step returns. */
export function runToEnd<R>(steps: Generator<unknown, R, void>): R {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
