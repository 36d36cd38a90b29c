import type { FittedRegressor, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import { Model } from "../core/model.js";
import { refuseOptions } from "../core/params/options.js";
import type { ModelState } from "../core/state/state.js";
import { r2Score } from "../metrics/regression/regression.js";
import { type ModelBase, mixed } from "./mixed.js";

/** A fitted regressor of one target. */
export abstract class RegressorModel extends Model implements FittedRegressor {
  abstract readonly nFeatures: number;
  abstract toState(): ModelState;
  /** Of its estimator, for errors. */
  protected abstract readonly id: string;

  /** A number per row; X has not been checked. */
  protected abstract predictRows(where: string, x: MatrixLike): Float64Array;

  predict(x: MatrixLike): Float64Array;
  predict(x: MatrixLike, ...given: readonly unknown[]): Float64Array {
    const where = `${this.id}.predict`;
    refuseOptions(where, given);
    return this.predictRows(where, x);
  }

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
  return mixed(Base, RegressorModel);
}
