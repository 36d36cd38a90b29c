import type {
  Classifier,
  FitOptions,
  FittedClassifier,
  FittedClusterer,
  FittedModel,
  MatrixLike,
  Regressor,
  Samples,
  ScoreOptions,
  TargetsModel,
  TargetsRegressor,
  Unlabelled,
} from "../core/contract.js";
import type { ForwardedMethod } from "../core/forwarded.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import type { Predict } from "../core/params/predict-options.js";
import type { ValidationRows } from "../data/validation-rows.js";
import type { FittedPipeline, Pipeline } from "./pipeline.js";

/** Anything that can be a step. */
export interface PipelineStep {
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

/** A transformer of anything, documents and tables included: what a pipeline may begin with. */
export interface FirstTransformer {
  fit(x: never, y: never, options?: FitOptions): FittedModel & { transform(x: never): MatrixLike };
}

/** A transformer of matrices and tables, with or without the help of y. */
export interface NextTransformer {
  fit(x: MatrixLike, y: never, options?: FitOptions): FittedModel & { transform(x: MatrixLike): MatrixLike };
}

/** Steps before the last: the first may take anything, the others take what it makes, a matrix or a table. */
export type Before = readonly [] | readonly [FirstTransformer, ...NextTransformer[]];

/** A step with a name. */
export type NamedStep<K extends string = string, E extends PipelineStep = PipelineStep> = readonly [K, E];

/** The same of steps with names. */
export type NamedBefore =
  | readonly []
  | readonly [readonly [string, FirstTransformer], ...(readonly [string, NextTransformer])[]];

/** The steps of a list of pairs. */
export type StepsIn<T extends readonly NamedStep[]> = { readonly [I in keyof T]: T[I][1] };
/** The names of a list of pairs. */
export type NamesIn<T extends readonly NamedStep[]> = { readonly [I in keyof T]: T[I][0] };

/** The entry of `S` at the place of K in the names; any of them where names are not known to the compiler. */
export type StepNamed<
  S extends readonly unknown[],
  N extends readonly string[],
  K extends string,
> = string extends N[number]
  ? S[number]
  : S extends readonly [infer First, ...infer Rest]
    ? N extends readonly [infer Name, ...infer Names extends readonly string[]]
      ? K extends Name
        ? First
        : StepNamed<Rest, Names, K>
      : never
    : never;

/** The steps by name, or by place where the compiler does not know the names. */
export type StepTypes<S extends readonly unknown[], N extends readonly string[]> = string extends N[number]
  ? { [I in keyof S as I extends `${number}` ? I : never]: S[I] }
  : { [K in N[number]]: StepNamed<S, N, K> };

/** What X must be: what the first step takes. */
export type InputOf<S extends readonly PipelineStep[]> = S extends readonly [
  infer First extends PipelineStep,
  ...PipelineStep[],
]
  ? Parameters<First["fit"]>[0]
  : Samples;

/** Options of `fit`: rows for early stopping where the last step takes them, in the form of the first step's X. */
type OptionsOf<
  S extends readonly PipelineStep[],
  E extends PipelineStep,
> = "validation" extends keyof NonNullable<Parameters<E["fit"]>[2]>
  ? PipelineFitOptions<InputOf<S>>
  : FitOptions;

/** What `fit` of a pipeline takes besides X and y. */
export interface PipelineFitOptions<X = Samples> extends FitOptions {
  /** Rows that early stopping of the last step is decided on. The fitted steps before it transform their X. */
  readonly validation?: ValidationRows<X> | undefined;
}

type Fitted<E extends PipelineStep> = ReturnType<E["fit"]>;

/** A method of the last step, on what the first step takes, with the labels that the pipeline was fitted on. */
type Relabelled<M, L extends Label, X> = M extends (x: never, ...rest: infer R) => infer Y
  ? Label[] extends Y
    ? Predict<M, L, X>
    : (x: X, ...rest: R) => Y
  : never;

type ForwardedBy<F, L extends Label, X> = {
  readonly [K in Exclude<ForwardedMethod, "score"> & keyof F]: Relabelled<F[K], L, X>;
};

/** The fitted steps; the last one knows the labels. */
type FittedSteps<S extends readonly PipelineStep[], Last> = S extends readonly [
  ...infer T extends readonly PipelineStep[],
  PipelineStep,
]
  ? readonly [...{ [K in keyof T]: Fitted<T[K]> }, Last]
  : readonly FittedModel[];

type Common<S extends readonly PipelineStep[], Last, N extends readonly string[]> = FittedPipeline<
  FittedSteps<S, Last>,
  N
> & {
  /** The fitted last step, for its coefficients and whatever else it learned. */
  readonly last: Last;
};

/** The fitted last step, for the labels it was fitted on: the first that has a method decides its type. */
type FittedLast<F, L extends Label> = ForwardedBy<F, L, MatrixLike> & FittedClassifier<L> & F;

export type FittedClassifierPipeline<
  S extends readonly PipelineStep[],
  F,
  L extends Label,
  N extends readonly string[] = readonly string[],
> = Common<S, FittedLast<F, L>, N> &
  ForwardedBy<F, L, InputOf<S>> & {
    readonly classes: readonly L[];
    predict(x: InputOf<S>): L[];
    score(x: InputOf<S>, y: Labels<L>, options?: ScoreOptions): number;
  };

export type FittedRegressorPipeline<
  S extends readonly PipelineStep[],
  F,
  N extends readonly string[] = readonly string[],
> = Common<S, F, N> &
  ForwardedBy<F, never, InputOf<S>> & {
    predict(x: InputOf<S>): Float64Array;
    score(x: InputOf<S>, y: NumberArray, options?: ScoreOptions): number;
  };

/** A pipeline that ends in a regressor of several targets. */
export type FittedTargetsPipeline<
  S extends readonly PipelineStep[],
  F,
  N extends readonly string[] = readonly string[],
> = Common<S, F, N> &
  ForwardedBy<F, never, InputOf<S>> & {
    readonly nTargets: number;
    readonly targetNames: readonly string[] | undefined;
    score(x: InputOf<S>, y: MatrixLike, options?: ScoreOptions): number;
  };

/** A pipeline that ends in a transformer, a clusterer or a density. */
export type FittedUnsupervisedPipeline<
  S extends readonly PipelineStep[],
  F,
  N extends readonly string[] = readonly string[],
> = Common<S, F, N> &
  ForwardedBy<F, never, InputOf<S>> &
  (F extends { score(x: never, ...rest: infer R): number }
    ? { score(x: InputOf<S>, ...rest: R): number }
    : unknown) &
  (F extends FittedClusterer ? Pick<F, "labels"> : unknown);

export interface ClassifierPipeline<
  S extends readonly PipelineStep[],
  E extends Classifier,
  N extends readonly string[] = readonly string[],
> extends Pipeline<S, N> {
  fit<L extends Label>(
    x: InputOf<S>,
    y: Labels<L>,
    options?: OptionsOf<S, E>,
  ): FittedClassifierPipeline<S, Fitted<E>, L, N>;
}

export interface RegressorPipeline<
  S extends readonly PipelineStep[],
  E extends Regressor,
  N extends readonly string[] = readonly string[],
> extends Pipeline<S, N> {
  fit(x: InputOf<S>, y: NumberArray, options?: OptionsOf<S, E>): FittedRegressorPipeline<S, Fitted<E>, N>;
}

/** Ends in a regressor that also learns several targets. */
export interface TargetsPipeline<
  S extends readonly PipelineStep[],
  E extends TargetsRegressor,
  N extends readonly string[] = readonly string[],
> extends Pipeline<S, N> {
  /** A matrix Y has several targets, one per column. */
  fit(x: InputOf<S>, y: MatrixLike, options?: FitOptions): FittedTargetsPipeline<S, TargetsModel<E>, N>;
  fit(x: InputOf<S>, y: NumberArray, options?: FitOptions): FittedRegressorPipeline<S, Fitted<E>, N>;
}

export interface UnsupervisedPipeline<
  S extends readonly PipelineStep[],
  E extends PipelineStep,
  N extends readonly string[] = readonly string[],
> extends Pipeline<S, N> {
  fit(x: InputOf<S>, y?: Unlabelled, options?: FitOptions): FittedUnsupervisedPipeline<S, Fitted<E>, N>;
}
