import { linePath } from "argmax/plot";
import { listed } from "../../../ui/figures.js";
import { Chart } from "../../../ui/pictures/chart.js";
import type { Ranked } from "../../../work/measures/ranked.js";
import { ClassSelect } from "../../evaluate/class-select.js";
import { thinned } from "../../evaluate/thinned.js";
import type { Measured } from "./contenders.js";

/** Points of a drawn curve. */
const DRAWN = 400;

/** Lines differ in their dashes, too. */
const lines = ["line", "line second", "line third", "line fourth"];

interface CurvesProps {
  readonly measured: readonly Measured[];
  readonly ranked: ReadonlyMap<string, Ranked>;
  readonly positive: number;
}

/** The ROC curves of one class in one chart. */
export function Curves({ measured, ranked, positive }: CurvesProps) {
  const { classes } = measured[0]!.trained;
  const drawn = measured.flatMap(({ id, label }, m) => {
    const curves = ranked.get(id)?.curves;
    return curves === undefined ? [] : [{ id, label, curves, line: lines[m]! }];
  });
  if (drawn.length === 0) return null;
  const name = classes[positive]!;
  const areas = drawn.map(({ label, curves }) => `${label} ${curves.rocArea.toFixed(3)}`);
  const sentence = `ROC curves of ${name} against the rest; areas: ${listed(areas)}.`;
  return (
    <>
      <div class="part-head">
        <h3>ROC</h3>
        <ClassSelect label="of " classes={classes} positive={positive} />
      </div>
      <Chart
        label={sentence}
        x={{ label: "False positive rate", range: [0, 1] }}
        y={{ label: "True positive rate", range: [0, 1] }}
        table={{
          caption: sentence,
          head: ["Model", "Area"],
          rows: drawn.map(({ label, curves }) => [label, curves.rocArea.toFixed(3)]),
        }}
      >
        {(sx, sy) => (
          <g>
            <path class="ideal" d={linePath([0, 1], [0, 1], sx, sy)} />
            {drawn.map(({ id, curves, line }) => {
              const some = thinned(curves.thresholds.length, DRAWN);
              const path = linePath(
                some.map((k) => curves.fpr[k]!),
                some.map((k) => curves.tpr[k]!),
                sx,
                sy,
              );
              return <path key={id} class={line} d={path} />;
            })}
          </g>
        )}
      </Chart>
      <ul class="legend chart curve-legend">
        {drawn.map(({ id, label, curves, line }) => (
          <li key={id}>
            <svg viewBox="0 0 36 8" aria-hidden="true">
              <path class={line} d="M1 4H35" />
            </svg>
            {label}, area {curves.rocArea.toFixed(3)}
          </li>
        ))}
      </ul>
    </>
  );
}
