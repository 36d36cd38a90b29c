import type { SearchSpace } from "../core/contract.js";
import type { Step } from "../core/estimator.js";
import { integer } from "../core/params/params.js";

export const nEstimators = integer({ atLeast: 1, default: 50, doc: "Maximum number of rounds." });

export const boostingSpace: SearchSpace = {
  nEstimators: [25, 50, 100, 200],
  learningRate: { log: [0.03, 2] },
};

/** A round, as `steps()` yields it. */
export interface BoostingStep<M> extends Step<M> {
  /** Row weights that the round's member was fitted to, or its rows drawn by, without rows of weight 0. They sum to 1. */
  readonly rowWeights: Float64Array;
  /** Weighted error rate or mean loss of the round's member. */
  readonly error: number;
}

export type Rounds<M> = Generator<BoostingStep<M>, M, void>;
