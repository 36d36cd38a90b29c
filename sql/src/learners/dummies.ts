import { DummyClassifier, DummyRegressor } from "argmax";
import { DataError } from "argmax/core";
import { expandedQuantilesOf, weighedMedian } from "argmax/sums";
import { sumOf } from "../expressions/sums.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { quantilesOf } from "./quantiles.js";
import { modelState } from "./state.js";

async function predictionOf({ params }: DummyRegressor, rows: TrainingRows): Promise<number> {
  const { strategy, quantile, constant } = params;
  const y = rows.target!.value;
  switch (strategy) {
    case "constant":
      return constant!;
    case "mean": {
      const [group] = await rows.sums({
        groupBy: [],
        aggregates: [sumOf(rows.weight), sumOf(rows.weighted(y))],
      });
      return group!.values[1]! / group!.values[0]!;
    }
    case "median":
      return (await quantilesOf(rows, [y], ({ weighed }) => weighedMedian(weighed)))[0]!;
    case "quantile":
      return (
        await quantilesOf(
          rows,
          [y],
          ({ weighed }) => expandedQuantilesOf(weighed, Float64Array.of(quantile))[0]!,
        )
      )[0]!;
  }
}

export const dummyLearners = [
  learner(
    DummyClassifier,
    async (estimator, rows) => {
      const { classes, value } = rows.target!;
      const { strategy, constant } = estimator.params;
      if (strategy === "constant" && !classes.includes(constant!)) {
        const expected = `one of the labels of y (${classes
          .slice(0, 8)
          .map((label) => JSON.stringify(label))
          .join(", ")})`;
        throw new DataError(rows.where, "constant", expected, JSON.stringify(constant));
      }
      const groups = await rows.sums({
        groupBy: [{ of: value, type: "number" }],
        aggregates: [sumOf(rows.weight)],
      });
      const priors = new Float64Array(classes.length);
      for (const { keys, values } of groups) priors[Number(keys[0])] = values[0]!;
      const total = priors.reduce((sum, weight) => sum + weight, 0);
      const values = { classes, nFeatures: rows.features.length };
      return DummyClassifier.restore(
        modelState(estimator, rows, values, { priors: priors.map((weight) => weight / total) }),
      );
    },
    { gaps: true },
  ),
  learner(
    DummyRegressor,
    async (estimator, rows) => {
      const values = { prediction: await predictionOf(estimator, rows), nFeatures: rows.features.length };
      return DummyRegressor.restore(modelState(estimator, rows, values, {}));
    },
    { gaps: true },
  ),
];
