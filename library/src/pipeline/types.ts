import type {
  Classifier,
  CsrLike,
  DenseLike,
  FitOptions,
  FittedClassifier,
  FittedModel,
  FittedTransformer,
  MatrixLike,
  Regressor,
  ScoreOptions,
  Transformer,
} from "../core/contract.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import type { FittedPipeline, Pipeline } from "./pipeline.js";

/** Anything that can be a step. */
export interface PipelineStep {
  fit(x: MatrixLike, y: never, options?: FitOptions): FittedModel;
}

type Fitted<E extends PipelineStep> = ReturnType<E["fit"]>;

/** The methods that a fitted pipeline has exactly when its last step has them. X goes through the other steps first. */
export type Forwarded =
  | "predict"
  | "predictProba"
  | "predictLogProba"
  | "decisionFunction"
  | "transform"
  | "score";

/** A method of the last step, with the labels that the pipeline was fitted on. */
type Relabelled<M, L extends Label> = M extends (x: infer X, ...rest: infer R) => infer Y
  ? (x: X, ...rest: R) => Label[] extends Y ? L[] : Y
  : never;

type ForwardedBy<F, L extends Label> = {
  readonly [K in Exclude<Forwarded, "score"> & keyof F]: Relabelled<F[K], L>;
};

/** The fitted steps; the last one knows the labels. */
type FittedSteps<S extends readonly PipelineStep[], Last> = S extends readonly [
  ...infer T extends readonly PipelineStep[],
  PipelineStep,
]
  ? readonly [...{ [K in keyof T]: Fitted<T[K]> }, Last]
  : readonly FittedModel[];

type Common<S extends readonly PipelineStep[], Last> = FittedPipeline & {
  readonly steps: FittedSteps<S, Last>;
  /** The fitted last step, for its coefficients and whatever else it learned. */
  readonly last: Last;
};

/** The fitted last step, for the labels it was fitted on: the first that has a method decides its type. */
type FittedLast<F, L extends Label> = ForwardedBy<F, L> & FittedClassifier<L> & F;

export type FittedClassifierPipeline<S extends readonly PipelineStep[], F, L extends Label> = Common<
  S,
  FittedLast<F, L>
> &
  ForwardedBy<F, L> & {
    readonly classes: readonly L[];
    predict(x: MatrixLike): L[];
    score(x: MatrixLike, y: Labels<L>, options?: ScoreOptions): number;
  };

export type FittedRegressorPipeline<S extends readonly PipelineStep[], F> = Common<S, F> &
  ForwardedBy<F, never> & {
    predict(x: MatrixLike): Float64Array;
    score(x: MatrixLike, y: NumberArray, options?: ScoreOptions): number;
  };

export type FittedTransformerPipeline<S extends readonly PipelineStep[], F> = Common<S, F> & {
  transform(x: MatrixLike): F extends FittedTransformer ? ReturnType<F["transform"]> : DenseLike | CsrLike;
};

export interface ClassifierPipeline<S extends readonly PipelineStep[], E extends Classifier>
  extends Pipeline<S> {
  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options?: FitOptions,
  ): FittedClassifierPipeline<S, Fitted<E>, L>;
}

export interface RegressorPipeline<S extends readonly PipelineStep[], E extends Regressor>
  extends Pipeline<S> {
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedRegressorPipeline<S, Fitted<E>>;
}

export interface TransformerPipeline<S extends readonly PipelineStep[], E extends Transformer>
  extends Pipeline<S> {
  fit(x: MatrixLike, y?: ArrayLike<unknown>, options?: FitOptions): FittedTransformerPipeline<S, Fitted<E>>;
}
