import type { FittedModel } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import type { StumpLists } from "../numeric/trees/stump-votes.js";
import { FittedDecisionStump } from "../trees/decision-stump.js";

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
