import type { FitOptions, FittedModel, MatrixLike, RestorePart } from "../../core/contract.js";
import { AbortError, ParameterError } from "../../core/errors.js";
import type { ParamsWith, ParamValues } from "../../core/params/params.js";
import { choice, either, integer, optional, real } from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { selectColumns } from "../../data/table/join-columns.js";
import { crossValScore, type Learner } from "../../selection/cross-validate.js";
import { cvParam, positiveLabelOfScorers, scoringParam } from "../../selection/search-params.js";
import {
  countOf,
  FittedModelSelector,
  fitColumns,
  ModelSelector,
  readModelSelection,
  requireColumns,
  requireScore,
  type SelectorRows,
  type Targets,
  wrappedEstimator,
} from "./selector-rows.js";

export const sequentialFeatureSelectorParams = {
  estimator: wrappedEstimator("The estimator whose cross-validated score decides."),
  nFeaturesToSelect: either(
    either(
      choice(["auto"], {
        default: "auto",
        doc: 'How many columns are kept, or which fraction of them; "auto": until the score changes by less than tol, or half without tol.',
      }),
      integer({ atLeast: 1, default: 1, doc: "" }),
    ),
    real({ above: 0, below: 1, default: 0.5, doc: "" }),
  ),
  tol: optional(
    real({
      default: 0,
      doc: 'With "auto": stop when the best next column changes the score by less. Below 0 for direction "backward": what a column may cost.',
    }),
  ),
  direction: choice(["forward", "backward"], {
    default: "forward",
    doc: "Begin with no column and add the best, or with all and remove the one that is missed least.",
  }),
  scoring: scoringParam,
  positiveLabel: positiveLabelOfScorers,
  cv: cvParam,
};
type SequentialParams = typeof sequentialFeatureSelectorParams;

/**
 * Columns one by one: in each step the column whose addition (or removal) gives the highest mean score over the folds. It costs a
 * cross-validation per column and step, and needs neither coefficients nor importances.
 * Parity: scikit-learn's SequentialFeatureSelector; of equal scores the first column, and at least one is kept.
 */
export class SequentialFeatureSelector<E extends Learner & object = Learner & object> extends ModelSelector<
  SequentialParams,
  E
> {
  static readonly id = "SequentialFeatureSelector";
  static readonly table = sequentialFeatureSelectorParams;

  constructor(params: ParamsWith<SequentialParams, { estimator: E }>) {
    super(params);
    const { tol, direction, nFeaturesToSelect } = this.params;
    const refuse = (expected: string): never => {
      throw new ParameterError(this.id, "tol", expected, String(tol));
    };
    if (tol !== null && nFeaturesToSelect !== "auto")
      refuse('null, or nFeaturesToSelect "auto", since a number of columns leaves it nothing to decide');
    if (tol !== null && tol < 0 && direction === "forward") refuse('at least 0 with direction "forward"');
  }

  fit(
    x: MatrixLike,
    y: Targets,
    options: FitOptions = {},
  ): FittedSequentialFeatureSelector<ReturnType<E["fit"]>> {
    const rows = this.rows(x, y, options);
    const { cols } = rows.x;
    const { nFeaturesToSelect, tol, direction } = this.params;
    const given = nFeaturesToSelect === "auto" ? null : nFeaturesToSelect;
    const count = nFeaturesToSelect === "auto" && tol !== null ? Math.max(1, cols - 1) : countOf(given, cols);
    requireColumns(rows.where, "nFeaturesToSelect", count, cols);
    const isForward = direction === "forward";
    const steps = nFeaturesToSelect === "auto" || isForward ? count : cols - count;
    const scores = new Float64Array(cols).fill(Number.NaN);
    const moved: number[] = [];
    let last = -Infinity;
    // One column is left at least, also after as many steps as there are columns.
    for (let step = 0; step < Math.min(steps, isForward ? cols : cols - 1); step++) {
      const { column, score } = this.#best(rows, moved);
      if (tol !== null && score - last < tol) break;
      last = score;
      scores[column] = score;
      moved.push(column);
      options.onProgress?.({ iteration: step + 1, total: steps });
    }
    const selected = keptBy(moved, cols, isForward);
    const model = fitColumns(this.params.estimator, rows, selected);
    return new FittedSequentialFeatureSelector({ ...rows, params: this.params, scores, selected, model });
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedSequentialFeatureSelector {
    return new FittedSequentialFeatureSelector(readModelSelection(new StateReader(state), restorePart));
  }

  /** The column that is best moved next, and the mean score with it. */
  #best({ where, x, y, options }: SelectorRows, moved: readonly number[]) {
    const { estimator, cv, scoring, positiveLabel, direction } = this.params;
    const { sampleWeight, signal } = options;
    let best = { column: -1, score: Number.NEGATIVE_INFINITY };
    for (let j = 0; j < x.cols; j++) {
      if (moved.includes(j)) continue;
      if (signal?.aborted) throw new AbortError(where, signal);
      const columns = keptBy([...moved, j], x.cols, direction === "forward");
      const validation = {
        cv,
        sampleWeight,
        scoring: scoring ?? undefined,
        positiveLabel: positiveLabel ?? undefined,
      };
      const given = [estimator, selectColumns(x, columns), y, validation] as unknown;
      const list = crossValScore(...(given as Parameters<typeof crossValScore>));
      const score = list.reduce((sum, one) => sum + one, 0) / list.length;
      requireScore(where, score, columns.length);
      if (best.column < 0 || score > best.score) best = { column: j, score };
    }
    return best;
  }
}

/** The columns that are kept, ascending: those that were added, or those that were not removed. */
const keptBy = (moved: readonly number[], cols: number, isForward: boolean): number[] =>
  [...Array(cols).keys()].filter((j) => moved.includes(j) === isForward);

/** `scores` are the mean scores of the folds after each column was added or removed; NaN for the others. */
export class FittedSequentialFeatureSelector<M = FittedModel> extends FittedModelSelector<
  ParamValues<SequentialParams>,
  M
> {
  protected get id(): string {
    return SequentialFeatureSelector.id;
  }

  /** The estimator, fitted to the columns that are kept. */
  get model(): M {
    return this.inner;
  }
}
