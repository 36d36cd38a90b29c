import type { FitOptions, MatrixLike } from "../../core/contract.js";
import { Estimator } from "../../core/estimator.js";
import type { NumberArray } from "../../core/labels.js";
import type { ParamsTable } from "../../core/params/params.js";
import { isTargetMatrix } from "../../core/target-matrix.js";
import type { FittedLinearTargets } from "../fitted-targets.js";

/** A linear regressor of one target, a list, or of several, a matrix. */
export abstract class TargetsRegressor<
  T extends ParamsTable,
  M,
  N extends FittedLinearTargets = FittedLinearTargets,
> extends Estimator<T> {
  /** A matrix Y has several targets, one per column. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): N;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): M;
  fit(x: MatrixLike, y: NumberArray | MatrixLike, options: FitOptions = {}): M | N {
    const where = this.where("fit");
    return isTargetMatrix(y) ? this.fitTargets(where, x, y, options) : this.fitOne(where, x, y, options);
  }

  protected abstract fitOne(where: string, x: MatrixLike, y: NumberArray, options: FitOptions): M;
  protected abstract fitTargets(where: string, x: MatrixLike, y: MatrixLike, options: FitOptions): N;
}
