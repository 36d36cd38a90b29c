import { formatInterval, formatNumber, type Metric } from "./metric.js";
import { htmlTable, type PageBlock } from "./page.js";

/** The figures with their intervals. */
export const metricBlock = (metrics: readonly Metric[]): PageBlock => ({
  title: "Figures",
  text: "The intervals have a confidence of 95%: the figure of all rows of this kind is likely to be in them.",
  html: htmlTable<Metric>(
    [
      { title: "metric", class: "name strong", cell: ({ title }) => title },
      { title: "value", class: "number strong", cell: ({ value }) => formatNumber(value) },
      { title: "95% interval", class: "number", cell: ({ interval }) => formatInterval(interval) },
      { title: "", class: "note", cell: ({ note }) => note },
    ],
    metrics,
  ),
  wide: true,
});
