import { metricText } from "../../ui/figures.js";
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys */}
      <section class="scroll" tabIndex={0} aria-label="Metrics with intervals">
        <table class="metrics">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col">Held out</th>
              <th scope="col">95 % interval</th>
            </tr>
          </thead>
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
      </section>
      <p class="note">
        {note}
        Intervals take rows as independent{of}.
      </p>
    </section>
  );
}
