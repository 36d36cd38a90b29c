import { DataError, show } from "../core/errors.js";
import { optional, type Params } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { RegressionSet } from "../data/training-set.js";
import { type Loss, type RegressionLossName, regressionLosses } from "../losses/loss.js";
import { squared } from "../losses/losses.js";
import { l2, type Penalty, type PenaltyName } from "../penalties/penalties.js";
import { newton } from "../solvers/newton.js";
import type { Solver } from "../solvers/solver.js";
import { autoSolver, requireLegal, type Solvable } from "./fits/auto-solver.js";
import { linearRegressor } from "./fits/capabilities.js";
import type { RegressorParts } from "./fits/linear-fit.js";
import { fitIntercept, solverParams } from "./fits/params.js";
import { lossPart, penaltyPart, solverPart } from "./fits/parts.js";
import { SolvedRegressor } from "./fits/solved-estimators.js";
import type { RegressorState } from "./fitted-regressor.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";

export const linearRegressorParams = {
  loss: lossPart(regressionLosses, squared()),
  penalty: penaltyPart(l2(1)),
  solver: optional(solverPart(newton())),
  fitIntercept: fitIntercept(),
  ...solverParams,
};

export type LinearRegressorParams<LN extends RegressionLossName, PN extends PenaltyName> = Params<
  typeof linearRegressorParams,
  { loss: Loss<LN>; penalty: Penalty<PN>; solver: Solver<NoInfer<LN>, NoInfer<PN>> | null }
>;

/**
 * The general linear regressor: choose a loss, a penalty and a solver.
 *
 *   minimise over (w, b):   (1/Σs) Σᵢ sᵢ ℓ(w·xᵢ + b, yᵢ) + R(w)
 *
 * (priors are added to the sum instead of the mean; balls are constraints.) A combination without a
 * solver does not compile.
 */
export class LinearRegressor<
  LN extends RegressionLossName = "squared",
  PN extends PenaltyName = "l2",
> extends SolvedRegressor<typeof linearRegressorParams, FittedLinearRegressor> {
  static readonly id = "LinearRegressor";
  static readonly table = linearRegressorParams;
  static readonly capabilities = linearRegressor();

  constructor(params: LinearRegressorParams<LN, PN> & Solvable<LN, PN> = {} as never) {
    super(params);
    requireLegal(this.id, this.params);
  }

  static restore(state: ModelState): FittedLinearRegressor {
    return new FittedLinearRegressor(readRegressorState(state));
  }

  protected parts({ x, y }: RegressionSet, where: string): RegressorParts {
    const { loss, penalty } = this.params;
    const isCount = loss.targets === "counts";
    if (isCount) checkCounts(where, y);
    const solver = this.params.solver ?? autoSolver(loss, penalty.name, x, 1)!;
    return { loss, penalty, solver, link: isCount ? "log" : "identity" };
  }

  protected model(state: RegressorState): FittedLinearRegressor {
    return new FittedLinearRegressor(state);
  }
}

function checkCounts(where: string, y: Float64Array): void {
  const i = y.findIndex((v) => v < 0);
  if (i < 0) return;
  throw new DataError(where, `y[${i}]`, "a count ≥ 0 with the poisson loss", show(y[i]));
}
