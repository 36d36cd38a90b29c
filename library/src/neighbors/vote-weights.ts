import { DataError, show } from "../core/errors.js";
import type { WeightsParam } from "./params.js";

/**
 * Writes the weights of neighbours at the given distances to `out`. With weights of 1/distance, if a neighbour is at distance 0, all
 * others have weight 0.
 */
export function voteWeightsInto(
  where: string,
  weights: WeightsParam,
  distances: Float64Array<ArrayBufferLike>,
  out: Float64Array,
): void {
  if (weights === "uniform") {
    out.fill(1, 0, distances.length);
    return;
  }
  if (typeof weights === "function") {
    for (let e = 0; e < distances.length; e++) out[e] = checked(where, weights(distances[e]!), distances[e]!);
    return;
  }
  // Relative to the nearest, which avoids overflow.
  let nearest = Infinity;
  for (let e = 0; e < distances.length; e++) nearest = Math.min(nearest, distances[e]!);
  for (let e = 0; e < distances.length; e++) {
    const d = distances[e]!;
    out[e] = nearest === 0 ? (d === 0 ? 1 : 0) : d === Infinity ? 0 : nearest / d;
  }
  if (nearest === Infinity) out.fill(1, 0, distances.length);
}

/** The same as a new array. */
export function voteWeights(where: string, weights: WeightsParam, distances: Float64Array): Float64Array {
  const out = new Float64Array(distances.length);
  voteWeightsInto(where, weights, distances, out);
  return out;
}

function checked(where: string, weight: unknown, distance: number): number {
  if (typeof weight === "number" && weight >= 0 && weight < Infinity) return weight;
  throw new DataError(where, `weights(${distance})`, "a finite number ≥ 0", show(weight));
}
