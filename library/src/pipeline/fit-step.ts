import type { FitOptions, FittedModel, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";

/** An estimator inside another one. */
interface Step {
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

/** A fitted transformer. */
export type TransformingModel = FittedModel & { transform(x: never): MatrixLike };

/** A step that learns and transforms in one pass: half the work for documents, and all there is for a generator. */
interface ReadsOnce {
  fitAndTransform(x: unknown, y: unknown, options: FitOptions): { model: TransformingModel; X: MatrixLike };
}

/** Weights go to every step that takes them. */
export function optionsFor(step: object, options: FitOptions): FitOptions {
  if (options.sampleWeight === undefined || capabilitiesOf(step)?.sampleWeight !== false) return options;
  return { ...options, sampleWeight: undefined };
}

/** A transformer fitted to X, and what it makes of X, which is read once where it can be. */
export function fitAndTransform(
  step: Step,
  x: unknown,
  y: unknown,
  options: FitOptions,
): { readonly model: TransformingModel; readonly X: MatrixLike } {
  const own = optionsFor(step, options);
  if ("fitAndTransform" in step) return (step as Step & ReadsOnce).fitAndTransform(x, y, own);
  const model = step.fit(x as never, y as never, own) as TransformingModel;
  return { model, X: model.transform(x as never) };
}

/** Throws unless the models of a step transform X; what is not the library's is believed. */
export function requireTransformer(where: string, subject: string, step: object, because = ""): void {
  const { task = "transform", transforms = false } = capabilitiesOf(step) ?? {};
  if (task === "transform" || transforms) return;
  throw new ParameterError({
    where,
    subject,
    expected: `a transformer${because}`,
    received: `${step.constructor.name}, made for ${task}`,
  });
}
