import type {
  Capabilities,
  FitOptions,
  FittedClassifier,
  MatrixLike,
  RestorePart,
} from "../../core/contract.js";
import { capabilitiesOf } from "../../core/estimator.js";
import type { Label, Labels } from "../../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../../core/model-on.js";
import { logProbabilities, normalizeInto } from "../../core/numbers/scores.js";
import type { Params } from "../../core/params/params.js";
import { type NoReject, type PredictOptions, predictLabels } from "../../core/params/predict-options.js";
import type { ModelState } from "../../core/state/state.js";
import type { ClassLink, MemberOutput, Scores, Structure } from "../../core/structure.js";
import { classifierStructure, membersOf, structure } from "../../core/structure.js";
import { Matrix } from "../../data/matrix.js";
import type { ClassifierMember } from "../../ensembles/class-votes.js";
import type { MembersState } from "../../ensembles/fitted-members.js";
import type { MemberRows } from "../../ensembles/member-rows.js";
import type { LogisticRegression } from "../../linear/index.js";
import { composedClassifier } from "../named-estimators.js";
import type { ScoresOf } from "../scores-of.js";
import {
  BinaryReduction,
  binaryEstimator,
  binaryProbabilities,
  binaryScores,
  FittedLabelReduction,
  readReduction,
} from "./binary-members.js";

export const oneVsRestClassifierParams = {
  estimator: binaryEstimator,
};

type Fitted<E extends AnyClassifier, L extends Label> = ModelOn<FittedOneVsRestClassifier<L>, SamplesOf<E>> &
  ScoresOf<ReturnType<E["fit"]>, SamplesOf<E>>;

/**
 * One classifier fₖ per class, fitted to class k (1) against all others (0); the prediction is argmaxₖ fₖ(x). Of two classes there is one
 * classifier, of the second.
 *
 * fₖ is the decision function or, without one, the probability. Probabilities are those of the classifiers, divided by their sum; equal
 * ones where all are 0. The prediction is by the decision function where there is one.
 * Parity: scikit-learn's OneVsRestClassifier, where of equal scores the last class wins; here it is the first. Weights are passed on.
 */
export class OneVsRestClassifier<E extends AnyClassifier = LogisticRegression> extends BinaryReduction<
  typeof oneVsRestClassifierParams,
  E
> {
  static readonly id = "OneVsRestClassifier";
  static readonly table = oneVsRestClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedClassifier({ decisionFunction: true });

  constructor(params: Params<typeof oneVsRestClassifierParams, { estimator: E }> = {}) {
    super(params);
  }

  override get capabilities(): Capabilities {
    const { probabilities = true, decisionFunction = true } = capabilitiesOf(this.params.estimator) ?? {};
    return { ...super.capabilities, probabilities, decisionFunction };
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const [state, classes] = this.fitAll(x, y, options, (codes, K) =>
      (K === 2 ? [1] : Array.from({ length: K }, (_, k) => k)).map((k) => ({
        y: Array.from(codes, (code) => (code === k ? 1 : 0)),
      })),
    );
    return new FittedOneVsRestClassifier(state, classes) as Fitted<E, L>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedOneVsRestClassifier {
    const { members, classes } = readReduction(state, restorePart, (K) => (K === 2 ? 1 : K));
    return new FittedOneVsRestClassifier(members, classes);
  }
}

/** It has `predictProba` and `decisionFunction` exactly if its classifiers have them. */
export class FittedOneVsRestClassifier<L extends Label = Label>
  extends FittedLabelReduction<L>
  implements FittedClassifier<L>
{
  declare readonly predictProba?: (x: MatrixLike) => Matrix;
  declare readonly predictLogProba?: (x: MatrixLike) => Matrix;
  declare readonly decisionFunction?: (x: MatrixLike) => Matrix;

  constructor(state: MembersState<ClassifierMember>, classes: readonly L[]) {
    super(state, classes);
    const define = (name: string, value: (x: MatrixLike) => Matrix) =>
      Object.defineProperty(this, name, { value, enumerable: false });
    const all = (name: "predictProba" | "decisionFunction") =>
      this.models.every((model) => typeof model[name] === "function");
    if (all("decisionFunction"))
      define("decisionFunction", (x) =>
        this.#columns(this.read(`${this.id}.decisionFunction`, x), binaryScores),
      );
    if (!all("predictProba")) return;
    define("predictProba", (x) => this.#probabilities(this.read(`${this.id}.predictProba`, x)));
    define("predictLogProba", (x) => {
      const { data, rows, cols } = this.#probabilities(this.read(`${this.id}.predictLogProba`, x));
      return new Matrix(logProbabilities(data, cols), rows, cols);
    });
  }

  /** Takes `minProba` where there are probabilities, `threshold` and `minMargin` where there is a decision function. */
  predict(x: MatrixLike, options?: NoReject<PredictOptions>): L[];
  predict(x: MatrixLike, options: PredictOptions): (L | undefined)[];
  predict(x: MatrixLike, options?: PredictOptions): (L | undefined)[] {
    const where = `${this.id}.predict`;
    const rows = this.read(`${this.id}.predict`, x);
    const probabilities = () => this.#probabilities(rows).data;
    const decidesBy = {
      margins: "decisionFunction" in this,
      ...("predictProba" in this && { probabilities }),
    };
    const scores = decidesBy.margins ? this.#columns(rows, binaryScores) : this.#probabilities(rows);
    return predictLabels(where, this.classes, scores, options, decidesBy);
  }

  [structure](): Structure {
    const members = membersOf(this.models);
    const scoresBy = (output: MemberOutput): Scores => ({
      kind: "composite",
      members,
      rule: { kind: "positives", outputs: members.map(() => output) },
      outputs: members.length,
    });
    const link: ClassLink = { kind: "normalize" };
    if (!("decisionFunction" in this))
      return classifierStructure(this, scoresBy("probabilities"), link, {
        decision: { kind: "probabilities" },
      });
    const separate: ClassLink = { kind: "separate", scores: scoresBy("probabilities"), link };
    return classifierStructure(this, scoresBy("scores"), "predictProba" in this ? separate : null);
  }

  /** One column per classifier. */
  #columns(
    x: MemberRows,
    scoresOf: (model: ClassifierMember, x: MemberRows) => Float64Array,
  ): Matrix<Float64Array> {
    const cols = this.models.length;
    const out = new Float64Array(x.rows * cols);
    if (x.rows > 0)
      this.models.forEach((model, k) => {
        scoresOf(model, x).forEach((score, i) => {
          out[i * cols + k] = score;
        });
      });
    return new Matrix(out, x.rows, cols);
  }

  #probabilities(x: MemberRows): Matrix<Float64Array> {
    const own = this.#columns(x, binaryProbabilities);
    const K = this.classes.length;
    if (K > 2) {
      for (let i = 0; i < own.rows; i++) normalizeInto(i * K, K, own.data);
      return own;
    }
    const pairs = Float64Array.from({ length: 2 * own.rows }, (_, e) => {
      const p = own.data[e >> 1]!;
      return e % 2 === 1 ? p : 1 - p;
    });
    return new Matrix(pairs, own.rows, 2);
  }
}
