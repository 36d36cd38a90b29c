import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { denseWithin } from "../data/dense-within.js";
import { type InputRules, readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { type UnlabelledSet, unlabelledSet } from "../data/training-set.js";

const REASON = "centres are compared with";
const ADVICE = "TruncatedSVD makes few columns of many, or call X.toDense() if memory allows.";

/** Rows to learn from, dense: sparse ones become so, as far as memory allows. */
export type DenseSet = UnlabelledSet & { readonly x: Matrix; readonly given: Matrix };

export function denseSet(
  where: string,
  x: MatrixLike,
  y: Unlabelled,
  options: FitOptions | undefined,
  rules: InputRules = {},
): DenseSet {
  const set = unlabelledSet(where, x, y, options, { ...rules, sparse: true });
  const given = denseWithin(where, set.given, REASON, { advice: ADVICE });
  return {
    ...set,
    given,
    x: set.x === set.given ? given : denseWithin(where, set.x, REASON, { advice: ADVICE }),
  };
}

/** Rows to compare with centres, dense. */
export const denseRows = (where: string, x: MatrixLike, rules: InputRules): Matrix =>
  denseWithin(where, readMatrix(where, x, { ...rules, sparse: true }), REASON, { advice: ADVICE });
