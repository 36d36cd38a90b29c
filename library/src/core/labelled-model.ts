import type { Label, Labels } from "./labels.js";
import type { Predict } from "./params/predict-options.js";

/** A type that mentions labels, with L in their place. */
type Labelled<T, L extends Label> =
  ArrayLike<Label> extends T
    ? Labels<L>
    : readonly Label[] extends T
      ? readonly L[]
      : Label[] extends T
        ? L[]
        : T extends (...args: infer A) => infer R
          ? (...args: { [K in keyof A]: Labelled<A[K], L> }) => Labelled<R, L>
          : T;

type PredictBy<P, L extends Label> = P extends (x: infer X, ...rest: never) => unknown
  ? Predict<P, L, X>
  : never;

/** A model of any labels, with the labels L. */
export type WithLabels<M, L extends Label> = {
  [K in keyof M]: K extends "predict" ? PredictBy<M[K], L> : Labelled<M[K], L>;
} & M;
