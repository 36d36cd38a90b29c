import { exp, log } from "../core/numbers/elementary.js";

export const regressionLossNames = ["linear", "square", "exponential"] as const;
export type RegressionLossName = (typeof regressionLossNames)[number];

/** What a round does after its member was fitted. */
export interface RegressionRound {
  /** ē = Σ wᵢ eᵢ, the weighted mean of the losses. */
  readonly error: number;
  /** ln((1 − ē)/ē) times the learning rate: the weight of the member. */
  readonly weight: number;
  /** Losses of all rows, each in [0, 1]. */
  readonly losses: Float64Array;
}

/** Residuals as losses in [0, 1]: |r| / max |r| over the rows that have weight, and its square or 1 − exp(−·). */
export function relativeLosses(
  name: RegressionLossName,
  y: Float64Array,
  predicted: Float64Array,
  weights: Float64Array,
): Float64Array {
  const losses = Float64Array.from(y, (value, i) => Math.abs(predicted[i]! - value));
  let largest = 0;
  for (const [i, loss] of losses.entries()) if (weights[i]! > 0) largest = Math.max(largest, loss);
  for (let i = 0; i < losses.length; i++) {
    const share = weights[i] === 0 || largest === 0 ? 0 : losses[i]! / largest;
    losses[i] = name === "linear" ? share : name === "square" ? share * share : 1 - exp(-share);
  }
  return losses;
}

/** The round of a member with these predictions; w sums to 1. */
export function regressionRound(
  name: RegressionLossName,
  learningRate: number,
  y: Float64Array,
  predicted: Float64Array,
  weights: Float64Array,
): RegressionRound {
  const losses = relativeLosses(name, y, predicted, weights);
  let error = 0;
  for (let i = 0; i < losses.length; i++) error += weights[i]! * losses[i]!;
  return { error, weight: learningRate * log((1 - error) / error), losses };
}

/** wᵢ ← wᵢ β^((1 − eᵢ)·rate) / Σ, with β = ē/(1 − ē): rows that were predicted well count less. */
export function updateRegressionWeightsInto(
  { error, losses }: RegressionRound,
  learningRate: number,
  weights: Float64Array,
): void {
  const logBeta = log(error / (1 - error));
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    weights[i]! *= exp(logBeta * (1 - losses[i]!) * learningRate);
    total += weights[i]!;
  }
  for (let i = 0; i < weights.length; i++) weights[i]! /= total;
}

/** The weighted median of the members' predictions for each row: the first, by size, at which half of the weight is reached. */
export function weightedMedians(
  predictions: readonly Float64Array[],
  memberWeights: Float64Array,
  rows: number,
): Float64Array {
  const T = predictions.length;
  const half = 0.5 * memberWeights.reduce((sum, w) => sum + w, 0);
  const order = new Int32Array(T);
  return Float64Array.from({ length: rows }, (_, i) => {
    for (let t = 0; t < T; t++) order[t] = t;
    order.sort((a, b) => predictions[a]![i]! - predictions[b]![i]! || a - b);
    let reached = 0;
    for (const t of order) {
      reached += memberWeights[t]!;
      if (reached >= half) return predictions[t]![i]!;
    }
    return predictions[order[T - 1]!]![i]!;
  });
}
