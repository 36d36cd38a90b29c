import type { SmoResult } from "../numeric/svm/smo.js";

/** Stalled after this many steps per variable without progress, and at least STALL_STEPS. */
const STALL_PASSES = 10;
const STALL_STEPS = 20_000;
/** Smaller relative changes of the objective are rounding. */
const STALL_CHANGE = 1e-12;

/**
 * Detects that SMO cycles: with C = 1e20, say, rounding of f is above the tolerance, and steps undo each other. Then neither the
 * objective nor the smallest violation falls any more.
 */
export class StallWatch {
  #since = 0;
  #objective = 0;
  #least = Infinity;
  readonly #patience: number;

  /** `most`: the step limit, whatever the progress. */
  constructor(
    variables: number,
    readonly most: number,
  ) {
    this.#patience = Math.max(STALL_PASSES * variables, STALL_STEPS);
  }

  reset(): void {
    this.#since = -1;
    this.#least = Infinity;
  }

  /** `counted`: all steps so far, including those of earlier attempts. */
  isStalled({ iterations, objective, violation }: SmoResult, counted: number): boolean {
    const fell = this.#objective - objective > STALL_CHANGE * Math.abs(objective);
    const better = violation < this.#least;
    if (better || fell || this.#since < 0) {
      this.#since = iterations;
      this.#objective = objective;
      this.#least = Math.min(this.#least, violation);
    }
    return counted >= this.most || iterations - this.#since >= this.#patience;
  }
}

/** The most refinement rounds, and the most in a row that do not halve the violation. */
const MOST_ROUNDS = 40;
const IDLE_ROUNDS = 3;

/** Whether another round of SMO from f evaluated in doubles can help. */
export class RefinementRounds {
  #count = 0;
  #idle = 0;
  #least = Infinity;

  shouldContinue(violation: number): boolean {
    if (!Number.isFinite(violation)) return false;
    this.#idle = violation < 0.5 * this.#least ? 0 : this.#idle + 1;
    this.#least = Math.min(this.#least, violation);
    return ++this.#count <= MOST_ROUNDS && this.#idle < IDLE_ROUNDS;
  }
}
