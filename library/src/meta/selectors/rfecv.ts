import type { FitOptions, FittedModel, MatrixLike, RestorePart, Samples } from "../../core/contract.js";
import type { Label, Labels } from "../../core/labels.js";
import { integer, type ParamValues } from "../../core/params/params.js";
import { type Json, type ModelState, StateReader } from "../../core/state/state.js";
import type { Design } from "../../data/input.js";
import { selectColumns } from "../../data/table/join-columns.js";
import type { Learner } from "../../selection/cross-validate.js";
import { inFold, partsOf, planFolds } from "../../selection/folds.js";
import { type FoldRows, scoreFold } from "../../selection/measure-fold.js";
import { findScorers } from "../../selection/scoring.js";
import { cvParam, positiveLabelOfScorers, scoringParam } from "../../selection/search-params.js";
import { eliminate, FittedElimination, stepOf, stepParam } from "./elimination.js";
import { importanceGetter } from "./importances.js";
import {
  type ModelSelection,
  ModelSelector,
  readModelSelection,
  requireColumns,
  requireScore,
  type SelectorRows,
  type Targets,
  wrappedEstimator,
} from "./selector-rows.js";

export const rfecvParams = {
  estimator: wrappedEstimator(
    "The estimator that is fitted again and again, with coef or featureImportances.",
  ),
  step: stepParam,
  minFeaturesToSelect: integer({ atLeast: 1, default: 1, doc: "The fewest columns that are tried." }),
  cv: cvParam,
  scoring: scoringParam,
  positiveLabel: positiveLabelOfScorers,
  importanceGetter,
};
type RfecvParams = typeof rfecvParams;

/** Scores of a number of columns over the folds. */
export interface FeatureCountResult {
  readonly nFeatures: number;
  readonly meanScore: number;
  /** Population deviation over the folds. */
  readonly stdScore: number;
  readonly scores: readonly number[];
}

/**
 * Recursive feature elimination that chooses the number of columns itself: in each fold columns are eliminated one after the other, each
 * model is scored on the held-out rows, and the number with the highest mean score, of equal ones the smallest, is kept in the end.
 * Parity: scikit-learn's RFECV.
 */
export class RFECV<E extends Learner & object = Learner & object> extends ModelSelector<RfecvParams, E> {
  static readonly id = "RFECV";
  static readonly table = rfecvParams;

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedRFECV<ReturnType<E["fit"]>> {
    const rows = this.rows(x, y, options);
    const { estimator, step, minFeaturesToSelect, importanceGetter } = this.params;
    const { cols } = rows.x;
    requireColumns(rows.where, "minFeaturesToSelect", minFeaturesToSelect, cols);
    const by = stepOf(step, cols);
    const results = this.#measured(rows, by);
    // From the fewest on: of equal scores these.
    const best = results.reduce((top, result) => (result.meanScore > top.meanScore ? result : top));
    const left = eliminate(rows, estimator, best.nFeatures, by, importanceGetter);
    return new FittedRFECV({ ...rows, params: this.params, ...left }, results);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedRFECV {
    const reader = new StateReader(state);
    const isNumbers = (list: unknown): list is readonly number[] =>
      Array.isArray(list) && list.length > 0 && list.every((value) => typeof value === "number");
    const isResults = (
      value: unknown,
    ): value is readonly { nFeatures: number; scores: readonly number[] }[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((result) => Number.isInteger(result?.nFeatures) && isNumbers(result.scores));
    const results = reader.value("results", "scores by number of columns", isResults);
    return new FittedRFECV(
      readModelSelection(reader, restorePart),
      results.map(({ nFeatures, scores }) => summary(nFeatures, scores)),
    );
  }

  /** Scores of every number of columns in every fold, from the fewest columns on. */
  #measured(rows: SelectorRows, step: number): FeatureCountResult[] {
    const { estimator, minFeaturesToSelect, cv, positiveLabel, importanceGetter } = this.params;
    const scoring = this.params.scoring ?? undefined;
    const { where, x, y, options } = rows;
    const scorers = findScorers(where, scoring, estimator, positiveLabel);
    const { sampleWeight } = options;
    const validation = { cv, sampleWeight, scoring, positiveLabel: positiveLabel ?? undefined };
    const plan = planFolds(where, estimator, x as Samples, y as Labels<Label>, validation);
    const byCount = new Map<number, number[]>();
    for (let f = 0; f < plan.folds.length; f++) {
      inFold(where, f, () => {
        const { train, test } = partsOf(plan, f);
        const fold = {
          ...rows,
          x: train.X as Design,
          y: train.y as Targets,
          options: { ...options, ...train.options },
        };
        eliminate(fold, estimator, minFeaturesToSelect, step, importanceGetter, (model, columns) => {
          const some: FoldRows = { ...test, X: selectColumns(test.X as Design, columns) };
          const { testScores } = scoreFold(model, { train: some, test: some }, scorers, false);
          const [score] = testScores as [number];
          requireScore(where, score, columns.length);
          byCount.set(columns.length, [...(byCount.get(columns.length) ?? []), score]);
        });
      });
      options.onProgress?.({ iteration: f + 1, total: plan.folds.length });
    }
    return [...byCount].map(([count, scores]) => summary(count, scores)).reverse();
  }
}

function summary(nFeatures: number, scores: readonly number[]): FeatureCountResult {
  const meanScore = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - meanScore) ** 2, 0) / scores.length;
  return { nFeatures, meanScore, stdScore: Math.sqrt(variance), scores: Object.freeze([...scores]) };
}

/** `scores` are the negative ranks. */
export class FittedRFECV<M = FittedModel> extends FittedElimination<ParamValues<RfecvParams>, M> {
  constructor(
    selection: ModelSelection<ParamValues<RfecvParams>>,
    /** Scores by number of columns, the fewest first. */
    readonly results: readonly FeatureCountResult[],
  ) {
    super(selection);
  }

  protected get id(): string {
    return RFECV.id;
  }

  protected override learned(): Readonly<Record<string, Json>> {
    return { results: this.results.map(({ nFeatures, scores }) => ({ nFeatures, scores: [...scores] })) };
  }
}
