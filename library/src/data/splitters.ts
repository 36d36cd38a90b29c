import type { ColumnLike } from "../core/column-like.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { encodeLabels, type Label, type Labels } from "../core/labels.js";
import { flag, integer, type Params, type ParamValues, randomState, readParams } from "../core/params.js";
import { Random } from "../core/random.js";
import { isArrayLike } from "../core/typed-arrays.js";
import { countRows, type Rows } from "./select-rows.js";

/** Row numbers to learn from and to be tested on. */
export interface Fold {
  readonly train: Int32Array;
  readonly test: Int32Array;
}

/** A way to divide rows into folds. */
export interface Splitter {
  split(x: Rows, y?: ArrayLike<unknown>): readonly Fold[];
}

/** A splitter of the library in JSON, as a parameter of an estimator. */
export interface SplitterJson {
  readonly splitter: string;
  readonly params: Readonly<Record<string, number | boolean>>;
}

export const kFoldParams = {
  nSplits: integer({ atLeast: 2, default: 5, doc: "How many folds." }),
  shuffle: flag({ default: false, doc: "Put the rows in random order before they are divided." }),
  randomState: randomState(),
};

/** Folds of consecutive rows, every row in exactly one test part. Parity: without shuffling, scikit-learn's KFold. */
export class KFold implements Splitter {
  static readonly table = kFoldParams;
  readonly params: ParamValues<typeof kFoldParams>;

  constructor(params: Params<typeof kFoldParams> = {}) {
    this.params = readParams("KFold", kFoldParams, params);
    Object.freeze(this);
  }

  toJSON(): SplitterJson {
    return { splitter: "KFold", params: this.params };
  }

  split(x: Rows): readonly Fold[] {
    const where = "KFold.split";
    const { nSplits, shuffle, randomState } = this.params;
    const n = countRows(where, x);
    if (nSplits > n) tooManyFolds(where, nSplits, n);
    const order = shuffle
      ? new Random(randomState).permutation(n)
      : Int32Array.from({ length: n }, (_, i) => i);
    const foldOf = new Int32Array(n);
    let at = 0;
    for (let f = 0; f < nSplits; f++) {
      const end = at + Math.floor(n / nSplits) + (f < n % nSplits ? 1 : 0);
      for (; at < end; at++) foldOf[order[at]!] = f;
    }
    return foldsOf(foldOf, nSplits);
  }
}

/** Folds with the same class proportions. Parity: without shuffling, scikit-learn's StratifiedKFold. */
export class StratifiedKFold implements Splitter {
  static readonly table = kFoldParams;
  readonly params: ParamValues<typeof kFoldParams>;

  constructor(params: Params<typeof kFoldParams> = {}) {
    this.params = readParams("StratifiedKFold", kFoldParams, params);
    Object.freeze(this);
  }

  toJSON(): SplitterJson {
    return { splitter: "StratifiedKFold", params: this.params };
  }

  split(x: Rows, y?: ArrayLike<unknown> | ColumnLike<unknown>): readonly Fold[] {
    const where = "StratifiedKFold.split";
    const { nSplits, shuffle, randomState } = this.params;
    const n = countRows(where, x);
    if (nSplits > n) tooManyFolds(where, nSplits, n);
    const { classes, codes, counts } = encodeLabels(where, y as Labels<Label>, n);
    checkMembers(where, classes, counts, nSplits);
    const random = new Random(randomState);
    const allocation = allocate(byAppearance(codes, classes.length), nSplits);
    const folds = allocation.map((list) => (shuffle ? random.shuffleInto(list) : list));
    const next = new Int32Array(classes.length);
    return foldsOf(
      codes.map((k) => folds[k]![next[k]!++]!),
      nSplits,
    );
  }
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
  throw new DataError({
    where,
    subject: "nSplits",
    expected: `at most ${counts[rare]}, the rows of the rarest class (${show(classes[rare])})`,
    received: `${nSplits}`,
  });
}

function tooManyFolds(where: string, nSplits: number, n: number): never {
  throw new DataError({
    where,
    subject: "nSplits",
    expected: `at most the number of rows (${n})`,
    received: `${nSplits}`,
  });
}

function foldsOf(foldOf: Int32Array, nSplits: number): readonly Fold[] {
  const sizes = new Int32Array(nSplits);
  for (const f of foldOf) sizes[f]!++;
  return Array.from(sizes, (size, f) => {
    const test = new Int32Array(size);
    const train = new Int32Array(foldOf.length - size);
    for (let i = 0, inTest = 0; i < foldOf.length; i++) {
      if (foldOf[i] === f) test[inTest++] = i;
      else train[i - inTest] = i;
    }
    return { train, test };
  });
}

/** A number of folds (stratified for classifiers), or a splitter as it is. */
export function splitterOf(where: string, cv: unknown, stratified: boolean): Splitter {
  if (isSplitter(cv)) return cv;
  if (typeof cv === "number")
    return stratified ? new StratifiedKFold({ nSplits: cv }) : new KFold({ nSplits: cv });
  throw new ParameterError({
    where,
    subject: "cv",
    expected: "a number of folds or a splitter such as new KFold()",
    received: show(cv),
  });
}

export const isSplitter = (value: unknown): value is Splitter =>
  typeof value === "object" && typeof (value as Partial<Splitter> | null)?.split === "function";

/** The splitter that `toJSON` described; undefined if the value is something else. */
export function splitterFromJson(value: unknown): Splitter | undefined {
  const { splitter, params } = (value ?? {}) as Partial<SplitterJson>;
  if (splitter === "KFold") return new KFold(params);
  return splitter === "StratifiedKFold" ? new StratifiedKFold(params) : undefined;
}

/** The folds of a splitter, which can be anybody's: at least one. */
export function requireFolds(where: string, folds: readonly Fold[]): readonly Fold[] {
  if (Array.isArray(folds) && folds.length > 0) return folds;
  throw new DataError({ where, subject: "cv.split()", expected: "an array of folds", received: show(folds) });
}

/** Splitters can be anybody's, so what they give is checked. */
export function checkFold(where: string, fold: Fold, n: number): void {
  for (const subject of ["train", "test"] as const) {
    const rows: unknown = (fold as Fold | undefined)?.[subject];
    const isRow = (i: unknown) => Number.isInteger(i) && (i as number) >= 0 && (i as number) < n;
    const fine = isArrayLike(rows) && rows.length > 0 && Array.prototype.every.call(rows, isRow);
    if (!fine)
      throw new DataError({
        where,
        subject,
        expected: `row numbers from 0 to ${n - 1}`,
        received: show(rows),
      });
  }
}
