import { metricBlock } from "./metric-block.js";
import type { PageBlock } from "./page.js";
import type { RegressionResult } from "./regression.js";
import { histogramPlot, scatterPlot } from "./svg-plots.js";

export function regressionBlocks({ truth, predicted, residuals, metrics }: RegressionResult): PageBlock[] {
  return [
    metricBlock(metrics),
    {
      title: "Predictions against the truth",
      text: "One dot per row. On the dashed line predictions are exact; dots above it are predicted too high.",
      html: scatterPlot({
        summary: "Predictions against the truth",
        x: truth,
        y: predicted,
        xLabel: "truth",
        yLabel: "predicted",
        guide: "diagonal",
      }),
    },
    {
      title: "Residuals",
      text: "Truth minus prediction, against the prediction. A trend or a funnel is something that the model has not learned.",
      html: scatterPlot({
        summary: "Residuals against predictions",
        x: predicted,
        y: residuals,
        xLabel: "predicted",
        yLabel: "truth − predicted",
        guide: 0,
      }),
    },
    {
      title: "Distribution of the residuals",
      text: "How many rows have an error of that size. A long tail on one side is a kind of row that the model misses.",
      html: histogramPlot(residuals, "truth − predicted", "Histogram of the residuals"),
    },
  ];
}
