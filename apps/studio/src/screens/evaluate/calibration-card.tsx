import { useSignal } from "@preact/signals";
import { brierScoreLoss, expectedCalibrationError } from "argmax/metrics";
import { maxOf } from "argmax/numeric";
import { linePath } from "argmax/plot";
import { useEffect, useMemo } from "preact/hooks";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import { document as current, pool } from "../../state/session.js";
import { Chart, Targets } from "../../ui/pictures/chart.js";
import { TableHead } from "../../ui/table-parts.js";
import { binOf, marginAt, type Ranking } from "../../work/measures/ranking.js";
import { Stopped } from "../../work/pool.js";
import type { Calibrated } from "../../work/protocol.js";
import { type Bin, binned } from "./bins.js";
import { type Judged, rowsWhere } from "./judged.js";
import { RowsButton } from "./rows-button.js";
import { box } from "./scores-card.js";

const BINS = 10;
/** The strip of counts has this fraction of the chart's height. */
const STRIP = 0.18;

interface Series {
  readonly name: string;
  readonly class: string;
  readonly p: Float64Array;
  readonly bins: readonly Bin[];
  /** Expected calibration error. */
  readonly error: number;
  readonly brier: number;
}

/** Whether probabilities come true as often as they say: as they are, and recalibrated by Platt's sigmoid and by isotonic regression. */
export function CalibrationCard(props: Judged & { readonly ranking: Ranking }) {
  const { ranking } = props;
  const { calibrated, problem } = useCalibrated(ranking);
  const series = useMemo(() => seriesOf(ranking, calibrated), [ranking, calibrated]);
  return (
    <section class="eval-card" aria-labelledby="calibration-title">
      <div class="part-head">
        <h2 id="calibration-title">Calibration</h2>
        <span class="note" role="status">
          {problem ?? (calibrated === null ? "Recalibrating…" : "")}
        </span>
      </div>
      {series.length > 0 && <CalibrationChart judged={props} series={series} />}
      <ErrorTable series={series} />
      <p class="note">
        {ranking.scale === "score" &&
          "This model gives scores, not probabilities: there is no curve before. "}
        {calibrated !== null && calibrated.sigmoid === null
          ? "A class has too few rows to recalibrate."
          : "Recalibration is learned on four fifths of the held-out rows and shown on the last, each in turn. Small dots stand for few rows."}
      </p>
    </section>
  );
}

function seriesOf({ position, isPositive, scale }: Ranking, calibrated: Calibrated | null): Series[] {
  const found: [string, string, Float64Array | null | undefined][] = [
    ["as predicted", "line", scale === "probability" ? position : null],
    ["Platt", "line second", calibrated?.sigmoid],
    ["isotonic", "line third", calibrated?.isotonic],
  ];
  return found.flatMap(([name, look, p]): Series[] => {
    if (!p) return [];
    const error = expectedCalibrationError(isPositive, p, { nBins: BINS, positiveLabel: 1 });
    const brier = brierScoreLoss(isPositive, p, { positiveLabel: 1 });
    return [{ name, class: look, p, bins: binned(p, isPositive, BINS), error, brier }];
  });
}

interface CalibrationChartProps {
  readonly judged: Judged;
  readonly series: readonly Series[];
}

/** The curves; the first of them has its rows counted below, which can be chosen by bin. */
function CalibrationChart({ judged: { id, held, names, positive }, series }: CalibrationChartProps) {
  const counted = series[0]!;
  const name = names[positive]!;
  const key = (b: number) => `calibration ${id} ${positive} ${counted.name} ${b}`;
  const select = (b: number) =>
    chooseRows(
      key(b),
      rowsWhere(held, (e) => binOf(counted.p[e]!, BINS) === b),
    );
  const words = (bin: Bin) =>
    `${bin.count} rows with ${counted.name === "as predicted" ? "" : `${counted.name} `}probabilities from ${bin.from} to ${bin.to}: ${((100 * bin.positives) / bin.count).toFixed(0)} % are ${name}`;
  const cells = (one: Series, b: number) => {
    const { count, positives } = one.bins[b]!;
    const rows =
      one === counted && count > 0 ? (
        <RowsButton of={key(b)} rows={count} onPress={() => select(b)} />
      ) : (
        count
      );
    return [rows, count === 0 ? "" : (positives / count).toFixed(3)];
  };
  const target = (bin: Bin, b: number) => ({
    key: String(b),
    label: words(bin),
    pressed: isChosen(key(b)),
    onPress: () => select(b),
  });
  return (
    <Chart
      interactive
      label={`Fraction of ${name} over predicted probability: ${series.map((one) => `${one.name} is off by ${(100 * one.error).toFixed(1)} points on average`).join(", ")}. Bars below count the rows.`}
      x={{ label: `Predicted probability of ${name}`, range: [0, 1] }}
      y={{ label: `Fraction of ${name}`, range: [-STRIP, 1], ticks: fractionTicks }}
      table={{
        caption: "Calibration by bin",
        head: ["Predicted", ...series.flatMap((one) => [`${one.name}: rows`, `${one.name}: share`])],
        rows: counted.bins.map((bin, b) => [
          `${bin.from} to ${bin.to}`,
          ...series.flatMap((one) => cells(one, b)),
        ]),
      }}
    >
      {(sx, sy) => (
        <>
          <Curves {...{ series, sx, sy }} />
          <Targets
            items={counted.bins.flatMap((bin, b) => {
              const place = box(sx(bin.from), sy(1), sy(-STRIP), sx(bin.to) - sx(bin.from) - 1.5);
              return bin.count === 0 ? [] : { ...target(bin, b), ...place };
            })}
          />
        </>
      )}
    </Chart>
  );
}

const fractionTicks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => [value, value.toFixed(1)] as const);

interface CurvesProps {
  readonly series: readonly Series[];
  readonly sx: (value: number) => number;
  readonly sy: (value: number) => number;
}

function Curves({ series, sx, sy }: CurvesProps) {
  const { bins, name } = series[0]!;
  const counts = bins.map(({ count }) => count);
  const most = maxOf(counts, 1);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <g>
      <path class="ideal" d={linePath([0, 1], [0, 1], sx, sy)} />
      {bins.map(({ from, to, count }) => (
        <rect
          key={from}
          class={`count ${name === "as predicted" ? "" : "other"}`}
          {...box(sx(from), sy(-STRIP + (0.9 * STRIP * count) / most), sy(-STRIP), sx(to) - sx(from) - 1.5)}
        />
      ))}
      {series.map((one) => {
        const filled = one.bins.filter(({ count }) => count > 0);
        const x = filled.map(({ mean }) => mean);
        const y = filled.map(({ positives, count }) => positives / count);
        return (
          <g key={one.name}>
            <path class={one.class} d={linePath(x, y, sx, sy)} />
            {filled.map(({ count }, k) => (
              <circle
                key={x[k]}
                class={`${one.class} dot`}
                cx={sx(x[k]!)}
                cy={sy(y[k]!)}
                r={Math.min(6, 1.2 + 9 * Math.sqrt(count / total))}
              />
            ))}
          </g>
        );
      })}
    </g>
  );
}

const ErrorTable = ({ series }: { readonly series: readonly Series[] }) => (
  <table class="keys-table">
    <TableHead titles={["Curve", "Calibration error", "Brier score"]} />
    <tbody>
      {series.map((one) => (
        <tr key={one.name}>
          <th scope="row">
            <svg class="sample chart" viewBox="0 0 30 8" aria-hidden="true">
              <path class={one.class} d="M1 4H29" />
            </svg>{" "}
            {one.name}
          </th>
          <td>{one.error.toFixed(4)}</td>
          <td>{one.brier.toFixed(4)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Probabilities are recalibrated from their log-odds. */
const LARGEST_ODDS = 36;
const LARGEST_MARGIN = 1e6;
const scoreOf = ({ scale, position }: Ranking): Float64Array =>
  position.map((p) =>
    scale === "score"
      ? Math.min(LARGEST_MARGIN, Math.max(-LARGEST_MARGIN, marginAt(p)))
      : Math.min(LARGEST_ODDS, Math.max(-LARGEST_ODDS, Math.log(p / (1 - p)) || 0)),
  );

/** Recalibrated by a worker, once per ranking. */
function useCalibrated(ranking: Ranking): { calibrated: Calibrated | null; problem: string | null } {
  const found = useSignal<{ of: Ranking; calibrated: Calibrated | null; problem: string | null } | null>(
    null,
  );
  const { seed } = current.value.split;
  useEffect(() => {
    const stop = new AbortController();
    const { isPositive } = ranking;
    pool
      .run("calibrate", { score: scoreOf(ranking), isPositive, seed }, { signal: stop.signal, urgent: true })
      .then(
        (calibrated) => {
          found.value = { of: ranking, calibrated, problem: null };
        },
        (error: Error) => {
          if (error instanceof Stopped) return;
          found.value = { of: ranking, calibrated: null, problem: `Not recalibrated: ${error.message}` };
        },
      );
    return () => stop.abort();
  }, [ranking, seed]);
  return found.value?.of === ranking ? found.value : { calibrated: null, problem: null };
}
