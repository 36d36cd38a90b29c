import { DataError, ParameterError, show } from "../core/errors.js";
import type { Random } from "../core/numbers/random.js";
import { invalid, type ParamSpec } from "../core/params/params.js";

/** A sample size: a proportion (1: as many as there are), or a number. */
export const amount = (doc: string): ParamSpec<number> => ({
  kind: "union",
  default: 1,
  doc,
  expected: "a proportion above 0 and at most 1, or an integer ≥ 2",
  read: (value) => {
    const fine = typeof value === "number" && value > 0 && (value <= 1 || Number.isSafeInteger(value));
    return fine ? value : invalid;
  },
});

/** The sample size that an amount of n stands for; `rounded` rounds a proportion of n. */
export function countOf(
  where: string,
  subject: string,
  given: number,
  n: number,
  rounded: (proportion: number) => number,
): number {
  const count = given <= 1 ? Math.max(1, rounded(given * n)) : given;
  if (count <= n) return count;
  throw new DataError(where, subject, `at most ${n}, the number there are`, show(given));
}

/** An out-of-bag score requires rows that were not drawn. */
export function requireBootstrap(
  where: string,
  { oobScore, bootstrap }: { readonly oobScore: boolean; readonly bootstrap: boolean },
): void {
  if (!oobScore || bootstrap) return;
  throw new ParameterError(where, "oobScore", "false without bootstrap, since no row is out of bag", "true");
}

/** Draws with replacement, with probability proportional to the weights. */
export function drawWeighted(random: Random, weights: Float64Array, count: number): Int32Array {
  const sums = weights.slice();
  for (let i = 1; i < sums.length; i++) sums[i]! += sums[i - 1]!;
  return Int32Array.from({ length: count }, () => {
    const at = random.uniform() * sums.at(-1)!;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  });
}
