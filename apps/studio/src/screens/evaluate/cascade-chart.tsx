import { maxOf } from "argmax/numeric";
import { linePath } from "argmax/plot";
import { short } from "../../ui/figures.js";
import { Chart } from "../../ui/pictures/chart.js";
import type { CascadeView } from "./cascade-view.js";

/** Error over cost: the cascade, its stages alone, and what other thresholds give. */
export function CostChart({ view }: { readonly view: CascadeView }) {
  const { stages, memberOf, result, line, alone, budget, unit } = view;
  const overall = result.cost;
  const mostCost =
    1.08 *
    maxOf(
      alone.map(({ cost }) => cost),
      Math.max(overall, budget ?? 0, line.at(-1)!.cost),
    );
  const mostError =
    1.15 *
    maxOf(
      alone.map(({ error }) => error),
      Math.max(0.01, result.error, line[0]!.error),
    );
  return (
    <Chart
      label={`Error over cost per row: the cascade has ${(100 * result.error).toFixed(1)} % errors at ${short(overall)} ${unit}; ${stages.map(({ model }, s) => `${memberOf(model).name} alone ${(100 * alone[s]!.error).toFixed(1)} % at ${short(alone[s]!.cost)}`).join(", ")}.`}
      x={{ label: `Cost per row${unit && `, ${unit}`}`, range: [0, mostCost || 1] }}
      y={{ label: "Fraction of errors", range: [0, mostError] }}
      table={{
        caption: "What other thresholds of the first stage would give",
        head: ["Other below", "Positive from", "Cost per row", "Errors"],
        rows: line.map(({ low, high, cost, error }) => [
          low.toFixed(3),
          high.toFixed(3),
          short(cost),
          `${(100 * error).toFixed(2)} %`,
        ]),
      }}
    >
      {(sx, sy) => <CostMarks view={view} sx={sx} sy={sy} mostCost={mostCost} mostError={mostError} />}
    </Chart>
  );
}

interface CostMarksProps {
  readonly view: CascadeView;
  readonly sx: (cost: number) => number;
  readonly sy: (error: number) => number;
  readonly mostCost: number;
  readonly mostError: number;
}

function CostMarks({ view, sx, sy, mostCost, mostError }: CostMarksProps) {
  const { stages, memberOf, result, line, alone, budget } = view;
  return (
    <g>
      <path
        class="line"
        d={linePath(
          line.map(({ cost }) => cost),
          line.map(({ error }) => error),
          sx,
          sy,
        )}
      />
      {line.map(({ cost, error }) => (
        <circle key={`${cost} ${error}`} class="step" cx={sx(cost)} cy={sy(error)} r={2.2} />
      ))}
      {budget !== null && (
        <>
          <line class="now" x1={sx(budget)} x2={sx(budget)} y1={sy(0)} y2={sy(mostError)} />
          <text x={sx(budget) - 4} y={sy(mostError) + 12} text-anchor="end">
            budget
          </text>
        </>
      )}
      {alone.map(({ cost, error }, s) => (
        <g key={s}>
          <rect class="alone" x={sx(cost) - 4} y={sy(error) - 4} width={8} height={8} />
          <text
            x={sx(cost) + (cost > 0.6 * mostCost ? -7 : 7)}
            y={sy(error) - 6}
            text-anchor={cost > 0.6 * mostCost ? "end" : "start"}
          >
            {memberOf(stages[s]!.model).name.slice(0, 24)}
          </text>
        </g>
      ))}
      <circle class="dot" cx={sx(result.cost)} cy={sy(result.error)} r={6} />
    </g>
  );
}
