import type { ColumnLike } from "../../core/column-like.js";
import { DataError, show } from "../../core/errors.js";
import { describeParams, Parameterised } from "../../core/estimator.js";
import { checkLength, encodeLabels, type Label, type Labels } from "../../core/labels.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import type { Params, ParamsTable } from "../../core/params/params.js";
import type { Json } from "../../core/state/state.js";
import { objectAsCode } from "../../core/text/printing-code.js";
import type { Rows } from "../select-rows.js";

/** Row numbers to learn from and to be tested on. */
export interface Fold {
  readonly train: Int32Array;
  readonly test: Int32Array;
}

/** Labels or groups of rows. */
export type RowLabels = ArrayLike<unknown> | ColumnLike<unknown>;

/** A way to divide rows into folds. */
export interface Splitter {
  split(x: Rows, y?: RowLabels, groups?: RowLabels): readonly Fold[];
}

/** A splitter of the library in JSON, as a parameter of an estimator. */
export interface SplitterJson {
  readonly splitter: string;
  readonly params: Readonly<Record<string, Json>>;
}

/** A frozen description of how to divide rows. */
export abstract class SplitterBase<T extends ParamsTable, P = Params<T>>
  extends Parameterised<T, P>
  implements Splitter
{
  abstract split(x: Rows, y?: RowLabels, groups?: RowLabels): readonly Fold[];

  /** The call that makes it. */
  toString(): string {
    return `${this.id}(${objectAsCode(Object.entries(this.params))})`;
  }

  toJSON(): SplitterJson {
    return { splitter: this.id, params: describeParams(this.params) };
  }

  protected get where(): string {
    return `${this.id}.split`;
  }
}

export const isSplitter = (value: unknown): value is Splitter =>
  typeof value === "object" && typeof (value as Partial<Splitter> | null)?.split === "function";

/** The number of every row's group, from 0 on in the order of the groups. */
export function readGroups(
  where: string,
  groups: RowLabels | undefined,
  rows: number,
): { readonly codes: Int32Array; readonly counts: Float64Array; readonly groups: readonly Label[] } {
  if (groups === undefined) {
    const advice = "split(X, y, groups), or crossValidate(estimator, X, y, { cv, groups }).";
    throw new DataError(where, "groups", "given: the group of every row", "nothing", advice);
  }
  checkLength(where, "groups", groups, rows);
  try {
    const { codes, counts, classes } = encodeLabels(where, groups as Labels<Label>, rows);
    return { codes, counts, groups: classes };
  } catch (error) {
    // Said of labels, it would be taken for an error of y.
    if (error instanceof DataError && error.subject.startsWith("y"))
      throw new DataError({ ...error, subject: error.subject.replace(/^y/, "groups") });
    throw error;
  }
}

/** The folds in which the rows with number f are tested, for f from 0 to count − 1. */
export function foldsOf(foldOf: Int32Array, count: number): readonly Fold[] {
  return Array.from({ length: count }, (_, f) => foldWhere(foldOf.length, (i) => foldOf[i] === f));
}

/** The fold that tests these rows and learns from all others. */
export function foldWhere(rows: number, isTested: (i: number) => boolean): Fold {
  const test: number[] = [];
  const train: number[] = [];
  for (let i = 0; i < rows; i++) (isTested(i) ? test : train).push(i);
  return { train: Int32Array.from(train), test: Int32Array.from(test) };
}

/** The folds of a splitter, which can be anybody's: at least one. */
export function requireFolds(where: string, folds: readonly Fold[]): readonly Fold[] {
  if (Array.isArray(folds) && folds.length > 0) return folds;
  throw new DataError(where, "cv.split()", "an array of folds", show(folds));
}

/** Splitters can be anybody's, so what they give is checked. */
export function checkFold(where: string, fold: Fold, n: number): void {
  for (const subject of ["train", "test"] as const) {
    const rows: unknown = (fold as Fold | undefined)?.[subject];
    const isRow = (i: unknown) => Number.isInteger(i) && (i as number) >= 0 && (i as number) < n;
    const fine = isArrayLike(rows) && rows.length > 0 && Array.prototype.every.call(rows, isRow);
    if (!fine) throw new DataError(where, subject, `row numbers from 0 to ${n - 1}`, show(rows));
  }
}

/** All ways to choose `size` of the numbers 0 … n − 1, in order. */
export function* combinations(n: number, size: number): Generator<readonly number[]> {
  const chosen = Array.from({ length: size }, (_, k) => k);
  while (size <= n) {
    yield [...chosen];
    let k = size - 1;
    while (k >= 0 && chosen[k] === n - size + k) k--;
    if (k < 0) return;
    chosen[k]!++;
    for (let j = k + 1; j < size; j++) chosen[j] = chosen[j - 1]! + 1;
  }
}

/** How many there are. */
export function countCombinations(n: number, size: number): number {
  let count = 1;
  for (let k = 0; k < size; k++) count = (count * (n - k)) / (k + 1);
  return count;
}
