import { maxOf, minOf } from "argmax/numeric";
import { ticks } from "argmax/plot";
import { useMemo } from "preact/hooks";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import { selectedRows } from "../../state/session.js";
import { type Axis, Chart, Targets } from "../../ui/pictures/chart.js";
import { binOf, positionText, type Ranking } from "../../work/measures/ranking.js";
import { type Bin, binned } from "./bins.js";
import { type Judged, rowsWhere } from "./judged.js";
import { RowsButton } from "./rows-button.js";

const BINS = 20;
/** Counts that differ by more than this factor are said to have scales of their own. */
const UNLIKE = 1.5;

/** Positions as an axis: probabilities, or margins, which are not evenly spaced. */
export const positionAxis = (scale: Ranking["scale"], label: string): Axis =>
  scale === "probability"
    ? { label: `Probability of ${label}`, range: [0, 1] }
    : {
        label: `Margin of ${label}`,
        range: [0, 1],
        ticks: [-3, -1, -0.5, 0, 0.5, 1, 3].map((m) => [
          0.5 + (0.5 * m) / (1 + Math.abs(m)),
          String(m).replace("-", "−"),
        ]),
      };

/** How scores are spread over the rows of the class and of the rest. */
export function ScoresCard(props: Judged & { readonly ranking: Ranking }) {
  const { names, positive, ranking } = props;
  const bins = useMemo(() => binned(ranking.position, ranking.isPositive, BINS), [ranking]);
  // Each side has a scale of its own, so that the bars of a rare class are seen.
  const most = [
    maxOf(
      bins.map((bin) => rowsIn(bin, 0)),
      1,
    ),
    maxOf(
      bins.map((bin) => rowsIn(bin, 1)),
      1,
    ),
  ] as const;
  return (
    <section class="eval-card" aria-labelledby="scores-title">
      <div class="part-head">
        <h2 id="scores-title">Scores</h2>
        <span class="note">
          <span class="key bar-up" /> {names[positive]} above, <span class="key bar-down" /> others below the
          line
        </span>
      </div>
      <Histogram judged={props} bins={bins} most={most} />
      {maxOf(most) > UNLIKE * minOf(most) && <p class="note">The two sides have scales of their own.</p>}
    </section>
  );
}

/** 1: rows of the class, 0: others. */
type Side = 0 | 1;
const sides: readonly Side[] = [1, 0];

const rowsIn = ({ count, positives }: Bin, side: Side): number =>
  side === 1 ? positives : count - positives;

interface HistogramProps {
  readonly judged: Judged & { readonly ranking: Ranking };
  readonly bins: readonly Bin[];
  readonly most: readonly [number, number];
}

function Histogram({ judged, bins, most }: HistogramProps) {
  const { id, held, names, positive, threshold, ranking } = judged;
  const { position, isPositive, scale } = ranking;
  const name = names[positive]!;
  const key = (b: number, side: Side) => `scores ${id} ${positive} ${b} ${side}`;
  const select = (b: number, side: Side) =>
    chooseRows(
      key(b, side),
      rowsWhere(held, (e) => isPositive[e] === side && binOf(position[e]!, BINS) === b),
    );
  const range = ({ from, to }: Bin) => `${positionText(scale, from)} to ${positionText(scale, to)}`;
  const target = (bin: Bin, b: number, side: Side) => ({
    key: `${b} ${side}`,
    label: `${rowsIn(bin, side)} rows of ${side === 1 ? name : "other classes"} with scores from ${range(bin)}`,
    pressed: isChosen(key(b, side)),
    onPress: () => select(b, side),
  });
  return (
    <Chart
      label={`Histogram of scores: rows of ${name} upwards, others downwards, the threshold at ${positionText(scale, threshold)}.`}
      interactive
      x={positionAxis(scale, name)}
      y={{ label: "Rows", range: [-1, 1], ticks: ticksOfSides(most) }}
      table={{
        caption: "Rows by score",
        head: ["Score", name, "Others"],
        rows: bins.map((bin, b) => [
          range(bin),
          ...sides.map((side) => (
            <RowsButton
              key={side}
              of={key(b, side)}
              rows={rowsIn(bin, side)}
              onPress={() => select(b, side)}
            />
          )),
        ]),
      }}
    >
      {(sx, sy) => {
        const width = sx(1 / BINS) - sx(0) - 1.5;
        const items = bins.flatMap((bin, b) =>
          sides
            .filter((side) => rowsIn(bin, side) > 0)
            .map((side) => ({
              ...target(bin, b, side),
              ...box(sx(bin.from), sy(side), sy(side - 1), width),
            })),
        );
        return (
          <>
            <Bars {...{ judged, bins, most, sx, sy, width }} />
            <Targets items={items} />
          </>
        );
      }}
    </Chart>
  );
}

const ticksOfSides = (most: readonly [number, number]): readonly (readonly [number, string])[] => [
  [0, "0"],
  ...sides.flatMap((side) =>
    ticks(0, most[side], 3)
      .filter((rows) => rows > 0 && Number.isInteger(rows))
      .map((rows) => [((side === 1 ? 1 : -1) * rows) / most[side], String(rows)] as const),
  ),
];

interface BarsProps extends HistogramProps {
  readonly sx: (value: number) => number;
  readonly sy: (value: number) => number;
  readonly width: number;
}

function Bars({ judged, bins, most, sx, sy, width }: BarsProps) {
  const { held, ranking, threshold } = judged;
  const { position, isPositive } = ranking;
  const selected = selectedRows.value;
  const chosen = useMemo(() => {
    const counts = new Float64Array(2 * BINS);
    if (selected !== null)
      for (let e = 0; e < position.length; e++)
        if (selected.has(held.rows[e]!)) counts[2 * binOf(position[e]!, BINS) + isPositive[e]!]!++;
    return counts;
  }, [ranking, selected]);
  const up = (rows: number) => sy(rows / most[1]);
  const down = (rows: number) => sy(-rows / most[0]);
  return (
    <g>
      {bins.map((bin, b) => (
        <g key={bin.from}>
          <rect class="count" {...box(sx(bin.from), up(rowsIn(bin, 1)), sy(0), width)} />
          <rect class="count other" {...box(sx(bin.from), sy(0), down(rowsIn(bin, 0)), width)} />
          <rect class="count picked" {...box(sx(bin.from), up(chosen[2 * b + 1]!), sy(0), width / 3)} />
          <rect class="count picked" {...box(sx(bin.from), sy(0), down(chosen[2 * b]!), width / 3)} />
        </g>
      ))}
      <line class="now" x1={sx(0)} x2={sx(1)} y1={sy(0)} y2={sy(0)} />
      <line class="now" x1={sx(threshold)} x2={sx(threshold)} y1={sy(1)} y2={sy(-1)} />
    </g>
  );
}

export const box = (x: number, top: number, bottom: number, width: number) => ({
  x: x + 0.75,
  y: top,
  width: Math.max(0, width),
  height: Math.max(0, bottom - top),
});
