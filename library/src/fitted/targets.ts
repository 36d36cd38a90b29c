import type { FittedTargets, MatrixLike, ScoreOptions } from "../core/contract.js";
import { Model } from "../core/model.js";
import { refuseOptions } from "../core/params/options.js";
import type { ModelState } from "../core/state/state.js";
import type { Matrix } from "../data/matrix.js";
import { targetsInOrder } from "../data/targets.js";
import { r2Score } from "../metrics/regression/regression.js";
import { type ModelBase, mixed } from "./mixed.js";

/** A fitted regressor of several targets. */
export abstract class TargetsModel extends Model implements FittedTargets {
  abstract readonly nFeatures: number;
  abstract readonly nTargets: number;
  /** Names of the targets, if Y was a table in fit. */
  abstract readonly targetNames: readonly string[] | undefined;
  abstract toState(): ModelState;
  /** Of its estimator, for errors. */
  protected abstract readonly id: string;

  /** One row per row of X, one column per target; X has not been checked. */
  protected abstract predictRows(where: string, x: MatrixLike): Matrix;

  /** One row per row of X, one column per target. */
  predict(x: MatrixLike): Matrix;
  predict(x: MatrixLike, ...given: readonly unknown[]): Matrix {
    const where = `${this.id}.predict`;
    refuseOptions(where, given);
    return this.predictRows(where, x);
  }

  /** Mean R² of the targets. */
  score(x: MatrixLike, y: MatrixLike, options: ScoreOptions = {}): number {
    const targets = targetsInOrder(`${this.id}.score`, y, this.targetNames);
    return r2Score(targets, this.predict(x), options);
  }
}

/** The base of a family with the methods of regressors of several targets. */
export function withTargets<A extends readonly unknown[], M extends Model>(
  Base: ModelBase<A, M>,
): abstract new (
  ...args: A
) => M & TargetsModel {
  return mixed(Base, TargetsModel);
}
