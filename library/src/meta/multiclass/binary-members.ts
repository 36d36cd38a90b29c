import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedModel,
  MatrixLike,
  RestorePart,
  ScoreOptions,
} from "../../core/contract.js";
import { AbortError, ParameterError } from "../../core/errors.js";
import type { Label, Labels } from "../../core/labels.js";
import type { Learned } from "../../core/state/model-state.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import type { Matrix } from "../../data/matrix.js";
import { selectRows } from "../../data/select-rows.js";
import type { ClassifierMember } from "../../ensembles/class-votes.js";
import type { ComposedTable } from "../../ensembles/composed-estimator.js";
import type { MembersState } from "../../ensembles/fitted-members.js";
import { FittedMembers, membersState, readMembers } from "../../ensembles/fitted-members.js";
import type { MemberRows } from "../../ensembles/member-rows.js";
import { memberOptions, memberParam, nameOf } from "../../ensembles/members.js";
import { LogisticRegression } from "../../linear/index.js";
import { accuracyScore } from "../../metrics/accuracy.js";
import { AroundEstimator, requireScored } from "../around-estimator.js";
import { classificationForMembers } from "../named-estimators.js";

/** The parameter that holds the classifier of two classes: 1, and 0 for the others. */
export const binaryEstimator = memberParam<Classifier>(
  new LogisticRegression(),
  "The classifier that is fitted to two classes, 1 and 0, at a time; it needs a decision function or probabilities.",
);

/** A problem of two classes: 1 or 0 per row, of all rows or of some. */
interface BinaryProblem {
  readonly y: readonly (0 | 1)[];
  readonly rows?: Int32Array;
}

/** What is made of classifiers of two classes: it takes what these take, and any number of classes. */
export abstract class BinaryReduction<T extends ComposedTable<Classifier>, E> extends AroundEstimator<
  T,
  E,
  Classifier
> {
  constructor(params: object = {}) {
    super(params);
    requireScored(this.id, this.member);
  }

  override get capabilities(): Capabilities {
    return { ...super.capabilities, multiclass: true };
  }

  /** One fit per problem that the classes are divided into. */
  protected fitAll<L extends Label>(
    x: unknown,
    y: Labels<L>,
    options: FitOptions,
    problemsOf: (codes: Int32Array, K: number) => readonly BinaryProblem[],
  ): readonly [MembersState<ClassifierMember>, readonly L[]] {
    const where = this.where("fit");
    const { member, capabilities } = this;
    const { set, opened } = classificationForMembers(where, [member], capabilities, x as never, y, options);
    const { classes, codes } = set;
    const models = problemsOf(codes, classes.length).map((problem) =>
      fitBinary(where, member, set, problem, options),
    );
    return [membersState(this, set, opened, models), classes];
  }
}

interface BinarySet {
  readonly x: MemberRows;
  readonly weights: Float64Array | undefined;
}

function fitBinary(
  where: string,
  estimator: Classifier,
  { x, weights }: BinarySet,
  { y, rows }: BinaryProblem,
  options: FitOptions,
): ClassifierMember {
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  const own = weights && rows ? (selectRows(weights, rows) as Float64Array) : weights;
  const chosen = rows ? (x.selectRows(rows) as MemberRows) : x;
  const model = estimator.fit(chosen, y, memberOptions(options, own)) as ClassifierMember;
  if (model.decisionFunction ?? model.predictProba) return model;
  const expected = "one whose models have a decision function or probabilities";
  throw new ParameterError(where, "estimator", expected, nameOf(model));
}

/** The models of all problems. */
export abstract class FittedReduction<L extends Label> extends FittedMembers<ClassifierMember> {
  constructor(
    state: MembersState<ClassifierMember>,
    readonly classes: readonly L[],
  ) {
    super(state);
  }

  /** The classifiers of two classes, 1 and 0. */
  get estimators(): readonly ClassifierMember[] {
    return this.models;
  }

  toState(): ModelState {
    return this.stateWith({});
  }

  protected override stateWith(learned: Learned): ModelState {
    return super.stateWith({ classes: [...this.classes], ...learned });
  }
}

/** The models of all problems, of which the class itself makes labels. */
export abstract class FittedLabelReduction<L extends Label> extends FittedReduction<L> {
  abstract predict(x: MatrixLike): L[];

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }
}

/** Classes and models of a saved reduction, which has this many models for K classes; undefined: any number. */
export function readReduction(
  state: ModelState,
  restorePart: RestorePart,
  countOf: (K: number) => number | undefined,
): { reader: StateReader; members: MembersState<ClassifierMember>; classes: readonly Label[] } {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const expected = "a classifier of 0 and 1 with scores";
  const members = readMembers<ClassifierMember>(reader, restorePart, expected, isBinaryMember);
  const found = members.models.length;
  const count = countOf(classes.length) ?? found;
  if (found !== count) reader.fail("parts", `${count} models`, `${found}`);
  return { reader, members, classes };
}

/** Scores of class 1: the decision function or, without one, the probabilities. */
export function binaryScores(model: ClassifierMember, x: MatrixLike): Float64Array {
  if (model.decisionFunction === undefined) return binaryProbabilities(model, x);
  const { data, rows, cols } = model.decisionFunction(x) as Matrix<Float64Array>;
  if (cols === 1) return data;
  return Float64Array.from({ length: rows }, (_, i) => data[2 * i + 1]! - data[2 * i]!);
}

export const binaryProbabilities = (model: ClassifierMember, x: MatrixLike): Float64Array =>
  model.predictProba!(x).column(1) as Float64Array;

/** Whether a restored model is one of these members. */
function isBinaryMember(model: FittedModel): boolean {
  const { classes, predict, decisionFunction, predictProba } = model as Partial<ClassifierMember>;
  const scored = decisionFunction !== undefined || predictProba !== undefined;
  const isTwo = classes?.length === 2 && (classes as readonly Label[]).every((label, k) => label === k);
  return predict !== undefined && scored && isTwo;
}
