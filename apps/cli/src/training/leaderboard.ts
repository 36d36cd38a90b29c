import { type Comparison, type Contender, modelSettings } from "argmax";
import { maxOf } from "argmax/numeric";
import { showDuration } from "../terminal/duration.js";
import { type Column, drawTable, wrap } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Task } from "./learners.js";
import { measureTitle } from "./scoring.js";

/** The table on which models are compared. */
export interface ComparedData {
  readonly name: string;
  readonly target: string;
  readonly task: Task;
  readonly rows: number;
  readonly columns: number;
  /** The number of rows of each class; none for a regression. */
  readonly classes: ReadonlyMap<unknown, number>;
  readonly remarks: readonly string[];
}

/** Says what is compared on what, before the first fold. */
export function announceData(data: ComparedData, folds: number, terminal: Terminal): void {
  const { rows, columns, target, task, remarks } = data;
  terminal.emit({ type: "data", rows, columns, target, task, folds, remarks });
  terminal.print(heading(data, folds, terminal));
}

function heading(
  { name, rows, columns, target, classes, remarks }: ComparedData,
  folds: number,
  { style, width }: Terminal,
): string {
  const about =
    classes.size === 0
      ? "a regression"
      : `${classes.size} classes; the largest alone is ${((100 * maxOf(classes.values())) / rows).toFixed(1)} % of the rows`;
  const title = `${style.bold(`${name} · ${target}`)}  ${counted(rows, "row")} × ${counted(columns, "column")}`;
  const small = [`${about}; ${folds}-fold cross-validation`, ...remarks].flatMap((line) => wrap(line, width));
  return [title, ...small.map((line) => style.dim(line)), ""].join("\n");
}

/** A model that a comparison has saved. */
interface Saved {
  readonly path: string;
  readonly kept?: { readonly path: string } | undefined;
  /** Says so. */
  readonly text: string;
}

/** How a comparison ended. */
export function reportDone(
  { models, best, recommended }: Comparison,
  saved: Saved | undefined,
  milliseconds: number,
  terminal: Terminal,
  save: string,
): void {
  terminal.emit({
    type: "done",
    seconds: milliseconds / 1000,
    ...(saved && { saved: saved.path, ...(saved.kept && { kept: saved.kept.path }) }),
  });
  terminal.print(
    [
      `\n${counted(models.length, "model")} in ${showDuration(milliseconds)}.`,
      ...(saved ? wrap(saved.text, terminal.width) : []),
      ...(save === "best" && recommended !== best
        ? [`--save recommended saves ${recommended.name} instead.`]
        : []),
      "",
    ].join("\n"),
  );
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

interface Ranked extends Contender {
  readonly bracket: string;
  readonly isRecommended: boolean;
}

/** The leaderboard, and what it means. */
export function reportComparison(
  comparison: Comparison,
  terminal: Terminal,
  /** What was said when the data were read is not said again. */
  known: readonly string[] = [],
): void {
  const { models, recommended, reason, baseline, leftOut, scoring, positiveLabel } = comparison;
  const tied = models.filter((model) => model.tied).length;
  const rows = models.map((model, i): Ranked => {
    const bracket =
      !model.tied || tied === 1
        ? " "
        : i === 0
          ? "┌"
          : models.slice(i + 1).some((other) => other.tied)
            ? "│"
            : "└";
    return { ...model, bracket, isRecommended: model === recommended };
  });
  emitModels(rows, comparison, terminal);
  terminal.emit({ type: "recommendation", model: recommended.name, reason, baseline });
  for (const { name, because } of leftOut) terminal.emit({ type: "leftOut", name, because });
  terminal.print(
    drawTable(
      columnsOf(
        measureTitle(scoring, positiveLabel),
        rows.some(({ scoreTime }) => scoreTime > 0),
      ),
      rows,
      terminal.width,
      terminal.style,
    ).join("\n"),
  );
  const said = new Set(known);
  const warnings = comparison.warnings.filter(({ message }) => !said.has(message));
  for (const warning of warnings) terminal.emit({ type: "warning", ...warning });
  const remarks = leftOut.map(({ name, because }) => `${name} was left out: ${because.replace(/\.$/, "")}.`);
  // The heading has the fraction of the largest class.
  if (baseline !== undefined && scoring !== "accuracy")
    remarks.unshift(`A constant prediction scores ${baseline.toFixed(4)}.`);
  remarks.unshift(tied > 1 ? `┌ └ ${reason}` : reason);
  for (const { message } of warnings) remarks.push(message);
  if (remarks.length > 0)
    terminal.print(["", ...remarks.flatMap((line) => wrap(line, terminal.width))].join("\n"));
}

/** One object per model, for programs. */
function emitModels(
  rows: readonly Ranked[],
  { scoring, positiveLabel }: Comparison,
  terminal: Terminal,
): void {
  for (const [index, row] of rows.entries()) {
    const { name, estimator, mean, margin, scores, fitTime, scoreTime, tied, isRecommended } = row;
    terminal.emit({
      type: "model",
      rank: index + 1,
      name,
      settings: modelSettings(estimator),
      estimator,
      scoring,
      ...(positiveLabel !== undefined && { positive: positiveLabel }),
      mean,
      margin,
      scores: [...scores],
      fitTime,
      scoreTime,
      tied,
      recommended: isRecommended,
    });
  }
}

/** `isPredictTimed`: a database learns and predicts in the same passes. */
const columnsOf = (measured: string, isPredictTimed: boolean): Column<Ranked>[] => [
  { title: "", cell: ({ bracket }) => bracket, paint: (text, _, __, style) => style.accent(text) },
  {
    title: "model",
    cell: ({ label, isRecommended }) => (isRecommended ? `${label} ←` : label),
    paint: (text, { isRecommended }, index, style) =>
      index === 0 || isRecommended ? style.bold(text) : text,
  },
  {
    title: measured,
    align: "right",
    cell: ({ mean }) => figure(mean),
    paint: (text, _, index, style) => (index === 0 ? style.good(style.bold(text)) : text),
  },
  { title: "± 95 %", align: "right", cell: ({ margin }) => figure(margin), dispensable: 3 },
  { title: "fit", align: "right", cell: ({ fitTime }) => showDuration(1000 * fitTime), dispensable: 2 },
  ...(isPredictTimed
    ? [
        {
          title: "predict",
          align: "right" as const,
          cell: ({ scoreTime }: Ranked) => showDuration(1000 * scoreTime),
          dispensable: 1,
        },
      ]
    : []),
];

/** A mean or a margin; a dash where there is none. */
const figure = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(4));
