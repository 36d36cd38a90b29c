import type { ColumnLike } from "./column-like.js";
import type { Label, Labels, NumberArray } from "./labels.js";
import type { ParamsTable } from "./params/params.js";
import type { SignalLike } from "./signal.js";
import type { ModelState } from "./state/state.js";

/** Typed arrays that may hold the numbers of a matrix. */
export type NumericArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Int16Array
  | Int8Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | Uint8ClampedArray;

/** A dense row-major matrix, by shape of the object: `Matrix` is one. */
export interface DenseLike {
  readonly data: NumericArray | readonly number[];
  readonly rows: number;
  readonly cols: number;
}

/** The spelling of tensor libraries: `{ data, shape: [rows, cols] }`. */
export interface ShapedLike {
  readonly data: NumericArray | readonly number[];
  readonly shape: readonly [number, number] | readonly number[];
}

/** Images of one size, pixel by pixel: row-major, the channels of a pixel side by side. Where no shape matters, an image is a row. */
export interface ImagesLike {
  readonly data: NumericArray | readonly number[];
  /** The number of images. */
  readonly rows: number;
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/** Compressed sparse rows, by shape of the object: `CsrMatrix` is one. */
export interface CsrLike {
  readonly rows: number;
  readonly cols: number;
  /** Row i's entries are those from indptr[i] to indptr[i + 1]. */
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** Anything that can turn itself into a dense matrix, e.g. a `Table` of numeric columns. */
export interface MatrixSource {
  toMatrix(): DenseLike;
}

/**
 * A row as an object of cells by the name of the column, as a request or a database has it. Models that were fitted to a table take lists
 * of these wherever they take X.
 */
export type RowObject =
  | { readonly [column: string]: string | number | boolean | Date | null | undefined }
  // Interfaces have no index signature; lists are not rows by name.
  | (object & { readonly length?: never; readonly [Symbol.iterator]?: never });

/** What X may be. Checked once, where it enters (`readMatrix`). */
export type MatrixLike =
  | readonly (readonly number[] | NumericArray)[]
  | DenseLike
  | ShapedLike
  | ImagesLike
  | CsrLike
  | MatrixSource
  | readonly RowObject[];

/** What X may be where something else than numbers is read first: documents, tables with text, rows of cells. */
export type Samples = MatrixLike | Iterable<unknown>;

/**
 * Where an iterative fit stands. Every estimator reports `iteration`; the others where they are known. On this thread the object that
 * arrives is the step itself, which also has `model()` and what `steps()` of the estimator yields (`NetworkStep`, `MixtureStep`, …); from
 * a worker its plain values arrive, at most twenty times per second.
 */
export interface Progress {
  /** Iterations, epochs, rounds, trees or folds so far, from 1 on. */
  readonly iteration: number;
  /** The most iterations there can be, if that is known. */
  readonly total?: number | undefined;
  /** The minimised function; undefined for learners that do not minimise one step by step (forests, searches). */
  readonly objective?: number | undefined;
  /** Largest entry of the gradient; of gradient methods only. */
  readonly gradientNorm?: number | undefined;
}

export interface FitOptions {
  /** One weight per row; 2 counts as the row twice, 0 as the row gone. */
  readonly sampleWeight?: NumberArray | undefined;
  /**
   * Stops the fit with an AbortError at its next step; `error.model` is the model so far. Timers wait while this thread is busy, so that a
   * signal of AbortSignal.timeout is refused: `timeLimit(seconds)` reads the clock.
   */
  readonly signal?: SignalLike | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with every warning of the report, e.g. when training stopped before it converged. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export interface ScoreOptions {
  readonly sampleWeight?: NumberArray | undefined;
}

/** How a fit ended. Not converging is a fact, not an error. */
export interface FitReport {
  readonly converged: boolean;
  readonly iterations: number;
  /** The minimised function at the solution, as the estimator's objective comment writes it. */
  readonly objective: number;
  /** Largest entry of the gradient (or of the optimality violation, where the objective has kinks). */
  readonly gradientNorm: number;
  /** How far the objective of the primal is above that of the dual: 0 at the optimum. Of solvers that know both. */
  readonly dualityGap?: number | undefined;
  readonly solver: string;
  /** Things the user should know, in words. */
  readonly warnings: readonly string[];
}

/** What an estimator learns: labels or numbers from X and y; groups of rows, their density, or new columns from X alone. */
export type Task = "classification" | "regression" | "clustering" | "density" | "transform";

/** What a model's predictions are made of, from the simplest on; `ensemble` stands for networks too. */
export type ModelForm = "constant" | "linear" | "distribution" | "tree" | "rows" | "ensemble";

/** What an estimator can take and give, and what it needs. The conformance suite holds it to every line. */
export interface Capabilities {
  readonly task: Task;
  /** What X is where it is not a matrix of features: documents, images, sequences, or a single column. */
  readonly input?: "text" | "images" | "sequences" | "column";
  readonly sparse: boolean;
  readonly missing: boolean;
  readonly categorical: boolean;
  readonly multiclass: boolean;
  readonly probabilities: boolean;
  readonly decisionFunction: boolean;
  readonly sampleWeight: boolean;
  readonly partialFit: boolean;
  /** A transformer that learns from y too. */
  readonly needsTargets?: boolean;
  /** A predictor whose models also transform X, so that they may stand inside a pipeline. */
  readonly transforms?: boolean;
  /** The scale that the columns of X need, where distances or penalties on coefficients compare them; otherwise any. */
  readonly scale?: "standard";
  /** The scale that y needs, where the defaults are for targets of about unit variance; otherwise any. */
  readonly targetScale?: "standard";
  /** Whether the time of a fit grows with the entries that are not 0, not with the columns: it can read a whole vocabulary. */
  readonly manyColumns?: boolean;
  /** Whether it fits other estimators, its parameters, to the columns of X. */
  readonly composite?: boolean;
  /** What one step of `steps` is, where that has a name of its own. */
  readonly step?: "epoch" | "member" | "round" | "tree";
  /** Undefined for transformers, clusterers and densities, and where the estimator inside decides. */
  readonly form?: ModelForm;
  /** A transformer that maps every column on its own and back (`inverseTransform`), so that it may stand around a target. */
  readonly invertible?: boolean;
  /**
   * The time of a fit grows with at least this power of the rows, which small samples do not show. Of kernel machines, whose support
   * vectors grow with the rows; measured from 4,000 to 100,000 rows.
   */
  readonly fitPower?: number;
}

/** Values worth trying for a parameter: a list, or a range of numbers as `logUniform`, `uniform` and `integers` draw them. */
type SearchRange =
  | readonly unknown[]
  | { readonly log: readonly [from: number, to: number] }
  | { readonly uniform: readonly [from: number, to: number] }
  | { readonly integers: readonly [from: number, to: number] };

export type SearchSpace = Readonly<Record<string, SearchRange>>;

/** Makes an estimator one of the models that `compare` fits unless it is given others. */
export interface DefaultCandidate {
  /** Rank by the usual time of a fit: those that take long start first, so that at the end no worker waits long for another. */
  readonly cost: number;
  /** The time of a fit grows with the square of the rows or worse: it is left out above this many. */
  readonly mostRows?: number;
}

/** Makes an estimator one of the few models of its task that a form or a studio begins with, on any table. */
export interface StarterModel {
  /** Its place among those of its task, from 1 on. */
  readonly place: number;
  /** Where the defaults show little: eight clusters for every table, or a single component. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What every fitted thing can do. */
export interface FittedModel {
  /** Everything learned, as named tensors and plain values. */
  toState(): ModelState;
  /** Columns that X must have. */
  readonly nFeatures: number;
  /** The names of these columns, if X was a table in fit: a table is then read by name, in any order. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** The model of a part of a state, of whatever class that is. */
export type RestorePart = (part: ModelState) => FittedModel;

export interface FittedClassifier<L extends Label = Label> extends FittedModel {
  readonly classes: readonly L[];
  predict(x: MatrixLike): L[];
  score(x: MatrixLike, y: Labels<L>, options?: ScoreOptions): number;
}

/** A classifier with a probability per class. */
export interface FittedProbabilisticClassifier<L extends Label = Label> extends FittedClassifier<L> {
  /** One column per class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): DenseLike;
  /**
   * Logarithms of `predictProba`, finite also where a probability underflows to 0. −Infinity means a probability that is 0: of a
   * class that a tree's leaf does not have, or that has prior 0.
   */
  predictLogProba(x: MatrixLike): DenseLike;
}

export interface FittedRegressor extends FittedModel {
  predict(x: MatrixLike): Float64Array;
  score(x: MatrixLike, y: NumberArray, options?: ScoreOptions): number;
}

/** A regressor of several targets, the columns of a matrix Y. */
export interface FittedTargets extends FittedModel {
  readonly nTargets: number;
  /** Names of the targets, if Y was a table in fit. */
  readonly targetNames?: readonly string[] | undefined;
  /** One row per row of X, one column per target. */
  predict(x: MatrixLike): DenseLike;
  /** Mean R² of the targets. */
  score(x: MatrixLike, y: MatrixLike, options?: ScoreOptions): number;
}

/** Takes X, which is a matrix unless its type says otherwise. */
export interface FittedTransformer<X = MatrixLike> extends FittedModel {
  transform(x: X): DenseLike | CsrLike;
}

/** Groups of rows, numbered from 0. */
export interface FittedClusterer extends FittedModel {
  /** The cluster of every row of fit; −1 is noise. */
  readonly labels: Int32Array;
}

/** A probability density of rows. */
export interface FittedDensity extends FittedModel {
  /** Logarithm of the density, per row. */
  scoreSamples(x: MatrixLike): Float64Array;
  /** Mean of `scoreSamples`. */
  score(x: MatrixLike, options?: ScoreOptions): number;
}

export interface Classifier {
  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options?: FitOptions): FittedClassifier<L>;
}

export interface Regressor {
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedRegressor;
}

/** A regressor that also learns several targets at once. The signature for one target comes last: types that read `fit` take that one. */
export interface TargetsRegressor {
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedRegressor;
}

/** The model of several targets of an estimator or pipeline that learns them. */
export type TargetsModel<E> = E extends {
  fit: {
    (x: never, y: MatrixLike, options?: FitOptions): infer M;
    (x: never, y: NumberArray, options?: FitOptions): unknown;
  };
}
  ? M
  : never;

/** The second argument of `loadModel`: an estimator class, or, for models of several targets, their own class. */
export interface ModelClass<M extends FittedModel = FittedModel> {
  /** The name under which its models are saved. */
  readonly id: string;
  restore(state: ModelState, restorePart: RestorePart): M;
}

/**
 * The second argument of a fit that learns from X alone: the options, or targets, which it ignores, so that all steps of a pipeline
 * can be called alike.
 */
export type Unlabelled = ArrayLike<unknown> | ColumnLike<unknown> | FitOptions | null | undefined;

/** Learns from X alone: `fit(X)`, `fit(X, options)`, or `fit(X, y, options)` with a y that is ignored. */
export interface Unsupervised<M extends FittedModel = FittedModel, X = MatrixLike> {
  fit(x: X, y?: Unlabelled, options?: FitOptions): M;
}

export interface Transformer<X = MatrixLike> extends Unsupervised<FittedTransformer<X>, X> {}

/** The static side of an estimator class: what registries, command lines and forms need to know. */
export interface EstimatorClass {
  /** The name under which models are saved. */
  readonly id: string;
  readonly table: ParamsTable;
  /** What people call it, if that is not its id in words: "k-means" for KMeans, but "Random forest" needs no title. */
  readonly title?: string;
  readonly capabilities: Capabilities;
  /** What a search tries unless it is given other values: the ranges of the usual guides. */
  readonly searchSpace?: SearchSpace;
  readonly candidate?: DefaultCandidate;
  readonly starter?: StarterModel;
  /** The class of the models of several targets, where `fit` takes a matrix Y. */
  readonly severalTargets?: ModelClass<FittedTargets>;
  /** The class of the models of several outputs, where `fit` takes rows of labels. */
  readonly severalOutputs?: ModelClass;
  /** Options of `fit`, where it takes more than those of every estimator. */
  readonly fitOptions?: ParamsTable;
  /** Estimators that `fit` itself chooses and that its models consist of, beside those among its parameters. */
  readonly madeOf?: readonly EstimatorClass[];
  /**
   * Rebuilds a fitted model from its state; throws FormatError when the state does not fit. Estimators made of other
   * estimators (pipelines, ensembles) rebuild their parts with `restorePart`, so that they need not know which exist.
   */
  restore(state: ModelState, restorePart: RestorePart): FittedModel;
}
