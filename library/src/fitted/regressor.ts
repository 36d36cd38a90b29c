import type { FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import type { Model } from "../core/model.js";
import { r2Score } from "../metrics/regression/regression.js";
import { type ModelBase, mixed } from "./mixed.js";
import { NumberPredictor } from "./number-predictor.js";

/** A fitted regressor of one target. */
export abstract class RegressorModel extends NumberPredictor<Float64Array> implements FittedRegressor {
  /** R². */
  score(x: MatrixLike, y: NumberArray, options: ScoreOptions = {}): number {
    return r2Score(y, this.predict(x), options);
  }
}

/** The base of a family with the methods of regressors. */
export function withRegression<A extends readonly unknown[], M extends Model>(
  Base: ModelBase<A, M>,
): abstract new (
  ...args: A
) => M & RegressorModel {
  return mixed(Base, RegressorModel, NumberPredictor);
}
