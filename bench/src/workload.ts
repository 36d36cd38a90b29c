import type { DataSpec } from "./data/spec.js";

/** One row of the benchmark, as data: what is computed, on which bytes, by which contestants, and the targets. */
export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly group:
    | "linear"
    | "iris"
    | "probabilistic"
    | "text"
    | "tables"
    | "machines"
    | "ensembles"
    | "neighbours"
    | "clusters"
    | "networks"
    | "epochs"
    | "kit"
    | "latency"
    | "kernel";
  readonly action: Action;
  readonly data: DataSpec;
  /** How the results are judged; absent where a checksum is enough. */
  readonly measure?: Measure;
  readonly contestants: readonly Contestant[];
  readonly pledge: Pledge;
  /** Fits with randomState 0 … seeds − 1 count as one: time and objective are their means. Otherwise one fit. */
  readonly seeds?: number;
  /** Number of query rows, the last ones; the others are indexed. */
  readonly queries?: number;
  /** A note on the comparison, shown in the table. */
  readonly note?: string;
}

/** Workloads that have something in common; one that names it itself differs there. */
export const workloadsWith = <Common extends Partial<Workload>>(
  common: Common,
  rows: readonly (Omit<Workload, keyof Common> & Partial<Workload>)[],
): readonly Workload[] => rows.map((row) => ({ ...common, ...row }) as Workload);

/**
 * "classify" is a fit and the classes of all its rows; its checksum is the mean log loss on them. "vectorize" is fitTransform
 * of documents, "columns" that of a table of numbers and strings, "classifyOne" the class of one document by a pipeline. "support" is the fit of a support vector machine,
 * judged by its dual objective, "supportPredict" its predictions for all rows. "kernelRidge" is a fit, judged by its objective;
 * "kernelRidgePredict" the predictions for all rows of a fit to the first ones. "mapped" is the fit of a feature map followed by a classifier, judged by
 * its mean log loss. "heldOut" is a fit to four fifths of the rows, judged by its error on the held-out rows (error rate, or
 * 1 − R²); "heldOutPredict" its predictions for these. "explain" is TreeSHAP of the first 1,000 rows, judged by the error of its sums. "search" is an index of the first rows and the neighbours of the last `queries` rows,
 * judged by the mean distance; "searchOne" the neighbours of one row at a time. "within" is the same with a radius, judged by the
 * number of neighbours. "unsupervised" is a fit of X alone, judged by its objective. "train" is the fit of a network, judged by the mean
 * loss of its last epoch; "trainPredict" its predictions for all rows, judged by their error on them. "gemm32" is a product of
 * 32-bit matrices. "ranking" is a score of one number per row, its first column, against the labels; its checksum is that score.
 * "csv" reads a CSV file from memory, judged by the sum of its numbers. "tune" is a search over parameters, judged by the best mean score.
 * "compare" measures all models on the same folds, judged by the best mean score. "reload" saves a fitted model and loads it again.
 */
export type Action =
  | "fit"
  | "classify"
  | "vectorize"
  | "columns"
  | "classifyOne"
  | "support"
  | "supportPredict"
  | "kernelRidge"
  | "kernelRidgePredict"
  | "mapped"
  | "heldOut"
  | "heldOutPredict"
  | "explain"
  | "search"
  | "searchOne"
  | "within"
  | "unsupervised"
  | "train"
  | "trainPredict"
  | "path"
  | "predictOne"
  | "ranking"
  | "csv"
  | "tune"
  | "compare"
  | "reload"
  | "start"
  | "gemm"
  | "gemm32"
  | "gemv"
  | "exp";

/** Targets of the row, verified by `--check`. */
export interface Pledge {
  /** At least this many times as fast as the reference: scikit-learn, XGBoost or TensorFlow.js, whichever is fastest. */
  readonly ratio?: number;
  /** At most this many seconds, regardless of the others. */
  readonly seconds?: number;
  /** The objective may exceed the reference's by this much, relative. */
  readonly objective?: number;
}

/** "limit" is no contestant but what the machine can do at most. */
export type Side = "argmax" | "scikit-learn" | "XGBoost" | "ml.js" | "TensorFlow.js" | "PyTorch" | "limit";

export interface Contestant {
  readonly side: Side;
  /**
   * Class or function to call: a name of "argmax", a dotted name below `sklearn`, one of `xgboost`, an npm package, or the network
   * that TensorFlow.js or PyTorch train.
   */
  readonly call: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Distinguishes variants of one side, e.g. the solver. */
  readonly label?: string;
  /** Too slow to repeat: one process, one fit. */
  readonly once?: boolean;
  /** Shown in the table, but never the reference. */
  readonly information?: boolean;
}

/** The formula by which results are compared; lower is better, except for accuracy. */
export type Measure =
  | { readonly kind: "logistic" | "softmax"; readonly C: number; readonly l1?: boolean }
  | { readonly kind: "squares"; readonly alpha: number }
  | { readonly kind: "elasticNet"; readonly alpha: number; readonly l1Ratio: number }
  | { readonly kind: "elasticNetPath"; readonly l1Ratio: number }
  | { readonly kind: "hinge" | "squaredHinge"; readonly C: number }
  | { readonly kind: "meanHinge" | "meanLogistic"; readonly alpha: number }
  | { readonly kind: "accuracy" };

/** Input of a contestant's process. */
export interface Job {
  readonly action: Action;
  readonly call: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data: StoredData;
  readonly seeds?: number;
  readonly queries?: number;
  /** Output file of the learned numbers: raw little-endian doubles. */
  readonly out: string;
  readonly minFits: number;
  readonly minSeconds: number;
  readonly budgetSeconds: number;
}

/** Raw little-endian files: X row-major doubles, or CSR in three files; y int32 classes or doubles. */
export interface StoredData {
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
  /** Columns of y, row-major; one if absent. */
  readonly targets?: number;
  readonly y: string;
  readonly dense?: string;
  readonly sparse?: { readonly indptr: string; readonly indices: string; readonly values: string };
  /** A JSON list of documents. */
  readonly texts?: string;
  /** A CSV file. */
  readonly csv?: string;
  /** Bytes of X and y. */
  readonly bytes: number;
}

/** What a contestant's process prints, as one line of JSON. */
export interface Measurement {
  readonly version: string;
  /** Seconds of the first fit of the process. */
  readonly cold: number;
  /** Seconds of the fastest fit. */
  readonly best: number;
  readonly fits: number;
  /** Bytes resident just before the first fit, and at most during it. */
  readonly residentBefore: number;
  readonly residentPeak: number;
  readonly iterations?: number;
  /** Length of the vectors in `out`: coefficients, then intercepts. */
  readonly shape?: { readonly vectors: number; readonly cols: number };
  /** If there is no objective: a number on which two correct results agree. */
  readonly checksum?: number;
}
