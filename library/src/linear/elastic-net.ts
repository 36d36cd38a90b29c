import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { integer, type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { squared } from "../losses/losses.js";
import { elasticNet } from "../penalties/penalties.js";
import { coordinateDescent } from "../solvers/coordinate-descent.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { FittedLinearRegressor, type RegressorState, readRegressorState } from "./fitted-regressor.js";
import { linearRules, type RegressorParts, regressorSetSteps } from "./linear-fit.js";
import { nonNegativeElasticNet, nonNegativeSteps } from "./non-negative.js";
import { fitIntercept, l1Ratio, positive } from "./params.js";

export const elasticNetParams = {
  alpha: real({ atLeast: 0, default: 1, doc: "Regularisation strength α." }),
  l1Ratio: l1Ratio(0.5),
  fitIntercept: fitIntercept(),
  tol: real({
    above: 0,
    default: 1e-6,
    doc: "Stop when the duality gap, which bounds the distance to the minimum, is below tol · Σ(y − ȳ)².",
  }),
  maxIter: integer({ atLeast: 1, default: 10_000, doc: "Maximum number of sweeps over the coefficients." }),
  positive: positive(),
};

/**
 * Elastic net: least squares with both penalties.
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖²,     ρ = l1Ratio
 *
 * With `positive`, over w ≥ 0.
 * Parity: scikit-learn's objective, with tol 1e-6 instead of 1e-4 and maxIter 10,000 instead of 1,000.
 */
export class ElasticNet extends Estimator<typeof elasticNetParams> {
  static readonly id = "ElasticNet";
  static readonly table = elasticNetParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

  constructor(params: Params<typeof elasticNetParams> = {}) {
    super(ElasticNet.id, elasticNetParams, params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedElasticNet {
    return runSteps(`${this.id}.fit`, this.#learn("fit", x, y, options), options);
  }

  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedElasticNet>, FittedElasticNet, void> {
    return this.#learn("steps", x, y, options);
  }

  static restore(state: ModelState): FittedElasticNet {
    return new FittedElasticNet(readRegressorState(state));
  }

  #learn(
    call: "fit" | "steps",
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Step<FittedElasticNet>, FittedElasticNet, void> {
    return elasticNetSteps(this, this.params, (state) => new FittedElasticNet(state), x, y, options, call);
  }
}

interface ElasticNetEstimator {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>> & {
    readonly fitIntercept: boolean;
    readonly positive: boolean;
    readonly tol: number;
    readonly maxIter: number;
  };
}

/** The fit of an elastic net of the given strength. */
export function* elasticNetSteps<M>(
  estimator: ElasticNetEstimator,
  strength: { readonly alpha: number; readonly l1Ratio: number },
  build: (state: RegressorState) => M,
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  call: "fit" | "steps",
): Generator<Step<M>, M, void> {
  const where = `${estimator.id}.${call}`;
  const set = regressionSet(where, x, y, options, linearRules);
  return yield* elasticNetSetSteps(where, estimator, strength, build, set);
}

/** The same for rows that are checked already. */
export function* elasticNetSetSteps<M>(
  where: string,
  estimator: ElasticNetEstimator,
  strength: { readonly alpha: number; readonly l1Ratio: number },
  build: (state: RegressorState) => M,
  set: RegressionSet,
): Generator<Step<M>, M, void> {
  const { id, params } = estimator;
  if (!params.positive) {
    const parts = elasticNetParts(strength.alpha, strength.l1Ratio, params.tol);
    return yield* regressorSetSteps(where, estimator, parts, set, build);
  }
  const { featureNamesIn } = set;
  return yield* nonNegativeSteps(where, set, nonNegativeElasticNet(strength, params), (fit) =>
    build({ id, params, link: "identity", featureNamesIn, ...fit }),
  );
}

function elasticNetParts(alpha: number, l1Ratio: number, tol: number): RegressorParts {
  return {
    loss: squared(),
    penalty: elasticNet(alpha, l1Ratio),
    solver: coordinateDescent(),
    link: "identity",
    // The solver's tolerances are square roots of relative objectives.
    tol: Math.sqrt(tol),
  };
}

export class FittedElasticNet extends FittedLinearRegressor {
  /** The number of nonzero coefficients. */
  get nNonZero(): number {
    return this.coef.reduce((count, w) => count + (w !== 0 ? 1 : 0), 0);
  }
}
