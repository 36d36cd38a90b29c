import type {
  Classifier,
  DefaultCandidate,
  FitOptions,
  FittedClassifier,
  RestorePart,
  Samples,
} from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { runSteps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../core/model-on.js";
import { classWeight, type Params, randomState, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { ComposedEstimator, ensembleOf } from "../ensembles/composed-estimator.js";
import { type MemberSet, memberSet, openForMembers, widthOf } from "../ensembles/member-rows.js";
import { memberParam, nameOf, takesWeights } from "../ensembles/members.js";
import { DecisionStump, normalizedWeights } from "../trees/decision-stump.js";
import type { Boosted, Ending } from "./ada-boost-rounds.js";
import { adaBoostReport, adaBoostRounds, firstRounds } from "./ada-boost-rounds.js";
import { isPlainTree, treeLearner } from "./ada-boost-trees.js";
import { boostingSpace, nEstimators, type Rounds } from "./boosting-step.js";
import { FittedAdaBoostClassifier, readAdaBoost } from "./fitted-ada-boost-classifier.js";
import { type ClosableLearner, memberLearner, stumpLearner } from "./weak-learners.js";

export const adaBoostClassifierParams = {
  estimator: memberParam<Classifier>(
    new DecisionStump(),
    "The weak learner: any classifier that takes sample weights. Stumps and trees are fastest.",
  ),
  nEstimators,
  learningRate: real({ above: 0, default: 1, doc: "Factor of the weight of each member's vote." }),
  classWeight: classWeight(),
  randomState: randomState(),
};

type Fitted<E extends AnyClassifier, L extends Label> = ModelOn<
  FittedAdaBoostClassifier<L, ReturnType<E["fit"]>>,
  SamplesOf<E>
>;

/**
 * AdaBoost [Freund & Schapire 1997]: weak classifiers fitted one after the other, each to weights that emphasise the rows that
 * those before it misclassified. Two classes, c = ±1:
 *
 *   minimise   E(C) = Σᵢ sᵢ exp(−cᵢ C(xᵢ)),      C = α₁ h₁ + α₂ h₂ + …,      one new term per round, the others fixed
 *
 *   wᵢ = sᵢ / Σ s;   every round:   h = weak learner(X, y, w),   e = Σᵢ wᵢ [h(xᵢ) ≠ cᵢ],   α = ½ ln((1 − e)/e),
 *   wᵢ ← wᵢ exp(2α [h(xᵢ) ≠ cᵢ]) / Σ        (≡ wᵢ exp(−α cᵢ h(xᵢ)) / Σ)
 *
 * K classes: SAMME [Zhu et al. 2009], 2α = ln((1 − e)/e) + ln(K − 1). Stops early if a member is perfect or no better than random
 * guessing. Parity: scikit-learn's AdaBoostClassifier(algorithm="SAMME"), whose estimator_weights_ are 2α; members are fitted with
 * weights that sum to 1, so that a penalty (C, alpha) is n times as strong as without weights.
 */
export class AdaBoostClassifier<E extends AnyClassifier = DecisionStump> extends ComposedEstimator<
  typeof adaBoostClassifierParams,
  E
> {
  static readonly id = "AdaBoostClassifier";
  static readonly table = adaBoostClassifierParams;
  static readonly title = "AdaBoost";
  static readonly capabilities = ensembleOf(DecisionStump, { decisionFunction: true, step: "round" });
  static readonly starter = { place: 5, params: { nEstimators: 60 } } as const;
  static readonly candidate: DefaultCandidate = { cost: 10 };
  static readonly searchSpace = boostingSpace;

  constructor(params: Params<typeof adaBoostClassifierParams, { estimator: E }> = {}) {
    super(params);
    const { estimator } = this.params;
    if (takesWeights(estimator)) return;
    throw new ParameterError(this.id, "estimator", "a classifier that takes sampleWeight", nameOf(estimator));
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, round by round. */
  steps<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Rounds<Fitted<E, L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedAdaBoostClassifier {
    return readAdaBoost(state, restorePart);
  }

  *#learn<L extends Label>(
    where: string,
    x: Samples,
    y: Labels<L>,
    options: FitOptions,
  ): Rounds<Fitted<E, L>> {
    const { params } = this;
    const { sparse, missing } = this.capabilities;
    const opened = openForMembers(where, x, params.estimator, { sparse, missing });
    const numbers = classificationSet(where, opened.x, y, options, opened.rules, params.classWeight);
    const set = memberSet(numbers, opened.given);
    // `params` does not keep the type E of its estimator.
    const learner = (
      opened.reads === "numbers"
        ? this.#learner(where, numbers, set, options)
        : memberLearner(params.estimator, set, params.randomState, options)
    ) as ClosableLearner<FittedClassifier<L> & ReturnType<E["fit"]>>;
    const modelOf = (boosted: Boosted<FittedClassifier<L> & ReturnType<E["fit"]>>, ending?: Ending) => {
      const { classes, featureNamesIn } = set;
      const report = adaBoostReport(boosted, classes.length, ending);
      const known = { nFeatures: widthOf(set.x), featureNamesIn, reads: opened.reads };
      type Own = FittedAdaBoostClassifier<L, ReturnType<E["fit"]>>;
      return new FittedAdaBoostClassifier(params, classes, known, boosted, report) as Own as Fitted<E, L>;
    };
    try {
      const start = normalizedWeights(set.weights, set.codes.length);
      const rules = { ...params, where, classes: set.classes.length };
      const rounds = adaBoostRounds(learner, start, rules);
      const { boosted, ending } = yield* mapSteps(rounds, ({ boosted, weights, ...progress }) => {
        // Later rounds overwrite the weights.
        const own = weights.slice();
        return {
          ...progress,
          error: boosted.estimatorErrors.at(-1)!,
          get rowWeights() {
            return own.slice();
          },
          model: () => modelOf(firstRounds(boosted, progress.iteration)),
        };
      });
      return modelOf(boosted, ending);
    } finally {
      learner.close();
    }
  }

  #learner<L extends Label>(
    where: string,
    numbers: ClassificationSet<L>,
    set: MemberSet<ClassificationSet<L>>,
    options: FitOptions,
  ): ClosableLearner<FittedClassifier<L>> {
    const { estimator, nEstimators, randomState: seed } = this.params;
    // An estimator with classWeight would compute it again in every round.
    if (estimator instanceof DecisionStump && estimator.params.classWeight === null)
      return stumpLearner(where, estimator, numbers, nEstimators);
    if (isPlainTree(estimator)) return treeLearner(where, estimator, numbers, seed);
    return memberLearner(estimator, set, seed, options);
  }
}
