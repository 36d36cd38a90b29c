import { DataError, ParameterError } from "../../core/errors.js";
import type { Label } from "../../core/labels.js";
import { approximateMode } from "../../core/numbers/approximate-mode.js";
import { Random } from "../../core/numbers/random.js";
import { flag, type ParamSpec, real } from "../../core/params/params.js";
import { type Design, requireFinite } from "../../data/input.js";
import { type ClassificationSet, type RegressionSet, signsOf } from "../../data/training-set.js";
import { r2Score } from "../../metrics/regression/regression.js";
import { linearScores } from "../../numeric/rows/linear-scores.js";

/** Early stopping: a fraction of the rows is held out, and the epochs end when their score no longer rises. */

export const earlyStopping = (): ParamSpec<boolean> =>
  flag({
    default: false,
    doc: "Stop when the score of held-out rows has not risen by tol for nIterNoChange epochs, and keep the best epoch.",
  });

export const validationFraction = (): ParamSpec<number> =>
  real({ above: 0, below: 1, default: 0.1, doc: "Fraction of the rows that earlyStopping holds out." });

interface Stopping {
  readonly earlyStopping: boolean;
  readonly validationFraction: number;
  readonly randomState: number;
}

/** Rows to learn from, and rows held out; null without early stopping. */
export interface Split<S> {
  readonly train: S;
  readonly held: S | null;
}

/** Class proportions are kept. */
export function splitClasses<L extends Label>(
  where: string,
  set: ClassificationSet<L>,
  params: Stopping,
): Split<ClassificationSet<L>> {
  if (!params.earlyStopping) return { train: set, held: null };
  requireFinite(where, set.x);
  const groups: number[][] = set.classes.map(() => []);
  for (const [i, k] of set.codes.entries()) groups[k]!.push(i);
  const { train, held } = splitRows(where, groups, params, 1);
  const part = (rows: Int32Array): ClassificationSet<L> => ({
    ...set,
    ...partOf(set, rows),
    codes: rows.map((i) => set.codes[i]!),
  });
  return { train: part(train), held: part(held) };
}

export function splitNumbers(where: string, set: RegressionSet, params: Stopping): Split<RegressionSet> {
  if (!params.earlyStopping) return { train: set, held: null };
  requireFinite(where, set.x);
  // R² needs a spread.
  const { train, held } = splitRows(where, [[...set.y.keys()]], params, 2);
  const part = (rows: Int32Array): RegressionSet => ({
    ...set,
    ...partOf(set, rows),
    y: Float64Array.from(rows, (i) => set.y[i]!),
  });
  return { train: part(train), held: part(held) };
}

const partOf = (
  { x, weights }: { readonly x: Design; readonly weights: Float64Array | undefined },
  rows: Int32Array,
) => ({
  x: x.selectRows(rows),
  weights: weights && Float64Array.from(rows, (i) => weights[i]!),
});

function splitRows(
  where: string,
  groups: readonly (readonly number[])[],
  { validationFraction, randomState }: Stopping,
  least: number,
): { readonly train: Int32Array; readonly held: Int32Array } {
  const n = groups.reduce((sum, group) => sum + group.length, 0);
  const count = Math.ceil(validationFraction * n);
  if (count < least || count > n - groups.length) {
    const expected = `a share that holds out at least ${least} of ${n} rows and leaves some to learn from`;
    throw new DataError(where, "validationFraction", expected, `${validationFraction}`);
  }
  const random = new Random(randomState);
  const taken = approximateMode(
    groups.map((group) => group.length),
    count,
    random,
  );
  const chosen = new Uint8Array(n);
  for (const [k, group] of groups.entries()) {
    const order = random.shuffleInto(Int32Array.from(group));
    for (let e = 0; e < taken[k]!; e++) chosen[order[e]!] = 1;
  }
  const rows = (wanted: number) => Int32Array.from(chosen.keys()).filter((i) => chosen[i] === wanted);
  return { train: rows(0), held: rows(1) };
}

/** θ ↦ the (weighted) accuracy of sign(w·x + b) for class k against the rest. */
export function accuracyOf(where: string, { x, codes, weights }: ClassificationSet<Label>, k: number) {
  const y = signsOf(codes, k);
  return (theta: Float64Array): number => {
    const z = scoresOf(where, x, theta);
    let [right, total] = [0, 0];
    for (let i = 0; i < y.length; i++) {
      const s = weights ? weights[i]! : 1;
      total += s;
      if (z[i]! > 0 === y[i]! > 0) right += s;
    }
    return right / total;
  };
}

/** θ ↦ R² of w·x + b. */
export function r2Of(where: string, { x, y, weights }: RegressionSet) {
  return (theta: Float64Array): number => r2Score(y, scoresOf(where, x, theta), { sampleWeight: weights });
}

const scoresOf = (where: string, x: Design, theta: Float64Array): Float64Array =>
  linearScores(where, x, theta.subarray(0, x.cols), theta.subarray(x.cols)).data;

/** `partialFit` never sees all rows, so that it cannot hold some of them out. */
export function refuseEarlyStopping(where: string, { earlyStopping }: Pick<Stopping, "earlyStopping">): void {
  if (!earlyStopping) return;
  throw new ParameterError(where, "earlyStopping", "false in partialFit, which never sees all rows", "true");
}
