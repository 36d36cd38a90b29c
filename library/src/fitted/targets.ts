import type { FittedTargets, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { Model } from "../core/model.js";
import type { Matrix } from "../data/matrix.js";
import { targetsInOrder } from "../data/targets.js";
import { r2Score } from "../metrics/regression/regression.js";
import { type ModelBase, mixed } from "./mixed.js";
import { NumberPredictor } from "./number-predictor.js";

/** A fitted regressor of several targets. */
export abstract class TargetsModel extends NumberPredictor<Matrix> implements FittedTargets {
  abstract readonly nTargets: number;
  /** Names of the targets, if Y was a table in fit. */
  abstract readonly targetNames: readonly string[] | undefined;

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
  return mixed(Base, TargetsModel, NumberPredictor);
}
