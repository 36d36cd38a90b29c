import { writeFile } from "node:fs/promises";
import type { Label } from "argmax";
import { lookOf } from "../charts/look.js";
import { defineCommand, readChoice, readInteger, UsageError } from "../command.js";
import { loadTable } from "../data/load.js";
import { readSourceOptions, sourceOptions } from "../data/options.js";
import { splitTarget } from "../data/target.js";
import { openModel } from "../model-file.js";
import { type ClassificationResult, evaluateClassifier } from "../report/classification.js";
import { classificationBlocks } from "../report/classification-page.js";
import { classificationText } from "../report/classification-text.js";
import { emitClassification, emitMetrics } from "../report/emit.js";
import { knownLabels, readClass } from "../report/labels.js";
import { describeModel, inputsOf, isClassifier, listed, requirePredictor } from "../report/opened-model.js";
import { type PageBlock, renderPage } from "../report/page.js";
import { evaluateRegressor } from "../report/regression.js";
import { regressionBlocks } from "../report/regression-page.js";
import { regressionText } from "../report/regression-text.js";
import { shownCurves } from "../report/shown-curves.js";
import { wrap } from "../table.js";
import type { Terminal } from "../terminal.js";

export const evaluate = defineCommand({
  description: [
    "Reads a model and rows whose target is known, predicts them, and compares. A classifier gets accuracy, balanced accuracy, F1, ROC AUC, " +
      "average precision, log loss and Brier score, a report by class, a confusion matrix, and curves; a regressor R², root mean squared, mean " +
      "and median error, and its residuals. Intervals of 95% are Wilson's for the accuracy and percentiles of a bootstrap for the others.",
    "Evaluate on rows that the model was not trained on: figures of training rows are too good.",
  ],
  args: [
    { name: "MODEL", doc: "a model file, as train and compare write it" },
    {
      name: "DATA",
      doc: "rows with the columns of the model and its target: a file or the name of an included dataset",
    },
  ],
  options: {
    target: {
      type: "string",
      short: "t",
      value: "COLUMN",
      doc: "The column of the truth; by default the model's own target",
    },
    positive: {
      type: "string",
      value: "CLASS",
      doc: "Of two classes: the one that curves and F1 are about; by default the second",
    },
    class: { type: "string", value: "CLASS", doc: "Of more classes: draw the curves of this one only" },
    threshold: {
      type: "string",
      value: "P",
      doc: "Of two classes: predict the positive one from this probability (or score, of models without) on",
    },
    plots: { type: "string", value: "WHICH", default: "some", doc: "In the terminal: none, some or all" },
    html: { type: "string", value: "FILE", doc: "Also write a page with every figure, table and plot" },
    bootstrap: {
      type: "string",
      value: "N",
      doc: "Resamples for the intervals; 0 for none (default: 100 to 1000, by the number of rows)",
    },
    seed: { type: "string", value: "N", default: "0", doc: "For the bootstrap" },
    ...sourceOptions,
  },
  examples: [
    { words: "evaluate model.safetensors penguins", doc: "A model on an included dataset" },
    {
      words: "evaluate model.safetensors penguins.csv --target species --plots all --html report.html",
      doc: "A file, everything drawn, and a page to share",
    },
    {
      words: "evaluate model.safetensors penguins --class Gentoo --json",
      doc: "The curves of one class, as JSON for scripts",
    },
  ],
  async run({ values, args: [path, source], terminal }) {
    const plots = readChoice("plots", values.plots, ["none", "some", "all"]);
    const seed = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
    const resamples =
      values.bootstrap === undefined ? undefined : readInteger("bootstrap", values.bootstrap, 0, 100_000);
    const threshold = values.threshold === undefined ? undefined : readThreshold(values.threshold);
    const opened = await openModel(path!);
    const model = requirePredictor(opened);
    const loaded = await loadTable(source!, readSourceOptions(values));
    const split = splitTarget(loaded, values.target ?? opened.card?.target);
    const inputs = inputsOf(opened, split.X, loaded.name);
    const common = { opened, target: split.target, data: loaded.name, rows: split.y.length };
    const remarks = [...loaded.remarks, ...split.remarks, ...inputs.remarks, ...trainingRemark(common)];
    const look = lookOf(terminal, process.env);
    const { width } = terminal;

    if (!isClassifier(model)) {
      refuseClassOptions(values);
      const result = evaluateRegressor(model, inputs.X, split.y, split.target, { resamples, seed });
      begin(common, remarks, terminal);
      terminal.print(regressionText(result, { plots, width }, look));
      emitMetrics(result.metrics, terminal);
      terminal.emit({ type: "predictions", truth: [...result.truth], predicted: [...result.predicted] });
      await writePage(values.html, common, remarks, regressionBlocks(result), terminal);
      return;
    }
    const classes = model.classes!;
    const positive =
      values.positive === undefined ? undefined : readClass("positive", values.positive, classes);
    if (positive !== undefined && classes.length > 2)
      throw new UsageError("--positive is for models of two classes; --class picks one of more.");
    const chosen = values.class === undefined ? undefined : readClass("class", values.class, classes);
    const known = knownLabels(split.y, classes, split.target);
    const X =
      known.unknown.length === 0 ? inputs.X : inputsOf(opened, split.X.selectRows(known.rows), loaded.name).X;
    const result = evaluateClassifier(model, X, known.y, { positive, threshold, resamples, seed });
    remarks.push(
      ...unknownRemark(known.unknown, split.y.length - known.y.length, split.y.length),
      ...curveRemark(result),
    );
    // Before anything is printed: a wrong --class is an error of the command line.
    shownCurves(result, chosen);
    begin(common, remarks, terminal);
    terminal.print(classificationText(result, { plots, chosen, width }, look));
    emitClassification(result, terminal);
    await writePage(values.html, common, remarks, classificationBlocks(result, chosen), terminal);
  },
});

interface Common {
  readonly opened: Awaited<ReturnType<typeof openModel>>;
  readonly target: string;
  readonly data: string;
  readonly rows: number;
}

function readThreshold(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new UsageError(`--threshold must be a number, got ${JSON.stringify(text)}.`);
}

function refuseClassOptions(
  values: Readonly<Record<"positive" | "class" | "threshold", string | undefined>>,
): void {
  const given = (["positive", "class", "threshold"] as const).find((name) => values[name] !== undefined);
  if (given !== undefined)
    throw new UsageError(`--${given} is for classifiers, and this model predicts numbers.`);
}

const trainingRemark = ({ opened: { card }, rows }: Common): string[] =>
  card?.rows === rows
    ? ["As many rows as the model was trained on: if they are the same, these figures are too good."]
    : [];

const unknownRemark = (unknown: readonly Label[], left: number, rows: number): string[] =>
  unknown.length === 0
    ? []
    : [
        `${left} of ${rows} rows have a label that the model has never seen (${listed(unknown)}) and cannot predict: they are left out of all figures.`,
      ];

const curveRemark = ({ curves }: ClassificationResult): string[] =>
  curves.length > 0
    ? []
    : ["No curves: the model does not score its predictions, or the data has one class only."];

const summaryOf = ({ opened, data, rows, target }: Common): string =>
  `${describeModel(opened.model)} on ${data}: ${rows} rows, target ${target}`;

function begin(common: Common, remarks: readonly string[], terminal: Terminal): void {
  const { style, width } = terminal;
  const { opened, data, rows, target } = common;
  const task = isClassifier(opened.model) ? "classification" : "regression";
  terminal.emit({
    type: "evaluation",
    model: opened.name,
    kind: describeModel(opened.model),
    task,
    data,
    rows,
    target,
  });
  for (const text of remarks) terminal.emit({ type: "remark", text });
  terminal.print(
    [style.bold(`Evaluation of ${opened.name}`), ...wrap(summaryOf(common), width).map(style.dim)].join("\n"),
  );
  for (const remark of remarks) terminal.print(wrap(`! ${remark}`, width).join("\n"));
  terminal.print("");
}

async function writePage(
  path: string | undefined,
  common: Common,
  remarks: readonly string[],
  blocks: readonly PageBlock[],
  terminal: Terminal,
): Promise<void> {
  if (path === undefined) return;
  const title = `Evaluation of ${common.opened.name} on ${common.data}`;
  const html = renderPage({ title, lead: `${summaryOf(common)}.`, remarks, blocks });
  await writeFile(path, html);
  terminal.emit({ type: "file", path, bytes: Buffer.byteLength(html) });
  terminal.print(`\nWrote ${path}.`);
}
