import { FittedPipeline, Pipeline, structureOf } from "argmax";
import type { FittedModel } from "argmax/core";
import { transformedCells } from "../compile/compile-model.js";
import { type AnyEstimator, learner } from "../fit/learner.js";
import type { TrainingRows } from "../fit/training-rows.js";

/** What a fitted transformer makes of the columns of the rows. Outputs have no names, as those of `transform` in memory. */
export const transformedRows = (model: FittedModel, rows: TrainingRows): TrainingRows =>
  rows.withFeatures(transformedCells(structureOf(model), rows.features), undefined);

export const compositeLearners = [
  learner(
    Pipeline,
    async (estimator, rows, fit) => {
      const fitted: FittedModel[] = [];
      let input = rows;
      for (const [s, step] of estimator.steps.entries()) {
        const model = await fit(step as unknown as AnyEstimator, input);
        fitted.push(model);
        if (s < estimator.steps.length - 1) input = transformedRows(model, input);
      }
      return new FittedPipeline(estimator.params.steps, estimator.names, fitted);
    },
    { gaps: true },
  ),
];
