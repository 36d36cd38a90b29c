import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedClassifier,
  FittedModel,
  MatrixLike,
  Progress,
  ScoreOptions,
} from "../core/contract.js";
import { describeParams, Estimator, runSteps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { Params } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { classCriteria } from "../trees/impurities.js";
import { DecisionTreeClassifier, FittedDecisionTreeClassifier } from "../trees/index.js";
import {
  type BaggedMember,
  type Bagger,
  type BaggingValues,
  type BagInput,
  baggingParams,
  bagSteps,
  checkBagging,
  drawsState,
  inputOf,
  leftOut,
  memberBagger,
  readBagInput,
  readDraws,
  seenBy,
  seesAll,
} from "./bagging.js";
import { heaviest } from "./decision-stump.js";
import { capabilitiesOver, memberParam, requireTask } from "./members.js";
import { growsTogether, type TreeBag, treeBag, treeBagger } from "./tree-bags.js";

export const baggingClassifierParams = {
  estimator: memberParam<Classifier>({
    default: new DecisionTreeClassifier(),
    doc: "Any classifier; those that vary much from sample to sample gain most.",
  }),
  ...baggingParams,
};

type Member<L extends Label> = FittedClassifier<L> & { predictProba?(x: Design): Matrix };
type Fitted<E extends Classifier, L extends Label> = FittedBaggingClassifier<L, ReturnType<E["fit"]>>;

/**
 * Bootstrap aggregation [Breiman 1996]: each member is fitted to rows drawn with replacement, as many as there are, and the members'
 * answers are averaged.
 *
 *   P(k | x) = 1/T Σₜ Pₜ(k | x),     or the share of members that say k, where they have no probabilities
 *
 * A draw without a second class is drawn again, since no classifier learns from it. Members that do not take weights draw rows in
 * proportion to theirs. Parity: otherwise scikit-learn's BaggingClassifier.
 */
export class BaggingClassifier<E extends Classifier = DecisionTreeClassifier> extends Estimator<
  typeof baggingClassifierParams
> {
  static readonly id = "BaggingClassifier";
  static readonly table = baggingClassifierParams;
  /** With the default estimator; `capabilities` of the object says what this one can take. */
  static readonly capabilities: Capabilities = DecisionTreeClassifier.capabilities;

  constructor(
    params: Omit<Params<typeof baggingClassifierParams>, "estimator"> & { readonly estimator?: E } = {},
  ) {
    super(BaggingClassifier.id, baggingClassifierParams, params);
    requireTask(this.id, this.params.estimator, "classification");
    checkBagging(this.id, this.params);
  }

  get capabilities(): Capabilities {
    const own = {
      task: "classification",
      probabilities: true,
      decisionFunction: false,
      sampleWeight: true,
    } as const;
    const over = capabilitiesOver(this.params.estimator, own);
    return { ...over, ...inputOf(over, this.params) };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const where = "BaggingClassifier.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedBaggingClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const nFeatures = reader.count("nFeatures");
    const input = readBagInput(reader);
    const models = (state.parts ?? []).map(restorePart);
    for (const [t, model] of models.entries()) {
      const known = (model as Partial<Member<Label>>).classes;
      if (!known?.every((label) => classes.includes(label)))
        reader.fail(`member ${t}`, "a classifier of these classes", "another");
    }
    const members = readDraws<Member<Label>>(reader, models, nFeatures);
    const outOfBag = state.values["oobScore"] === undefined ? null : readOutOfBag(reader, classes.length);
    return new FittedBaggingClassifier({
      params: state.params,
      input,
      classes,
      nFeatures,
      members,
      outOfBag,
    });
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<Progress, Fitted<E, L>, void> {
    const { params } = this;
    const { sparse, missing } = this.capabilities;
    const input = { sparse, missing };
    const set = classificationSet(where, x, y, options, input, null);
    const { classes, codes } = set;
    const labelled = { x: set.x, y: Array.from(codes, (k) => classes[k]!), weights: set.weights };
    const bagger = treesOf(where, params, set) ?? memberBagger<L, Member<L>>(labelled, params, options);
    const members = yield* bagSteps<L, Member<L>>(where, params.estimator, labelled, params, true, bagger);
    const kept = set.kept ?? Int32Array.from(codes.keys());
    const outOfBag = params.oobScore
      ? judgeOutOfBag(members, set.x, classes, codes, set.weights, kept)
      : null;
    const state = { params, input, classes, nFeatures: set.x.cols, members, outOfBag };
    return new FittedBaggingClassifier(state as never);
  }
}

/** Trees have a fast way of their own. */
function treesOf<L extends Label>(
  where: string,
  params: BaggingValues & { readonly estimator: Classifier },
  { x, codes, classes, weights }: ClassificationSet<L>,
): Bagger<Member<L>> | null {
  const { estimator } = params;
  if (!(estimator instanceof DecisionTreeClassifier) || !seesAll(params, x.cols)) return null;
  const own = estimator.params;
  if (own.classWeight !== null || !growsTogether(own)) return null;
  return treeBagger(where, {
    x,
    weights,
    params: own,
    targets: { codes, classes: classes.length },
    criterion: classCriteria[own.criterion],
    restored: (value) => value,
    fitted: (given, tree) =>
      new FittedDecisionTreeClassifier({ id: DecisionTreeClassifier.id, params: given, tree }, classes),
  });
}

/** What members say of rows that they have not drawn. */
export interface OutOfBagVotes {
  /** Accuracy. */
  readonly score: number;
  /** Numbers of the rows that at least one member has not drawn. */
  readonly rows: Int32Array;
  /** Their mean probabilities, one row each, one column a class. */
  readonly probabilities: Matrix;
}

function judgeOutOfBag<L extends Label>(
  members: readonly BaggedMember<Member<L>>[],
  x: Design,
  classes: readonly L[],
  codes: Int32Array,
  weights: Float64Array | undefined,
  kept: Int32Array,
): OutOfBagVotes {
  const K = classes.length;
  const sums = Matrix.zeros(x.rows, K);
  const asked = new Int32Array(x.rows);
  for (const member of members) {
    const rows = leftOut(member, x.rows);
    if (rows.length === 0) continue;
    const said = Matrix.zeros(rows.length, K);
    addShares(member, x.selectRows(rows), classes, said);
    for (const [r, i] of rows.entries()) {
      asked[i]!++;
      for (let k = 0; k < K; k++) sums.data[i * K + k]! += said.data[r * K + k]!;
    }
  }
  const known = Int32Array.from(asked.keys()).filter((i) => asked[i]! > 0);
  const probabilities = sums.selectRows(known);
  for (const [r, i] of known.entries())
    for (let k = 0; k < K; k++) probabilities.data[r * K + k]! /= asked[i]!;
  let right = 0;
  let all = 0;
  for (const [r, i] of known.entries()) {
    const w = weights ? weights[i]! : 1;
    all += w;
    if (heaviest(probabilities.row(r)) === codes[i]) right += w;
  }
  return { score: all > 0 ? right / all : 0, rows: known.map((i) => kept[i]!), probabilities };
}

function readOutOfBag(reader: StateReader, K: number): OutOfBagVotes {
  const data = reader.floats("oobProbabilities", [-1, K]);
  const rows = reader.integers("oobRows", [data.length / K]);
  return { score: reader.number("oobScore"), rows, probabilities: new Matrix(data, rows.length, K) };
}

/** out[i][k] += what one member says of class k: its probability, or 1 for the class it predicts. */
function addShares<L extends Label>(
  member: BaggedMember<Member<L>>,
  x: Design,
  classes: readonly L[],
  out: Matrix,
): void {
  const { model } = member;
  const seen = seenBy(member, x);
  const K = classes.length;
  const place = new Map(classes.map((label, k) => [label, k]));
  if (model.predictProba) {
    const columns = model.classes.map((label) => place.get(label)!);
    const { data } = model.predictProba(seen);
    for (let i = 0, e = 0; i < x.rows; i++) {
      for (let c = 0; c < columns.length; c++, e++) out.data[i * K + columns[c]!]! += data[e]!;
    }
    return;
  }
  const labels = model.predict(seen);
  for (let i = 0; i < x.rows; i++) out.data[i * K + place.get(labels[i]!)!]!++;
}

interface BaggingState<L extends Label, M extends FittedModel> {
  readonly params: object;
  readonly input: BagInput;
  readonly classes: readonly L[];
  readonly nFeatures: number;
  readonly members: readonly BaggedMember<Member<L> & M>[];
  readonly outOfBag: OutOfBagVotes | null;
}

export class FittedBaggingClassifier<L extends Label = Label, M extends FittedModel = FittedModel>
  implements FittedClassifier<L>
{
  readonly classes: readonly L[];
  readonly nFeatures: number;
  /** Each with the rows and columns that it drew. */
  readonly members: readonly BaggedMember<FittedClassifier<L> & M>[];
  /** With `oobScore`: what members say of rows that they have not seen. Else null. */
  readonly outOfBag: OutOfBagVotes | null;
  readonly #params: object;
  readonly #input: BagInput;
  /** The members as one forest, where they are trees. */
  readonly #trees: TreeBag | null;

  constructor({ params, input, classes, nFeatures, members, outOfBag }: BaggingState<L, M>) {
    this.#params = params;
    this.#input = input;
    this.classes = classes;
    this.nFeatures = nFeatures;
    this.members = Object.freeze([...members]);
    this.#trees = treeBag(members, classes.length);
    this.outOfBag = outOfBag;
  }

  /** Accuracy on rows that the members had not drawn; null without `oobScore`. */
  get oobScore(): number | null {
    return this.outOfBag?.score ?? null;
  }

  predict(x: MatrixLike): L[] {
    const shares = this.#shares("predict", x);
    return Array.from({ length: shares.rows }, (_, i) => this.classes[heaviest(shares.row(i))]!);
  }

  /** The mean of the members' probabilities, or the shares of their votes. */
  predictProba(x: MatrixLike): Matrix {
    return this.#shares("predictProba", x);
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    const { outOfBag, members } = this;
    return {
      kind: BaggingClassifier.id,
      params: describeParams(this.#params),
      values: {
        classes: [...this.classes],
        nFeatures: this.nFeatures,
        ...this.#input,
        ...(outOfBag && { oobScore: outOfBag.score }),
      },
      tensors: {
        ...drawsState(members),
        ...(outOfBag && {
          oobRows: { shape: [outOfBag.rows.length], data: outOfBag.rows },
          oobProbabilities: {
            shape: [outOfBag.rows.length, this.classes.length],
            data: outOfBag.probabilities.data,
          },
        }),
      },
      parts: members.map(({ model }) => model.toState()),
    };
  }

  #shares(method: string, x: MatrixLike): Matrix {
    const where = `${BaggingClassifier.id}.${method}`;
    const design = readMatrix(where, x, { cols: this.nFeatures, ...this.#input });
    const K = this.classes.length;
    const out = this.#trees
      ? new Matrix(this.#trees.sums(where, design), design.rows, K)
      : Matrix.zeros(design.rows, K);
    if (!this.#trees) for (const member of this.members) addShares<L>(member, design, this.classes, out);
    const T = this.members.length;
    for (let e = 0; e < out.data.length; e++) out.data[e]! /= T;
    return out;
  }
}
