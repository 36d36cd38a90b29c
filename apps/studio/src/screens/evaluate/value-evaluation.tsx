import { maxOf } from "argmax/numeric";
import { extent, linePath, type Scale } from "argmax/plot";
import { useMemo } from "preact/hooks";
import { cividis } from "../../draw/colors.js";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import { roles, selectedRows } from "../../state/session.js";
import { short } from "../../ui/figures.js";
import { Chart, frame, Targets } from "../../ui/pictures/chart.js";
import { SelectedRows } from "../../ui/selected-rows.js";
import { valueMetrics } from "../../work/measures/metrics.js";
import type { Held } from "../../work/protocol.js";
import { histogramOf, stepOf } from "./bins.js";
import { rowsWhere } from "./judged.js";
import { MetricsCard } from "./metrics-card.js";
import { RowsButton } from "./rows-button.js";
import { box } from "./scores-card.js";

/** Points beyond these are drawn as cells of counts. */
const MOST_POINTS = 1500;
/** Room around the points, as a proportion of their extent. */
const MARGIN = 0.04;
const CELLS = 30;
const BANDS = 12;
const BARS = 20;

interface ValueProps {
  readonly id: string;
  readonly held: Held;
}

/** A regression: predicted against true values, and what is left. */
export function ValueEvaluation({ id, held }: ValueProps) {
  const { truth, predicted } = held;
  const residual = useMemo(() => truth.map((value, e) => value - predicted[e]!), [held]);
  const metrics = useMemo(() => valueMetrics(truth, predicted), [held]);
  const values = useMemo(() => extent([...extent(truth), ...extent(predicted)], MARGIN), [held]);
  const residuals = useMemo(() => extent(residual, MARGIN), [residual]);
  const target = roles.value?.target ?? "the target";
  const answers = useMemo(() => {
    const at = new Map(Array.from(held.rows, (row, e) => [row, e]));
    const of = (list: Float64Array) => (row: number) => {
      const e = at.get(row);
      return e === undefined ? "" : short(list[e]!);
    };
    return [
      { name: "Predicted", of: of(predicted) },
      { name: "Residual", of: of(residual) },
    ];
  }, [held]);
  return (
    <>
      <p class="note">
        {held.rows.length.toLocaleString("en")} rows, each predicted by a model of folds that did not train on
        it.
      </p>
      <SelectedRows answers={answers} />
      <div class="eval-cards">
        <Cloud
          id={id}
          held={held}
          title="Predicted against true"
          x={{ label: `Predicted ${target}`, values: predicted, range: values }}
          y={{ label: `True ${target}`, values: truth, range: values }}
          guide={[values, values]}
        />
        <Cloud
          id={id}
          held={held}
          title="Residuals"
          x={{ label: `Predicted ${target}`, values: predicted, range: values }}
          y={{ label: "True − predicted", values: residual, range: residuals }}
          guide={[values, [0, 0]]}
        />
        <ResidualBars id={id} held={held} residual={residual} range={residuals} />
        <MetricsCard metrics={metrics} />
      </div>
    </>
  );
}

interface Along {
  readonly label: string;
  readonly values: Float64Array;
  readonly range: readonly [number, number];
}

interface CloudProps extends ValueProps {
  readonly title: string;
  readonly x: Along;
  readonly y: Along;
  readonly guide: readonly [readonly number[], readonly number[]];
}

/** Points, or cells of many; bands of the horizontal axis select rows. */
function Cloud({ id, held, title, x, y, guide }: CloudProps) {
  const bands = useMemo(() => histogramOf(x.values, x.range, BANDS), [x.values]);
  const key = (b: number) => `${title} ${id} ${b}`;
  const select = (b: number) =>
    chooseRows(
      key(b),
      rowsWhere(held, (e) => stepOf(x.values[e]!, x.range, BANDS) === b),
    );
  const label = (b: number) => `${bands.counts[b]} rows with predictions from ${rangeText(bands.edges, b)}`;
  const target = (b: number) => ({ ...pressing(key(b), () => select(b)), label: label(b) });
  return (
    <section class="eval-card" aria-label={title}>
      <h2>{title}</h2>
      <Chart
        interactive
        label={`${title}: ${y.label} over ${x.label} of ${held.rows.length} rows; the dashed line is a prediction without error.`}
        x={{ label: x.label, range: x.range }}
        y={{ label: y.label, range: y.range }}
        table={{
          caption: title,
          head: ["Predicted", "Rows", `Mean of ${y.label}`],
          rows: bands.counts.map((count, b) => [
            rangeText(bands.edges, b),
            <RowsButton key="rows" of={key(b)} rows={count} onPress={() => select(b)} />,
            count === 0 ? "" : short(meanWhere(y.values, (e) => stepOf(x.values[e]!, x.range, BANDS) === b)),
          ]),
        }}
      >
        {(sx, sy) => (
          <>
            <g>
              <path class="ideal" d={linePath(guide[0], guide[1], sx, sy)} />
              {held.rows.length <= MOST_POINTS ? (
                <Points held={held} x={x.values} y={y.values} sx={sx} sy={sy} />
              ) : (
                <Cells x={x} y={y} sx={sx} sy={sy} />
              )}
            </g>
            <Targets
              items={bands.counts.flatMap((count, b) => {
                const [left, right] = [sx(bands.edges[b]!), sx(bands.edges[b + 1]!)];
                const place = box(left, frame.top, frame.height - frame.bottom, right - left - 1.5);
                return count === 0 ? [] : { ...target(b), ...place };
              })}
            />
          </>
        )}
      </Chart>
    </section>
  );
}

function meanWhere(values: Float64Array, holds: (e: number) => boolean): number {
  let [sum, n] = [0, 0];
  for (let e = 0; e < values.length; e++)
    if (holds(e)) {
      sum += values[e]!;
      n++;
    }
  return sum / n;
}

interface PointsProps {
  readonly held: Held;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly sx: Scale;
  readonly sy: Scale;
}

/** Two paths of small circles, whatever their number: the selected rows and the others. */
function Points({ held, x, y, sx, sy }: PointsProps) {
  const selected = selectedRows.value;
  const circles = (wanted: boolean) => {
    let path = "";
    for (let e = 0; e < x.length; e++)
      if ((selected?.has(held.rows[e]!) ?? false) === wanted)
        path += `M${(sx(x[e]!) - 2.5).toFixed(1)} ${sy(y[e]!).toFixed(1)}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`;
    return path;
  };
  return (
    <>
      <path class={selected === null ? "points" : "points faded"} d={circles(false)} />
      <path class="points picked" d={circles(true)} />
    </>
  );
}

function Cells({ x, y, sx, sy }: { x: Along; y: Along; sx: Scale; sy: Scale }) {
  const counts = useMemo(() => {
    const out = new Float64Array(CELLS * CELLS);
    for (let e = 0; e < x.values.length; e++)
      out[stepOf(y.values[e]!, y.range, CELLS) * CELLS + stepOf(x.values[e]!, x.range, CELLS)]!++;
    return out;
  }, [x.values, y.values]);
  const most = maxOf(counts);
  const width = (sx(x.range[1]) - sx(x.range[0])) / CELLS;
  const height = (sy(y.range[0]) - sy(y.range[1])) / CELLS;
  return (
    <>
      {Array.from(counts.entries()).flatMap(([k, count]) => {
        if (count === 0) return [];
        const [r, g, b] = cividis(Math.log1p(count) / Math.log1p(most));
        return (
          <rect
            key={k}
            x={sx(x.range[0]) + (k % CELLS) * width}
            y={sy(y.range[0]) - (Math.floor(k / CELLS) + 1) * height}
            width={width}
            height={height}
            fill={`rgb(${r} ${g} ${b})`}
          />
        );
      })}
    </>
  );
}

/** A place of a chart whose rows can be chosen. */
const pressing = (key: string, onPress: () => void) => ({ key, pressed: isChosen(key), onPress });

/** "1.5 to 2". */
const rangeText = (edges: ArrayLike<number>, b: number): string =>
  `${short(edges[b]!)} to ${short(edges[b + 1]!)}`;

interface ResidualProps extends ValueProps {
  readonly residual: Float64Array;
  readonly range: readonly [number, number];
}

function ResidualBars({ id, held, residual, range }: ResidualProps) {
  const { edges, counts } = useMemo(() => histogramOf(residual, range, BARS), [residual]);
  const selected = selectedRows.value;
  const chosen = useMemo(() => {
    const own = residual.filter((_, e) => selected?.has(held.rows[e]!) ?? false);
    return histogramOf(own, range, BARS).counts;
  }, [residual, selected]);
  const most = maxOf(counts);
  const key = (b: number) => `residuals ${id} ${b}`;
  const select = (b: number) =>
    chooseRows(
      key(b),
      rowsWhere(held, (e) => stepOf(residual[e]!, range, BARS) === b),
    );
  const label = (b: number) => `${counts[b]} rows with residuals from ${rangeText(edges, b)}`;
  const target = (b: number) => ({ ...pressing(key(b), () => select(b)), label: label(b) });
  return (
    <section class="eval-card" aria-labelledby="residual-title">
      <h2 id="residual-title">How far off</h2>
      <Chart
        interactive
        label="Histogram of residuals, true less predicted."
        x={{ label: "True − predicted", range }}
        y={{ label: "Rows", range: [0, most * 1.05] }}
        table={{
          caption: "Rows by residual",
          head: ["Residual", "Rows"],
          rows: counts.map((count, b) => [
            rangeText(edges, b),
            <RowsButton key="rows" of={key(b)} rows={count} onPress={() => select(b)} />,
          ]),
        }}
      >
        {(sx, sy) => {
          const width = sx(edges[1]!) - sx(edges[0]!) - 1.5;
          return (
            <>
              <g>
                {counts.map((count, b) => (
                  <g key={edges[b]}>
                    <rect class="count" {...box(sx(edges[b]!), sy(count), sy(0), width)} />
                    <rect class="count picked" {...box(sx(edges[b]!), sy(chosen[b]!), sy(0), width / 3)} />
                  </g>
                ))}
                {range[0] < 0 && range[1] > 0 && (
                  <line class="ideal" x1={sx(0)} x2={sx(0)} y1={sy(0)} y2={sy(most * 1.05)} />
                )}
              </g>
              <Targets
                items={counts.flatMap((count, b) =>
                  count === 0 ? [] : { ...target(b), ...box(sx(edges[b]!), frame.top, sy(0), width) },
                )}
              />
            </>
          );
        }}
      </Chart>
    </section>
  );
}
