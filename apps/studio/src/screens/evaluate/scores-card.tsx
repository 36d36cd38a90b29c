import { maxOf, minOf } from "argmax/numeric";
import { ticks } from "argmax/plot";
import { useMemo } from "preact/hooks";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import { selectedRows } from "../../state/session.js";
import { type Axis, Chart, Targets } from "../../ui/chart.js";
import { binOf, positionText, type Ranking } from "../../work/measures/ranking.js";
import { binned } from "./bins.js";
import { type Judged, rowsWhere } from "./judged.js";

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
export function ScoresCard({
  id,
  held,
  names,
  positive,
  threshold,
  ranking,
}: Judged & { readonly ranking: Ranking }) {
  const { position, isPositive, scale } = ranking;
  const bins = useMemo(() => binned(position, isPositive, BINS), [ranking]);
  const selected = selectedRows.value;
  const chosen = useMemo(() => {
    const counts = new Float64Array(2 * BINS);
    if (selected !== null)
      for (let e = 0; e < position.length; e++)
        if (selected.has(held.rows[e]!)) counts[2 * binOf(position[e]!, BINS) + isPositive[e]!]!++;
    return counts;
  }, [ranking, selected]);
  // Each side has a scale of its own, so that the bars of a rare class are seen.
  const most = [
    maxOf(
      bins.map(({ count, positives }) => count - positives),
      1,
    ),
    maxOf(
      bins.map(({ positives }) => positives),
      1,
    ),
  ] as const;
  const name = names[positive]!;
  const select = (b: number, which: 0 | 1) =>
    chooseRows(
      `scores ${id} ${positive} ${b} ${which}`,
      rowsWhere(held, (e) => isPositive[e] === which && binOf(position[e]!, BINS) === b),
    );
  const pressed = (b: number, which: 0 | 1) => isChosen(`scores ${id} ${positive} ${b} ${which}`);
  const range = (b: number) => {
    const { from, to } = bins[b]!;
    return `${positionText(scale, from)} to ${positionText(scale, to)}`;
  };
  return (
    <section class="eval-card" aria-labelledby="scores-title">
      <div class="part-head">
        <h2 id="scores-title">Scores</h2>
        <span class="note">
          <span class="key bar-up" /> {name} above, <span class="key bar-down" /> others below the line
        </span>
      </div>
      <Chart
        label={`Histogram of scores: rows of ${name} upwards, others downwards, the threshold at ${positionText(scale, threshold)}.`}
        interactive
        x={positionAxis(scale, name)}
        y={{
          label: "Rows",
          range: [-1, 1],
          ticks: [
            [0, "0"],
            ...([1, 0] as const).flatMap((which) =>
              ticks(0, most[which], 3)
                .filter((rows) => rows > 0 && Number.isInteger(rows))
                .map((rows) => [((which === 1 ? 1 : -1) * rows) / most[which], String(rows)] as const),
            ),
          ],
        }}
        table={{
          caption: "Rows by score",
          head: ["Score", name, "Others"],
          rows: bins.map(({ count, positives }, b) => [
            range(b),
            <button type="button" key="p" aria-pressed={pressed(b, 1)} onClick={() => select(b, 1)}>
              {positives}
            </button>,
            <button type="button" key="n" aria-pressed={pressed(b, 0)} onClick={() => select(b, 0)}>
              {count - positives}
            </button>,
          ]),
        }}
      >
        {(sx, sy) => {
          const width = sx(1 / BINS) - sx(0) - 1.5;
          return (
            <>
              <g>
                {bins.map(({ from, count, positives }, b) => (
                  <g key={from}>
                    <rect class="count" {...box(sx(from), sy(positives / most[1]), sy(0), width)} />
                    <rect
                      class="count other"
                      {...box(sx(from), sy(0), sy((positives - count) / most[0]), width)}
                    />
                    <rect
                      class="count picked"
                      {...box(sx(from), sy(chosen[2 * b + 1]! / most[1]), sy(0), width / 3)}
                    />
                    <rect
                      class="count picked"
                      {...box(sx(from), sy(0), sy(-chosen[2 * b]! / most[0]), width / 3)}
                    />
                  </g>
                ))}
                <line class="now" x1={sx(0)} x2={sx(1)} y1={sy(0)} y2={sy(0)} />
                <line class="now" x1={sx(threshold)} x2={sx(threshold)} y1={sy(1)} y2={sy(-1)} />
              </g>
              <Targets
                items={bins.flatMap(({ from, count, positives }, b) =>
                  ([1, 0] as const).flatMap((which) => {
                    const rows = which === 1 ? positives : count - positives;
                    if (rows === 0) return [];
                    return {
                      key: `${b} ${which}`,
                      ...box(sx(from), which === 1 ? sy(1) : sy(0), which === 1 ? sy(0) : sy(-1), width),
                      label: `${rows} rows of ${which === 1 ? name : "other classes"} with scores from ${range(b)}`,
                      pressed: pressed(b, which),
                      onPress: () => select(b, which),
                    };
                  }),
                )}
              />
            </>
          );
        }}
      </Chart>
      {maxOf(most) > UNLIKE * minOf(most) && <p class="note">The two sides have scales of their own.</p>}
    </section>
  );
}

export const box = (x: number, top: number, bottom: number, width: number) => ({
  x: x + 0.75,
  y: top,
  width: Math.max(0, width),
  height: Math.max(0, bottom - top),
});
