import type {
  FitReport,
  FittedClassifier,
  FittedModel,
  FittedProbabilisticClassifier,
  MatrixLike,
  RestorePart,
  ScoreOptions,
} from "../core/contract.js";
import { codeLabels, type Label, type Labels, readWeights } from "../core/labels.js";
import { logPosteriors, predictedClasses } from "../core/numbers/scores.js";
import { readReport, reportJson } from "../core/report.js";
import { stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { readVoteWeights } from "../core/state/state-lists.js";
import type { Scores, Structure } from "../core/structure.js";
import { classifierStructure, membersOf, posteriorLink, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { isClassifierOf } from "../ensembles/class-votes.js";
import type { KnownToMembers, MemberRows } from "../ensembles/member-rows.js";
import { hasColumns, readForMembers, readKnown, readsJson } from "../ensembles/member-rows.js";
import { encodeInto } from "../ensembles/members.js";
import { PosteriorClassifier } from "../fitted/classifiers.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { stumpVotesInto } from "../numeric/trees/stump-votes.js";
import { normalizedWeights } from "../trees/decision-stump.js";
import { type Boosted, clampWeightsInto, updateWeightsInto } from "./ada-boost-rounds.js";
import { type VotingTrees, votingTrees } from "./ada-boost-trees.js";
import { type PackedStumps, packStumps, stumpScores, unpackStumps } from "./packed-stumps.js";

export class FittedAdaBoostClassifier<L extends Label = Label, M extends FittedModel = FittedModel>
  extends PosteriorClassifier<L>
  implements FittedProbabilisticClassifier<L>
{
  protected readonly id = ID;
  /** The weak classifiers, in the order of the rounds. */
  readonly members: readonly (FittedClassifier<L> & M)[];
  /** 2α: the weight of each member's vote, as in scikit-learn. */
  readonly estimatorWeights: Float64Array;
  /** Weighted error rate of each member. */
  readonly estimatorErrors: Float64Array;
  /** Mean exponential loss of the training rows after each round; 1 before the first. */
  readonly exponentialErrors: Float64Array;
  readonly nFeatures: number;
  readonly featureNamesIn: readonly string[] | undefined;
  readonly #known: KnownToMembers;
  readonly #params: object;
  /** The members as lists, if they are stumps. */
  readonly #stumps: PackedStumps | null;
  /** The votes of all members at once, if they are trees. */
  readonly #trees: VotingTrees | null;

  constructor(
    params: object,
    readonly classes: readonly L[],
    known: KnownToMembers,
    boosted: Boosted<FittedClassifier<L> & M>,
    readonly report: FitReport,
  ) {
    super();
    this.nFeatures = known.nFeatures;
    this.featureNamesIn = known.featureNamesIn;
    this.#known = known;
    this.#params = params;
    this.members = Object.freeze([...boosted.members]);
    this.#stumps = packStumps(this.members);
    this.estimatorWeights = Float64Array.from(boosted.estimatorWeights);
    this.#trees = votingTrees(this.members, classes, this.estimatorWeights);
    this.estimatorErrors = Float64Array.from(boosted.estimatorErrors);
    this.exponentialErrors = Float64Array.from(boosted.exponentialErrors);
  }

  /** α of the sum C = Σ α h: half of `estimatorWeights`. */
  get alphas(): Float64Array {
    return this.estimatorWeights.map((w) => w / 2);
  }

  /** Votes as proportions of all votes: with two classes those for the second minus those for the first, in [−1, 1]. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    return this.#decision(...this.#votes(where, x));
  }

  protected override predictedLabels(where: string, x: MatrixLike): L[] {
    return this.#predicted(this.#votes(where, x)[0]);
  }

  /** The softmax of the decision values. It ranks rows but is not calibrated. */
  protected override probabilities(decision: Matrix): Matrix {
    return super.probabilities(logits(decision));
  }

  /** Logarithms of `predictProba`. */
  override predictLogProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = logits(this.scoreRows(`${ID}.predictLogProba`, x));
    return new Matrix(logPosteriors(data, cols), rows, this.classes.length);
  }

  /** |C(x)|: the sum of α of the members that vote for the predicted class, minus that of the runner-up. */
  confidence(x: MatrixLike): Float64Array {
    const [{ data, rows, cols: K }] = this.#votes(`${ID}.confidence`, x);
    return Float64Array.from({ length: rows }, (_, i) => {
      const row = data.slice(i * K, (i + 1) * K).sort();
      return (row[K - 1]! - row[K - 2]!) / 2;
    });
  }

  /** `decisionFunction` after each round. */
  *stagedDecisionFunction(x: MatrixLike): Generator<Matrix, void, void> {
    for (const { votes, total } of this.#stages("stagedDecisionFunction", x))
      yield this.#decision(votes, total);
  }

  /** `predict` after each round. */
  *stagedPredict(x: MatrixLike): Generator<L[], void, void> {
    for (const { votes } of this.#stages("stagedPredict", x)) yield this.#predicted(votes);
  }

  /** `predictProba` after each round. */
  *stagedPredictProba(x: MatrixLike): Generator<Matrix, void, void> {
    for (const { votes, total } of this.#stages("stagedPredictProba", x))
      yield this.probabilities(this.#decision(votes, total));
  }

  /** `score` after each round. */
  *stagedScore(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): Generator<number, void, void> {
    for (const predicted of this.stagedPredict(x)) yield accuracyScore(y, predicted, options);
  }

  /** Row weights in each round; on the training rows those of the fit, up to class weights. */
  *stagedRowWeights(
    x: MatrixLike,
    y: Labels<L>,
    options: ScoreOptions = {},
  ): Generator<Float64Array, void, void> {
    const where = `${ID}.stagedRowWeights`;
    const design = this.#read(where, x);
    const codes = codeLabels(where, y, design.rows, this.classes);
    const weights = normalizedWeights(readWeights(where, options.sampleWeight, design.rows), design.rows);
    const predicted = new Int32Array(design.rows);
    const mistakes = new Uint8Array(design.rows);
    for (const [t, member] of this.members.entries()) {
      clampWeightsInto(weights);
      yield weights.slice();
      encodeInto(member.predict(design), this.classes, predicted);
      for (let i = 0; i < codes.length; i++) mistakes[i] = predicted[i] === codes[i] ? 0 : 1;
      updateWeightsInto(this.estimatorWeights[t]!, mistakes, weights);
    }
  }

  [structure](): Structure {
    const K = this.classes.length;
    return classifierStructure(
      this,
      this.#voteScores(),
      posteriorLink(K === 2 ? 1 : K, K === 2 ? 1 : 1 / (K - 1)),
    );
  }

  /** The decision function: sums of trees or, of members of any kind, of votes. */
  #voteScores(): Scores {
    const { estimatorWeights: weights, members } = this;
    const K = this.classes.length;
    const divisor = weights.reduce((sum, w) => sum + w, 0);
    if (this.#trees) return this.#trees.decision();
    if (this.#stumps) return stumpScores(this.#stumps, weights, K);
    const rule = { kind: "votes", weights, divisor, difference: K === 2 } as const;
    return { kind: "composite", members: membersOf(members), rule, outputs: K === 2 ? 1 : K };
  }

  /** Proportion of the votes by stumps that split on each column; null if the members are not stumps. */
  get featureImportances(): Float64Array | null {
    const stumps = this.#stumps;
    if (stumps === null) return null;
    const importances = new Float64Array(this.nFeatures);
    const total = this.estimatorWeights.reduce((sum, w) => sum + w, 0);
    for (const [t, j] of stumps.features.entries())
      if (j >= 0) importances[j]! += this.estimatorWeights[t]! / total;
    return importances;
  }

  toState(): ModelState {
    const { classes, nFeatures, featureNamesIn } = this;
    const { estimatorWeights, estimatorErrors, exponentialErrors } = this;
    const known = { classes, nFeatures, report: reportJson(this.report), ...readsJson(this.#known.reads) };
    const rounds = { estimatorWeights, estimatorErrors, exponentialErrors };
    const model = { params: this.#params, featureNamesIn };
    if (this.#stumps === null) {
      const parts = this.members.map((member) => member.toState());
      return stateOf(ID, model, { ...known, ...rounds }, parts);
    }
    const { features, thresholds, leaves: data } = this.#stumps;
    const leaves = { shape: [this.members.length, 2, classes.length], data };
    return stateOf(ID, model, { ...known, ...rounds, features, thresholds, leaves });
  }

  #read(where: string, x: MatrixLike): MemberRows {
    // Stumps require dense rows without missing values; other members check X themselves.
    const open = this.#stumps === null;
    return readForMembers(where, x, this.#known, { sparse: open, missing: open });
  }

  /** The votes of all members, one column per class, and their sum per row. */
  #votes(where: string, x: MatrixLike): [votes: Matrix, total: number] {
    const design = this.#read(where, x);
    const votes = Matrix.zeros(design.rows, this.classes.length);
    let total = 0;
    for (const w of this.estimatorWeights) total += w;
    if (this.#stumps) stumpVotesInto(where, this.#stumps, this.estimatorWeights, design as Matrix, votes);
    else if (this.#trees) votes.data.set(this.#trees.sums(where, design));
    else if (design.rows > 0) {
      const codes = new Int32Array(design.rows);
      for (const [t, member] of this.members.entries()) this.#addVotes(member, t, design, codes, votes);
    }
    return [votes, total];
  }

  *#stages(method: string, x: MatrixLike): Generator<{ votes: Matrix; total: number }, void, void> {
    const design = this.#read(`${ID}.${method}`, x);
    const votes = Matrix.zeros(design.rows, this.classes.length);
    const codes = new Int32Array(design.rows);
    let total = 0;
    for (const [t, member] of this.members.entries()) {
      this.#addVotes(member, t, design, codes, votes);
      total += this.estimatorWeights[t]!;
      yield { votes, total };
    }
  }

  #addVotes(
    member: FittedClassifier<L>,
    t: number,
    design: MemberRows,
    codes: Int32Array,
    votes: Matrix,
  ): void {
    const K = this.classes.length;
    encodeInto(member.predict(design), this.classes, codes);
    for (let i = 0; i < design.rows; i++) votes.data[i * K + codes[i]!]! += this.estimatorWeights[t]!;
  }

  #decision({ data, rows, cols: K }: Matrix, total: number): Matrix {
    if (K === 2) {
      const out = Matrix.zeros(rows, 1);
      for (let i = 0; i < rows; i++) out.data[i] = (data[2 * i + 1]! - data[2 * i]!) / total;
      return out;
    }
    const out = Matrix.zeros(rows, K);
    for (let e = 0; e < out.data.length; e++) out.data[e] = data[e]! / total;
    return out;
  }

  #predicted({ data, cols }: Matrix): L[] {
    return predictedClasses(this.classes, data, cols);
  }
}

/** Decision values as log-odds of the second of two classes, or as log posteriors up to a constant per row. */
function logits({ data, rows, cols }: Matrix): Matrix {
  return new Matrix(cols === 1 ? data : data.map((d) => d / (cols - 1)), rows, cols);
}

const ID = "AdaBoostClassifier";

/** The inverse of `toState`. */
export function readAdaBoost(state: ModelState, restorePart: RestorePart): FittedAdaBoostClassifier {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const known = readKnown(reader);
  const { nFeatures } = known;
  const estimatorWeights = readVoteWeights(reader, "estimatorWeights", [-1]);
  const T = estimatorWeights.length;
  const boosted = {
    members: Object.hasOwn(state.tensors, "features")
      ? readStumps(reader, T, classes, nFeatures)
      : readMembers(reader, (state.parts ?? []).map(restorePart), T, classes, nFeatures),
    estimatorWeights: [...estimatorWeights],
    estimatorErrors: [...reader.floats("estimatorErrors", [T])],
    exponentialErrors: [...reader.floats("exponentialErrors", [T])],
  };
  return new FittedAdaBoostClassifier(state.params, classes, known, boosted, readReport(reader));
}

function readMembers(
  reader: StateReader,
  members: readonly FittedModel[],
  T: number,
  classes: readonly Label[],
  nFeatures: number,
): FittedClassifier<Label>[] {
  if (members.length !== T) reader.fail("parts", `${T} members`, `${members.length}`);
  for (const [t, member] of members.entries()) {
    if (!hasColumns(reader, member, nFeatures) || !isClassifierOf(classes)(member))
      reader.fail(`member ${t}`, `a classifier of ${nFeatures} columns and these classes`, "another");
  }
  return members as FittedClassifier<Label>[];
}

function readStumps(
  reader: StateReader,
  T: number,
  classes: readonly Label[],
  nFeatures: number,
): FittedClassifier<Label>[] {
  const features = reader.integers("features", [T]);
  if (features.some((j) => j < -1 || j >= nFeatures))
    reader.fail("features", "indices of columns of X", "others");
  const thresholds = reader.floats("thresholds", [T]);
  const leaves = reader.floats("leaves", [T, 2, classes.length]);
  const { estimator } = reader.state.params;
  const described = estimator as { readonly params?: object } | undefined;
  return unpackStumps(described?.params ?? {}, classes, nFeatures, { features, thresholds, leaves });
}
