import { classifier } from "../core/capabilities.js";
import type { FitOptions, MatrixLike } from "../core/contract.js";
import { describeParams, Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { maxOf } from "../core/numbers/extremes.js";
import { argmax } from "../core/numbers/scores.js";
import { beginFit } from "../core/params/options.js";
import { choice, classWeight } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import type { Structure, TreeNodes } from "../core/structure.js";
import { classifierStructure, probabilityLink, structure } from "../core/structure.js";
import { featureNamesJson, readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { classificationSet } from "../data/training-set.js";
import { ProbabilityClassifier } from "../fitted/classifiers.js";
import { relativeWeights } from "../numeric/rows/relative-weights.js";
import { type Split, StumpSearch } from "../numeric/trees/stumps.js";

export const decisionStumpParams = {
  criterion: choice(["gini", "error"], {
    default: "gini",
    doc: 'What the split minimises: "gini", the impurity of both sides; "error", the weight of the misclassified rows.',
  }),
  classWeight: classWeight(),
};

/**
 * The tree of depth 1: one split xⱼ ≤ t, each side predicting its heaviest class.
 *
 *   gini    minimise over (j, t):   L (1 − Σₖ (Lₖ/L)²) + R (1 − Σₖ (Rₖ/R)²)
 *   error   minimise over (j, t):   (L − maxₖ Lₖ) + (R − maxₖ Rₖ)
 *
 * Lₖ is the weight of class k on the left side, L = Σₖ Lₖ; Rₖ and R are those of the right side. t is the midpoint of two neighbouring
 * values. Ties go to the first column and the lowest t; relative differences of the score below 1e-12 are ties.
 * Parity: scikit-learn's DecisionTreeClassifier(max_depth=1), which rounds X to 32 bits and breaks ties at random.
 */
export class DecisionStump extends Estimator<typeof decisionStumpParams> {
  static readonly id = "DecisionStump";
  static readonly table = decisionStumpParams;
  static readonly capabilities = classifier({ probabilities: true, form: "linear" });

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedDecisionStump<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const { params } = this;
    const set = classificationSet(where, x, y, options, {}, params.classWeight);
    const search = new StumpSearch(
      where,
      set.x as Matrix,
      set.codes,
      set.classes.length,
      params.criterion,
      1,
    );
    try {
      const split = withClassProportions(search.best(normalizedWeights(set.weights, set.codes.length)));
      return new FittedDecisionStump(params, set.classes, set.x.cols, split, set.featureNamesIn);
    } finally {
      search.close();
    }
  }

  static restore(state: ModelState): FittedDecisionStump {
    const reader = new StateReader(state);
    const classes = reader.labels("classes", 2);
    const nFeatures = reader.count("nFeatures");
    const feature = reader.number("feature");
    if (!Number.isInteger(feature) || feature < -1 || feature >= nFeatures)
      reader.fail("feature", "a column, or −1", String(feature));
    const leaves = reader.floats("leaves", [2, classes.length]);
    if (leaves.some((p) => p < 0 || p > 1))
      reader.fail("leaves", "class proportions", `[${leaves.join(", ")}]`);
    const split = { feature, threshold: reader.number("threshold"), leaves };
    const names = readFeatureNames(reader, nFeatures);
    return new FittedDecisionStump(state.params, classes, nFeatures, split, names);
  }
}

/** Weights that sum to 1. */
export function normalizedWeights(weights: Float64Array | undefined, n: number): Float64Array {
  if (weights === undefined) return new Float64Array(n).fill(1 / n);
  const relative = relativeWeights(weights).weights!;
  const total = relative.reduce((sum, w) => sum + w, 0);
  return relative.map((w) => w / total);
}

/** Class weights that differ by less are ties: sums in another order round differently. */
const TIE = 1 - 1e-12;

/** The split with class proportions instead of class weights. Classes that tie with the heaviest get its weight. */
export function withClassProportions({ feature, threshold, leaves }: Split): Split {
  const K = leaves.length / 2;
  const proportions = leaves.slice();
  for (const side of [proportions.subarray(0, K), proportions.subarray(K)]) {
    const most = maxOf(side);
    for (let k = 0; k < K; k++) if (side[k]! >= most * TIE) side[k] = most;
    const total = side.reduce((sum, w) => sum + w, 0);
    for (let k = 0; k < K; k++) side[k]! /= total;
  }
  return { feature, threshold, leaves: proportions };
}

export class FittedDecisionStump<L extends Label = Label> extends ProbabilityClassifier<L> {
  protected readonly id = DecisionStump.id;
  readonly #params: object;
  /** Column of the split; −1 if all columns are constant. */
  readonly feature: number;
  /** Rows with x ≤ threshold go left. */
  readonly threshold: number;
  /** Class proportions: left in the first row, right in the second. */
  readonly leaves: Matrix;

  constructor(
    params: object,
    readonly classes: readonly L[],
    readonly nFeatures: number,
    { feature, threshold, leaves }: Split,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
    this.#params = params;
    this.feature = feature;
    this.threshold = threshold;
    this.leaves = new Matrix(leaves, 2, classes.length);
  }

  /** Predicted class indices: [left, right]. */
  get answers(): readonly [number, number] {
    return [argmax(this.leaves.row(0)), argmax(this.leaves.row(1))];
  }

  [structure](): Structure {
    const { feature, threshold, leaves } = this;
    const tree = stumpTree(feature, threshold, leaves.data, leaves.cols);
    const baseline = new Float64Array(leaves.cols);
    return classifierStructure(this, { kind: "trees", trees: [tree], divisor: 1, baseline }, probabilityLink);
  }

  toState(): ModelState {
    const { feature, threshold, nFeatures, leaves } = this;
    const names = featureNamesJson(this.featureNamesIn);
    return {
      kind: DecisionStump.id,
      params: describeParams(this.#params),
      values: { classes: [...this.classes], nFeatures, feature, threshold, ...names },
      tensors: { leaves: { shape: [2, leaves.cols], data: leaves.data } },
    };
  }

  protected override predictedLabels(where: string, x: MatrixLike): L[] {
    const design = readMatrix(where, x, { like: this });
    const answers = this.answers.map((k) => this.classes[k]!);
    return Array.from({ length: design.rows }, (_, i) => answers[this.#side(design, i)]!);
  }

  /** Class proportions on the side of each row. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const design = readMatrix(where, x, { like: this });
    const out = Matrix.zeros(design.rows, this.classes.length);
    for (let i = 0; i < design.rows; i++) {
      out.data.set(this.leaves.row(this.#side(design, i)), i * this.classes.length);
    }
    return out;
  }

  #side({ data, cols }: Matrix, i: number): 0 | 1 {
    return this.feature < 0 || data[i * cols + this.feature]! <= this.threshold ? 0 : 1;
  }
}

/** A stump as a tree: `leaves` has the values of its left, then of its right side. One leaf if it has no column. */
export function stumpTree(
  feature: number,
  threshold: number,
  leaves: Float64Array,
  width: number,
): TreeNodes {
  const count = feature < 0 ? 1 : 3;
  const values = new Float64Array(count * width);
  values.set(count === 1 ? leaves.subarray(0, width) : leaves, count === 1 ? 0 : width);
  return {
    features: Int32Array.of(feature, -1, -1).subarray(0, count),
    thresholds: Float64Array.of(threshold, 0, 0).subarray(0, count),
    lefts: Int32Array.of(1, 0, 0).subarray(0, count),
    rights: Int32Array.of(2, 0, 0).subarray(0, count),
    missingLeft: new Uint8Array(count),
    categoryStarts: new Int32Array(count).fill(-1),
    pool: new Int32Array(0),
    values,
    width,
  };
}
