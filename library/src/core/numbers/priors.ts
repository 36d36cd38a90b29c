import { DataError, ParameterError, show } from "../errors.js";
import type { Label } from "../labels.js";
import { numbers, optional } from "../params/params.js";

/** The priors' row in both params tables. */
export const priorsParam = optional(
  numbers({
    above: 0,
    atMost: 1,
    default: [],
    doc: "Prior probability of each class, in the order of `classes`; null for the class proportions.",
  }),
);

/** Priors are given in full or not at all: scikit-learn rescales them with a warning, here a wrong sum is an error. */
export function checkPriors(where: string, priors: readonly number[] | null): void {
  if (priors === null) return;
  const sum = priors.reduce((total, p) => total + p, 0);
  if (Math.abs(sum - 1) <= 1e-9) return;
  throw new ParameterError(where, "priors", "numbers that sum to 1", `a sum of ${sum}`);
}

/** π of each class: as given, or the class proportions (by weight). */
export function priorsOf(
  where: string,
  given: readonly number[] | null,
  classes: readonly Label[],
  counts: Float64Array,
): Float64Array {
  if (given === null) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => count / total);
  }
  if (given.length === classes.length) return Float64Array.from(given);
  throw new DataError({
    where,
    subject: "priors",
    expected: `one number for each of the ${classes.length} classes (${classes.slice(0, 8).map(show).join(", ")})`,
    received: `${given.length} numbers`,
  });
}
