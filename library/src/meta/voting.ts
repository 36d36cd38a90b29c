import type {
  Classifier,
  FitOptions,
  FittedProbabilisticClassifier,
  FittedRegressor,
  MatrixLike,
  Regressor,
  RestorePart,
} from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { isSingleTarget } from "../core/model.js";
import type { AnyClassifier, AnyRegressor, ModelOn, SamplesOfAll } from "../core/model-on.js";
import { choice, numbers, optional, type ParamsWith } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { readVoteWeights } from "../core/state/state-lists.js";
import {
  type CombinationRule,
  classifierStructure,
  membersOf,
  probabilityLink,
  regressorStructure,
  type Structure,
  structure,
} from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { addVotesInto, type ClassifierMember, isClassifierOf } from "../ensembles/class-votes.js";
import { type MembersState, readMembers } from "../ensembles/fitted-members.js";
import { withProbabilities } from "../fitted/classifiers.js";
import { withRegression } from "../fitted/regressor.js";
import { FittedNamedMembers, readNames } from "./fitted-named-members.js";
import {
  classificationForMembers,
  composedClassifier,
  composedRegressor,
  labelsOf,
  type NamedEstimators,
  NamedMembers,
  namedEstimators,
  regressionForMembers,
} from "./named-estimators.js";

const weights = optional(
  numbers({ atLeast: 0, default: [], doc: "Weight of each member, in their order; null: 1 each." }),
);

export const votingClassifierParams = {
  estimators: namedEstimators<Classifier>("classifier"),
  voting: choice(["hard", "soft"], {
    default: "hard",
    doc: "Members vote for the class that they predict, or with their probabilities.",
  }),
  weights,
};

export const votingRegressorParams = { estimators: namedEstimators<Regressor>("regressor"), weights };

interface WeighedMembers {
  readonly estimators: NamedEstimators<unknown>;
  readonly weights: readonly number[] | null;
}

/** One weight per member. */
function weightsOfMembers(where: string, { estimators, weights }: WeighedMembers): Float64Array {
  const count = Object.keys(estimators).length;
  if (weights === null) return new Float64Array(count).fill(1);
  if (weights.length === count && weights.some((w) => w > 0)) return Float64Array.from(weights);
  const expected = `${count} numbers ≥ 0, one per estimator, not all 0`;
  throw new ParameterError(where, "weights", expected, `[${weights.join(", ")}]`);
}

type VotedClassifier<E extends NamedEstimators<AnyClassifier>, L extends Label> = ModelOn<
  FittedVotingClassifier<L>,
  SamplesOfAll<E>
>;

/**
 * Several classifiers as one: each is fitted to all rows, and they vote.
 *
 *   P(k | x) = Σₘ vₘ [member m predicts k] / Σₘ vₘ   (hard),      Σₘ vₘ Pₘ(k | x) / Σₘ vₘ   (soft)
 *
 * The class with the largest P is predicted, of equal ones the first. Parity: scikit-learn's VotingClassifier, whose hard votes have no
 * probabilities.
 */
export class VotingClassifier<
  E extends NamedEstimators<AnyClassifier> = NamedEstimators<Classifier>,
> extends NamedMembers<typeof votingClassifierParams, E> {
  static readonly id = "VotingClassifier";
  static readonly table = votingClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities = composedClassifier({ form: "ensemble" });

  constructor(params: ParamsWith<typeof votingClassifierParams, { estimators: E }>) {
    super(params);
    weightsOfMembers(this.id, this.params);
  }

  fit<L extends Label>(x: SamplesOfAll<E>, y: Labels<L>, options: FitOptions = {}): VotedClassifier<E, L> {
    const { id, params, members } = this;
    const read = classificationForMembers(this.where("fit"), members, this.capabilities, x, y, options);
    const { classes } = read.set;
    const state = this.fitted<ClassifierMember<L>>(read, labelsOf(read.set), options);
    const votes = { weights: weightsOfMembers(id, params), hard: params.voting === "hard" };
    return new FittedVotingClassifier(state, this.names, classes, votes) as VotedClassifier<E, L>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedVotingClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const expected = "a classifier of these classes";
    const members = readMembers<ClassifierMember>(reader, restorePart, expected, isClassifierOf(classes));
    const names = readNames(reader, members.models.length);
    const votes = {
      weights: readVoteWeights(reader, "weights", [names.length]),
      hard: reader.text("voting") === "hard",
    };
    return new FittedVotingClassifier(members, names, classes, votes);
  }
}

interface Votes {
  readonly weights: Float64Array;
  readonly hard: boolean;
}

export class FittedVotingClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withProbabilities(FittedNamedMembers<ClassifierMember>)<L>
  implements FittedProbabilisticClassifier<L>
{
  readonly #votes: Votes;

  constructor(
    state: MembersState<ClassifierMember<L>>,
    names: readonly string[],
    readonly classes: readonly L[],
    votes: Votes,
  ) {
    super(state, names);
    this.#votes = votes;
  }

  override get members(): Readonly<Record<string, ClassifierMember<L>>> {
    return super.members as Readonly<Record<string, ClassifierMember<L>>>;
  }

  [structure](): Structure {
    const { weights, hard } = this.#votes;
    const divisor = weights.reduce((sum, w) => sum + w, 0);
    const rule: CombinationRule = hard
      ? { kind: "votes", weights, divisor, difference: false }
      : { kind: "probabilities", weights };
    const members = membersOf(this.models);
    const outputs = this.classes.length;
    return classifierStructure(this, { kind: "composite", members, rule, outputs }, probabilityLink);
  }

  toState(): ModelState {
    const { weights, hard } = this.#votes;
    return this.stateWith({ classes: [...this.classes], voting: hard ? "hard" : "soft", weights });
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

type VotedRegressor<E extends NamedEstimators<AnyRegressor>> = ModelOn<
  FittedVotingRegressor,
  SamplesOfAll<E>
>;

/**
 * Several regressors as one: each is fitted to all rows, and the prediction is their weighted mean Σₘ vₘ fₘ(x) / Σₘ vₘ.
 * Parity: scikit-learn's VotingRegressor.
 */
export class VotingRegressor<
  E extends NamedEstimators<AnyRegressor> = NamedEstimators<Regressor>,
> extends NamedMembers<typeof votingRegressorParams, E> {
  static readonly id = "VotingRegressor";
  static readonly table = votingRegressorParams;
  /** What it can be at most; `capabilities` of the object depend on its estimators. */
  static readonly capabilities = composedRegressor({ form: "ensemble" });

  constructor(params: ParamsWith<typeof votingRegressorParams, { estimators: E }>) {
    super(params);
    weightsOfMembers(this.id, this.params);
  }

  fit(x: SamplesOfAll<E>, y: NumberArray, options: FitOptions = {}): VotedRegressor<E> {
    const { id, params, members } = this;
    const read = regressionForMembers(this.where("fit"), members, this.capabilities, x, y, options);
    const state = this.fitted<FittedRegressor>(read, read.set.y, options);
    return new FittedVotingRegressor(state, this.names, weightsOfMembers(id, params)) as VotedRegressor<E>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedVotingRegressor {
    const reader = new StateReader(state);
    const members = readMembers<FittedRegressor>(reader, restorePart, "a regressor", isSingleTarget);
    const names = readNames(reader, members.models.length);
    return new FittedVotingRegressor(members, names, readVoteWeights(reader, "weights", [names.length]));
  }
}

export class FittedVotingRegressor
  extends /* @__PURE__ */ withRegression(FittedNamedMembers<FittedRegressor>)
  implements FittedRegressor
{
  readonly #weights: Float64Array;

  constructor(state: MembersState<FittedRegressor>, names: readonly string[], weights: Float64Array) {
    super(state, names);
    this.#weights = weights;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const rows = this.read(where, x);
    const total = this.#weights.reduce((sum, w) => sum + w, 0);
    const out = new Float64Array(rows.rows);
    if (rows.rows === 0) return out;
    this.models.forEach((model, m) => {
      const weight = this.#weights[m]! / total;
      model.predict(rows).forEach((value, i) => {
        out[i]! += weight * value;
      });
    });
    return out;
  }

  [structure](): Structure {
    const rule = { kind: "mean", weights: this.#weights } as const;
    return regressorStructure(this, { kind: "composite", members: membersOf(this.models), rule, outputs: 1 });
  }

  toState(): ModelState {
    return this.stateWith({ weights: this.#weights });
  }
}
