import type { Loss } from "./loss.js";

/**
 * Curvature of the quadratic in z that touches ℓ at z and lies above it everywhere (iteratively reweighted least squares),
 * for losses that become straight lines: there the curvature itself is 0, and a Newton step has nothing to stand on.
 *
 *   huber δ:         min(1, δ/|z − y|)
 *   modified huber:  twice that of huber with δ = 2 and the residual 1 − yz
 *
 * Null for the other losses.
 */
export function majorantOf(loss: Loss): ((z: number, y: number) => number) | null {
  if (loss.name === "huber") return (z, y) => Math.min(1, loss.param / Math.abs(z - y));
  if (loss.name === "modifiedHuber") return (z, y) => 2 * Math.min(1, 2 / Math.abs(1 - y * z));
  return null;
}
