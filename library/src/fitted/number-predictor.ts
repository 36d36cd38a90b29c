import type { MatrixLike } from "../core/contract.js";
import { Model } from "../core/model.js";
import { refuseOptions } from "../core/params/options.js";
import type { ModelState } from "../core/state/state.js";

/** A fitted regressor; `Out` is a list of numbers or, of several targets, a matrix. */
export abstract class NumberPredictor<Out> extends Model {
  abstract readonly nFeatures: number;
  abstract toState(): ModelState;
  /** Of its estimator, for errors. */
  protected abstract readonly id: string;

  /** As `predict`; X has not been checked. */
  protected abstract predictRows(where: string, x: MatrixLike): Out;

  /** One number per row of X; of several targets, one row with one column per target. */
  predict(x: MatrixLike): Out;
  predict(x: MatrixLike, ...given: readonly unknown[]): Out {
    const where = `${this.id}.predict`;
    refuseOptions(where, given);
    return this.predictRows(where, x);
  }
}
