import type { Composite } from "../core/composite.js";
import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedModel,
  FittedProbabilisticClassifier,
  MatrixLike,
} from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOfAll } from "../core/model-on.js";
import { choice, type ParamsWith } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import {
  type CombinationRule,
  classifierStructure,
  membersOf,
  probabilityLink,
  type Scores,
  type Structure,
  structure,
} from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { memberOptions } from "../ensembles/members.js";
import { withProbabilities } from "../fitted/classifiers.js";
import { addVotesInto, type ClassifierMember, isClassifierOf } from "./class-votes.js";
import { FittedMembers, type MembersState, membersState, readMembers } from "./fitted-members.js";
import {
  capabilitiesOfAll,
  checkMembers,
  classificationForMembers,
  labelsOf,
  mostOfClassifiers,
  type NamedEstimators,
  namedEstimators,
  requireParts,
} from "./named-estimators.js";
import { votingWeights, weightsOfMembers } from "./voting-weights.js";

export const votingClassifierParams = {
  estimators: namedEstimators<Classifier>("classifier"),
  voting: choice(["hard", "soft"], {
    default: "hard",
    doc: "Members vote for the class that they predict, or with their probabilities.",
  }),
  weights: votingWeights,
};

/**
 * Several classifiers as one: each is fitted to all rows, and they vote.
 *
 *   P(k | x) = Σₘ vₘ [member m predicts k] / Σₘ vₘ   (hard),      Σₘ vₘ Pₘ(k | x) / Σₘ vₘ   (soft)
 *
 * The class with the largest P is predicted, of equal ones the first. Parity: scikit-learn's VotingClassifier, whose hard votes have no
 * probabilities.
 */
export class VotingClassifier<E extends NamedEstimators<AnyClassifier> = NamedEstimators<Classifier>>
  extends Estimator<typeof votingClassifierParams, object>
  implements Composite<E>
{
  declare readonly partTypes?: E;
  static readonly id = "VotingClassifier";
  static readonly table = votingClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities: Capabilities = { ...mostOfClassifiers, form: "ensemble" };

  constructor(params: ParamsWith<typeof votingClassifierParams, { estimators: E }>) {
    super(params);
    checkMembers(this.id, this.params.estimators, "classification");
    weightsOfMembers(this.id, this.params);
  }

  get capabilities(): Capabilities {
    const own = { task: "classification", probabilities: true, decisionFunction: false } as const;
    return capabilitiesOfAll(Object.values(this.params.estimators), own);
  }

  namedParts(): ReadonlyMap<string, object> {
    return new Map(Object.entries(this.params.estimators));
  }

  withParts(parts: ReadonlyMap<string, object>): VotingClassifier<E> {
    const estimators = Object.fromEntries(requireParts(`${this.id}.withParts`, parts)) as unknown as E;
    return new VotingClassifier({ ...this.params, estimators } as never);
  }

  fit<L extends Label>(
    x: SamplesOfAll<E>,
    y: Labels<L>,
    options: FitOptions = {},
  ): ModelOn<FittedVotingClassifier<L>, SamplesOfAll<E>> {
    const members = Object.values(this.params.estimators);
    const { set, opened } = classificationForMembers(
      this.where("fit"),
      members,
      this.capabilities,
      x,
      y,
      options,
    );
    const own = memberOptions(options, set.weights);
    const state = membersState(
      this,
      set,
      opened,
      members.map((member) => member.fit(set.x, labelsOf(set), own)),
    );
    return new FittedVotingClassifier(state, set.classes, {
      names: Object.keys(this.params.estimators),
      weights: weightsOfMembers(this.id, this.params),
      hard: this.params.voting === "hard",
    }) as never;
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedVotingClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const expected = "a classifier of these classes";
    const members = readMembers<ClassifierMember>(reader, restorePart, expected, isClassifierOf(classes));
    const names = reader.labels("names") as readonly string[];
    if (names.length !== members.models.length)
      reader.fail("names", `${members.models.length} names`, `${names.length}`);
    const weights = reader.weights("weights", [names.length]);
    return new FittedVotingClassifier(members, classes, {
      names,
      weights,
      hard: reader.text("voting") === "hard",
    });
  }
}

interface Votes {
  readonly names: readonly string[];
  readonly weights: Float64Array;
  readonly hard: boolean;
}

export class FittedVotingClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withProbabilities(FittedMembers<ClassifierMember>)<L>
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];
  readonly #votes: Votes;

  constructor(state: MembersState<ClassifierMember<L>>, classes: readonly L[], votes: Votes) {
    super(state);
    this.classes = classes;
    this.#votes = votes;
  }

  /** The fitted classifiers by name. */
  get members(): Readonly<Record<string, ClassifierMember<L>>> {
    return Object.fromEntries(
      this.#votes.names.map((name, m) => [name, this.models[m] as ClassifierMember<L>]),
    );
  }

  [structure](): Structure {
    const { weights, hard } = this.#votes;
    const divisor = weights.reduce((sum, w) => sum + w, 0);
    const rule: CombinationRule = hard
      ? { kind: "votes", weights, divisor, difference: false }
      : { kind: "probabilities", weights };
    const outputs = this.classes.length;
    const scores: Scores = { kind: "composite", members: membersOf(this.models), rule, outputs };
    return classifierStructure(this, scores, probabilityLink);
  }

  toState(): ModelState {
    const { names, weights, hard } = this.#votes;
    const values = { classes: [...this.classes], names: [...names], voting: hard ? "hard" : "soft" };
    return this.stateWith(values, { weights: { shape: [weights.length], data: weights } });
  }

  /** Hard: the fraction of the votes; soft: the mean of the members' probabilities. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const rows = this.read(where, x);
    const { weights, hard } = this.#votes;
    const total = weights.reduce((sum, w) => sum + w, 0);
    const out = new Float64Array(rows.rows * this.classes.length);
    if (rows.rows > 0)
      this.models.forEach((model, m) => {
        addVotesInto(model, rows, this.classes, weights[m]! / total, hard, out);
      });
    return new Matrix(out, rows.rows, this.classes.length);
  }
}
