import type { FitOptions, FittedModel, MatrixLike, RestorePart } from "../../core/contract.js";
import { DataError, ParameterError, show } from "../../core/errors.js";
import { readOptions } from "../../core/params/options.js";
import type { ParamSpec, ParamsWith, ParamValues } from "../../core/params/params.js";
import { integer, invalid, optional, real } from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { requireSome } from "../../feature-selection/fitted-selector.js";
import { quantileOf } from "../../preprocessing/scalers/quantiles.js";
import type { Learner } from "../../selection/cross-validate.js";
import { importanceGetter, importancesOf, normOf } from "./importances.js";
import {
  FittedModelSelector,
  fitAllColumns,
  ModelSelector,
  rankedBy,
  readModelSelection,
  requireColumns,
  type Targets,
  wrappedEstimator,
} from "./selector-rows.js";

/** "mean", "median", or a multiple of one of them, as "1.25*mean". */
const FORM = /^\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*\*\s*)?(mean|median)\s*$/i;

const threshold: ParamSpec<number | string> = {
  kind: "union",
  default: "mean",
  doc: 'Columns with an importance below this are dropped: a number, "mean", "median" or a multiple ("1.25*mean"). null: 1e-5 for estimators with an l1 penalty, otherwise the mean.',
  expected: 'a number, "mean", "median", or a multiple of these such as "1.25*mean"',
  choices: ["mean", "median"],
  read: (value) => {
    if (typeof value === "number") return Number.isFinite(value) ? value : invalid;
    return typeof value === "string" && FORM.test(value) ? value : invalid;
  },
};

const rules = {
  threshold: optional(threshold),
  maxFeatures: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "The most columns that are kept, the most important ones; with threshold 0 as many as that.",
    }),
  ),
  normOrder: real({
    atLeast: 1,
    infinite: true,
    default: 1,
    doc: "Which norm of the coefficients of several classes or targets is a column's importance: (Σ |w|ᵖ)^(1/p), the largest for Infinity.",
  }),
  importanceGetter,
};

export const selectFromModelParams = {
  estimator: wrappedEstimator(
    "The estimator whose coefficients or importances decide; it is fitted to all columns.",
  ),
  ...rules,
};
type FromModelParams = typeof selectFromModelParams;
type Rules = ParamValues<typeof rules>;

/**
 * The columns that a fitted model gives weight: those with |coef| or featureImportances of at least a threshold. Of several classes the
 * norm of the coefficients of a column decides.
 *
 *   new SelectFromModel({ estimator: new LogisticRegression({ penalty: "l1" }) })
 *   SelectFromModel.prefit(forest, { threshold: "median" })
 *
 * Parity: scikit-learn's SelectFromModel; no column at all is an error.
 */
export class SelectFromModel<E extends Learner & object = Learner & object> extends ModelSelector<
  FromModelParams,
  E
> {
  static readonly id = "SelectFromModel";
  static readonly table = selectFromModelParams;

  constructor(params: ParamsWith<FromModelParams, { estimator: E }>) {
    super(params, true);
  }

  fit(x: MatrixLike, y: Targets, options: FitOptions = {}): FittedSelectFromModel<ReturnType<E["fit"]>> {
    const rows = this.rows(x, y, options);
    const { estimator } = this.params;
    const model = fitAllColumns(estimator, rows);
    const chosen = chooseColumns(rows.where, model, rows.x.cols, this.params, isSparseLearner(estimator));
    return new FittedSelectFromModel({ ...rows, params: this.params, ...chosen, model });
  }

  /** The selector of a model that is fitted already. */
  static prefit<M extends FittedModel>(model: M, given: Partial<Rules> = {}): FittedSelectFromModel<M> {
    const where = "SelectFromModel.prefit";
    if (typeof (model as Partial<FittedModel> | null)?.toState !== "function") {
      throw new DataError(where, "the model", "a fitted model", show(model));
    }
    const params = readOptions(where, rules, given) as Rules;
    const { nFeatures, featureNamesIn } = model;
    const chosen = chooseColumns(where, model, nFeatures, params, isSparseModel(model));
    const input = { sparse: true, missing: true };
    return new FittedSelectFromModel({
      params,
      columns: { nFeatures, featureNamesIn },
      ...chosen,
      input,
      model,
    });
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedSelectFromModel {
    return new FittedSelectFromModel(readModelSelection(new StateReader(state), restorePart));
  }
}

/** Whether an estimator makes coefficients 0, by its penalty: then "not 0" is the rule. */
function isSparseBy(id: string, params: Readonly<Record<string, unknown>>): boolean {
  const { penalty, l1Ratio } = params;
  const part = penalty as { toJSON?(): unknown } | string | null | undefined;
  const described = typeof part === "object" ? (part?.toJSON?.() ?? part) : part;
  const { name = described, l1Ratio: own } = (described ?? {}) as { name?: unknown; l1Ratio?: unknown };
  return (
    name === "l1" ||
    name === "laplacePrior" ||
    (name === "elasticNet" && own === 1) ||
    id.includes("Lasso") ||
    (id.includes("ElasticNet") && l1Ratio === 1)
  );
}

function isSparseLearner(estimator: object): boolean {
  const { id = "", params = {} } = estimator as { id?: string; params?: Readonly<Record<string, unknown>> };
  return isSparseBy(id, params);
}

function isSparseModel(model: FittedModel): boolean {
  try {
    const { kind, params } = model.toState();
    return isSparseBy(kind, params);
  } catch (error) {
    // A model with functions of the caller's own has no state; no linear model has any.
    if (error instanceof ParameterError) return false;
    throw error;
  }
}

function chooseColumns(
  where: string,
  model: FittedModel,
  cols: number,
  { threshold, maxFeatures, normOrder, importanceGetter }: Rules,
  isSparse: boolean,
): { readonly scores: Float64Array; readonly selected: readonly number[] } {
  if (maxFeatures !== null) requireColumns(where, "maxFeatures", maxFeatures, cols);
  const scores = importancesOf(where, model, importanceGetter, cols, normOf(normOrder));
  const least = thresholdOf(threshold ?? (isSparse ? 1e-5 : "mean"), scores);
  const descending = rankedBy(scores.map((score) => -score));
  const kept = new Set(descending.slice(0, maxFeatures ?? cols));
  const selected = [...scores.keys()].filter((j) => kept.has(j) && scores[j]! >= least);
  requireSome(where, selected, `of an importance of at least ${least}`, "Lower the threshold.");
  return { scores, selected };
}

/** The number that a threshold stands for. */
function thresholdOf(threshold: number | string, scores: Float64Array): number {
  if (typeof threshold === "number") return threshold;
  const [, factor = "1", reference] = FORM.exec(threshold)!;
  const isMean = reference!.toLowerCase() === "mean";
  const value = isMean
    ? scores.reduce((sum, score) => sum + score, 0) / scores.length
    : quantileOf(scores.slice().sort(), 0.5);
  return Number(factor) * value;
}

/** `scores` are the importances. */
export class FittedSelectFromModel<M = FittedModel> extends FittedModelSelector<
  Partial<ParamValues<FromModelParams>>,
  M
> {
  protected get id(): string {
    return SelectFromModel.id;
  }

  /** The model that decided, fitted to all columns. */
  get model(): M {
    return this.inner;
  }

  /** Importances below this were dropped. */
  get threshold(): number {
    const { threshold = null, estimator } = this.params;
    return thresholdOf(threshold ?? (this.#isSparse(estimator) ? 1e-5 : "mean"), this.scores);
  }

  #isSparse(estimator: object | undefined): boolean {
    if (estimator === undefined) return isSparseModel(this.inner as FittedModel);
    // After loading, the estimator is a description.
    const { estimator: id, params } = estimator as { estimator?: string; params?: Record<string, unknown> };
    return typeof id === "string" ? isSparseBy(id, params ?? {}) : isSparseLearner(estimator);
  }
}
