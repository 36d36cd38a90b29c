import type { FittedModel } from "../../core/contract.js";
import type { ParamSpec } from "../../core/params/params.js";
import { either, integer, real } from "../../core/params/params.js";
import type { Learner } from "../../selection/cross-validate.js";
import { importancesOf, normOf } from "./importances.js";
import { FittedModelSelector, fitColumns, rankedBy, type SelectorRows } from "./selector-rows.js";

const DOC = "How many columns are dropped at a time: a number, or a fraction of all columns.";
export const stepParam: ParamSpec<number> = either(
  integer({ atLeast: 1, default: 1, doc: DOC }),
  real({ above: 0, below: 1, default: 0.5, doc: "" }),
);

export const stepOf = (step: number, cols: number): number =>
  step < 1 ? Math.max(1, Math.floor(step * cols)) : step;

export interface Eliminated {
  /** Numbers of the columns that are left, ascending. */
  readonly selected: readonly number[];
  /** The negative ranks: −1 for these, −2 for the last ones that were dropped, and so on. */
  readonly scores: Float64Array;
  /** Fitted to the columns that are left. */
  readonly model: FittedModel;
}

/**
 * Fits, drops the columns with the smallest Σ w² (compared by its root, which does not underflow), and fits again, until `count`
 * are left [Guyon et al. 2002]. `visit` gets every model with its columns, from all down to the last.
 */
export function eliminate(
  rows: SelectorRows,
  estimator: Learner,
  count: number,
  step: number,
  getter: string,
  visit: (model: FittedModel, columns: readonly number[]) => void = () => {},
): Eliminated {
  const scores = new Float64Array(rows.x.cols).fill(-1);
  let left = [...Array(rows.x.cols).keys()];
  for (;;) {
    const model = fitColumns(estimator, rows, left);
    visit(model, left);
    if (left.length <= count) return { selected: left, scores, model };
    const importances = importancesOf(rows.where, model, getter, left.length, normOf(2));
    const worst = new Set(rankedBy(importances).slice(0, Math.min(step, left.length - count)));
    left = left.filter((_, place) => !worst.has(place));
    const kept = new Set(left);
    for (let j = 0; j < scores.length; j++) if (!kept.has(j)) scores[j]!--;
  }
}

/** What is left after an elimination; `scores` are the negative ranks. */
export abstract class FittedElimination<P extends object, M> extends FittedModelSelector<P, M> {
  /** 1 for columns that are kept, 2 for those that were dropped last, and so on. */
  get ranking(): Int32Array {
    return Int32Array.from(this.scores, (score) => -score);
  }

  /** The estimator, fitted to the columns that are kept. */
  get model(): M {
    return this.inner;
  }
}
