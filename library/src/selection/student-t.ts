import { incompleteBeta } from "../core/numbers/tail-probabilities.js";

/** P(|T| ≥ |t|) of Student's distribution. */
export const twoSided = (t: number, degreesOfFreedom: number): number =>
  incompleteBeta(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + t * t));

/** The t with P(|T| ≥ t) = p, by bisection to the last digits. */
export function criticalT(p: number, degreesOfFreedom: number): number {
  let [low, high] = [0, 1];
  while (twoSided(high, degreesOfFreedom) > p) high *= 2;
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (twoSided(middle, degreesOfFreedom) > p) low = middle;
    else high = middle;
  }
  return high;
}
