import { DataError, show } from "./errors.js";
import type { Label } from "./labels.js";
import type { FunctionName } from "./params/named-functions.js";
import type { Json } from "./state/state.js";

/**
 * A fitted model as plain data: everything that is needed to predict, and nothing else. A model is a chain
 *
 *   named input columns → steps (transforms of columns) → scores (one row of numbers per row) → link → answer
 *
 * and each part is one of a closed list of kinds. Explanations, ONNX, SQL, the server and the studio dispatch on these kinds; no consumer
 * dispatches on the class of a model. `evaluate` computes the answers from the structure alone.
 */
export type Structure =
  | ClassifierStructure
  | RegressorStructure
  | ClustererStructure
  | DensityStructure
  | TransformerStructure
  | UndescribedStructure;

/** Key of the method that returns a model's structure. A symbol, so that no list of completions has it. */
export const structure: unique symbol = Symbol();

/** A model that has a structure. */
export interface Structured {
  [structure](): Structure;
}

/** rows × cols numbers, row after row. */
export interface DenseRows {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/** Compressed sparse rows. */
export interface SparseRows {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** The columns that a model reads. */
export interface Inputs {
  readonly count: number;
  /** Present if the model was fitted to a table: columns are then found by name. */
  readonly names?: readonly string[] | undefined;
  /** Present if the model reads a table's categories itself: their positions are its numbers. */
  readonly columns?: readonly TableInput[] | undefined;
}

export interface TableInput {
  readonly name: string;
  readonly kind: "numeric" | "boolean" | "categorical";
  /** Of a categorical column. */
  readonly categories: readonly string[];
}

interface Described {
  readonly inputs: Inputs;
  /** Transforms of the inputs before the scores; the whole model, if it is a transformer. */
  readonly steps: readonly Transform[];
  /** What `transform` of a predictor computes, for those that also transform. */
  readonly transform?: readonly Transform[] | undefined;
}

export interface ClassifierStructure extends Described {
  readonly kind: "classifier";
  readonly classes: readonly Label[];
  readonly scores: Scores;
  /** From scores to probabilities; null if there are none. */
  readonly link: ClassLink | null;
  readonly decision: Decision;
  /** What `decisionFunction` returns: the scores, of two columns the second less the first, votes of pairs per class, or there is none. */
  readonly margins: MarginRule;
}

export type MarginRule = "scores" | "difference" | "pairVotes" | null;

/** How scores become probabilities of classes. */
export type ClassLink =
  /** Scores are probabilities, one column per class. */
  | { readonly kind: "identity" }
  /** One column: log-odds of the second of two classes, times `factor`. */
  | { readonly kind: "sigmoid"; readonly factor: number }
  /** Scores times `factor` are log posteriors up to a constant per row. */
  | { readonly kind: "softmax"; readonly factor: number }
  /** Log-odds of each class against the rest, times `factor`: sigmoids divided by their sum. */
  | { readonly kind: "oneVsRest"; readonly factor: number }
  /** (z clipped to [−1, 1] + 1)/2, of several classes divided by their sum. */
  | { readonly kind: "clip" }
  /** Non-negative numbers divided by their sum; one column: the probability of the second of two classes. */
  | { readonly kind: "normalize" }
  /** Probabilities are the link of other scores than those that decide. */
  | { readonly kind: "separate"; readonly scores: Scores; readonly link: ClassLink }
  /** P = 1/(1 + e^(a z + b)) per column; of several classes divided by their sum or, of pairs, coupled [Wu, Lin and Weng 2004]. */
  | {
      readonly kind: "platt";
      readonly sigmoids: DenseRows;
      readonly pairs: boolean;
      readonly order: readonly number[] | null;
    };

/** Which class is predicted. */
export type Decision =
  /** One column of scores: its sign; several: the largest, the first of equal ones. */
  | { readonly kind: "scores" }
  /** The largest probability, the first of equal ones. */
  | { readonly kind: "probabilities" }
  /** Scores of all pairs (a, b), a < b, positive for a: most votes, then by the sum of the scores if `breakTies`, then the first of `order`. */
  | { readonly kind: "pairs"; readonly breakTies: boolean; readonly order: readonly number[] | null }
  /** Of two classes, the one at `positive` if its probability is at least the threshold. */
  | { readonly kind: "threshold"; readonly positive: number; readonly threshold: number };

export interface RegressorStructure extends Described {
  readonly kind: "regressor";
  /** Columns of the prediction; null for a list of numbers. */
  readonly targets: number | null;
  readonly scores: Scores;
  readonly link: RegressorLink;
}

/** From scores to predictions: by a function of this name, or by the inverse of transforms of the target. */
export type RegressorLink = "identity" | FunctionName | { readonly inverseOf: readonly Transform[] };

/** The cluster with the largest score, the first of equal ones. */
export interface ClustererStructure extends Described {
  readonly kind: "clusterer";
  readonly scores: Scores;
}

/** Scores are log densities of weighted components: the density is the sum of their exponentials, the largest is the predicted component. */
export interface DensityStructure extends Described {
  readonly kind: "density";
  readonly scores: Scores;
}

export interface TransformerStructure extends Described {
  readonly kind: "transformer";
}

/** A model that is not described, and why. */
export interface UndescribedStructure {
  readonly kind: "undescribed";
  readonly reason: string;
}

/** One row of numbers per row of columns. */
export type Scores =
  | LinearScores
  | TreeScores
  | KernelScores
  | NeighborScores
  | GaussianScores
  | TableScores
  | NetworkScores
  | CenterScores
  | CurveScores
  | ConstantScores
  | CompositeScores
  | UndescribedScores;

/** W (x − origin) + b. */
export interface LinearScores {
  readonly kind: "linear";
  /** One row per score. */
  readonly coef: DenseRows;
  readonly intercept: Float64Array;
  readonly origin?: Float64Array | undefined;
}

/** baseline + (sum of the values of each tree's leaf) / divisor. Tree t adds its values to the scores from (t · width) mod K on. */
export interface TreeScores {
  readonly kind: "trees";
  readonly trees: readonly TreeNodes[];
  readonly divisor: number;
  /** One number per score. */
  readonly baseline: Float64Array;
  /** Per column, the numbers that stand for its categories in the pools of the trees, by position; null for thresholds. */
  readonly codes?: readonly (ArrayLike<number> | null)[] | undefined;
}

/** A tree as lists, one entry per node; children come after their parents. */
export interface TreeNodes {
  /** −1: a leaf. */
  readonly features: Int32Array;
  /** x ≤ threshold goes left. */
  readonly thresholds: Float64Array;
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  /** 1: a missing value goes left. */
  readonly missingLeft: Int32Array | Uint8Array;
  /** Start in `pool` of the categories that go left (their number, then the categories, ascending); −1: a threshold. */
  readonly categoryStarts: Int32Array;
  readonly pool: Int32Array;
  /** `width` numbers per node. */
  readonly values: Float64Array;
  readonly width: number;
  /** Weight of the training rows in each node, if it is known. */
  readonly covers?: ArrayLike<number> | undefined;
}

/** Σ_t coef[k, t] k(x_t, x) + b_k. */
export interface KernelScores {
  readonly kind: "kernel";
  readonly kernel: KernelFormula;
  /** x_t; without columns for a precomputed kernel, whose row of values is x itself. */
  readonly points: DenseRows | SparseRows;
  /** Indices of the points among the training rows. */
  readonly support: Int32Array;
  readonly coef: DenseRows;
  readonly intercept: Float64Array;
  /** Whether the coefficients of every score sum to 0: the points may then be centred. */
  readonly zeroSums: boolean;
}

/**
 * k(x, y) of two rows with the inner product x·y and the distance r = ‖x − y‖:
 *
 *   linear a x·y + c                polynomial (a x·y + c)^degree      sigmoid tanh(a x·y + c)
 *   gaussian e^(−a r²)              exponential e^(−a r)               thinPlate r² log r
 *   multiquadric √(r² + c²)         inverseMultiquadric 1/√(r² + c²)   rationalQuadratic 1 − r²/(r² + c)
 */
export type KernelFormula =
  | {
      readonly name:
        | "linear"
        | "polynomial"
        | "sigmoid"
        | "gaussian"
        | "exponential"
        | "multiquadric"
        | "inverseMultiquadric"
        | "rationalQuadratic"
        | "thinPlate";
      readonly a: number;
      readonly c: number;
      readonly degree: number;
    }
  | { readonly name: "sum" | "product"; readonly parts: readonly KernelFormula[] }
  | { readonly name: "precomputed" };

/** Weighted means of what the nearest training rows have. */
export interface NeighborScores {
  readonly kind: "neighbors";
  readonly points: DenseRows | SparseRows;
  /** What is averaged, one row per point: targets, or 1 for the class of the point. */
  readonly values: DenseRows;
  readonly metric: { readonly name: string; readonly p: number };
  /** The k nearest, or all within a radius. */
  readonly within: { readonly k: number } | { readonly radius: number };
  readonly weights: "uniform" | "distance";
  /** What a row without neighbours gets; null if that is an error. */
  readonly outlier: Float64Array | null;
}

/** Log densities of normal distributions: constant − ½ ‖Wᵀ(x − μ)‖². Components of one group are summed as densities. */
export interface GaussianScores {
  readonly kind: "gaussians";
  readonly components: readonly GaussianComponent[];
  /** The number of scores. */
  readonly groups: number;
}

export interface GaussianComponent {
  readonly mean: Float64Array;
  /** W: d × d with W Wᵀ = Σ⁻¹, or d entries of its diagonal. */
  readonly whitening: Float64Array;
  /** log weight − ½ log |Σ| − …: everything that does not depend on x. */
  readonly constant: number;
  readonly group: number;
}

/** constant + the sum over columns of a table's row: that of the value of the column, or the last one for values beyond it. */
export interface TableScores {
  readonly kind: "tables";
  readonly constant: Float64Array;
  /** Per column, one row per value 0, 1, … and one for all others; one number per score. */
  readonly tables: readonly DenseRows[];
}

/** Layers one after the other. */
export interface NetworkScores {
  readonly kind: "network";
  readonly layers: readonly NetworkLayer[];
  readonly outputs: number;
}

export type NetworkLayer =
  /** x W + b: weights have one row per input. */
  | { readonly kind: "dense"; readonly weights: DenseRows; readonly bias: Float64Array }
  /** f of every entry, or softmax of every row, with the constants a and c of those that have them. */
  | { readonly kind: "activation"; readonly name: string; readonly a?: number; readonly c?: number };

/** Minus the distance to each centre. */
export interface CenterScores {
  readonly kind: "centers";
  readonly centers: DenseRows;
  readonly metric: "euclidean" | "manhattan";
}

/** A curve through points, linear between them and constant beyond, of the only column. */
export interface CurveScores {
  readonly kind: "curve";
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** The same scores for every row. */
export interface ConstantScores {
  readonly kind: "constant";
  readonly values: Float64Array;
}

/** Scores made of the answers of other models. */
export interface CompositeScores {
  readonly kind: "composite";
  readonly members: readonly Member[];
  readonly rule: CombinationRule;
  /** The number of scores. */
  readonly outputs: number;
}

export interface Member {
  readonly structure: Structure;
  /** Its columns of X; null for all. */
  readonly columns: ArrayLike<number> | null;
}

/** What of a member's answer is used: its class, its probabilities, its scores, or the values of a regressor. */
export type MemberOutput = "labels" | "probabilities" | "scores" | "values";

export type CombinationRule =
  /** Weighted mean of the members' probabilities, columns matched by class; of members without any, of their votes. */
  | { readonly kind: "probabilities"; readonly weights: Float64Array }
  /** Weights of the members that predict a class, divided by `divisor`; `difference`: of two classes, the second less the first. */
  | {
      readonly kind: "votes";
      readonly weights: Float64Array;
      readonly divisor: number;
      readonly difference: boolean;
    }
  /** Weighted mean or weighted median of the members' values. */
  | { readonly kind: "mean"; readonly weights: Float64Array }
  | { readonly kind: "median"; readonly weights: Float64Array }
  /** Sums of the members' scores, and a constant per score. */
  | { readonly kind: "sum"; readonly constant: Float64Array }
  /** The members' values side by side. */
  | { readonly kind: "outputs" }
  /** The members' values side by side; members read X and the values before theirs, in this order of outputs. */
  | { readonly kind: "chain"; readonly order: readonly number[] }
  /** Each member's output for the second of its two classes. */
  | { readonly kind: "positives"; readonly outputs: readonly MemberOutput[] }
  /** The member's score for `positive` less the threshold, positive for the second class. */
  | { readonly kind: "shift"; readonly positive: number; readonly threshold: number }
  /** Members of all pairs (a, b), a < b, of classes: votes, and sums of outputs for b, squashed to less than 1/3, which break ties. */
  | { readonly kind: "pairs"; readonly outputs: readonly MemberOutput[] }
  /** Nearness of the members' outputs to each class's row of zeros and ones. */
  | { readonly kind: "codes"; readonly book: DenseRows; readonly outputs: readonly MemberOutput[] }
  /** The mean over the members of their calibrated probabilities. */
  | { readonly kind: "calibrated"; readonly calibrations: readonly Calibration[] }
  /** 1 if every stage's score of the positive class is at least its threshold, else −1; `positive` is its place among the classes. */
  | {
      readonly kind: "cascade";
      readonly positive: number;
      readonly thresholds: Float64Array;
      readonly outputs: readonly MemberOutput[];
    };

/** From a member's scores or probabilities to probabilities. */
export interface Calibration {
  readonly output: MemberOutput;
  readonly curve: /** 1/(1 + e^(a f + b)), a row of a and b per column. */
    | { readonly kind: "sigmoid"; readonly sigmoids: DenseRows }
    /** A curve per column, linear between its points. */
    | {
        readonly kind: "curves";
        readonly curves: readonly { readonly x: Float64Array; readonly y: Float64Array }[];
      }
    /** softmax(β z), of probabilities their logarithms. */
    | { readonly kind: "temperature"; readonly beta: number };
}

export interface UndescribedScores {
  readonly kind: "undescribed";
  readonly reason: string;
}

/** Columns to columns. */
export type Transform =
  | AffineTransform
  | NormalizeTransform
  | BinarizeTransform
  | EncodeTransform
  | ImputeTransform
  | MissingTransform
  | DateTransform
  | BinTransform
  | PolynomialTransform
  | QuantilesTransform
  | PowerTransform
  | ElementwiseTransform
  | TextTransform
  | TfidfTransform
  | SelectTransform
  | BranchesTransform
  | ProjectTransform
  | DistancesTransform
  | PredictionsTransform
  | UndescribedTransform;

/** (x − shift) / scale · factor + offset per column, then clipped. */
export interface AffineTransform {
  readonly kind: "affine";
  readonly shift: Float64Array | null;
  readonly scale: Float64Array | null;
  readonly factor: number;
  readonly offset: number;
  readonly clip: readonly [number, number] | null;
}

/** Rows divided by their norm; rows of zeros stay as they are. */
export interface NormalizeTransform {
  readonly kind: "normalize";
  readonly norm: "l1" | "l2" | "max";
}

/** 1 above the threshold, else 0. */
export interface BinarizeTransform {
  readonly kind: "binarize";
  readonly threshold: number;
}

/** A cell of a category: null is a gap. */
export type CategoryCell = string | number | boolean | null;

/** Per column, the row of a table that belongs to its category; blocks side by side. One-hot, ordinal and target encoders are of this kind. */
export interface EncodeTransform {
  readonly kind: "encode";
  readonly columns: readonly EncodedColumn[];
}

export interface EncodedColumn {
  readonly categories: readonly CategoryCell[];
  /** One row per category. */
  readonly table: DenseRows;
  /** The row of categories that are not in the list; null if they are errors. */
  readonly unknown: Float64Array | null;
  /** The row of gaps, if they are not in the list; undefined if they are unknown categories. */
  readonly missing?: Float64Array | undefined;
}

/** Gaps replaced; then a column of zeros and ones per column of `indicators`. */
export interface ImputeTransform {
  readonly kind: "impute";
  /** Per column; undefined: the column is dropped. */
  readonly fill: readonly (CategoryCell | undefined)[];
  readonly indicators: readonly number[];
}

/** A column of zeros and ones per listed column: 1 for a gap. */
export interface MissingTransform {
  readonly kind: "missing";
  readonly columns: readonly number[];
}

/** What a point in time consists of. */
export type DatePartName =
  | "time"
  | "year"
  | "month"
  | "day"
  | "weekday"
  | "dayOfYear"
  | "hour"
  | "minute"
  | "second";

/** Parts of points in time, which are milliseconds since 1970, one output after the other. */
export interface DateTransform {
  readonly kind: "dates";
  readonly outputs: readonly DateOutput[];
}

export interface DateOutput {
  readonly column: number;
  readonly part: DatePartName;
  /** Sine or cosine of 2π (v − from) / length in place of the part v. */
  readonly wave: { readonly of: "sin" | "cos"; readonly from: number; readonly length: number } | null;
}

/** The number of inner edges ≤ x, or a column of zeros and ones per bin. */
export interface BinTransform {
  readonly kind: "bins";
  /** Per column, the inner edges, ascending. */
  readonly edges: readonly Float64Array[];
  readonly encode: "ordinal" | "onehot";
}

/** Products of powers of columns: one row of exponents per output. */
export interface PolynomialTransform {
  readonly kind: "polynomial";
  readonly powers: { readonly data: ArrayLike<number>; readonly rows: number; readonly cols: number };
}

/** Per column the fraction of its quantiles, ascending and equally spaced, below x; as a quantile of the normal distribution if `normal`. */
export interface QuantilesTransform {
  readonly kind: "quantiles";
  readonly quantiles: readonly Float64Array[];
  readonly normal: boolean;
}

/** Yeo–Johnson or Box–Cox with λ per column; Box–Cox of columns divided by e^center. */
export interface PowerTransform {
  readonly kind: "power";
  readonly method: "yeoJohnson" | "boxCox";
  readonly lambdas: Float64Array;
  readonly centers: Float64Array;
}

/** A function of every entry. */
export interface ElementwiseTransform {
  readonly kind: "elementwise";
  readonly name: FunctionName;
}

/** Counts of terms in documents, which are the only column. */
export interface TextTransform {
  readonly kind: "text";
  /** The parameters of the vectorizer: how documents are divided into terms, and whether counts are 0 or 1. */
  readonly analyzer: Readonly<Record<string, Json>>;
  /** Terms in the order of their columns. */
  readonly vocabulary: readonly string[];
}

/** Counts weighted by inverse document frequencies and divided by their norm. */
export interface TfidfTransform {
  readonly kind: "tfidf";
  readonly sublinear: boolean;
  readonly idf: Float64Array | null;
  readonly norm: "l1" | "l2" | null;
}

/** Some of the columns. */
export interface SelectTransform {
  readonly kind: "select";
  readonly columns: ArrayLike<number>;
}

/** Branches of the same rows, side by side. */
export interface BranchesTransform {
  readonly kind: "branches";
  readonly branches: readonly Branch[];
}

export interface Branch {
  /** Columns that it reads; null for all. */
  readonly columns: readonly number[] | null;
  readonly steps: readonly Transform[];
  /** Factor of its columns. */
  readonly weight: number;
}

/** The scores of a row as its columns: projections onto components, kernel maps. */
export interface ProjectTransform {
  readonly kind: "project";
  readonly scores: Scores;
}

/** Euclidean distances to centres, one column per centre. */
export interface DistancesTransform {
  readonly kind: "distances";
  readonly centers: DenseRows;
}

/** Outputs of models side by side, followed by the columns themselves if `passthrough`. Two columns of scores or probabilities count as one. */
export interface PredictionsTransform {
  readonly kind: "predictions";
  readonly members: readonly Member[];
  readonly outputs: readonly MemberOutput[];
  readonly passthrough: boolean;
  /** The classes whose places stand for predicted labels. */
  readonly classes: readonly Label[];
}

export interface UndescribedTransform {
  readonly kind: "undescribed";
  readonly reason: string;
}

/** What a fitted model computes, as plain data. Models that cannot be described return the reason. */
export function structureOf(model: object): Structure {
  if (model === null || typeof model !== "object") {
    throw new DataError("structureOf", "the model", "a fitted model", show(model));
  }
  if (structure in model) return (model as Structured)[structure]();
  return undescribed("its class does not describe itself");
}

/** A model, scores or a transform that no other kind describes. */
export const undescribed = (reason: string): { readonly kind: "undescribed"; readonly reason: string } => ({
  kind: "undescribed",
  reason,
});

interface Known {
  readonly nFeatures: number;
  readonly featureNamesIn?: readonly string[] | undefined;
}

export const inputsOf = ({ nFeatures, featureNamesIn }: Known): Inputs => ({
  count: nFeatures,
  names: featureNamesIn,
});

/** The structure of a classifier that decides by its scores. */
export const classifierStructure = (
  model: Known & { readonly classes: readonly Label[] },
  scores: Scores,
  link: ClassLink | null,
  more: Partial<ClassifierStructure> = {},
): ClassifierStructure => ({
  kind: "classifier",
  inputs: inputsOf(model),
  steps: [],
  classes: model.classes,
  scores,
  link,
  decision: { kind: "scores" },
  margins: "decisionFunction" in model ? "scores" : null,
  ...more,
});

export const regressorStructure = (
  model: Known,
  scores: Scores,
  more: Partial<RegressorStructure> = {},
): RegressorStructure => ({
  kind: "regressor",
  inputs: inputsOf(model),
  steps: [],
  targets: null,
  scores,
  link: "identity",
  ...more,
});

export const transformerStructure = (model: Known, ...steps: readonly Transform[]): TransformerStructure => ({
  kind: "transformer",
  inputs: inputsOf(model),
  steps,
});

/** The link of log posteriors up to a constant per row: of one column log-odds. */
export const posteriorLink = (cols: number, factor = 1): ClassLink => ({
  kind: cols === 1 ? "sigmoid" : "softmax",
  factor,
});

/** Scores that are probabilities of all classes. */
export const probabilityLink: ClassLink = { kind: "identity" };

/** (x − shift) / scale. */
export const affine = (shift: Float64Array | undefined, scale: Float64Array): AffineTransform => ({
  kind: "affine",
  shift: shift ?? null,
  scale,
  factor: 1,
  offset: 0,
  clip: null,
});

interface Scored {
  readonly decisionFunction?: unknown;
  readonly predictProba?: unknown;
}

/** Scores if a model has a decision function, else probabilities, else labels. */
export const memberOutput = ({ decisionFunction, predictProba }: Scored): MemberOutput =>
  decisionFunction ? "scores" : predictProba ? "probabilities" : "labels";

/** Models as members that read all columns. */
export const membersOf = (models: readonly object[]): readonly Member[] =>
  models.map((model) => ({ structure: structureOf(model), columns: null }));

/** The steps of a structure that is a transformer or also transforms. */
export function stepsOf(described: Structure): readonly Transform[] {
  if (described.kind === "undescribed") return [described];
  if (described.kind === "transformer") return described.steps;
  return described.transform ?? [undescribed("it does not transform columns")];
}
