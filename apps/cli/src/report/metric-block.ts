import { formatInterval, formatNumber, type Metric } from "./metric.js";
import { htmlTable, type PageBlock } from "./page.js";

/** The figures with their intervals. */
export const metricBlock = (metrics: readonly Metric[]): PageBlock => ({
  title: "Figures",
  text: "The intervals hold the figure of all rows of this kind with a confidence of 95%.",
  html: htmlTable<Metric>(
    [
      { title: "metric", class: "strong", cell: ({ title }) => title },
      { title: "value", class: "number strong", cell: ({ value }) => formatNumber(value) },
      { title: "95% interval", class: "number", cell: ({ interval }) => formatInterval(interval) },
      { title: "", class: "note", cell: ({ note }) => note },
    ],
    metrics,
  ),
  wide: true,
});
