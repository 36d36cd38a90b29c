import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike, Progress } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { integer, real } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type TargetsSet, targetsSet } from "../data/targets.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { squared } from "../losses/losses.js";
import { type TargetMoments, targetMoments } from "../numeric/rows/moments.js";
import { elasticNet } from "../penalties/penalties.js";
import { coordinateDescent } from "../solvers/coordinate-descent.js";
import type { SharedMoments } from "../solvers/problem.js";
import { linearRegressorCapabilities } from "./fits/capabilities.js";
import { linearRules, type RegressorParts, regressorSetSteps } from "./fits/linear-fit.js";
import { fitIntercept, l1Ratio, positive } from "./fits/params.js";
import { FittedLinearRegressor, type RegressorState, readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets, linearTargets } from "./fitted-targets.js";
import {
  nonNegativeElasticNet,
  nonNegativeSteps,
  nonNegativeTargetSteps,
} from "./least-squares/non-negative.js";
import { momentsOfTarget, targetsAtOnce } from "./least-squares/target-moments.js";

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
  static readonly candidate: DefaultCandidate = { cost: 4 };
  static readonly searchSpace = { alpha: { log: [1e-4, 1e2] }, l1Ratio: { uniform: [0.05, 1] } } as const;
  static readonly severalTargets = FittedLinearTargets;

  /** A matrix Y has several targets, one per column. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedLinearTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedElasticNet;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedElasticNet | FittedLinearTargets {
    if (isTargetMatrix(y)) return fitElasticNetTargets(this, this.params, x, y, options);
    return runSteps(this.where("fit"), this.#learn("fit", x, y, options), options);
  }

  steps(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Steps<FittedElasticNet> {
    return this.#learn("steps", x, y, options);
  }

  static restore(state: ModelState): FittedElasticNet {
    return new FittedElasticNet(readRegressorState(state));
  }

  #learn(call: "fit" | "steps", x: MatrixLike, y: NumberArray, options: FitOptions): Steps<FittedElasticNet> {
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
): Steps<M> {
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
  moments?: SharedMoments,
): Steps<M> {
  const { id, params } = estimator;
  if (!params.positive) {
    const parts = elasticNetParts(strength.alpha, strength.l1Ratio, params.tol);
    return yield* regressorSetSteps(where, estimator, { ...parts, moments }, set, build);
  }
  const { featureNamesIn } = set;
  return yield* nonNegativeSteps(where, set, nonNegativeElasticNet(strength, params), (fit) =>
    build({ id, params, link: "identity", featureNamesIn, ...fit }),
  );
}

/** The fit of every target of a matrix Y, one after the other. */
export function fitElasticNetTargets(
  estimator: ElasticNetEstimator,
  strength: { readonly alpha: number; readonly l1Ratio: number },
  x: MatrixLike,
  y: MatrixLike,
  options: FitOptions,
): FittedLinearTargets {
  const where = `${estimator.id}.fit`;
  beginFit(where, options);
  const set = targetsSet(where, x, y, options, linearRules);
  return runSteps(where, targetSteps(where, estimator, strength, set), options);
}

function* targetSteps(
  where: string,
  estimator: ElasticNetEstimator,
  strength: { readonly alpha: number; readonly l1Ratio: number },
  set: TargetsSet,
): Generator<Progress, FittedLinearTargets, void> {
  const { params } = estimator;
  if (params.positive) {
    const objectives = set.y.map(() => nonNegativeElasticNet(strength, params));
    return linearTargets(estimator, set, yield* nonNegativeTargetSteps(where, set, objectives));
  }
  const fits: RegressorState[] = [];
  const most = targetsAtOnce(set.x.cols);
  for (let from = 0; from < set.y.length; from += most) {
    const some = { ...set, y: set.y.slice(from, from + most) };
    const momentsOf = sharedMoments(where, some, params.fitIntercept);
    for (const [t, y] of some.y.entries()) {
      const own = { ...set, y };
      fits.push(yield* elasticNetSetSteps(where, estimator, strength, (state) => state, own, momentsOf(t)));
    }
  }
  return linearTargets(estimator, set, fits);
}

/** The moments of every target, computed when the first solver asks for them. */
function sharedMoments(where: string, { x, y, weights }: TargetsSet, intercept: boolean) {
  let all: TargetMoments | undefined;
  return (t: number): SharedMoments =>
    (rows, given) => {
      if (rows !== x || given !== weights || rows instanceof CsrMatrix) return undefined;
      all ??= targetMoments(where, rows, y, weights, intercept);
      return momentsOfTarget(all, t);
    };
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
