import { DataError, show } from "../../core/errors.js";
import { encodeLabels, type Label, type Labels, requireDiscrete } from "../../core/labels.js";
import { Random } from "../../core/numbers/random.js";
import { flag, integer, randomState } from "../../core/params/params.js";
import { countRows, type Rows } from "../select-rows.js";
import { type Fold, foldsOf, type RowLabels, SplitterBase } from "./splitter.js";

export const kFoldParams = {
  nSplits: integer({ atLeast: 2, default: 5, doc: "How many folds." }),
  shuffle: flag({ default: false, doc: "Put the rows in random order before they are divided." }),
  randomState: randomState(),
};

/** Folds of consecutive rows, every row in exactly one test part. Parity: without shuffling, scikit-learn's KFold. */
export class KFold extends SplitterBase<typeof kFoldParams> {
  static readonly id = "KFold";
  static readonly table = kFoldParams;

  split(x: Rows): readonly Fold[] {
    const { nSplits, shuffle, randomState } = this.params;
    const n = countRows(this.where, x);
    const order = shuffle
      ? new Random(randomState).permutation(n)
      : Int32Array.from({ length: n }, (_, i) => i);
    return cutFolds(this.where, order, nSplits);
  }
}

/** Folds of rows that follow each other in `order`; the first ones are one row longer where it must be. */
export function cutFolds(where: string, order: Int32Array, nSplits: number): readonly Fold[] {
  const n = order.length;
  if (nSplits > n) tooManyFolds(where, nSplits, n);
  const foldOf = new Int32Array(n);
  let at = 0;
  for (let f = 0; f < nSplits; f++) {
    const end = at + Math.floor(n / nSplits) + (f < n % nSplits ? 1 : 0);
    for (; at < end; at++) foldOf[order[at]!] = f;
  }
  return foldsOf(foldOf, nSplits);
}

/** Folds with the same class proportions. Parity: without shuffling, scikit-learn's StratifiedKFold. */
export class StratifiedKFold extends SplitterBase<typeof kFoldParams> {
  static readonly id = "StratifiedKFold";
  static readonly table = kFoldParams;

  split(x: Rows, y?: RowLabels): readonly Fold[] {
    const { nSplits, shuffle, randomState } = this.params;
    return dealFolds(this.where, x, y, nSplits, shuffle ? new Random(randomState) : undefined);
  }
}

/** Stratified folds; with `random`, the rows of a class go to them in random order. */
export function dealFolds(
  where: string,
  x: Rows,
  y: RowLabels | undefined,
  nSplits: number,
  random: Random | undefined,
): readonly Fold[] {
  const n = countRows(where, x);
  if (nSplits > n) tooManyFolds(where, nSplits, n);
  const { classes, codes, counts } = encodeLabels(where, y as Labels<Label>, n);
  requireDiscrete(where, classes);
  checkMembers(where, classes, counts, nSplits);
  const allocation = allocate(byAppearance(codes, classes.length), nSplits);
  const folds = allocation.map((list) => (random ? random.shuffleInto(list) : list));
  const next = new Int32Array(classes.length);
  return foldsOf(
    codes.map((k) => folds[k]![next[k]!++]!),
    nSplits,
  );
}

/** Class numbers in the order in which the classes first appear, and how many rows each has. */
function byAppearance(codes: Int32Array, count: number): { order: number[]; counts: Int32Array } {
  const counts = new Int32Array(count);
  for (const k of codes) counts[k]!++;
  return { order: [...new Set(codes)], counts };
}

/**
 * For every class the folds of its rows, in order. All rows sorted by class are dealt out in turn, so that fold sizes
 * differ by one at most and so do the proportions of each class.
 */
function allocate({ order, counts }: { order: number[]; counts: Int32Array }, nSplits: number): number[][] {
  const folds: number[][] = Array.from(counts, () => []);
  let dealt = 0;
  for (const k of order) {
    const perFold = new Int32Array(nSplits);
    for (let r = 0; r < counts[k]!; r++, dealt++) perFold[dealt % nSplits]!++;
    folds[k] = Array.from(perFold).flatMap((rows, f) => new Array<number>(rows).fill(f));
  }
  return folds;
}

function checkMembers(where: string, classes: readonly Label[], counts: Float64Array, nSplits: number): void {
  const rare = counts.findIndex((count) => count < nSplits);
  if (rare < 0) return;
  const expected = `at most ${counts[rare]}, the rows of the rarest class (${show(classes[rare])})`;
  throw new DataError(where, "nSplits", expected, `${nSplits}`);
}

export function tooManyFolds(where: string, nSplits: number, n: number): never {
  throw new DataError(where, "nSplits", `at most the number of rows (${n})`, `${nSplits}`);
}
