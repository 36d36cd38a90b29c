import { background, type FitOptions, type FittedModel, type FoldMemory } from "argmax";
import type { TrainingData } from "./training-data.js";

/** Any estimator in a worker, by what is known of its models at run time only. */
interface AnyBackground<M> {
  fit(x: unknown, y: unknown, options: FitOptions & { readonly memory?: FoldMemory }): Promise<M>;
}

export const inBackground = <M = FittedModel>(estimator: unknown): AnyBackground<M> =>
  background(estimator as Parameters<typeof background>[0]) as unknown as AnyBackground<M>;

/** Trains an estimator on all rows in a worker, so that Ctrl-C and progress are not held up. */
export function fitInBackground(
  estimator: unknown,
  { X, y }: Pick<TrainingData, "X" | "y">,
  signal: AbortSignal,
  onProgress?: FitOptions["onProgress"],
): Promise<FittedModel> {
  return inBackground(estimator).fit(X, y, { signal, ...(onProgress && { onProgress }) });
}
