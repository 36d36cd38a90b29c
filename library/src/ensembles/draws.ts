import { DataError, ParameterError, show } from "../core/errors.js";
import { invalid, type ParamSpec } from "../core/params.js";

/** How much is drawn: a share of all (1: as many as there are), or a number. */
export const amount = (doc: string): ParamSpec<number> => ({
  kind: "union",
  default: 1,
  doc,
  expected: "a share above 0 and at most 1, or an integer ≥ 2",
  read: (value) => {
    const fine = typeof value === "number" && value > 0 && (value <= 1 || Number.isSafeInteger(value));
    return fine ? value : invalid;
  },
});

/** How many of n an amount asks for; `rounded` makes a whole number of a share of n. */
export function countOf(
  where: string,
  subject: string,
  asked: number,
  n: number,
  rounded: (share: number) => number,
): number {
  const count = asked <= 1 ? Math.max(1, rounded(asked * n)) : asked;
  if (count <= n) return count;
  throw new DataError({
    where,
    subject,
    expected: `at most ${n}, as many as there are`,
    received: show(asked),
  });
}

/** Out-of-bag scores need rows that are out of the bag. */
export function requireBootstrap(
  where: string,
  { oobScore, bootstrap }: { readonly oobScore: boolean; readonly bootstrap: boolean },
): void {
  if (!oobScore || bootstrap) return;
  throw new ParameterError({
    where,
    subject: "oobScore",
    expected: "false without bootstrap, which leaves rows out",
    received: "true",
  });
}
