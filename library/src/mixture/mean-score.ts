import type { ScoreOptions } from "../core/contract.js";
import { readWeights } from "../core/labels.js";
import { readOptions, scoreOptions } from "../core/params/options.js";

/** The (weighted) mean of scores per row. */
export function meanScore(where: string, scores: Float64Array, options: ScoreOptions): number {
  readOptions(where, scoreOptions, options);
  const weights = readWeights(where, options.sampleWeight, scores.length);
  let sum = 0;
  let total = 0;
  for (let i = 0; i < scores.length; i++) {
    const s = weights === undefined ? 1 : weights[i]!;
    sum += s * scores[i]!;
    total += s;
  }
  return sum / total;
}
