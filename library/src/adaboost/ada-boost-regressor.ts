import type {
  DefaultCandidate,
  FitOptions,
  FitReport,
  FittedRegressor,
  Regressor,
  RestorePart,
  Samples,
} from "../core/contract.js";
import { runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { AnyRegressor, ModelOn, SamplesOf } from "../core/model-on.js";
import { Random } from "../core/numbers/random.js";
import { choice, type Params, randomState, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { ComposedEstimator, ensembleOf } from "../ensembles/composed-estimator.js";
import { drawWeighted } from "../ensembles/draws.js";
import { type MemberSet, memberSet, openForMembers, widthOf } from "../ensembles/member-rows.js";
import { type MemberOf, memberOptions, memberParam, reseeded } from "../ensembles/members.js";
import { normalizedWeights } from "../trees/decision-stump.js";
import { DecisionTreeRegressor } from "../trees/index.js";
import { boostingSpace, nEstimators, type Rounds } from "./boosting-step.js";
import { FittedAdaBoostRegressor, readAdaBoostRegressor } from "./fitted-ada-boost-regressor.js";
import type { RegressionRound } from "./regression-rounds.js";
import { regressionLossNames, regressionRound, updateRegressionWeightsInto } from "./regression-rounds.js";

export const adaBoostRegressorParams = {
  estimator: memberParam<Regressor>(
    new DecisionTreeRegressor({ maxDepth: 3 }),
    "The weak learner: any regressor. It is fitted to rows drawn by their weights.",
  ),
  nEstimators,
  learningRate: real({ above: 0, default: 1, doc: "Factor of the weight of each member." }),
  loss: choice(regressionLossNames, {
    default: "linear",
    doc: "Loss of a row from its share r of the largest residual: r, r², or 1 − e^(−r).",
  }),
  randomState: randomState(),
};

type Fitted<E extends AnyRegressor> = ModelOn<FittedAdaBoostRegressor<MemberOf<E>>, SamplesOf<E>>;

/**
 * AdaBoost.R2 [Drucker 1997]: regressors fitted one after the other, each to rows drawn with weights that emphasise the rows that those
 * before it predicted badly. The prediction is the weighted median of the members.
 *
 *   wᵢ = sᵢ / Σ s;   every round:   f = weak learner(n rows drawn by w),   eᵢ = L(|f(xᵢ) − yᵢ| / max |f(x) − y|),   ē = Σᵢ wᵢ eᵢ,
 *   β = ē/(1 − ē),   wᵢ ← wᵢ β^(1 − eᵢ) / Σ,   the member counts ln(1/β)
 *
 * Stops early if a member is perfect, or if its mean loss is ½ or more. Parity: scikit-learn's AdaBoostRegressor; the random numbers are
 * drawn by another generator.
 */
export class AdaBoostRegressor<E extends AnyRegressor = DecisionTreeRegressor> extends ComposedEstimator<
  typeof adaBoostRegressorParams,
  E
> {
  static readonly id = "AdaBoostRegressor";
  static readonly table = adaBoostRegressorParams;
  static readonly title = "AdaBoost";
  static readonly capabilities = ensembleOf(DecisionTreeRegressor, { step: "round" });
  static readonly candidate: DefaultCandidate = { cost: 10 };
  static readonly searchSpace = boostingSpace;

  constructor(params: Params<typeof adaBoostRegressorParams, { estimator: E }> = {}) {
    super(params);
  }

  fit(x: SamplesOf<E>, y: NumberArray, options: FitOptions = {}): Fitted<E> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, round by round. */
  steps(x: SamplesOf<E>, y: NumberArray, options: FitOptions = {}): Rounds<Fitted<E>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedAdaBoostRegressor {
    return readAdaBoostRegressor(state, restorePart);
  }

  *#learn(where: string, x: Samples, y: NumberArray, options: FitOptions): Rounds<Fitted<E>> {
    const { params } = this;
    const { nEstimators, learningRate, loss, randomState: seed } = params;
    const { sparse, missing } = this.capabilities;
    const opened = openForMembers(where, x, params.estimator, { sparse, missing });
    const set = memberSet(regressionSet(where, opened.x, y, options, opened.rules), opened.given);
    const random = new Random(seed);
    const weights = normalizedWeights(set.weights, set.y.length);
    const members: (FittedRegressor & MemberOf<E>)[] = [];
    const rounds: RegressionRound[] = [];
    const warnings: string[] = [];
    const modelOf = (count: number, ended: boolean) =>
      new FittedAdaBoostRegressor<MemberOf<E>>({
        params,
        nFeatures: widthOf(set.x),
        featureNamesIn: set.featureNamesIn,
        reads: opened.reads,
        members: members.slice(0, count),
        estimatorWeights: Float64Array.from(rounds.slice(0, count), ({ weight }) => weight),
        estimatorErrors: Float64Array.from(rounds.slice(0, count), ({ error }) => error),
        report: reportOf(rounds.slice(0, count), ended, warnings),
      }) as FittedAdaBoostRegressor<MemberOf<E>> as Fitted<E>;
    while (members.length < nEstimators) {
      const before = weights.slice();
      const member = this.#member(set, weights, random, options);
      const predicted = Float64Array.from(member.predict(set.x));
      const round = regressionRound(loss, learningRate, set.y, predicted, weights);
      const ending = endingOf(round, members.length);
      if (ending !== undefined) warnings.push(ending);
      if (round.error >= 0.5 && members.length > 0) break;
      members.push(member);
      // A member without errors, or a first one that is too bad, counts as it is.
      rounds.push(ending === undefined ? round : { ...round, weight: 1 });
      const count = members.length;
      yield {
        iteration: count,
        total: nEstimators,
        objective: round.error,
        error: round.error,
        rowWeights: before,
        model: () => modelOf(count, false),
      };
      if (ending !== undefined) break;
      updateRegressionWeightsInto(round, learningRate, weights);
    }
    return modelOf(members.length, true);
  }

  /** A member fitted to rows drawn by their weights. */
  #member(set: MemberSet<RegressionSet>, weights: Float64Array, random: Random, options: FitOptions) {
    const rows = drawWeighted(random, weights, weights.length);
    const own = reseeded(this.params.estimator, () => random.uint32());
    const member = own.fit(
      set.x.selectRows(rows),
      Float64Array.from(rows, (i) => set.y[i]!),
      memberOptions(options),
    );
    // `params` does not keep the type E of its estimator.
    return member as FittedRegressor & MemberOf<E>;
  }
}

/** Why a round is the last one; undefined where another follows. */
function endingOf({ error }: RegressionRound, earlier: number): string | undefined {
  if (!(error > 0)) return "Stopped at a member without errors: further rounds would repeat it.";
  if (error < 0.5) return undefined;
  return `Stopped because the mean loss of the ${earlier > 0 ? "next" : "first"} member was ½ or more.`;
}

function reportOf(
  rounds: readonly RegressionRound[],
  ended: boolean,
  warnings: readonly string[],
): FitReport {
  const error = rounds.at(-1)!.error;
  return {
    converged: ended,
    iterations: rounds.length,
    objective: error,
    gradientNorm: Number.NaN,
    solver: "adaBoost.R2",
    warnings: ended ? [...warnings] : [],
  };
}
