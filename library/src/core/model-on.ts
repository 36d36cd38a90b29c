import type { FitOptions, FittedModel, MatrixLike, Samples } from "./contract.js";
import type { ForwardedMethod } from "./forwarded.js";
import type { Label, Labels, NumberArray } from "./labels.js";
import type { Predict } from "./params/predict-options.js";

/** A classifier of anything: rows of numbers, documents, tables. */
export interface AnyClassifier {
  fit<L extends Label>(
    x: never,
    y: Labels<L>,
    options?: FitOptions,
  ): FittedModel & { readonly classes: readonly L[]; predict(x: never): L[] };
}

/** A regressor of anything. */
export interface AnyRegressor {
  fit(x: never, y: NumberArray, options?: FitOptions): FittedModel & { predict(x: never): Float64Array };
}

/** What X an estimator takes: what is made of it takes the same. */
export type SamplesOf<E> = [E] extends [{ fit(x: infer X extends Samples, ...rest: never[]): unknown }]
  ? X
  : never;

/** What X all of several estimators take. */
export type SamplesOfAll<E extends Readonly<Record<string, unknown>>> = {
  [K in keyof E]: (x: SamplesOf<E[K]>) => void;
}[keyof E] extends (x: infer X extends Samples) => void
  ? X
  : never;

/** A model whose methods take what its members take, X: those of a model of numbers are as they are. */
export type ModelOn<M, X> = M & ([X] extends [MatrixLike] ? unknown : Retyped<M, X>);

type Retyped<M, X> = {
  readonly [K in ForwardedMethod & keyof M]: K extends "predict"
    ? M extends { readonly classes: readonly (infer L)[] }
      ? Predict<M[K], L, X>
      : OnSamples<M[K], X>
    : OnSamples<M[K], X>;
};

type OnSamples<F, X> =
  NonNullable<F> extends (x: never, ...rest: infer R) => infer Y ? (x: X, ...rest: R) => Y : never;
