import type { Label, Matrix, Table } from "argmax";
import { lookOf } from "../charts/look.js";
import { rangeOf } from "../charts/scale.js";
import { defineCommand, readChoice, readInteger, UsageError } from "../command.js";
import { loadTable } from "../data/load.js";
import { readSourceOptions, sourceOptions } from "../data/options.js";
import { splitTarget } from "../data/target.js";
import { openModel } from "../model-file.js";
import { requireOther } from "../model-output.js";
import type { ClassificationResult, ClassificationSettings } from "../report/classification.js";
import { evaluateClassifier } from "../report/classification.js";
import { classificationBlocks } from "../report/classification-page.js";
import { classificationText } from "../report/classification-text.js";
import { emitClassification, emitMetrics } from "../report/emit.js";
import { knownLabels, readClass } from "../report/labels.js";
import {
  describeModel,
  inputsOf,
  isClassifier,
  listed,
  namesOfSteps,
  type OpenedModel,
  type Predictor,
  requirePredictor,
} from "../report/opened-model.js";
import { terminalPace } from "../report/pace.js";
import type { PageBlock } from "../report/page.js";
import { evaluateRegressor } from "../report/regression.js";
import { regressionBlocks } from "../report/regression-page.js";
import { regressionText } from "../report/regression-text.js";
import type { Plots } from "../report/text.js";
import { writePage } from "../report/write-page.js";
import { wrap } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";

export const evaluate = defineCommand({
  description: [
    "Reads a model and rows whose target is known, predicts them, and compares. A classifier gets accuracy, balanced accuracy, F1, ROC AUC, " +
      "average precision, log loss and Brier score, a report by class, a confusion matrix, and curves; a regressor R², root mean squared, mean " +
      "and median error, and its residuals. Intervals of 95% are Wilson's for the accuracy and percentiles of a bootstrap for the others.",
    "Evaluate on rows that the model was not trained on: scores on training rows are optimistically biased.",
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
      doc: "Of two classes: the one that curves and F1 are about; by default 1, true, yes and the like, and both of others",
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
  async run({ values, args: [path, source], terminal, signal }) {
    const plots = readChoice("plots", values.plots, ["none", "some", "all"]);
    const seed = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
    const resamples =
      values.bootstrap === undefined ? undefined : readInteger("bootstrap", values.bootstrap, 0, 100_000);
    const threshold = values.threshold === undefined ? undefined : readThreshold(values.threshold);
    requireOther(values.html, [path!, source!]);
    const opened = await openModel(path!);
    const model = requirePredictor(opened);
    const loaded = await loadTable(source!, readSourceOptions(values));
    const split = splitTarget(loaded, values.target ?? opened.card?.target);
    const common = { opened, target: split.target, data: loaded.name, rows: split.y.length };
    const inputs = inputsOf(opened, split.X, loaded.name);
    const remarks = [
      ...loaded.remarks,
      ...split.remarks,
      ...inputs.remarks,
      ...trainingRemark(common, inputs.table),
    ];
    const pace = terminalPace(terminal, signal, "intervals", "--bootstrap 0 computes no intervals.");
    const evaluation = {
      common,
      model,
      X: inputs.X,
      y: split.y,
      remarks,
      terminal,
      plots,
      html: values.html,
    };
    const settings = { resamples, seed, pace };
    if (isClassifier(model)) {
      const { positive, chosen } = readClasses(values, model.classes!);
      await evaluateClasses(evaluation, { ...settings, positive, threshold }, chosen);
    } else {
      refuseClassOptions(values);
      await evaluateNumbers(evaluation, settings);
    }
  },
});

interface Common {
  readonly opened: OpenedModel;
  readonly target: string;
  readonly data: string;
  readonly rows: number;
}

/** What is evaluated, and where the results go. */
interface Evaluation {
  readonly common: Common;
  readonly model: Predictor;
  readonly X: Table | Matrix;
  readonly y: readonly Label[];
  readonly remarks: string[];
  readonly terminal: Terminal;
  readonly plots: Plots;
  /** The file of the page. */
  readonly html: string | undefined;
}

async function evaluateNumbers(
  { common, model, X, y, remarks, terminal, plots, html }: Evaluation,
  settings: Parameters<typeof evaluateRegressor>[4],
): Promise<void> {
  const result = await evaluateRegressor(model, X, y, common.target, settings);
  begin(common, remarks, terminal);
  const look = lookOf(terminal, process.env);
  terminal.print(regressionText(result, { plots, width: terminal.width }, look));
  emitMetrics(result.metrics, terminal);
  terminal.emit({ type: "predictions", truth: [...result.truth], predicted: [...result.predicted] });
  await writeReport(html, common, remarks, regressionBlocks(result), terminal);
}

async function evaluateClasses(
  { common, model, X, y, remarks, terminal, plots, html }: Evaluation,
  settings: ClassificationSettings,
  chosen: Label | undefined,
): Promise<void> {
  const known = knownLabels(y, model.classes!, common.target);
  const rows = known.unknown.length === 0 ? X : X.selectRows(known.rows);
  const result = await evaluateClassifier(model, rows, known.y, settings);
  // spread: a sentence or two.
  remarks.push(...unknownRemark(known.unknown, y.length - known.y.length, y.length), ...curveRemark(result));
  // Before anything is printed: a wrong --class is an error of the command line.
  const blocks = classificationBlocks(result, chosen);
  begin(common, remarks, terminal);
  const look = lookOf(terminal, process.env);
  terminal.print(classificationText(result, { plots, chosen, width: terminal.width }, look));
  emitClassification(result, terminal);
  await writeReport(html, common, remarks, blocks, terminal);
}

type ClassOptions = Readonly<Record<"positive" | "class" | "threshold", string | undefined>>;

function readClasses(values: ClassOptions, classes: readonly Label[]) {
  const read = (option: "positive" | "class") => {
    const word = values[option];
    return word === undefined ? undefined : readClass(option, word, classes);
  };
  const [positive, chosen] = [read("positive"), read("class")];
  if (positive !== undefined && classes.length > 2)
    throw new UsageError("--positive is for models of two classes; --class picks one of more.");
  return { positive, chosen };
}

function readThreshold(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new UsageError(`--threshold must be a number, got ${JSON.stringify(text)}.`);
}

function refuseClassOptions(values: ClassOptions): void {
  const given = (["positive", "class", "threshold"] as const).find((name) => values[name] !== undefined);
  if (given !== undefined)
    throw new UsageError(`--${given} is for classifiers, and this model predicts numbers.`);
}

/** As many rows as in training, and the same range of every column of numbers: they are the same rows. */
function trainingRemark({ opened: { card }, rows }: Common, table: Table): string[] {
  const numeric = card?.inputs.filter(({ min, max }) => min !== undefined && min !== max) ?? [];
  if (card?.rows !== rows || numeric.length === 0) return [];
  const isSame = numeric.every(({ name, min, max }) => {
    const column = table.column(name);
    const values = column.kind === "numeric" ? column.values.filter((value) => !Number.isNaN(value)) : [];
    const [low, high] = rangeOf(values);
    return low === min && high === max;
  });
  return isSame
    ? ["These appear to be the rows that the model was trained on: such scores are optimistically biased."]
    : [];
}

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
    kind: namesOfSteps(opened.model),
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

async function writeReport(
  path: string | undefined,
  common: Common,
  remarks: readonly string[],
  blocks: readonly PageBlock[],
  terminal: Terminal,
): Promise<void> {
  if (path === undefined) return;
  const title = `Evaluation of ${common.opened.name} on ${common.data}`;
  await writePage(path, { title, lead: `${summaryOf(common)}.`, remarks, blocks }, terminal);
}
