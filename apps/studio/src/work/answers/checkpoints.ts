import type { FittedModel, Label, Samples } from "argmax/core";
import { FittedPipeline, Pipeline } from "argmax/pipeline";
import type { Estimator, Model } from "../estimators.js";

/** Milliseconds of a fit before its first checkpoint, and between two. */
const INTERVAL = 500;
/** A checkpoint may take this fraction of the time. */
const SHARE = 0.05;

/** A step of a fit, as `onProgress` gets it; learners that go step by step give the model so far. */
export interface Progress {
  readonly iteration: number;
  readonly total?: number;
  model?(): Model;
}

/**
 * Takes the model so far out of a long fit, now and then, and gives it to `keep`. Fits hold the worker until they end, so that
 * nobody could ask for it.
 */
export function checkpoints(
  estimator: Estimator,
  x: unknown,
  y: unknown,
  keep: (model: Model, step: Progress) => void,
): (step: Progress) => void {
  const wholeOf = wholeModels(estimator, x, y);
  let next = performance.now() + INTERVAL;
  return (step) => {
    const start = performance.now();
    if (start < next || step.model === undefined) return;
    try {
      const whole = wholeOf(step.model());
      if (whole !== undefined) keep(whole, step);
    } catch {
      // A model of few steps may not answer yet.
    }
    const end = performance.now();
    next = end + Math.max(INTERVAL, (end - start) / SHARE);
  };
}

/** Puts a model of the last step behind the others, which are fitted once; undefined if it is a part of the last step. */
function wholeModels(estimator: Estimator, x: unknown, y: unknown): (last: Model) => Model | undefined {
  const isLast = (id: string, model: Model) => model.toState().kind === id;
  if (!(estimator instanceof Pipeline)) return (model) => (isLast(estimator.id, model) ? model : undefined);
  const { steps, names, params } = estimator as Pipeline;
  let before: readonly FittedModel[] | undefined;
  return (model) => {
    if (!isLast((steps.at(-1) as Estimator).id, model)) return undefined;
    before ??=
      steps.length === 1
        ? []
        : new Pipeline({ steps: steps.slice(0, -1) }).fit(x as Samples, y as Label[]).steps;
    return new FittedPipeline(params.steps, names, [...before, model]) as Model;
  };
}
