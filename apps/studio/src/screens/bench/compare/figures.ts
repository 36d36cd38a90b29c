import { maxOf, minOf } from "argmax/numeric";
import { bytes, fixed, metricText, milliseconds } from "../../../ui/figures.js";
import type { Metric } from "../../../work/measures/metrics.js";
import { decisionMetrics, rankingMetrics, valueMetrics } from "../../../work/measures/metrics.js";
import type { Ranked } from "../../../work/measures/ranked.js";
import type { Held, Trained } from "../../../work/protocol.js";
import { clustersText } from "../clusters.js";
import type { Contender } from "./contenders.js";

/** One line of the comparison: a cell per model. */
interface FigureLine {
  readonly name: string;
  readonly doc: string;
  readonly cells: readonly { readonly text: string; readonly isBest: boolean }[];
}

interface Value {
  readonly value: number;
  readonly text: string;
}

/** What is measured of every model. `ranked` are those of the measured classifiers, by id. */
export function figureLines(
  contenders: readonly Contender[],
  positive: number,
  ranked: ReadonlyMap<string, Ranked>,
): FigureLine[] {
  const metrics = contenders.map((one) => metricsOf(one, positive, ranked.get(one.id)));
  // Models that give labels only have fewer.
  const longest = metrics.reduce((a, b) => (b.length > a.length ? b : a), []);
  return [
    ...scoreLine(contenders),
    ...longest.map(({ name, doc, lowerIsBetter = false }) =>
      line(
        name,
        doc,
        metrics.map((list) => {
          const found = list.find((metric) => metric.name === name);
          return found && { value: found.value, text: metricText(found.value) };
        }),
        lowerIsBetter,
      ),
    ),
    line(
      "Fit",
      "Time of the fit to all rows.",
      contenders.map(({ trained }) => trained && timeOf(trained.fitMilliseconds)),
      true,
    ),
    line(
      "Per row",
      "Time of the prediction of a row, among many.",
      contenders.map(({ trained }) =>
        trained?.canPredict ? timeOf(trained.predictMicroseconds / 1000) : undefined,
      ),
      true,
    ),
    line(
      "Size",
      "Of the model file.",
      contenders.map(
        ({ trained }) => trained && { value: trained.file.length, text: bytes(trained.file.length) },
      ),
      true,
    ),
  ];
}

const timeOf = (value: number): Value => ({ value, text: milliseconds(value) });

/** The score of the leaderboard; of clusterings, what they have found. */
function scoreLine(contenders: readonly Contender[]): FigureLine[] {
  const task = contenders.find(({ trained }) => trained !== undefined)?.trained?.task;
  if (task === undefined) return [];
  if (task === "clustering") {
    const cells = contenders.map(({ trained }) => ({
      text: trained === undefined ? "–" : clustersText(trained),
      isBest: false,
    }));
    return [{ name: "Found", doc: "Clusters, and the fraction of rows in none.", cells }];
  }
  const values = contenders.map(({ standing: { mean, margin } }) => {
    if (mean === undefined) return undefined;
    return { value: mean, text: fixed(mean, 3) + (margin === undefined ? "" : ` ± ${fixed(margin, 3)}`) };
  });
  const name = task === "regression" ? "R²" : "Accuracy";
  return [line(name, "Mean over held-out folds ± 95 % interval, as in the leaderboard.", values, false)];
}

/** Metrics of the held-out rows, without the one that the leaderboard has. */
function metricsOf(
  { trained, held }: Contender,
  positive: number,
  ranked: Ranked | undefined,
): readonly Metric[] {
  if (trained === undefined || held === undefined || trained.task === "clustering") return [];
  const { ranking, curves, proper = [] } = ranked ?? {};
  return [
    ...answerMetrics(held, trained, positive),
    ...proper,
    ...rankingMetrics(
      curves,
      ranking?.positives.length ?? 0,
      ranking?.negatives.length ?? 0,
      trained.classes[positive] ?? "",
    ),
  ];
}

/** Of many rows they take some milliseconds, and the panel is drawn again at every news of a training. */
const known = new WeakMap<Held, Map<number, readonly Metric[]>>();

/** What follows from the answers alone. */
function answerMetrics(held: Held, { task, classes }: Trained, positive: number): readonly Metric[] {
  const own = known.get(held) ?? new Map<number, readonly Metric[]>();
  known.set(held, own);
  const found = own.get(positive);
  if (found !== undefined) return found;
  const all =
    task === "regression"
      ? valueMetrics(held.truth, held.predicted)
      : decisionMetrics(held.truth, held.predicted, classes.length === 2 ? positive : null);
  own.set(positive, all.slice(1));
  return own.get(positive)!;
}

function line(
  name: string,
  doc: string,
  values: readonly (Value | undefined)[],
  lowerIsBetter: boolean,
): FigureLine {
  const known = values.flatMap((one) => (one === undefined ? [] : [one.value]));
  const best = lowerIsBetter ? minOf(known) : maxOf(known);
  const isTold = known.length > 1 && known.some((value) => value !== best);
  return {
    name,
    doc,
    cells: values.map((one) => ({ text: one?.text ?? "–", isBest: isTold && one?.value === best })),
  };
}
