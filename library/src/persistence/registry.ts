import type { FittedRegressor, FittedTransformer } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { estimatorClasses } from "./generated/estimators.js";
import {
  createLoader,
  type EstimatorJson,
  type LoadedClassifier,
  type LoadedModel,
  type Loader,
  type LoadOptions,
  type RegisteredEstimator,
} from "./loader.js";

let all: Loader | undefined;
const loader = (): Loader => {
  all ??= createLoader(estimatorClasses);
  return all;
};

/**
 * The model in a file that `saveModel` wrote: any model; or, with a class as second argument, one of that class:
 *
 *   loadModel(bytes, LogisticRegression, { classes: ["cat", "dog"] }).predict(X)
 */
export const loadModel: Loader["loadModel"] = (...given: readonly unknown[]) =>
  loader().loadModel(...(given as [Uint8Array, never, never]));

/**
 * A classifier: `loadClassifier<"cat" | "dog">(bytes)`, or `loadClassifier(bytes, { classes: ["cat", "dog"] })`, which throws if the
 * model has other classes.
 */
export function loadClassifier<const L extends Label = Label>(
  bytes: Uint8Array | ArrayBuffer,
  options?: LoadOptions<L>,
): LoadedClassifier<L> {
  return loader().loadClassifier(bytes, options);
}

export function loadRegressor(bytes: Uint8Array | ArrayBuffer): FittedRegressor & LoadedModel {
  return loader().loadRegressor(bytes);
}

export function loadTransformer(bytes: Uint8Array | ArrayBuffer): FittedTransformer & LoadedModel {
  return loader().loadTransformer(bytes);
}

/** The estimator that `toJSON` described. */
export function estimatorFromJson(json: EstimatorJson): RegisteredEstimator {
  return loader().estimatorFromJson(json);
}
