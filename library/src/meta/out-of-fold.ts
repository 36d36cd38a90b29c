import type { FitOptions, FittedModel } from "../core/contract.js";
import { AbortError, DataError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { Matrix } from "../data/matrix.js";
import { selectRows } from "../data/select-rows.js";
import { checkFold, type Fold, requireFolds, type Splitter } from "../data/splitters/splitter.js";
import { splitterOf } from "../data/splitters/splitter-of.js";
import type { MemberRows } from "../ensembles/member-rows.js";
import { memberOptions } from "../ensembles/members.js";
import { inFold } from "../selection/folds.js";
import type { ColumnsOf } from "./stacked-columns.js";

/** Rows to learn from, with targets of any kind. */
export interface FoldedSet {
  readonly x: MemberRows;
  readonly y: readonly Label[] | Float64Array;
  readonly weights: Float64Array | undefined;
}

/** The folds of a set. */
export function foldsFor(
  where: string,
  { x, y }: FoldedSet,
  cv: number | Splitter,
  stratified: boolean,
): readonly Fold[] {
  const folds = requireFolds(where, splitterOf(where, cv, stratified).split(x, y));
  for (const fold of folds) checkFold(where, fold, x.rows);
  return folds;
}

/** Fits to some rows of a set. */
export function fitRows<M extends FittedModel>(
  estimator: { fit(x: never, y: never, options?: FitOptions): FittedModel },
  { x, y, weights }: FoldedSet,
  rows: Int32Array,
  options: FitOptions,
): M {
  const own = weights && selectRows(weights, rows);
  const targets = selectRows(y as Float64Array, rows);
  return estimator.fit(x.selectRows(rows) as never, targets as never, memberOptions(options, own)) as M;
}

/** The models of all folds, and for each row what the model says that has not learned from it. */
export function outOfFold<M extends FittedModel>(
  where: string,
  estimator: { fit(x: never, y: never, options?: FitOptions): FittedModel },
  set: FoldedSet,
  folds: readonly Fold[],
  columnsOf: ColumnsOf<M>,
  options: FitOptions,
): { readonly columns: Matrix<Float64Array>; readonly models: readonly M[] } {
  const n = set.x.rows;
  let columns: Matrix<Float64Array> | undefined;
  const held = new Int32Array(n);
  const models = folds.map(({ train, test }, f) => {
    if (options.signal?.aborted) throw new AbortError(where, options.signal);
    return inFold(where, f, () => {
      const model = fitRows<M>(estimator, set, train, options);
      const { data, cols } = columnsOf(model, set.x.selectRows(test));
      columns ??= Matrix.zeros(n, cols);
      if (columns.cols !== cols) unequalClasses(where);
      test.forEach((i, e) => {
        columns!.data.set(data.subarray(e * cols, (e + 1) * cols), i * cols);
        held[i]!++;
      });
      return model;
    });
  });
  const wrong = held.findIndex((count) => count !== 1);
  if (wrong >= 0) {
    const expected = "folds that hold out every row once, such as new KFold()";
    const received = `row ${wrong} held out ${held[wrong]} times`;
    throw new DataError(where, "cv", expected, received);
  }
  return { columns: columns!, models };
}

export function unequalClasses(where: string): never {
  const expected = "of all classes";
  const received = "fewer classes in some fold";
  const advice = "Use fewer folds, or stratified ones.";
  throw new DataError(where, "the training rows of every fold", expected, received, advice);
}
