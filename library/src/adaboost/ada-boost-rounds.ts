import type { Progress } from "../core/contract.js";
import { exp, log } from "../core/elementary.js";
import { DataError } from "../core/errors.js";

/** Fits one more member to weighted rows. */
export interface WeakLearner<M> {
  /** `mistakes[i]` becomes 1 where the member is wrong about row i, else 0. */
  learn(weights: Float64Array, round: number, mistakes: Uint8Array): M;
}

/** What boosting has learned so far, one entry a round. */
export interface Boosted<M> {
  readonly members: M[];
  /** Weight of each member's vote. */
  readonly estimatorWeights: number[];
  /** Share of the row weights that each member is wrong about. */
  readonly estimatorErrors: number[];
  /** Mean exponential error of the sum so far; 1 before the first round. */
  readonly exponentialErrors: number[];
}

export interface Round<M> extends Progress {
  readonly boosted: Boosted<M>;
  /** Of the rows, as the round's member saw them. They change with the next round. */
  readonly weights: Float64Array;
}

export type Ending = "all rounds" | "perfect member" | "no better than chance";

/** Row weights are not let below this share. Parity: scikit-learn's. */
const LEAST_WEIGHT = 2 ** -52;

/** α of a member in K classes: ln((1 − e)/e) + ln(K − 1), times the learning rate. Parity: 1 for a perfect one. */
export const voteOf = (error: number, K: number, learningRate: number): number =>
  error <= 0 ? 1 : learningRate * (log((1 - error) / error) + log(K - 1));

/**
 * How much one more member with vote a multiplies the exponential error Σ s exp(−⟨y, f⟩/K) by [Zhu et al. 2009, eq. 4, with y and f
 * coded as there]: exp(−a (K − 1)/K) for rows it is right about, exp(a/K) for the others. K = 2: exp(∓a/2).
 */
export const lossFactor = (error: number, vote: number, K: number): number =>
  (1 - error) * exp((-vote * (K - 1)) / K) + error * exp(vote / K);

/** Its derivative with respect to the vote: 0 for the vote of learning rate 1. */
export const lossSlope = (error: number, vote: number, K: number): number =>
  (error * exp(vote / K) - (K - 1) * (1 - error) * exp((-vote * (K - 1)) / K)) / K;

/** Rows of the mistakes get exp(vote) times their weight; then all sum to 1. */
export function reweighInto(vote: number, mistakes: Uint8Array, out: Float64Array): void {
  // Looked up, not decided: branches that go either way cost more than the product.
  const factors = Float64Array.of(1, exp(vote));
  let total = 0;
  for (let i = 0; i < out.length; i++) {
    const w = out[i]! * factors[mistakes[i]!]!;
    out[i] = w;
    total += w;
  }
  for (let i = 0; i < out.length; i++) out[i]! /= total;
}

/** Keeps weights away from 0, but for rows that have none. */
export function liftInto(out: Float64Array): void {
  for (let i = 0; i < out.length; i++) if (out[i]! < LEAST_WEIGHT && out[i]! > 0) out[i] = LEAST_WEIGHT;
}

export function weightedError(weights: Float64Array, mistakes: Uint8Array): number {
  let wrong = 0;
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    total += weights[i]!;
    wrong += weights[i]! * mistakes[i]!;
  }
  return wrong / total;
}

export interface BoostingRules {
  readonly where: string;
  readonly classes: number;
  readonly nEstimators: number;
  readonly learningRate: number;
}

/** The rounds. `start` are row weights that sum to 1; returns why the last one was the last. */
export function* boostingRounds<M>(
  learner: WeakLearner<M>,
  start: Float64Array,
  { where, classes: K, nEstimators, learningRate }: BoostingRules,
): Generator<Round<M>, { boosted: Boosted<M>; ending: Ending }, void> {
  const boosted: Boosted<M> = {
    members: [],
    estimatorWeights: [],
    estimatorErrors: [],
    exponentialErrors: [],
  };
  const weights = start.slice();
  const mistakes = new Uint8Array(weights.length);
  let loss = 1;
  for (let t = 0; t < nEstimators; t++) {
    liftInto(weights);
    const member = learner.learn(weights, t, mistakes);
    const error = weightedError(weights, mistakes);
    if (error >= 1 - 1 / K) {
      if (t === 0) throw noBetterThanChance(where, error, K);
      return { boosted, ending: "no better than chance" };
    }
    const vote = voteOf(error, K, learningRate);
    loss *= lossFactor(error, vote, K);
    boosted.members.push(member);
    boosted.estimatorWeights.push(vote);
    boosted.estimatorErrors.push(error);
    boosted.exponentialErrors.push(loss);
    yield { iteration: t + 1, total: nEstimators, objective: loss, boosted, weights };
    if (error <= 0) return { boosted, ending: "perfect member" };
    if (t < nEstimators - 1) reweighInto(vote, mistakes, weights);
  }
  return { boosted, ending: "all rounds" };
}

/** What the first rounds have learned. */
export const firstRounds = <M>(boosted: Boosted<M>, count: number): Boosted<M> => ({
  members: boosted.members.slice(0, count),
  estimatorWeights: boosted.estimatorWeights.slice(0, count),
  estimatorErrors: boosted.estimatorErrors.slice(0, count),
  exponentialErrors: boosted.exponentialErrors.slice(0, count),
});

const noBetterThanChance = (where: string, error: number, K: number): DataError =>
  new DataError({
    where,
    subject: "the error of the first member",
    expected: `below that of guessing, ${1 - 1 / K}`,
    received: String(error),
    advice: "Columns that tell nothing about y cannot be boosted; try another estimator or other columns.",
  });
