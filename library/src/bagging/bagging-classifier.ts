import type { Capabilities, Classifier, FitOptions, FittedModel, Samples } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../core/model-on.js";
import type { Params } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { classificationSet } from "../data/training-set.js";
import { memberSet, openForMembers } from "../ensembles/member-rows.js";
import type { MemberOf } from "../ensembles/members.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import {
  type Bagger,
  bagCapabilities,
  baggingParams,
  bagInput,
  bagSteps,
  checkBagging,
  memberBagger,
} from "./bagging.js";
import {
  type ClassifierMember,
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
export class BaggingClassifier<E extends AnyClassifier = DecisionTreeClassifier> extends Estimator<
  typeof baggingClassifierParams,
  object
> {
  declare readonly partTypes?: { estimator: E };
  static readonly id = "BaggingClassifier";
  static readonly table = baggingClassifierParams;
  /** With the default `estimator`; the instance's `capabilities` depend on its own. */
  static readonly capabilities: Capabilities = {
    ...DecisionTreeClassifier.capabilities,
    composite: true,
    step: "member",
    form: "ensemble",
  };

  constructor(params: Params<typeof baggingClassifierParams, { estimator: E }> = {}) {
    super(params);
    checkBagging(this.id, this.params, "classification");
  }

  get capabilities(): Capabilities {
    return bagCapabilities(this.params, { task: "classification", probabilities: true });
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, member by member. */
  steps<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Steps<Fitted<E, L>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedBaggingClassifier {
    return readBaggingClassifier(state, restorePart);
  }

  *#learn<L extends Label>(
    where: string,
    x: Samples,
    y: Labels<L>,
    options: FitOptions,
  ): Steps<Fitted<E, L>> {
    const { id, params } = this;
    const input = bagInput(this.capabilities);
    const opened = openForMembers(where, x, params.estimator, input);
    const numbers = classificationSet(where, opened.x, y, options, opened.rules, null);
    const set = memberSet(numbers, opened.given);
    const { classes, codes } = set;
    const bagger =
      (opened.reads !== "numbers" ? null : classificationTreeBagger(where, params, numbers)) ??
      memberBagger(set, params, options, (estimator, seen, rows, own) =>
        estimator.fit(
          seen,
          Array.from(rows, (i) => classes[codes[i]!]!),
          own,
        ),
      );
    const task = {
      id,
      where,
      params,
      input,
      set,
      reads: opened.reads,
      codes,
      bagger: bagger as Bagger<ClassifierMember<L>>,
      outOfBag: (members: Parameters<typeof outOfBagVotes<L>>[0]) => outOfBagVotes(members, set),
    };
    // `params` does not keep the type E of its estimator.
    return yield* bagSteps(
      task,
      (bag) => new FittedBaggingClassifier(bag, classes) as unknown as Fitted<E, L>,
    );
  }
}
