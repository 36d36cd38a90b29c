import type { Label, Table } from "argmax";
import { pushAll } from "argmax/numeric";
import { lookOf } from "../charts/look.js";
import { type Call, defineCommand, type Options, readInteger, UsageError } from "../command.js";
import { loadTable } from "../data/load.js";
import { readSourceOptions, sourceOptions } from "../data/options.js";
import { splitTarget } from "../data/target.js";
import { inputNames } from "../explain/feature-names.js";
import { importanceFindings, measureImportance } from "../explain/importance.js";
import { knowledge } from "../explain/knowledge.js";
import { partialFindings } from "../explain/partial.js";
import { explainRow } from "../explain/row.js";
import { openModel } from "../model-file.js";
import { requireOther } from "../model-output.js";
import { knownLabels, readClass } from "../report/labels.js";
import { inputsOf, isClassifier, type OpenedModel, requirePredictor } from "../report/opened-model.js";
import { type Findings, sectionBlock, sectionText } from "../report/sections.js";
import { joined } from "../report/text.js";
import { writePage } from "../report/write-page.js";
import { wrap } from "../terminal/table.js";

const options = {
  target: {
    type: "string",
    short: "t",
    value: "COLUMN",
    doc: "The column of the truth; by default the model's own target",
  },
  row: { type: "string", value: "N", doc: "Explain the prediction of row N of DATA; the first is 1" },
  partial: {
    type: "string",
    multiple: true,
    value: "COLUMN",
    doc: "Draw how the prediction depends on a column; may be given several times",
  },
  class: { type: "string", value: "CLASS", doc: "Of several classes: explain this one" },
  top: { type: "string", value: "N", default: "15", doc: "Columns that are shown, the most important first" },
  repeats: { type: "string", value: "N", default: "5", doc: "How often each column is shuffled" },
  seed: { type: "string", value: "N", default: "0", doc: "For shuffling and for explanations by sampling" },
  html: { type: "string", value: "FILE", doc: "Also write a page with the same tables and plots" },
  ...sourceOptions,
} as const satisfies Options;

export const explain = defineCommand({
  description: [
    "Without DATA: what the model itself holds, such as coefficients, importances, rules of a tree, layers, and what is done with each column.",
    "With DATA: how much the score falls when a column is shuffled (permutation importance), which needs the target. --row explains one " +
      "prediction by Shapley values, exact for trees and linear models; --partial draws how the mean prediction depends on a column. Both need no target.",
  ],
  args: [
    { name: "MODEL", doc: "a model file, as train and compare write it" },
    {
      name: "DATA",
      doc: "rows with the columns of the model: a file or the name of an included dataset",
      optional: true,
    },
  ],
  options,
  examples: [
    { words: "explain model.safetensors", doc: "What the model itself holds" },
    {
      words: "explain model.safetensors penguins --top 5",
      doc: "Which columns matter, on an included dataset",
    },
    {
      words: "explain model.safetensors penguins.csv --row 1",
      doc: "Why the first row is predicted as it is",
    },
    {
      words: "explain model.safetensors penguins --partial billLength --html explanation.html",
      doc: "How the prediction depends on a column, also as a page",
    },
  ],
  async run(call) {
    const { values, args, terminal } = call;
    requireOther(values.html, args);
    const opened = await openModel(args[0]!);
    const { model } = opened;
    const top = readInteger("top", values.top, 1, 10_000);
    const chosen =
      values.class === undefined ? undefined : readClass("class", values.class, model.classes ?? []);
    const remarks: string[] = [];
    const findings =
      args[1] === undefined
        ? ownFindings(call, opened, top, chosen)
        : await dataFindings(call, opened, top, chosen, remarks);
    const sections = findings.flatMap((one) => one.sections);
    const look = lookOf(terminal, process.env);
    for (const text of remarks) terminal.emit({ type: "remark", text });
    for (const object of findings.flatMap((one) => one.objects)) terminal.emit(object);
    const notes = remarks.flatMap((remark) => wrap(`! ${remark}`, look.width));
    terminal.print(joined([notes, ...sections.map((section) => sectionText(section, look))]));
    if (values.html === undefined) return;
    const title = `Explanation of ${opened.name}`;
    const lead = args[1] === undefined ? "What the model itself holds." : `Measured on ${args[1]}.`;
    await writePage(values.html, { title, lead, remarks, blocks: sections.map(sectionBlock) }, terminal);
  },
});

type ExplainCall = Call<typeof options>;

function ownFindings(
  { values }: ExplainCall,
  opened: OpenedModel,
  top: number,
  chosen: Label | undefined,
): Findings[] {
  const given = (["row", "partial", "target"] as const).find((name) => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} needs DATA: rows with the columns of the model.`);
  return [knowledge(opened, { top, chosen })];
}

async function dataFindings(
  { values, args, terminal, signal }: ExplainCall,
  opened: OpenedModel,
  top: number,
  chosen: Label | undefined,
  remarks: string[],
): Promise<Findings[]> {
  const model = requirePredictor(opened);
  const repeats = readInteger("repeats", values.repeats, 1, 1000);
  const seed = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  const row =
    values.row === undefined ? undefined : readInteger("row", values.row, 1, Number.MAX_SAFE_INTEGER);
  const loaded = await loadTable(args[1]!, readSourceOptions(values));
  pushAll(remarks, loaded.remarks);
  const asked = values.target ?? opened.card?.target ?? loaded.target;
  const hasTarget = asked !== undefined && loaded.table.columnNames.includes(asked);
  if (values.target !== undefined && !hasTarget) splitTarget(loaded, values.target);
  const findings: Findings[] = [];
  const names = inputNames(model, opened.card);

  if (row !== undefined || values.partial !== undefined) {
    // All rows, those without a target too, so that --row counts as the file does.
    const all = inputsOf(opened, hasTarget ? loaded.table.drop([asked]) : loaded.table, loaded.name);
    if (row !== undefined) {
      const truth = hasTarget ? cellOf(loaded.table, asked, row - 1) : undefined;
      findings.push(explainRow(model, all.X, all.table, { row, top, inputs: names, chosen, truth, seed }));
    }
    for (const column of values.partial ?? [])
      findings.push(partialFindings(model, all.X, column, names, chosen));
    return findings;
  }
  if (!hasTarget)
    throw new UsageError(
      `Permutation importance needs the truth: name its column with --target. --row and --partial do without.`,
    );
  const split = splitTarget(loaded, asked);
  pushAll(remarks, split.remarks);
  const classifies = isClassifier(model);
  const known = classifies
    ? knownLabels(split.y, model.classes!, split.target)
    : { y: split.y, rows: [...split.y.keys()], unknown: [] };
  if (known.unknown.length > 0)
    remarks.push(
      `${split.y.length - known.y.length} rows with labels that the model has never seen are left out.`,
    );
  const inputs = inputsOf(opened, split.X.selectRows(known.rows), loaded.name);
  pushAll(remarks, inputs.remarks);
  const settings = { names, repeats, seed, top, terminal, signal };
  const found = await measureImportance(model, inputs.X, known.y, settings);
  findings.push(importanceFindings(found, { top, repeats, isClassifier: classifies, rows: known.y.length }));
  return findings;
}

function cellOf(table: Table, name: string, i: number): Label | undefined {
  if (i >= table.rows) return undefined;
  const cell = (table.row(i) as Readonly<Record<string, unknown>>)[name];
  return cell === null || cell instanceof Date ? undefined : (cell as Label);
}
