import { KFold, StratifiedKFold } from "argmax";
import { type DatasetName, datasetNames, loadDataset } from "argmax/datasets";
import { defineCommand, readChoice, readInteger } from "../command.js";
import { compete, jobsOf, rank, type Standing } from "../evaluate.js";
import { classifiers, regressors } from "../models.js";
import { ProgressBar } from "../progress.js";
import { type Column, drawTable, wrap } from "../table.js";
import type { Terminal } from "../terminal.js";

export const leaderboard = defineCommand({
  name: "leaderboard",
  summary: "Trains every linear model on a real dataset and ranks them by cross-validation.",
  options: {
    dataset: {
      type: "string",
      short: "d",
      value: "NAME",
      default: "breastCancer",
      doc: datasetNames.join(", "),
    },
    folds: {
      type: "string",
      short: "f",
      value: "N",
      default: "5",
      doc: "Parts of the cross-validation, 2 to 20",
    },
    seed: {
      type: "string",
      short: "s",
      value: "N",
      default: "0",
      doc: "For shuffling and stochastic solvers",
    },
    help: { type: "boolean", short: "h", doc: "Show this help" },
  },
  async run(values, terminal, program) {
    const name = readChoice("dataset", values.dataset, datasetNames);
    const nSplits = readInteger("folds", values.folds, 2, 20);
    const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
    const dataset: Dataset = await loadDataset(name);
    const manner = { nSplits, shuffle: true, randomState };
    const isRegression = dataset.task === "regression";
    const splitter = isRegression ? new KFold(manner) : new StratifiedKFold(manner);
    const entries = isRegression ? regressors(randomState) : classifiers(randomState);

    terminal.print(heading(dataset, nSplits, terminal));
    const bar = new ProgressBar(terminal, entries.length * jobsOf(nSplits));
    const standings = entries.map((entry) => compete(entry, dataset.X, dataset.y, splitter, nSplits, bar));
    bar.end();

    const ranked = rank(standings);
    const columns = isRegression ? regressionColumns : classificationColumns;
    terminal.print(drawTable(columns, ranked, terminal.width, terminal.style).join("\n"));
    terminal.print(`\n${[...remarks(ranked), ...hints(name, program)].join("\n")}`);
  },
});

type Dataset = Awaited<ReturnType<typeof loadDataset<DatasetName>>>;

/** The share of the largest class: what a model has to beat. */
function largestShare(y: readonly unknown[]): number {
  const counts = new Map<unknown, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return Math.max(...counts.values()) / y.length;
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

function remarks(standings: readonly Standing[]): string[] {
  return standings.every(({ converged }) => converged)
    ? []
    : ["* stopped at its iteration limit before converging", ""];
}

/** Two things to do next, in words that can be pasted. */
function hints(name: DatasetName, program: string): string[] {
  const next = name === "digits" ? "diabetes" : name === "breastCancer" ? "digits" : "breastCancer";
  return [
    "Try next:",
    `  ${program} --dataset ${next}`.padEnd(40) + (next === "diabetes" ? "a regression" : "another dataset"),
    "  docs/guide/linear.md".padEnd(40) + "what each model minimises, with examples to paste",
  ];
}
