import type { Label } from "../../core/labels.js";
import type { Learned } from "../../core/state/model-state.js";
import type { Matrix } from "../../data/matrix.js";
import type { LinearState } from "../fitted-classifier.js";
import { FittedLogisticRegression } from "../logistic-regression.js";
import { stacked } from "./cross-validation.js";
import { coefsPathsTensor, type StrengthSearch } from "./logistic-cv-paths.js";

export class FittedLogisticRegressionCV<L extends Label = Label> extends FittedLogisticRegression<L> {
  constructor(
    state: LinearState<L>,
    private readonly search: StrengthSearch,
  ) {
    super(state);
  }

  /** The values of C that were compared. */
  get Cs(): Float64Array {
    return this.search.Cs;
  }

  /** The chosen C of each class; one for two classes. */
  get C(): Float64Array {
    return this.search.C;
  }

  /** The chosen l1Ratio of each class; undefined unless the penalty is the elastic net. */
  get l1Ratio(): Float64Array | undefined {
    return this.search.l1Ratio;
  }

  /**
   * Scores by class (of two classes, by the second): one row per fold, one column per C; with several l1Ratios, all Cs of the first
   * one come first.
   */
  get scores(): ReadonlyMap<L, Matrix> {
    const labels = this.classes.length === 2 ? this.classes.slice(1) : this.classes;
    return new Map(labels.map((label, k) => [label, this.search.scores[k]!]));
  }

  /**
   * The fits of the folds by class (of two classes, by the second): per fold a matrix with one row per column of `scores`, one column per
   * coefficient, and the intercept last if it is learned.
   */
  get coefsPaths(): ReadonlyMap<L, readonly Matrix[]> {
    const labels = this.classes.length === 2 ? this.classes.slice(1) : this.classes;
    return new Map(labels.map((label, k) => [label, this.search.coefsPaths[k]!]));
  }

  protected override learned(): Learned {
    const { Cs, C, l1Ratio, scores, coefsPaths } = this.search;
    const paths = coefsPathsTensor(coefsPaths);
    return { ...super.learned(), Cs, C, l1Ratio, scores: stacked(scores), coefsPaths: paths };
  }
}
