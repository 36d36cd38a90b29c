import { CategoricalColumn, type Column, type Table } from "argmax";
import { commonOptions, defineCommand, Failure, readChoice, UsageError } from "../command.js";
import { columnsOf, tableOf } from "../data/columns.js";
import { requireNames } from "../data/names.js";
import { readNames, readSourceOptions, sourceOptions } from "../data/options.js";
import type { StreamOptions } from "../data/source.js";
import { streamTables } from "../data/stream.js";
import { openWriter, outputFormats, type TableWriter } from "../data/write.js";
import { openModel } from "../model-file.js";
import { type Inputs, inputsOf, refusedRows } from "../predict/inputs.js";
import { type Outputs, outputsOf } from "../predict/outputs.js";
import type { Terminal } from "../terminal.js";

export const predict = defineCommand({
  description: [
    "Adds the column prediction, and with --proba one column per class. The data is read, predicted and written in batches, so " +
      "that it may be larger than memory; the output appears under its name when it is complete.",
    "Columns are found by name; others are ignored. A category that was not in the training data is treated as the model was told " +
      "to: the table treatment of compare and train takes it for an unknown one.",
  ],
  args: [
    { name: "MODEL", doc: "a model file" },
    { name: "DATA", doc: "a file, a glob, a database, an included dataset, or - for standard input" },
  ],
  options: {
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      doc: "Write to this file: .csv, .csv.gz, .tsv, .json, .ndjson, .parquet, .arrow; otherwise to standard output",
    },
    to: {
      type: "string",
      value: "FORMAT",
      doc: `Format of the output: ${outputFormats.join(", ")}; by default that of its name`,
    },
    proba: { type: "boolean", doc: "Add the probability of every class" },
    keep: {
      type: "string",
      value: "A,B",
      multiple: true,
      doc: "Copy these columns of the data in front of the prediction",
    },
    "with-input": { type: "boolean", doc: "Copy all columns of the data" },
    ...sourceOptions,
    json: commonOptions.json,
  },
  examples: [
    { words: "predict iris.safetensors iris.csv -o predictions.csv", doc: "One prediction per row" },
    {
      words: "predict iris.safetensors iris.csv --proba --with-input -o predictions.parquet",
      doc: "Probabilities beside all columns",
    },
    { words: "predict iris.safetensors - --json < iris.csv", doc: "From standard input to a script" },
  ],
  async run({ values, args, terminal, signal }) {
    const [path, source] = args as [string, string];
    const opened = await openModel(path);
    const inputs = inputsOf(path, opened);
    const outputs = outputsOf(path, opened.model, values.proba === true);
    const keep = readNames(values.keep) ?? [];
    if (keep.length > 0 && values["with-input"])
      throw new UsageError(
        "--keep and --with-input exclude each other: one copies some columns, the other all.",
      );
    const format = values.to === undefined ? undefined : readChoice("to", values.to, outputFormats);
    const asked = readSourceOptions(values, signal);
    const isText =
      format === undefined
        ? !/\.(?:json|ndjson|jsonl|parquet|pq|arrow|feather)\b/i.test(values.output ?? "")
        : format === "csv" || format === "tsv";
    const stream: StreamOptions = {
      ...asked,
      columns: columnsToRead(inputs, keep, values["with-input"] === true, asked.columns),
      kinds: inputs.kinds,
      // Copied cells stay as they are written: 007 is not 7.
      otherKinds: isText && !values.json && opened.card !== undefined ? "categorical" : undefined,
      onRemark: (remark) => terminal.note(remark),
    };
    const isRows = values.json === true && values.output === undefined;
    const writer = await openWriter(values.output, { format: isRows ? "ndjson" : format });
    const job: Job = { source, inputs, outputs, keep: values["with-input"] ? undefined : keep, isRows };
    const began = performance.now();
    const rows = await runJob(job, stream, writer, terminal, values.output);
    const seconds = (performance.now() - began) / 1000;
    if (!isRows) terminal.emit({ type: "predictions", rows, seconds, file: values.output ?? null });
    const speed = Math.round(rows / seconds).toLocaleString("en");
    const where = values.output === undefined ? "" : ` → ${values.output}`;
    terminal.note(`${rows.toLocaleString("en")} rows in ${seconds.toFixed(1)} s (${speed} rows/s)${where}`);
  },
});

interface Job {
  readonly source: string;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  /** Columns to copy; undefined for all. */
  readonly keep: readonly string[] | undefined;
  /** Whether rows are JSON objects with a type. */
  readonly isRows: boolean;
}

/** Undefined is all columns. */
function columnsToRead(
  { names }: Inputs,
  keep: readonly string[],
  all: boolean,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (asked !== undefined) return [...new Set([...asked, ...(names ?? []), ...keep])];
  return all || names === undefined ? undefined : [...new Set([...names, ...keep])];
}

async function runJob(
  job: Job,
  stream: StreamOptions,
  writer: TableWriter,
  terminal: Terminal,
  output: string | undefined,
): Promise<number> {
  let rows = 0;
  try {
    for await (const batch of streamTables(job.source, stream)) {
      await writer.write(predicted(job, batch, rows));
      rows += batch.rows;
      terminal.live?.write(`${rows.toLocaleString("en")} rows`);
    }
    await writer.close();
    return rows;
  } catch (error) {
    await writer.discard();
    if (!stream.signal?.aborted) throw error;
    throw new Failure(
      `Stopped after ${rows} rows.${output === undefined ? "" : ` ${output} was not written.`}`,
    );
  } finally {
    terminal.live?.clear();
  }
}

function predicted({ source, inputs, outputs, keep, isRows }: Job, batch: Table, before: number): Table {
  const names: readonly string[] = batch.columnNames;
  requireNames(source, [...(inputs.names ?? []), ...(keep ?? [])], names);
  const X = inputs.of(batch);
  let made: readonly (readonly [string, Column])[];
  try {
    made = outputs.of(X);
  } catch (error) {
    throw refusedRows(source, error, X, before);
  }
  const copied = columnsOf(batch).filter(([name]) => keep === undefined || keep.includes(name));
  const taken = new Set(copied.map(([name]) => name));
  const type: [string, Column][] = isRows
    ? [["type", new CategoricalColumn(new Int32Array(batch.rows), ["prediction"])]]
    : [];
  return tableOf([
    ...type,
    ...copied,
    ...made.map(([name, column]) => [freeName(name, taken), column] as const),
  ]);
}

/** `prediction.1` where the data has a column `prediction` already. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let k = 1; taken.has(free); k++) free = `${name}.${k}`;
  return free;
}
