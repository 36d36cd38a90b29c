import { ArgmaxError, KFold, StratifiedKFold } from "argmax";
import { datasetNames } from "argmax/datasets";
import { maxOf } from "argmax/numeric";
import { defineCommand, readInteger } from "../command.js";
import { type Dataset, openDataset, svmlightExtensions } from "../leaderboard/dataset.js";
import { compete, jobsOf, rank, type Standing } from "../leaderboard/evaluate.js";
import { classifiers, labelOf, regressors } from "../leaderboard/models.js";
import { ProgressBar } from "../progress.js";
import { type Column, drawTable, wrap } from "../table.js";
import type { Terminal } from "../terminal.js";
import { foldsOption } from "../validation-options.js";

export const leaderboard = defineCommand({
  options: {
    dataset: {
      type: "string",
      short: "d",
      value: "NAME",
      default: "breastCancer",
      doc: `${datasetNames.join(", ")}, or a file (${svmlightExtensions.join(", ")})`,
    },
    task: {
      type: "string",
      short: "t",
      value: "TASK",
      doc: "classification or regression, for a file; otherwise its labels decide",
    },
    folds: foldsOption,
    seed: {
      type: "string",
      short: "s",
      value: "N",
      default: "0",
      doc: "For shuffling and stochastic solvers",
    },
  },
  examples: [{ words: "leaderboard --dataset iris", doc: "An included dataset" }],
  async run({ values, terminal, program }) {
    const nSplits = readInteger("folds", values.folds, 2, 20);
    const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
    const dataset = await openDataset(values.dataset, values.task);
    const manner = { nSplits, shuffle: true, randomState };
    const isRegression = dataset.task === "regression";
    const splitter = isRegression ? new KFold(manner) : new StratifiedKFold(manner);
    const entries = isRegression ? regressors(randomState) : classifiers(randomState);

    terminal.print(heading(dataset, nSplits, terminal));
    const bar = new ProgressBar(terminal, entries.length * jobsOf(nSplits));
    const standings: Standing[] = [];
    const refusals: Refusal[] = [];
    for (const entry of entries) {
      try {
        standings.push(compete(entry, dataset.X, dataset.y, splitter, nSplits, bar));
      } catch (error) {
        if (!(error instanceof ArgmaxError)) throw error;
        refusals.push({ model: labelOf(entry), error });
      }
    }
    bar.end();
    if (standings.length === 0) throw refusals[0]!.error;

    const ranked = rank(standings);
    for (const [index, standing] of ranked.entries())
      terminal.emit({ type: "model", rank: index + 1, ...standing });
    const columns = isRegression ? regressionColumns : classificationColumns;
    terminal.print(drawTable(columns, ranked, terminal.width, terminal.style).join("\n"));
    terminal.print(`\n${[...remarks(ranked, refusals), ...hints(dataset.name, program)].join("\n")}`);
  },
});

/** The proportion of the largest class: the baseline of every model. */
function largestShare(y: ArrayLike<unknown>): number {
  const counts = new Map<unknown, number>();
  for (const label of Array.from(y)) counts.set(label, (counts.get(label) ?? 0) + 1);
  return maxOf(counts.values()) / y.length;
}

function heading(dataset: Dataset, nSplits: number, { style, width }: Terminal): string {
  const { X, description } = dataset;
  const how =
    dataset.task === "regression"
      ? `${nSplits}-fold cross-validation, score R²`
      : `${nSplits}-fold stratified cross-validation; the largest class alone scores ` +
        `${(100 * largestShare(dataset.y)).toFixed(1)}%`;
  const title = `${style.bold(`Argmax · ${dataset.name}`)}  ${X.rows} rows × ${X.cols} features`;
  const small = [description, how].flatMap((text) => wrap(text, width)).map(style.dim);
  return [title, ...small, ""].join("\n");
}

const best = (text: string, index: number, style: Terminal["style"]) =>
  index === 0 ? style.good(style.bold(text)) : text;

const rankColumn: Column<Standing> = { title: "#", align: "right", cell: (_, index) => String(index + 1) };
const modelColumn: Column<Standing> = {
  title: "model",
  cell: ({ model, converged }) => (converged ? model : `${model} *`),
  paint: (text, _, index, style) => best(text, index, style),
};
const minimisesColumn: Column<Standing> = {
  title: "minimises",
  cell: ({ minimises }) => minimises,
  dispensable: 3,
  paint: (text, _, __, style) => style.accent(text),
};
const timeColumns: Column<Standing>[] = [
  {
    title: "fit ms",
    align: "right",
    cell: ({ fitMilliseconds }) => fitMilliseconds.toFixed(1),
    dispensable: 1,
  },
  {
    title: "predict µs/row",
    align: "right",
    cell: ({ predictMicrosecondsPerRow }) => predictMicrosecondsPerRow.toFixed(2),
    dispensable: 2,
  },
];

const classificationColumns: Column<Standing>[] = [
  rankColumn,
  modelColumn,
  minimisesColumn,
  {
    title: "accuracy %",
    align: "right",
    cell: ({ mean, spread }) => `${(100 * mean).toFixed(1)} ± ${(100 * spread).toFixed(1)}`,
    paint: (text, _, index, style) => best(text, index, style),
  },
  {
    title: "log loss",
    align: "right",
    cell: ({ logLoss }) => (logLoss === undefined ? "·" : logLoss.toFixed(3)),
    dispensable: 1,
  },
  ...timeColumns,
];

const regressionColumns: Column<Standing>[] = [
  rankColumn,
  modelColumn,
  minimisesColumn,
  {
    title: "R²",
    align: "right",
    cell: ({ mean, spread }) => `${mean.toFixed(3)} ± ${spread.toFixed(3)}`,
    paint: (text, _, index, style) => best(text, index, style),
  },
  ...timeColumns,
];

/** A model that cannot learn from this data, such as one of counts when a target is negative. */
interface Refusal {
  readonly model: string;
  readonly error: ArgmaxError;
}

function remarks(standings: readonly Standing[], refusals: readonly Refusal[]): string[] {
  const lines = refusals.map(({ model, error }) => `skipped: ${model} (${error.message})`);
  if (!standings.every(({ converged }) => converged))
    lines.push("* stopped at its iteration limit before converging");
  return lines.length === 0 ? [] : [...lines, ""];
}

/** Two suggestions for a next command, to be pasted. */
function hints(name: string, program: string): string[] {
  const next = name === "digits" ? "diabetes" : name === "breastCancer" ? "digits" : "breastCancer";
  return [
    "Try next:",
    `  ${program} --dataset ${next}`.padEnd(40) + (next === "diabetes" ? "a regression" : "another dataset"),
    "  docs/guide/index.md".padEnd(40) + "what each model does, with examples",
  ];
}
