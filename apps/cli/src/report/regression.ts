import { meanAbsoluteError, medianAbsoluteError, r2Score, rootMeanSquaredError, type Samples } from "argmax";
import { Failure } from "../command.js";
import { usualResamples } from "./intervals.js";
import { formatNumber, type Metric, type MetricPlan, measure } from "./metric.js";
import type { Predictor } from "./opened-model.js";
import type { Pace } from "./pace.js";

export interface RegressionResult {
  readonly truth: Float64Array;
  readonly predicted: Float64Array;
  /** truth − prediction, per row. */
  readonly residuals: Float64Array;
  readonly metrics: readonly Metric[];
}

/** Every figure of a regressor. */
export async function evaluateRegressor(
  model: Predictor,
  X: Samples,
  y: readonly (string | number | boolean)[],
  target: string,
  {
    resamples,
    seed,
    pace,
  }: {
    readonly resamples: number | undefined;
    readonly seed: number;
    readonly pace: Pace;
  },
): Promise<RegressionResult> {
  const wrong = y.find((value) => typeof value !== "number");
  if (wrong !== undefined)
    throw new Failure(
      `The model predicts numbers, and ${JSON.stringify(target)} holds ${JSON.stringify(wrong)}. Is --target the column that the model predicts?`,
    );
  const truth = Float64Array.from(y as readonly number[]);
  const predicted = Float64Array.from(model.predict(X) as Float64Array);
  const residuals = truth.map((value, i) => value - predicted[i]!);
  const metrics = await measure(plansOf(truth, predicted), new Uint8Array(truth.length), {
    resamples: resamples ?? usualResamples(truth.length),
    seed,
    pace,
  });
  return { truth, predicted, residuals, metrics };
}

function plansOf(truth: Float64Array, predicted: Float64Array): MetricPlan[] {
  const mean = truth.reduce((sum, v) => sum + v, 0) / truth.length;
  const spread = rootMeanSquaredError(truth, new Float64Array(truth.length).fill(mean));
  return [
    {
      name: "r2",
      title: "R²",
      note: "0: no better than the mean",
      figure: (sampleWeight) => r2Score(truth, predicted, { sampleWeight }),
    },
    {
      name: "rmse",
      title: "RMSE",
      note: `always the mean: ${formatNumber(spread)}`,
      figure: (sampleWeight) => rootMeanSquaredError(truth, predicted, { sampleWeight }),
    },
    {
      name: "mae",
      title: "MAE",
      note: "mean absolute error",
      figure: (sampleWeight) => meanAbsoluteError(truth, predicted, { sampleWeight }),
    },
    {
      name: "medianAbsoluteError",
      title: "median error",
      note: "half of the predictions are closer",
      figure: (sampleWeight) => medianAbsoluteError(truth, predicted, { sampleWeight }),
    },
  ];
}
