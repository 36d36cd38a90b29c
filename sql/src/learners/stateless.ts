import { Binarizer, FunctionTransformer, Normalizer, PolynomialFeatures, ThresholdBinner } from "argmax";
import { type FittedModel, type ModelState, ParameterError } from "argmax/core";
import { type AnyEstimator, learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { modelState } from "./state.js";

/** Learns only the number of columns. */
const counted =
  (type: { restore(state: ModelState): FittedModel }) =>
  async (estimator: AnyEstimator, rows: TrainingRows) =>
    type.restore(modelState(estimator, rows, { nFeatures: rows.features.length }, {}));

export const statelessLearners = [
  learner(Normalizer, counted(Normalizer)),
  learner(Binarizer, counted(Binarizer)),
  learner(ThresholdBinner, counted(ThresholdBinner)),
  learner(PolynomialFeatures, async (estimator, rows) => {
    const model = PolynomialFeatures.restore(modelState(estimator, rows, { nFeatures: rows.x.length }, {}));
    model.plan(rows.where);
    return model;
  }),
  learner(FunctionTransformer, async (estimator, rows) => {
    if (typeof estimator.params.func === "function") {
      const advice = 'Take a function by name (func: "log1p"), or compute the column in the query.';
      throw new ParameterError(
        rows.where,
        "func",
        "one that a database computes",
        "a function of your own",
        advice,
      );
    }
    return counted(FunctionTransformer)(estimator, rows);
  }),
];
