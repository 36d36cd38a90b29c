import { histogram } from "../charts/histogram.js";
import { lineChart } from "../charts/line-chart.js";
import type { Look } from "../charts/look.js";
import { rangeOf } from "../charts/scale.js";
import type { RegressionResult } from "./regression.js";
import { block, joined, metricTable, type Plots } from "./text.js";

/** The text of an evaluation: figures, predictions against the truth, residuals. */
export function regressionText(
  result: RegressionResult,
  { plots, width }: { readonly plots: Plots; readonly width: number },
  look: Look,
): string {
  const blocks = [metricTable(result.metrics, width, look.style)];
  if (plots !== "none") blocks.push(predictionBlock(result, look));
  if (plots === "all") blocks.push(residualBlock(result, look), histogramBlock(result, look));
  return joined(blocks);
}

function predictionBlock({ truth, predicted }: RegressionResult, look: Look): string[] {
  // One range for both axes: the diagonal is where predictions are exact.
  const range = rangeOf([...truth, ...predicted]);
  const chart = {
    series: [{ name: "rows", x: truth, y: predicted, points: true }],
    x: range,
    y: range,
    xLabel: "truth",
    yLabel: "predicted",
    guide: "diagonal",
  } as const;
  return block("Predictions against the truth", lineChart(chart, look, 16), look.style);
}

function residualBlock({ predicted, residuals }: RegressionResult, look: Look): string[] {
  const chart = {
    series: [{ name: "rows", x: predicted, y: residuals, points: true }],
    xLabel: "predicted",
    yLabel: "truth − predicted",
    guide: 0,
  };
  return block("Residuals", lineChart(chart, look), look.style);
}

const histogramBlock = ({ residuals }: RegressionResult, look: Look): string[] =>
  block("Distribution of the residuals", histogram(residuals, look), look.style);
