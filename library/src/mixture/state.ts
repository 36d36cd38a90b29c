import type { StateReader, Tensor } from "../core/state/state.js";
import { readPositive } from "../core/state/state-lists.js";
import { type CovarianceType, covarianceShape, type Gaussians, gaussians } from "./gaussians.js";

/** The tensors of a mixture in a saved model. */
export function gaussiansTensors({ type, weights, means, covariances }: Gaussians): Record<string, Tensor> {
  const K = weights.length;
  const d = means.length / K;
  return {
    weights: { shape: [K], data: weights },
    means: { shape: [K, d], data: means },
    ...(type === "identity"
      ? {}
      : { covariances: { shape: covarianceShape(type, K, d), data: covariances } }),
  };
}

/** Checks and rebuilds what `gaussiansTensors` wrote. */
export function readGaussians(reader: StateReader, type: CovarianceType): Gaussians {
  const weights = readPositive(reader, "weights", [-1]);
  const K = weights.length;
  const means = reader.finite("means", [K, -1]);
  const d = means.length / K;
  if (K === 0 || d === 0) reader.fail("means", "of at least one component and one column", "none");
  const covariances =
    type === "identity" ? new Float64Array(0) : reader.finite("covariances", covarianceShape(type, K, d));
  try {
    return gaussians(reader.where, type, weights, means, covariances);
  } catch {
    return reader.fail("covariances", "of full rank", "others");
  }
}
