import { regressor } from "../core/capabilities.js";
import type { FitOptions, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { choice, optional, type Params, type ParamValues, real } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { readColumns } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { RegressorModel } from "../fitted/regressor.js";
import { expandedQuantile, weightedMedian } from "../metrics/weighted-quantiles.js";
import { anyRows } from "./capabilities.js";

export const dummyRegressorParams = {
  strategy: choice(["mean", "median", "quantile", "constant"], {
    default: "mean",
    doc: "What is predicted: the mean of y, its median, a quantile, or a number.",
  }),
  quantile: real({ atLeast: 0, atMost: 1, default: 0.5, doc: 'Of the strategy "quantile".' }),
  constant: optional(real({ default: 0, doc: 'The number that the strategy "constant" predicts.' })),
};
type Values = ParamValues<typeof dummyRegressorParams>;

/**
 * Predicts one number without a look at X: what a regressor has to beat. The mean has R² = 0.
 * Parity: scikit-learn's DummyRegressor; a weighted median or quantile is that of every row as often as its weight says.
 */
export class DummyRegressor extends Estimator<typeof dummyRegressorParams> {
  static readonly id = "DummyRegressor";
  static readonly table = dummyRegressorParams;
  static readonly capabilities = regressor(anyRows);

  constructor(params: Params<typeof dummyRegressorParams> = {}) {
    super(params);
    if (this.params.strategy !== "constant" || this.params.constant !== null) return;
    throw new ParameterError(this.id, "constant", 'a number for the strategy "constant"', "null");
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedDummyRegressor {
    const where = this.where("fit");
    beginFit(where, options);
    const set = regressionSet(where, x, y, options, { sparse: true, missing: true });
    const { featureNamesIn } = set;
    return new FittedDummyRegressor(this.params, predictionOf(this.params, set), set.x.cols, featureNamesIn);
  }

  static restore(state: ModelState): FittedDummyRegressor {
    const { reader, params } = restoring(dummyRegressorParams, state);
    const { nFeatures, featureNamesIn } = readColumns(reader);
    const prediction = reader.number("prediction");
    if (!Number.isFinite(prediction)) reader.fail("prediction", "a finite number", `${prediction}`);
    return new FittedDummyRegressor(params, prediction, nFeatures, featureNamesIn);
  }
}

function predictionOf({ strategy, quantile, constant }: Values, { y, weights }: RegressionSet): number {
  const counted = weights ?? new Float64Array(y.length).fill(1);
  if (strategy === "constant") return constant!;
  if (strategy === "median") return weightedMedian(y, counted);
  if (strategy === "quantile") return expandedQuantile(y, counted, Float64Array.of(quantile))[0]!;
  const total = counted.reduce((sum, w) => sum + w, 0);
  return y.reduce((sum, v, i) => sum + (counted[i]! / total) * v, 0);
}

export class FittedDummyRegressor extends RegressorModel {
  protected readonly id = DummyRegressor.id;
  readonly #params: Values;

  constructor(
    params: Values,
    /** What every row gets. */
    readonly prediction: number,
    readonly nFeatures: number,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
    this.#params = params;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const { rows } = readMatrix(where, x, { like: this, sparse: true, missing: true });
    return new Float64Array(rows).fill(this.prediction);
  }

  [structure](): Structure {
    return regressorStructure(this, { kind: "constant", values: Float64Array.of(this.prediction) });
  }

  toState(): ModelState {
    const { prediction, nFeatures, featureNamesIn } = this;
    return stateOf(this.id, { params: this.#params, featureNamesIn }, { prediction, nFeatures });
  }
}
