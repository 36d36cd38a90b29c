import { background, type FitOptions, type FittedModel } from "argmax";
import type { TrainingData } from "./training-data.js";

/** Any estimator, in the only way in which its type does not matter here. */
interface AnyBackground {
  fit(x: unknown, y: unknown, options: FitOptions): Promise<FittedModel>;
}

/** Trains an estimator on all rows in a worker, so that Ctrl-C and progress are not held up. */
export function fitInBackground(
  estimator: unknown,
  { X, y }: Pick<TrainingData, "X" | "y">,
  signal: AbortSignal,
  onProgress?: FitOptions["onProgress"],
): Promise<FittedModel> {
  const worker = background(estimator as Parameters<typeof background>[0]) as unknown as AnyBackground;
  return worker.fit(X, y, { signal, ...(onProgress && { onProgress }) });
}
