import { metricText } from "../../ui/figures.js";
import { ScrollRegion, TableHead } from "../../ui/table-parts.js";
import type { Metric } from "../../work/measures/metrics.js";

interface MetricsCardProps {
  readonly metrics: readonly Metric[];
  readonly note?: string;
  /** Whose intervals they are. */
  readonly of?: string;
}

/** Figures with their intervals. */
export function MetricsCard({ metrics, note = "", of = "" }: MetricsCardProps) {
  return (
    <section class="eval-card" aria-labelledby="metrics-title">
      <h2 id="metrics-title">Metrics</h2>
      <ScrollRegion label="Metrics with intervals">
        <table class="metrics">
          <TableHead titles={["Metric", "Held out", "95 % interval"]} />
          <tbody>
            {metrics.map(({ name, value, interval, doc }) => (
              <tr key={name}>
                <th scope="row" title={doc}>
                  {name}
                </th>
                <td>{metricText(value)}</td>
                <td class="interval">
                  {interval === undefined ? "" : `${metricText(interval[0])} – ${metricText(interval[1])}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p class="note">
        {note}
        Intervals take rows as independent{of}.
      </p>
    </section>
  );
}
