import { ParameterError } from "../core/errors.js";
import { numbers, optional } from "../core/params/params.js";
import type { NamedEstimators } from "./named-estimators.js";

export const votingWeights = optional(
  numbers({ atLeast: 0, default: [], doc: "Weight of each member, in their order; null: 1 each." }),
);

/** One weight per member. */
export function weightsOfMembers(
  where: string,
  {
    estimators,
    weights,
  }: { readonly estimators: NamedEstimators<unknown>; readonly weights: readonly number[] | null },
): Float64Array {
  const count = Object.keys(estimators).length;
  if (weights === null) return new Float64Array(count).fill(1);
  if (weights.length === count && weights.some((w) => w > 0)) return Float64Array.from(weights);
  throw new ParameterError({
    where,
    subject: "weights",
    expected: `${count} numbers ≥ 0, one per estimator, not all 0`,
    received: `[${weights.join(", ")}]`,
  });
}
