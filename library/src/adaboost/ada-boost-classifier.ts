import type {
  Capabilities,
  Classifier,
  FitOptions,
  FitReport,
  FittedClassifier,
  FittedModel,
  MatrixLike,
} from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, integer, type Params, randomState, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { capabilitiesOver, memberParam, nameOf, requireTask, takesWeights } from "../ensembles/members.js";
import { DecisionStump, normalized } from "../trees/decision-stump.js";
import {
  type Boosted,
  boostingRounds,
  type Ending,
  firstRounds,
  lossFactor,
  lossSlope,
} from "./ada-boost-rounds.js";
import { isPlainTree, treeLearner } from "./ada-boost-trees.js";
import { FittedAdaBoostClassifier, readAdaBoost } from "./fitted-ada-boost-classifier.js";
import { type ClosableLearner, memberLearner, stumpLearner } from "./weak-learners.js";

export const adaBoostClassifierParams = {
  estimator: memberParam<Classifier>({
    default: new DecisionStump(),
    doc: "The weak learner: any classifier that takes weights. Stumps have a fast way of their own.",
  }),
  nEstimators: integer({ atLeast: 1, default: 50, doc: "Most rounds." }),
  learningRate: real({ above: 0, default: 1, doc: "Factor of every member's vote." }),
  classWeight: classWeight(),
  randomState: randomState(),
};

/** A round of `steps()`. */
export interface BoostingStep<M> extends Step<M> {
  /** The rows' weights that the round's member was fitted to, those of weight 0 left out. They sum to 1. */
  readonly rowWeights: Float64Array;
  /** The share of them that it is wrong about. */
  readonly error: number;
}

type Fitted<E extends Classifier, L extends Label> = FittedAdaBoostClassifier<L, ReturnType<E["fit"]>>;

/**
 * AdaBoost [Freund & Schapire 1997]: weak classifiers one after the other, each fitted to weights that stress what those before it
 * were wrong about. Two classes, c = ±1:
 *
 *   minimise   E(C) = Σᵢ sᵢ exp(−cᵢ C(xᵢ)),      C = α₁ h₁ + α₂ h₂ + …,      one term a round, the others left as they are
 *
 *   wᵢ = sᵢ / Σ s;   every round:   h = weak learner(X, y, w),   e = Σᵢ wᵢ [h(xᵢ) ≠ cᵢ],   α = ½ ln((1 − e)/e),
 *   wᵢ ← wᵢ exp(2α [h(xᵢ) ≠ cᵢ]) / Σ        (≡ wᵢ exp(−α cᵢ h(xᵢ)) / Σ)
 *
 * K classes: SAMME [Zhu et al. 2009], 2α = ln((1 − e)/e) + ln(K − 1). It stops early when a member is perfect, or no better than
 * guessing. Parity: scikit-learn's AdaBoostClassifier(algorithm="SAMME"), whose estimator_weights_ are 2α; members see weights that
 * sum to 1, so that one with a penalty (C, alpha) is held n times as tightly as without weights.
 */
export class AdaBoostClassifier<E extends Classifier = DecisionStump> extends Estimator<
  typeof adaBoostClassifierParams
> {
  static readonly id = "AdaBoostClassifier";
  static readonly table = adaBoostClassifierParams;
  /** With the default estimator; `capabilities` of the object says what this one can take. */
  static readonly capabilities: Capabilities = {
    ...DecisionStump.capabilities,
    decisionFunction: true,
  };

  constructor(
    params: Omit<Params<typeof adaBoostClassifierParams>, "estimator"> & { readonly estimator?: E } = {},
  ) {
    super(AdaBoostClassifier.id, adaBoostClassifierParams, params);
    const { estimator } = this.params;
    requireTask(this.id, estimator, "classification");
    if (takesWeights(estimator)) return;
    throw new ParameterError({
      where: this.id,
      subject: "estimator",
      expected: "one that takes sampleWeight, since boosting weighs rows",
      received: nameOf(estimator),
    });
  }

  get capabilities(): Capabilities {
    const own = {
      task: "classification",
      probabilities: true,
      decisionFunction: true,
      sampleWeight: true,
    } as const;
    return capabilitiesOver(this.params.estimator, own);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const where = "AdaBoostClassifier.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, round by round. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<BoostingStep<Fitted<E, L>>, Fitted<E, L>, void> {
    return this.#learn("AdaBoostClassifier.steps", x, y, options);
  }

  static restore(
    state: ModelState,
    restorePart: (part: ModelState) => FittedModel,
  ): FittedAdaBoostClassifier {
    return readAdaBoost(state, restorePart);
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<BoostingStep<Fitted<E, L>>, Fitted<E, L>, void> {
    const { params } = this;
    const { sparse, missing } = this.capabilities;
    const set = classificationSet(where, x, y, options, { sparse, missing }, params.classWeight);
    // `params` does not keep the type E of its estimator.
    const learner = this.#learner(where, set, options) as ClosableLearner<
      FittedClassifier<L> & ReturnType<E["fit"]>
    >;
    const modelOf = (boosted: Boosted<FittedClassifier<L> & ReturnType<E["fit"]>>, ending?: Ending) => {
      const { classes, featureNamesIn } = set;
      const report = reportOf(boosted, classes.length, ending);
      return new FittedAdaBoostClassifier<L, ReturnType<E["fit"]>>(
        params,
        classes,
        set.x.cols,
        boosted,
        report,
        featureNamesIn,
      );
    };
    try {
      const start = normalized(set.weights, set.codes.length);
      const rules = { ...params, where, classes: set.classes.length };
      const rounds = boostingRounds(learner, start, rules);
      const { boosted, ending } = yield* mapSteps(rounds, ({ boosted, weights, ...progress }) => {
        // Later rounds change them.
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
    set: ClassificationSet<L>,
    options: FitOptions,
  ): ClosableLearner<FittedClassifier<L>> {
    const { estimator, nEstimators, randomState: seed } = this.params;
    // One that weighs classes by itself does so anew every round.
    if (estimator instanceof DecisionStump && estimator.params.classWeight === null)
      return stumpLearner(where, estimator, set, nEstimators);
    if (isPlainTree(estimator)) return treeLearner(where, estimator, set, seed);
    return memberLearner(estimator, set, seed, options);
  }
}

const warningOf: Record<Ending, readonly string[]> = {
  "all rounds": [],
  "perfect member": ["Stopped at a member without mistakes: more rounds would repeat it."],
  "no better than chance": ["Stopped when the next member was no better than guessing."],
};

function reportOf(boosted: Boosted<unknown>, K: number, ending?: Ending): FitReport {
  const { estimatorWeights, estimatorErrors, exponentialErrors } = boosted;
  const e = estimatorErrors.at(-1)!;
  const vote = estimatorWeights.at(-1)!;
  const objective = exponentialErrors.at(-1)!;
  return {
    converged: ending !== undefined,
    iterations: estimatorWeights.length,
    objective,
    gradientNorm: Math.abs((objective * lossSlope(e, vote, K)) / lossFactor(e, vote, K)),
    solver: "adaBoost",
    warnings: ending === undefined ? [] : warningOf[ending],
  };
}
