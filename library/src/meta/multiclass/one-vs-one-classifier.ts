import type { FitOptions, FittedClassifier, MatrixLike, RestorePart } from "../../core/contract.js";
import type { Label, Labels } from "../../core/labels.js";
import type { AnyClassifier, ModelOn, SamplesOf } from "../../core/model-on.js";
import type { Params } from "../../core/params/params.js";
import type { ModelState } from "../../core/state/state.js";
import type { Structure } from "../../core/structure.js";
import { classifierStructure, memberOutput, membersOf, structure } from "../../core/structure.js";
import { Matrix } from "../../data/matrix.js";
import { withMargins } from "../../fitted/classifiers.js";
import type { LogisticRegression } from "../../linear/index.js";
import { composedClassifier } from "../named-estimators.js";
import {
  BinaryReduction,
  binaryEstimator,
  binaryScores,
  FittedReduction,
  readReduction,
} from "./binary-members.js";

export const oneVsOneClassifierParams = {
  estimator: binaryEstimator,
};

type Fitted<E extends AnyClassifier, L extends Label> = ModelOn<FittedOneVsOneClassifier<L>, SamplesOf<E>>;

/**
 * One classifier f_ab per pair of classes a < b, fitted to their rows alone (b is 1, a is 0). Each votes for one of its two classes.
 *
 *   decision of k:   votes of k  +  cₖ / (3 (|cₖ| + 1)),      cₖ = Σ_a f_ak − Σ_b f_kb
 *
 * f is the decision function or, without one, the probability. The second term is smaller than 1/3: it breaks ties of votes only.
 * Parity: scikit-learn's OneVsOneClassifier. Of two classes the decision is one column, that of the second; with probabilities it is less 1/2,
 * so that here its sign is the prediction. Weights are passed on.
 */
export class OneVsOneClassifier<E extends AnyClassifier = LogisticRegression> extends BinaryReduction<
  typeof oneVsOneClassifierParams,
  E
> {
  static readonly id = "OneVsOneClassifier";
  static readonly table = oneVsOneClassifierParams;
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedClassifier({ probabilities: false, decisionFunction: true });

  constructor(params: Params<typeof oneVsOneClassifierParams, { estimator: E }> = {}) {
    super(params);
  }

  fit<L extends Label>(x: SamplesOf<E>, y: Labels<L>, options: FitOptions = {}): Fitted<E, L> {
    const [state, classes] = this.fitAll(x, y, options, (codes, K) => {
      const all = Int32Array.from(codes.keys());
      return pairsOf(K).map(([a, b]) => {
        const rows = all.filter((i) => codes[i] === a || codes[i] === b);
        return { y: Array.from(rows, (i) => (codes[i] === b ? 1 : 0)), rows };
      });
    });
    return new FittedOneVsOneClassifier(state, classes) as Fitted<E, L>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedOneVsOneClassifier {
    const { members, classes } = readReduction(state, restorePart, (K) => (K * (K - 1)) / 2);
    return new FittedOneVsOneClassifier(members, classes);
  }
}

/** The pairs a < b of K classes: (0, 1), (0, 2), …, (1, 2), …. */
const pairsOf = (K: number): [number, number][] =>
  Array.from({ length: K }, (_, a) => a).flatMap((a) =>
    Array.from({ length: K - 1 - a }, (_, e): [number, number] => [a, a + 1 + e]),
  );

export class FittedOneVsOneClassifier<L extends Label = Label>
  extends /* @__PURE__ */ withMargins(FittedReduction<Label>)<L>
  implements FittedClassifier<L>
{
  declare readonly classes: readonly L[];

  [structure](): Structure {
    const K = this.classes.length;
    const rule = { kind: "pairs", outputs: this.models.map(memberOutput) } as const;
    const members = membersOf(this.models);
    return classifierStructure(this, { kind: "composite", members, rule, outputs: K === 2 ? 1 : K }, null);
  }

  /** Votes, with ties broken by the sum of the scores; of two classes one column, positive for the second. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const rows = this.read(where, x);
    const n = rows.rows;
    const K = this.classes.length;
    const votes = new Float64Array(n * K);
    const sums = new Float64Array(n * K);
    if (n > 0)
      pairsOf(K).forEach(([a, b], m) => {
        const model = this.models[m]!;
        const labels = model.predict(rows);
        binaryScores(model, rows).forEach((score, i) => {
          sums[i * K + a]! -= score;
          sums[i * K + b]! += score;
          votes[i * K + (labels[i] === 1 ? b : a)]!++;
        });
      });
    const decisions = votes.map((count, e) => count + squashed(sums[e]!));
    if (K > 2) return new Matrix(decisions, n, K);
    const usual = this.models[0]!.decisionFunction ? 0 : 0.5;
    return new Matrix(
      Float64Array.from({ length: n }, (_, i) => decisions[2 * i + 1]! - usual),
      n,
      1,
    );
  }
}

/** Between −1/3 and 1/3; 1/3 where c is so large that |c| + 1 is. */
const squashed = (c: number): number => c / (Math.abs(c) + 1) / 3;
