import type { FitReport, Progress } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { exp, log } from "../core/numbers/elementary.js";

/** Fits one more member to weighted rows. */
export interface WeakLearner<M> {
  /** Writes `mistakes`: 1 for each row that the member misclassifies, else 0. */
  learn(weights: Float64Array, round: number, mistakes: Uint8Array): M;
}

/** The members and their statistics, one entry per round. */
export interface Boosted<M> {
  readonly members: M[];
  /** Weight of each member's vote. */
  readonly estimatorWeights: number[];
  /** Weighted error rate of each member. */
  readonly estimatorErrors: number[];
  /** Mean exponential loss after each round; 1 before the first. */
  readonly exponentialErrors: number[];
}

export interface Round<M> extends Progress {
  readonly boosted: Boosted<M>;
  /** Row weights that the round's member was fitted to. The next round overwrites them. */
  readonly weights: Float64Array;
}

export type Ending = "all rounds" | "perfect member" | "no better than chance";

/** Lower bound of row weights. Parity: scikit-learn's. */
const MIN_WEIGHT = 2 ** -52;

/** The weight of a member's vote: ln((1 − e)/e) + ln(K − 1), times the learning rate. Parity: 1 for a perfect member. */
export const voteOf = (error: number, K: number, learningRate: number): number =>
  error <= 0 ? 1 : Math.min(MAX_VOTE, learningRate * (log((1 - error) / error) + log(K - 1)));

/** Sums of 10⁸ such votes are finite. Only learning rates above 10²⁹⁰ reach it. */
const MAX_VOTE = 1e300;

/**
 * The factor by which a member with vote a changes the exponential loss Σ s exp(−⟨y, f⟩/K) [Zhu et al. 2009, eq. 4, with y and f coded
 * as there]: exp(−a (K − 1)/K) for correctly classified rows, exp(a/K) for the others. K = 2: exp(∓a/2).
 */
export const lossFactor = (error: number, vote: number, K: number): number =>
  (1 - error) * exp((-vote * (K - 1)) / K) + error * exp(vote / K);

/** The derivative of log `lossFactor` with respect to the vote: 0 at learning rate 1. */
export function logLossDerivative(error: number, vote: number, K: number): number {
  // Both terms divided by exp(vote/K), which may overflow.
  const right = (1 - error) * exp(-vote);
  return (error - (K - 1) * right) / (K * (error + right));
}

/** Votes above this have an exponential that overflows, or soon will when it is multiplied by weights. */
const LARGE_VOTE = 300;

/** Multiplies the weights of misclassified rows by exp(vote), then normalises all to sum 1. */
export function updateWeightsInto(vote: number, mistakes: Uint8Array, out: Float64Array): void {
  // A table instead of a branch, which could not be predicted.
  // No weight becomes 0, since that would remove a row: `clampWeightsInto` raises positive ones.
  const factors =
    vote > LARGE_VOTE ? Float64Array.of(exp(-Math.min(vote, 600)), 1) : Float64Array.of(1, exp(vote));
  let total = 0;
  for (let i = 0; i < out.length; i++) {
    const w = out[i]! * factors[mistakes[i]!]!;
    out[i] = w;
    total += w;
  }
  for (let i = 0; i < out.length; i++) out[i]! /= total;
}

/** Raises positive weights to at least MIN_WEIGHT. */
export function clampWeightsInto(out: Float64Array): void {
  for (let i = 0; i < out.length; i++) if (out[i]! < MIN_WEIGHT && out[i]! > 0) out[i] = MIN_WEIGHT;
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

/** The members of the rounds so far, whoever fits them. */
export class BoostingRecord<M> {
  readonly boosted: Boosted<M> = {
    members: [],
    estimatorWeights: [],
    estimatorErrors: [],
    exponentialErrors: [],
  };
  readonly #rules: BoostingRules;
  #loss = 1;

  constructor(rules: BoostingRules) {
    this.#rules = rules;
  }

  /** Mean exponential loss after the last round. */
  get loss(): number {
    return this.#loss;
  }

  /** Adds a member of this weighted error and returns the weight of its vote; undefined: it is no better than guessing, and is not added. */
  add(member: M, error: number): number | undefined {
    const { where, classes: K, learningRate } = this.#rules;
    const { boosted } = this;
    if (error >= 1 - 1 / K) {
      if (boosted.members.length === 0) throw noBetterThanChance(where, error, K);
      return undefined;
    }
    const vote = voteOf(error, K, learningRate);
    this.#loss = Math.min(Number.MAX_VALUE, this.#loss * lossFactor(error, vote, K));
    boosted.members.push(member);
    boosted.estimatorWeights.push(vote);
    boosted.estimatorErrors.push(error);
    boosted.exponentialErrors.push(this.#loss);
    return vote;
  }
}

/** Runs the rounds. `start`: row weights that sum to 1. Returns why it stopped. */
export function* adaBoostRounds<M>(
  learner: WeakLearner<M>,
  start: Float64Array,
  rules: BoostingRules,
): Generator<Round<M>, { boosted: Boosted<M>; ending: Ending }, void> {
  const { nEstimators } = rules;
  const record = new BoostingRecord<M>(rules);
  const { boosted } = record;
  const weights = start.slice();
  const mistakes = new Uint8Array(weights.length);
  for (let t = 0; t < nEstimators; t++) {
    clampWeightsInto(weights);
    const member = learner.learn(weights, t, mistakes);
    const error = weightedError(weights, mistakes);
    const vote = record.add(member, error);
    if (vote === undefined) return { boosted, ending: "no better than chance" };
    yield { iteration: t + 1, total: nEstimators, objective: record.loss, boosted, weights };
    if (error <= 0) return { boosted, ending: "perfect member" };
    if (t < nEstimators - 1) updateWeightsInto(vote, mistakes, weights);
  }
  return { boosted, ending: "all rounds" };
}

/** The first `count` rounds. */
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
    expected: `below that of random guessing, ${1 - 1 / K}`,
    received: String(error),
    advice: "Boosting needs columns that are informative about y; try another estimator or other columns.",
  });

const warningOf: Record<Ending, readonly string[]> = {
  "all rounds": [],
  "perfect member": ["Stopped at a member without errors: further rounds would repeat it."],
  "no better than chance": ["Stopped because the next member was no better than random guessing."],
};

/** Every round lowers the exponential error, unless the learning rate is far above 1. */
const divergence = (objective: number): readonly string[] =>
  objective > 1 ? ["The exponential error rose above that before the first round. Lower learningRate."] : [];

/** `ending`: undefined before the last round. */
export function adaBoostReport(boosted: Boosted<unknown>, K: number, ending?: Ending): FitReport {
  const { estimatorWeights, estimatorErrors, exponentialErrors } = boosted;
  const e = estimatorErrors.at(-1)!;
  const vote = estimatorWeights.at(-1)!;
  const objective = exponentialErrors.at(-1)!;
  return {
    converged: ending !== undefined,
    iterations: estimatorWeights.length,
    objective,
    gradientNorm: objective * Math.abs(logLossDerivative(e, vote, K)),
    solver: "adaBoost",
    warnings: ending === undefined ? [] : [...warningOf[ending], ...divergence(objective)],
  };
}
