import type { FittedModel } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { argmax } from "../core/numbers/scores.js";
import type { TreeScores } from "../core/structure.js";
import type { StumpLists } from "../numeric/trees/stump-votes.js";
import { FittedDecisionStump, stumpTree } from "../trees/decision-stump.js";

export interface PackedStumps extends StumpLists {
  /** Class proportions, 2 K per stump. */
  readonly leaves: Float64Array;
}

/** The members as lists, if all are stumps; else null. */
export function packStumps(members: readonly FittedModel[]): PackedStumps | null {
  const stumps = members.filter((member) => member instanceof FittedDecisionStump);
  if (stumps.length < members.length || stumps.length === 0) return null;
  return {
    features: Int32Array.from(stumps, ({ feature }) => feature),
    thresholds: Float64Array.from(stumps, ({ threshold }) => threshold),
    leaves: Float64Array.from(stumps.flatMap(({ leaves }) => [...leaves.data])),
    answers: Int32Array.from(stumps.flatMap(({ answers }) => answers)),
  };
}

/** The inverse of `packStumps`. */
export function unpackStumps<L extends Label>(
  params: object,
  classes: readonly L[],
  nFeatures: number,
  { features, thresholds, leaves }: Omit<PackedStumps, "answers">,
): FittedDecisionStump<L>[] {
  const size = 2 * classes.length;
  return Array.from(features, (feature, t) => {
    const own = leaves.slice(t * size, (t + 1) * size);
    return new FittedDecisionStump(params, classes, nFeatures, {
      feature,
      threshold: thresholds[t]!,
      leaves: own,
    });
  });
}

/** Stumps that vote with these weights for K classes, as trees; of two classes, the second less the first. */
export function stumpScores(stumps: PackedStumps, weights: Float64Array, K: number): TreeScores {
  const { features, thresholds, leaves } = stumps;
  const width = K === 2 ? 1 : K;
  const trees = Array.from(features, (feature, t) => {
    const votes = new Float64Array(2 * width);
    for (const side of [0, 1]) {
      const best = argmax(leaves, (2 * t + side) * K, K);
      if (K === 2) votes[side] = best === 1 ? weights[t]! : -weights[t]!;
      else votes[side * K + best] = weights[t]!;
    }
    return stumpTree(feature, thresholds[t]!, votes, width);
  });
  const divisor = weights.reduce((sum, w) => sum + w, 0);
  return { kind: "trees", trees, divisor, baseline: new Float64Array(width) };
}
