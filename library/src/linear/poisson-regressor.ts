import { DataError, show } from "../core/errors.js";
import { real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { RegressionSet } from "../data/training-set.js";
import { poisson } from "../losses/losses.js";
import { l2 } from "../penalties/penalties.js";
import { linearRegressor } from "./fits/capabilities.js";
import { smoothSolver } from "./fits/choose-smooth-solver.js";
import type { RegressorParts } from "./fits/linear-fit.js";
import { fitIntercept, maxIterations, objectiveTol } from "./fits/params.js";
import { SolvedRegressor } from "./fits/solved-estimators.js";
import type { RegressorState } from "./fitted-regressor.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";

export const poissonRegressorParams = {
  alpha: real({ atLeast: 0, default: 1, doc: "Regularisation strength α of the penalty ½ α ‖w‖²." }),
  fitIntercept: fitIntercept(),
  tol: objectiveTol(1e-4),
  maxIter: maxIterations(100),
};

/**
 * Poisson regression for counts and rates, with log link: E[y] = exp(w·x + b).
 *
 *   minimise over (w, b):   (1/Σs) Σᵢ sᵢ (exp(zᵢ) − yᵢ zᵢ) + ½ α ‖w‖²,     zᵢ = w·xᵢ + b
 *
 * That is scikit-learn's half Poisson deviance less a constant in y. `score` is R², like that of every regressor;
 * Parity: scikit-learn's PoissonRegressor.score is D², the fraction of the deviance explained.
 */
export class PoissonRegressor extends SolvedRegressor<typeof poissonRegressorParams, FittedPoissonRegressor> {
  static readonly id = "PoissonRegressor";
  static readonly table = poissonRegressorParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });

  static restore(state: ModelState): FittedPoissonRegressor {
    return new FittedPoissonRegressor(readRegressorState(state));
  }

  protected parts(set: RegressionSet, where: string): RegressorParts {
    checkCounts(where, set);
    return { loss: poisson(), penalty: l2(this.params.alpha), solver: smoothSolver(set.x, 1), link: "log" };
  }

  protected model(state: RegressorState): FittedPoissonRegressor {
    return new FittedPoissonRegressor(state);
  }
}

function checkCounts(where: string, { y }: RegressionSet): void {
  const i = y.findIndex((v) => v < 0);
  if (i >= 0) throw new DataError(where, `y[${i}]`, "a count ≥ 0", show(y[i]));
  if (y.every((v) => v === 0)) throw new DataError(where, "y", "positive somewhere", "all zeros");
}

export class FittedPoissonRegressor extends FittedLinearRegressor {}
