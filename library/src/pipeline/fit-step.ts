import type { FitOptions, FittedModel, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { isImages } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { ImageRows } from "../data/sample-rows.js";
import type { Transformed } from "../fitted/transformers.js";

/** An estimator inside another one. What X and y are is known at run time only: its `fit` checks them. */
interface Step {
  fit(x: unknown, y: unknown, options?: FitOptions): FittedModel;
}

export const fitStep = (step: Step, x: unknown, y: unknown, options: FitOptions): FittedModel =>
  step.fit(x, y, options);

/** A fitted transformer. */
export type TransformingModel = FittedModel & { transform(x: unknown): MatrixLike };

/** A step that learns and transforms in one pass: half the work for documents, and all there is for a generator. */
interface ReadsOnce {
  fitAndTransform(x: unknown, y: unknown, options: FitOptions): { model: TransformingModel; X: MatrixLike };
}

/** Weights go to every step that takes them. */
export function optionsFor(step: object, options: FitOptions): FitOptions {
  if (options.sampleWeight === undefined || capabilitiesOf(step)?.sampleWeight !== false) return options;
  return { ...options, sampleWeight: undefined };
}

/** A transformer fitted to X, and what it makes of X, which is read once where it can be. Images stay images where it keeps their pixels. */
export function fitAndTransform(
  step: Step,
  x: unknown,
  y: unknown,
  options: FitOptions,
): Transformed<TransformingModel, MatrixLike> {
  const own = optionsFor(step, options);
  if ("fitAndTransform" in step) {
    const { model, X } = (step as Step & ReadsOnce).fitAndTransform(x, y, own);
    return { model, X: sizedLike(x, model, X) };
  }
  const model = step.fit(x, y, own) as TransformingModel;
  return { model, X: sizedLike(x, model, model.transform(x)) };
}

/** The size of images for what a transformer makes of them, if that is a number per pixel in the same place, as a scaler's. */
function sizedLike(x: unknown, model: TransformingModel, X: MatrixLike): MatrixLike {
  if (!isImages(x) || !(X instanceof Matrix)) return X;
  const { height, width, channels } = x;
  if (X.cols !== height * width * channels || !keepsNames(model, X.cols)) return X;
  return new ImageRows({ data: X.data, rows: X.rows, height, width, channels });
}

/** Whether the columns that come out have the names of those that went in: those of projections and products have others. */
function keepsNames(model: FittedModel, cols: number): boolean {
  const { featureNames } = model as { featureNames?: (input: readonly string[]) => readonly string[] };
  if (typeof featureNames !== "function") return false;
  const names = Array.from({ length: cols }, (_, j) => `pixel ${j}`);
  const out = featureNames.call(model, names);
  return out.length === cols && out.every((name, j) => name === names[j]);
}

/** Throws unless the models of a step transform X; what is not the library's is trusted. */
export function requireTransformer(where: string, subject: string, step: object, because = ""): void {
  const { task = "transform", transforms = false } = capabilitiesOf(step) ?? {};
  if (task === "transform" || transforms) return;
  const received = `${step.constructor.name}, made for ${task}`;
  throw new ParameterError(where, subject, `a transformer${because}`, received);
}
