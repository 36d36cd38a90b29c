import type { FitOptions, MatrixLike, Progress } from "../core/contract.js";
import { runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import type { ParamsTable } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type TargetsSet, targetsSet } from "../data/targets.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { squared } from "../losses/losses.js";
import { type TargetMoments, targetMoments } from "../numeric/rows/moments.js";
import { elasticNet } from "../penalties/penalties.js";
import { coordinateDescent } from "../solvers/coordinate-descent.js";
import type { SharedMoments } from "../solvers/problem.js";
import { linearRules, type RegressorParts, regressorSetSteps } from "./fits/linear-fit.js";
import { TargetsRegressor } from "./fits/targets-regressor.js";
import type { RegressorState } from "./fitted-regressor.js";
import { type FittedLinearTargets, linearTargets } from "./fitted-targets.js";
import {
  nonNegativeElasticNet,
  nonNegativeSteps,
  nonNegativeTargetSteps,
} from "./least-squares/non-negative.js";
import { momentsOfTarget, targetsAtOnce } from "./least-squares/target-moments.js";

/** The strength of the penalty α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖², ρ = l1Ratio. */
export interface Strength {
  readonly alpha: number;
  readonly l1Ratio: number;
}

/** Elastic nets, whatever their parameters are called: least squares with both penalties. */
export abstract class PenalisedRegressor<T extends ParamsTable, M> extends TargetsRegressor<T, M> {
  protected abstract strength(): Strength;
  protected abstract model(state: RegressorState): M;

  steps(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Steps<M> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  protected fitOne(where: string, x: MatrixLike, y: NumberArray, options: FitOptions): M {
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  protected fitTargets(where: string, x: MatrixLike, y: MatrixLike, options: FitOptions) {
    beginFit(where, options);
    const set = targetsSet(where, x, y, options, linearRules);
    return runSteps(where, elasticNetTargetSteps(where, this.#estimator, this.strength(), set), options);
  }

  *#learn(where: string, x: MatrixLike, y: NumberArray, options: FitOptions): Steps<M> {
    const set = regressionSet(where, x, y, options, linearRules);
    const build = (state: RegressorState) => this.model(state);
    return yield* elasticNetSetSteps(where, this.#estimator, this.strength(), build, set);
  }

  get #estimator(): ElasticNetEstimator {
    return this as unknown as ElasticNetEstimator;
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

/** The fit of an elastic net of the given strength to rows that are checked already. */
export function* elasticNetSetSteps<M>(
  where: string,
  estimator: ElasticNetEstimator,
  strength: Strength,
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
export function* elasticNetTargetSteps(
  where: string,
  estimator: ElasticNetEstimator,
  strength: Strength,
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
