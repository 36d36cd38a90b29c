import type { SmoResult } from "../numeric/svm/smo.js";

/** Steps without any progress after which there will be none: as many as this for each variable, and at least so many. */
const STALL_PASSES = 10;
const STALL_STEPS = 20_000;
/** Changes of the objective below this part of it are rounding. */
const STALL_CHANGE = 1e-12;

/**
 * Sees that steps go round in circles: with costs of 1e20, say, f is a sum of numbers so large that their rounding is above the tolerance,
 * and moves that look like progress undo each other. Then neither does the objective fall nor is any violation smaller than all before.
 */
export class StallWatch {
  #since = 0;
  #objective = 0;
  #least = Infinity;
  readonly #patience: number;

  /** `most`: steps after which it is enough, whatever they gain. */
  constructor(
    variables: number,
    readonly most: number,
  ) {
    this.#patience = Math.max(STALL_PASSES * variables, STALL_STEPS);
  }

  begin(): void {
    this.#since = -1;
    this.#least = Infinity;
  }

  /** `counted`: the steps so far, those before this solver's own included. */
  sees({ iterations, objective, violation }: SmoResult, counted: number): boolean {
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

/** The most rounds, and those that may pass while the violation does not fall to half of what it was. */
const MOST_ROUNDS = 40;
const IDLE_ROUNDS = 3;

/** Whether another round of steps from an evaluated f is worth it. */
export class RefinementRounds {
  #count = 0;
  #idle = 0;
  #least = Infinity;

  goesOn(violation: number): boolean {
    if (!Number.isFinite(violation)) return false;
    this.#idle = violation < 0.5 * this.#least ? 0 : this.#idle + 1;
    this.#least = Math.min(this.#least, violation);
    return ++this.#count <= MOST_ROUNDS && this.#idle < IDLE_ROUNDS;
  }
}
