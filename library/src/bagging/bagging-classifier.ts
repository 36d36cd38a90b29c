import type { Classifier, FitOptions, RestorePart, Samples } from "../core/contract.js";
import { runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../core/model-on.js";
import type { Params } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { ensembleOf } from "../ensembles/composed-estimator.js";
import type { MemberOf } from "../ensembles/members.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { Bagging, baggingParams, type Readable, type Rules } from "./bagging.js";
import {
  FittedBaggingClassifier,
  outOfBagVotes,
  readBaggingClassifier,
} from "./fitted-bagging-classifier.js";
import { classificationTreeBagger } from "./tree-bags.js";

export const baggingClassifierParams = baggingParams<Classifier>("classifier", new DecisionTreeClassifier());

type Fitted<E extends AnyClassifier, L extends Label> = ModelOn<
  FittedBaggingClassifier<L, MemberOf<E>>,
  SamplesOf<E>
>;

/**
 * Bootstrap aggregation [Breiman 1996]: members are fitted to rows drawn with replacement, and their predictions are averaged.
 *
 *   P(k | x) = 1/T Σₜ Pₜ(k | x),     or the proportion of members that predict k, if they have no probabilities
 *
 * A draw with a single class is repeated. For members that do not take weights, rows are drawn with probability proportional to
 * their weight. Parity: otherwise scikit-learn's BaggingClassifier.
 */
export class BaggingClassifier<E extends AnyClassifier = DecisionTreeClassifier> extends Bagging<
  typeof baggingClassifierParams,
  E
> {
  static readonly id = "BaggingClassifier";
  static readonly table = baggingClassifierParams;
  static readonly capabilities = ensembleOf(DecisionTreeClassifier, { step: "member" });

  constructor(params: Params<typeof baggingClassifierParams, { estimator: E }> = {}) {
    super(params);
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, member by member. */
  steps<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Steps<Fitted<E, L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedBaggingClassifier {
    return readBaggingClassifier(state, restorePart);
  }

  #learn<L extends Label>(where: string, x: Samples, y: Labels<L>, options: FitOptions): Steps<Fitted<E, L>> {
    const parts = {
      read: (rows: Readable, rules: Rules) => classificationSet(where, rows, y, options, rules, null),
      trees: (set: ClassificationSet<L>) => classificationTreeBagger(where, this.params, set),
      targetsOf:
        ({ classes, codes }: ClassificationSet<L>) =>
        (rows: Int32Array) =>
          Array.from(rows, (i) => classes[codes[i]!]!),
      outOfBag: outOfBagVotes<L>,
    };
    return this.learn(where, x, options, parts, (bag, { classes }) => {
      // `params` does not keep the type E of its estimator.
      return new FittedBaggingClassifier(bag, classes) as unknown as Fitted<E, L>;
    });
  }
}
