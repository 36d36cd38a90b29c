import type {
  Capabilities,
  Classifier,
  FitOptions,
  FittedClassifier,
  FittedModel,
  FittedProbabilisticClassifier,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { log } from "../core/elementary.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { argmax, logAddExp, logProbabilities, predictedClasses } from "../core/scores.js";
import { type ModelState, StateReader } from "../core/state.js";
import { mapSteps } from "../core/steps.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import type { MemberOf } from "../ensembles/members.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { classCriteria } from "../trees/impurities.js";
import { DecisionTreeClassifier, FittedDecisionTreeClassifier } from "../trees/index.js";
import {
  type Bagger,
  type BaggingParams,
  type BaggingValues,
  bagCapabilities,
  baggingParams,
  bagSteps,
  checkBagging,
  memberBagger,
  seesAll,
} from "./bagging.js";
import {
  type AddInto,
  amongGiven,
  type BaggedMember,
  type BagState,
  FittedBag,
  outOfBagMeans,
  readBag,
  seenBy,
} from "./fitted-bag.js";
import { growsTogether, treeBagger } from "./tree-bags.js";

export const baggingClassifierParams = baggingParams<Classifier>("classifier", new DecisionTreeClassifier());

type Member<L extends Label> = FittedClassifier<L> & {
  predictProba?(x: Design): Matrix;
  predictLogProba?(x: Design): Matrix;
};
type Fitted<E extends Classifier, L extends Label> = FittedBaggingClassifier<L, MemberOf<E>>;

/**
 * Bootstrap aggregation [Breiman 1996]: each member is fitted to rows drawn with replacement, as many as there are, and the members'
 * answers are averaged.
 *
 *   P(k | x) = 1/T Σₜ Pₜ(k | x),     or the proportion of members that predict k, where they have no probabilities
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

  constructor(params: BaggingParams<E> = {}) {
    super(BaggingClassifier.id, baggingClassifierParams, params);
    checkBagging(this.id, this.params, "classification");
  }

  get capabilities(): Capabilities {
    return bagCapabilities(this.params, { task: "classification", probabilities: true });
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const where = "BaggingClassifier.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, member by member. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<Fitted<E, L>>, Fitted<E, L>, void> {
    return this.#learn("BaggingClassifier.steps", x, y, options);
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedBaggingClassifier {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const isMember = (model: FittedModel): model is Member<Label> =>
      (model as Partial<Member<Label>>).classes?.every((label) => classes.includes(label)) ?? false;
    const judged = () => readOutOfBag(reader, classes.length);
    const bag = readBag(reader, restorePart, "a classifier of these classes", isMember, judged);
    return new FittedBaggingClassifier(bag, classes);
  }

  *#learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<Step<Fitted<E, L>>, Fitted<E, L>, void> {
    const { id, params } = this;
    const { sparse, missing } = this.capabilities;
    const input = { sparse, missing };
    const set = classificationSet(where, x, y, options, input, null);
    const { classes, codes, weights } = set;
    const labelled = { x: set.x, y: Array.from(codes, (k) => classes[k]!), weights };
    const bagger = treesOf(where, params, set) ?? memberBagger(labelled, params, options);
    const modelOf = (drawn: BaggedMember<Member<L> & MemberOf<E>>[]) => {
      const outOfBag = params.oobScore ? judgeOutOfBag(drawn, set) : undefined;
      const members = amongGiven(drawn, set.kept);
      const { featureNamesIn } = set;
      const bag = { id, params, input, nFeatures: set.x.cols, featureNamesIn, members, outOfBag };
      return new FittedBaggingClassifier<L, MemberOf<E>>(bag, classes);
    };
    const steps = bagSteps<L, Member<L> & MemberOf<E>>(
      where,
      params.estimator,
      labelled,
      params,
      true,
      bagger,
    );
    const drawn = yield* mapSteps(steps, ({ iteration, total, members }) => ({
      iteration,
      total,
      model: () => modelOf(members()),
    }));
    return modelOf(drawn);
  }
}

/** Trees have a fast way of their own. */
function treesOf<L extends Label>(
  where: string,
  params: BaggingValues & { readonly estimator: Classifier },
  { x, codes, classes, weights }: ClassificationSet<L>,
): Bagger | null {
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
  { x, classes, codes, weights, kept }: ClassificationSet<L>,
): OutOfBagVotes | undefined {
  const K = classes.length;
  const { rows, means } = outOfBagMeans(members, x, K, addProbabilities(classes));
  if (rows.length === 0) return undefined;
  const probabilities = new Matrix(means, rows.length, K);
  let right = 0;
  let all = 0;
  for (const [r, i] of rows.entries()) {
    const w = weights ? weights[i]! : 1;
    all += w;
    if (argmax(probabilities.data, r * K, K) === codes[i]) right += w;
  }
  const given = kept ? rows.map((i) => kept[i]!) : rows;
  return { score: right / all, rows: given, probabilities };
}

function readOutOfBag(reader: StateReader, K: number): OutOfBagVotes {
  const data = reader.floats("oobProbabilities", [-1, K]);
  const rows = reader.integers("oobRows", [data.length / K]);
  return { score: reader.number("oobScore"), rows, probabilities: new Matrix(data, rows.length, K) };
}

/** Adds a member's probability of each class, or 1 for the class that it predicts. */
const addProbabilities =
  <L extends Label>(classes: readonly L[]): AddInto<Member<L>> =>
  (member, x, out) => {
    const { model } = member;
    const seen = seenBy(member, x);
    const K = classes.length;
    const place = new Map(classes.map((label, k) => [label, k]));
    if (model.predictProba) {
      const columns = model.classes.map((label) => place.get(label)!);
      const { data } = model.predictProba(seen);
      for (let i = 0, e = 0; i < x.rows; i++) {
        for (let c = 0; c < columns.length; c++, e++) out[i * K + columns[c]!]! += data[e]!;
      }
      return;
    }
    const labels = model.predict(seen);
    for (let i = 0; i < x.rows; i++) out[i * K + place.get(labels[i]!)!]!++;
  };

/** Means of probabilities below this may have lost members whose own probability underflows to 0. */
const SMALLEST_MEAN = 1e-290;

export class FittedBaggingClassifier<L extends Label = Label, M extends FittedModel = FittedModel>
  extends FittedBag<FittedClassifier<L> & M, OutOfBagVotes>
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];

  constructor(state: BagState<FittedClassifier<L> & M, OutOfBagVotes>, classes: readonly L[]) {
    super(state, classes.length);
    this.classes = classes;
  }

  predict(x: MatrixLike): L[] {
    return predictedClasses(this.classes, this.#probabilities("predict", x).data, this.classes.length);
  }

  /** The mean of the members' probabilities, or the proportions of their votes. */
  predictProba(x: MatrixLike): Matrix {
    return this.#probabilities("predictProba", x);
  }

  /** Logarithms of `predictProba`, also where those underflow to 0; −Infinity where every member has probability 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const where = `${this.id}.predictLogProba`;
    const design = this.read(where, x);
    const p = this.means(where, design, addProbabilities(this.classes));
    const K = this.classes.length;
    const out = new Matrix(logProbabilities(p, K), design.rows, K);
    if (!this.isForest) this.#mendUnderflowInto(design, p, out);
    return out;
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  toState(): ModelState {
    return this.stateWith({ classes: [...this.classes] }, ({ probabilities: { data, rows, cols } }) => ({
      oobProbabilities: { shape: [rows, cols], data },
    }));
  }

  #probabilities(method: string, x: MatrixLike): Matrix {
    const where = `${this.id}.${method}`;
    const design = this.read(where, x);
    const K = this.classes.length;
    return new Matrix(this.means(where, design, addProbabilities(this.classes)), design.rows, K);
  }

  /** log(1/T Σ Pₜ) = log Σ e^(log Pₜ) − log T for the means that are too small to be trusted. */
  #mendUnderflowInto(x: Design, means: Float64Array, out: Matrix): void {
    const K = this.classes.length;
    const small = Int32Array.from({ length: x.rows }, (_, i) => i).filter((i) => {
      for (let k = i * K; k < (i + 1) * K; k++) if (means[k]! < SMALLEST_MEAN) return true;
      return false;
    });
    if (small.length === 0 || !this.members.some(({ model }) => "predictLogProba" in model)) return;
    const rows = x.selectRows(small);
    const sums = new Float64Array(small.length * K).fill(-Infinity);
    for (const member of this.members) this.#logAddInto(member, rows, sums);
    for (const [r, i] of small.entries())
      for (let k = 0; k < K; k++)
        if (means[i * K + k]! < SMALLEST_MEAN)
          out.data[i * K + k] = sums[r * K + k]! - log(this.members.length);
  }

  #logAddInto(member: BaggedMember<Member<L>>, x: Design, out: Float64Array): void {
    const { model } = member;
    const K = this.classes.length;
    const columns = model.classes.map((label) => this.classes.indexOf(label));
    const logs = model.predictLogProba?.(seenBy(member, x)).data;
    // A member without logarithms adds what its probabilities or votes are, which do not underflow.
    const p = new Float64Array(logs ? 0 : out.length);
    if (!logs) addProbabilities(this.classes)(member, x, p);
    for (let i = 0; i < x.rows; i++) {
      for (const [c, k] of columns.entries()) {
        const own = logs ? logs[i * columns.length + c]! : log(p[i * K + k]!);
        out[i * K + k] = logAddExp(out[i * K + k]!, own);
      }
    }
  }
}
