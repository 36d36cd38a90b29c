import type {
  FittedClassifier,
  FittedModel,
  FittedProbabilisticClassifier,
  MatrixLike,
  RestorePart,
} from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import { argmax, logAddExp, logProbabilities } from "../core/numbers/scores.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { classifierStructure, probabilityLink, type Structure, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";
import { addVotesInto, type ClassifierMember, isClassifierOf } from "../ensembles/class-votes.js";
import type { MemberRows, MemberSet } from "../ensembles/member-rows.js";
import { withProbabilities } from "../fitted/classifiers.js";
import type { AddPredictionsInto, BaggedMember, BagState } from "./fitted-bag.js";
import { FittedBag, memberColumns, outOfBagMeans, readBag } from "./fitted-bag.js";

/** Out-of-bag predictions: each row's by the members that did not draw it. */
export interface OutOfBagVotes {
  /** Accuracy. */
  readonly score: number;
  /** Indices of the rows that at least one member did not draw. */
  readonly rows: Int32Array;
  /** Mean probabilities: one row for each of `rows`, one column per class. */
  readonly probabilities: Matrix;
}

export function outOfBagVotes<L extends Label>(
  members: readonly BaggedMember<ClassifierMember<L>>[],
  { x, classes, codes, weights, kept }: MemberSet<ClassificationSet<L>>,
): OutOfBagVotes | undefined {
  const K = classes.length;
  const { rows, means } = outOfBagMeans(members, x, K, addProbabilitiesInto(classes));
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

/** The inverse of `FittedBaggingClassifier.toState`. */
export function readBaggingClassifier(state: ModelState, restorePart: RestorePart): FittedBaggingClassifier {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const outOfBag = () => readOutOfBag(reader, classes.length);
  const expected = "a classifier of these classes";
  const bag = readBag<ClassifierMember, OutOfBagVotes>(
    reader,
    restorePart,
    expected,
    isClassifierOf(classes),
    outOfBag,
  );
  return new FittedBaggingClassifier(bag, classes);
}

function readOutOfBag(reader: StateReader, K: number): OutOfBagVotes {
  const data = reader.floats("oobProbabilities", [-1, K]);
  const rows = reader.integers("oobRows", [data.length / K]);
  return { score: reader.number("oobScore"), rows, probabilities: new Matrix(data, rows.length, K) };
}

/** Adds a member's class probabilities, or 1 for the class that it predicts. */
const addProbabilitiesInto =
  <L extends Label>(classes: readonly L[]): AddPredictionsInto<ClassifierMember<L>> =>
  (member, x, out) =>
    addVotesInto(member.model, memberColumns(member, x), classes, 1, false, out);

/** Means of probabilities below this may miss members whose probability underflowed to 0. */
const SMALLEST_MEAN = 1e-290;

export class FittedBaggingClassifier<L extends Label = Label, M extends FittedModel = FittedModel>
  extends /* @__PURE__ */ withProbabilities(FittedBag<FittedClassifier & FittedModel, OutOfBagVotes>)<L>
  implements FittedProbabilisticClassifier<L>
{
  /** Each with its rows and columns. */
  declare readonly members: readonly BaggedMember<FittedClassifier<L> & M>[];

  constructor(
    state: BagState<FittedClassifier<L> & M, OutOfBagVotes>,
    readonly classes: readonly L[],
  ) {
    super(state, classes.length);
  }

  /** Logarithms of `predictProba`, also where those underflow to 0; −Infinity where every member has probability 0. */
  override predictLogProba(x: MatrixLike): Matrix {
    const where = `${this.id}.predictLogProba`;
    const design = this.read(where, x);
    const p = this.means(where, design, addProbabilitiesInto<Label>(this.classes));
    const K = this.classes.length;
    const out = new Matrix(logProbabilities(p, K), design.rows, K);
    if (!this.isForest) this.#recomputeSmallInto(design, p, out);
    return out;
  }

  [structure](): Structure {
    return classifierStructure(this, this.scoresBy("probabilities"), probabilityLink);
  }

  toState(): ModelState {
    const values = { classes: [...this.classes] };
    return this.bagState(values, ({ probabilities }) => ({ oobProbabilities: probabilities }));
  }

  /** The mean of the members' probabilities; the proportion of votes if they have none. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const design = this.read(where, x);
    const K = this.classes.length;
    return new Matrix(this.means(where, design, addProbabilitiesInto<Label>(this.classes)), design.rows, K);
  }

  /** log(1/T Σ Pₜ) = log Σ e^(log Pₜ) − log T for the means below SMALLEST_MEAN. */
  #recomputeSmallInto(x: MemberRows, means: Float64Array, out: Matrix): void {
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

  #logAddInto(member: BaggedMember<ClassifierMember<L>>, x: MemberRows, out: Float64Array): void {
    const { model } = member;
    const K = this.classes.length;
    const columns = model.classes.map((label) => this.classes.indexOf(label));
    const logs = model.predictLogProba?.(memberColumns(member, x)).data;
    // Without predictLogProba: probabilities or votes, which do not underflow.
    const p = new Float64Array(logs ? 0 : out.length);
    if (!logs) addProbabilitiesInto(this.classes)(member, x, p);
    for (let i = 0; i < x.rows; i++) {
      for (const [c, k] of columns.entries()) {
        const own = logs ? logs[i * columns.length + c]! : log(p[i * K + k]!);
        out[i * K + k] = logAddExp(out[i * K + k]!, own);
      }
    }
  }
}
