import { regressor } from "../core/capabilities.js";
import type { DefaultCandidate, FittedRegressor, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { FilledIn, Params, ParamsWith } from "../core/params/params.js";
import { choice, optional, real } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { StepwiseRegressor } from "../core/stepwise-regressor.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { openTable } from "../data/table/table-columns.js";
import { regressionSet } from "../data/training-set.js";
import { inValidation, requireEarlyStopping, validationTargets } from "../data/validation-rows.js";
import { withRegression } from "../fitted/regressor.js";
import { regressionScorers } from "../metrics/scorers.js";
import { FittedHist, type FittedHistState, readHist } from "./fitted-hist.js";
import {
  baselineScore,
  checkTargets,
  invertLink,
  isRegressionLoss,
  type RegressionLoss,
  regressionLosses,
} from "./hist-losses.js";
import { histFacts, histParams, histScoring } from "./hist-params.js";
import { type HistState, type HistTask, histRows, histSteps, validationReader } from "./hist-rounds.js";
import { type HistFitOptions, histFitOptions } from "./resumed-rounds.js";
import { boostingSpace } from "./search-space.js";

export const histGradientBoostingRegressorParams = {
  loss: choice(regressionLosses, {
    default: "squaredError",
    doc: "Loss to minimise. poisson and gamma use a log link; quantile requires the parameter quantile.",
  }),
  quantile: optional(
    real({ atLeast: 0, atMost: 1, default: 0.5, doc: "Quantile to predict with the quantile loss." }),
  ),
  ...histParams,
  scoring: histScoring(regressionScorers),
};
type Table = typeof histGradientBoostingRegressorParams;
type HistGradientBoostingRegressorParams =
  | Params<Table, { loss: Exclude<RegressionLoss, "quantile"> }>
  | ParamsWith<Table, { loss: "quantile"; quantile: number }>;

/**
 * Gradient boosting of regression trees on binned columns, for 10⁴ rows and more.
 *
 *   minimise over trees f₁, f₂, …:   (1/Σs) Σᵢ sᵢ ℓ(yᵢ, zᵢ),      zᵢ = b + Σ_t f_t(xᵢ)
 *
 * Each round grows one tree. A split has the largest gain in G²/(H + λ), with G, H the sums of first and second derivatives of ℓ; a
 * leaf's value is −η G/(H + λ), or η times the median or quantile of its residuals for absoluteError and quantile. Missing values (NaN)
 * go to the side with the larger gain; categories are split in the order of G/H.
 * Parity: scikit-learn's HistGradientBoostingRegressor, with gradients of more than the 24 bits of its floats; held-out rows are drawn by our generator.
 */
export class HistGradientBoostingRegressor extends StepwiseRegressor<
  typeof histGradientBoostingRegressorParams,
  FittedHistGradientBoostingRegressor,
  HistFitOptions<FittedHistGradientBoostingRegressor>
> {
  static readonly id = "HistGradientBoostingRegressor";
  static readonly table = histGradientBoostingRegressorParams;
  static readonly title = "Gradient boosting";
  static readonly capabilities = regressor(histFacts);
  static readonly starter = { place: 5 } as const;
  static readonly candidate: DefaultCandidate = { cost: 11 };
  static readonly searchSpace = boostingSpace;
  static readonly fitOptions = histFitOptions;
  declare readonly params: FilledIn<HistGradientBoostingRegressorParams>;

  constructor(params: HistGradientBoostingRegressorParams = {}) {
    super(params);
    if (this.params.loss === "quantile" && this.params.quantile === null) {
      throw new ParameterError(this.id, "quantile", 'a number from 0 to 1 with loss "quantile"', "null");
    }
  }

  static restore(state: ModelState): FittedHistGradientBoostingRegressor {
    const loss = new StateReader(state).value("loss", "a loss", isRegressionLoss);
    return new FittedHistGradientBoostingRegressor({ ...readHist(state, 1), loss });
  }

  /** Round by round. */
  protected *learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: HistFitOptions<FittedHistGradientBoostingRegressor>,
  ): Steps<FittedHistGradientBoostingRegressor> {
    const { id, params } = this;
    const { loss } = params;
    const opened = openTable(where, x);
    const set = regressionSet(where, opened.x, y, options, { missing: true, options: histFitOptions });
    checkTargets(where, loss, set.y);
    const quantile = params.quantile ?? 0.5;
    const rows = histRows(where, set.x, opened, params);
    if (options.validation) requireEarlyStopping(where, params.earlyStopping);
    const own = options.validation && validationTargets(where, options.validation, validationReader(rows));
    if (own) checkTargets(inValidation(where), loss, own.y);
    const validation = own && { ...own, x: own.x as Matrix };
    const task: HistTask = {
      id,
      where,
      resume: options.resume,
      ...rows,
      validation,
      y: set.y,
      weights: set.weights,
      loss,
      quantile,
      stratify: false,
      baseline: (own, weights) => Float64Array.of(baselineScore(loss, own, weights, quantile)),
      predictor: ({ data }) => ({ predict: () => invertLink(loss, data) }),
    };
    const modelOf = (state: HistState) =>
      new FittedHistGradientBoostingRegressor({ ...state, id, params, loss });
    return yield* histSteps(task, params, modelOf);
  }
}

interface RegressorState extends FittedHistState {
  readonly loss: RegressionLoss;
}

export class FittedHistGradientBoostingRegressor
  extends /* @__PURE__ */ withRegression(FittedHist)
  implements FittedRegressor
{
  readonly #loss: RegressionLoss;

  constructor(state: RegressorState) {
    super(state);
    this.#loss = state.loss;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    return invertLink(this.#loss, this.scoreRows(where, x).data);
  }

  /** `predict` after each round. */
  *stagedPredict(x: MatrixLike): Generator<Float64Array, void, void> {
    for (const { data } of this.rawStages("stagedPredict", x)) yield invertLink(this.#loss, data);
  }

  [structure](): Structure {
    const isLog = this.#loss === "poisson" || this.#loss === "gamma";
    return regressorStructure(this, this.treeScores, {
      inputs: this.inputs,
      link: isLog ? "exp" : "identity",
    });
  }

  protected values() {
    return { loss: this.#loss };
  }
}
