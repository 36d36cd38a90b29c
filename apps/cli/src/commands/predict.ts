import { stat } from "node:fs/promises";
import { commonOptions, defineCommand, Failure, readChoice, readInteger, UsageError } from "../command.js";
import { isCsv } from "../data/load.js";
import { type DataFile, locate } from "../data/locate.js";
import { readNames, readSourceOptions, sourceOptions } from "../data/options.js";
import type { SourceOptions, StreamOptions } from "../data/source.js";
import { streamTables } from "../data/stream.js";
import type { OutputFormat, TableWriter, TextTableWriter } from "../data/write/write.js";
import { formatOf, isTextWriter, openWriter, outputFormats } from "../data/write/write.js";
import type { TextFormat } from "../data/write/write-text.js";
import { databaseOptions, requireDatabaseOptions } from "../database/options.js";
import { inputNames, type OpenedModel, openModel } from "../model-file.js";
import { requireOther } from "../model-output.js";
import { type Predictor, type PredictPlan, predictorOf } from "../predict/predictor.js";
import type { Terminal } from "../terminal/terminal.js";

export const predict = defineCommand({
  description: [
    "Adds the column prediction, and with --proba one column per class. The data is read, predicted and written in batches, so " +
      "that it may be larger than memory; the output appears under its name when it is complete.",
    "Columns are found by name; others are ignored. Models of compare and train treat a category that was not in the training " +
      "data as unknown; in other models their encoder decides.",
    "With --in-database the model becomes a query, which the database computes: PostgreSQL, ClickHouse, DuckDB, and files through DuckDB. " +
      "Rows with gaps that the model does not take get no prediction.",
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
    threads: {
      type: "string",
      value: "N",
      doc: "Threads that share a large CSV file; by default all cores, if more than a second of work is left",
    },
    ...sourceOptions,
    ...databaseOptions,
    json: commonOptions.json,
  },
  examples: [
    { words: "predict iris.safetensors iris.csv -o predictions.csv", doc: "One prediction per row" },
    {
      words: "predict iris.safetensors iris.csv --proba --with-input -o predictions.parquet",
      doc: "Probabilities beside all columns",
    },
    {
      words: "predict iris.safetensors iris.csv --in-database -o predictions.parquet",
      doc: "By DuckDB, which reads and writes the files",
    },
    { words: "predict iris.safetensors - --json < iris.csv", doc: "From standard input to a script" },
  ],
  async run({ values, args, terminal, signal }) {
    const [path, source] = args as [string, string];
    requireDatabaseOptions(values);
    const keep = readNames(values.keep) ?? [];
    if (keep.length > 0 && values["with-input"])
      throw new UsageError(
        "--keep and --with-input exclude each other: one copies some columns, the other all.",
      );
    requireOther(values.output, [path, source]);
    const opened = await openModel(path);
    const sourceAsked = readSourceOptions(values, signal);
    const typed = values.json === true && values.output === undefined;
    const plan: PredictPlan = {
      model: path,
      source,
      columns: sourceAsked.columns,
      proba: values.proba === true,
      keep: values["with-input"] ? undefined : keep,
      typed,
    };
    const predictor = predictorOf(plan, opened);
    const asked = values.to === undefined ? undefined : readChoice("to", values.to, outputFormats);
    const format = asked ?? (typed ? "ndjson" : formatOf(values.output));
    const began = performance.now();
    const inMemory = async () => {
      const threads =
        values.threads === undefined ? undefined : readInteger("threads", values.threads, 1, 64);
      const writer = await openWriter(values.output, { format });
      const stream = {
        ...streamOptions(plan, opened, format, sourceAsked),
        onRemark: terminal.note,
      };
      const { output } = values;
      return predictAll({ plan, predictor, stream, writer, format, terminal, output, threads });
    };
    const inDatabase = async () => {
      const { predictInDatabase } = await import("../database/predict.js");
      terminal.live?.write("predicting");
      const onRows = (count: number) => terminal.live?.write(`${count.toLocaleString("en")} rows`);
      const wanted = { ...plan, format, output: values.output, onRows };
      return predictInDatabase(wanted, opened, values, signal).finally(() => terminal.live?.clear());
    };
    const rows = await (values["in-database"] ? inDatabase() : inMemory());
    const seconds = (performance.now() - began) / 1000;
    if (!typed) terminal.emit({ type: "predictions", rows, seconds, file: values.output ?? null });
    const speed = Math.round(rows / seconds).toLocaleString("en");
    const where = values.output === undefined ? "" : ` → ${values.output}`;
    terminal.note(`${rows.toLocaleString("en")} rows in ${seconds.toFixed(1)} s (${speed} rows/s)${where}`);
  },
});

/** The columns to read, with the kinds of the training. */
function streamOptions(
  { keep }: PredictPlan,
  opened: OpenedModel,
  format: OutputFormat,
  asked: SourceOptions,
): StreamOptions {
  const names = inputNames(opened);
  const needed = keep === undefined || names === undefined ? undefined : [...names, ...keep];
  const columns =
    asked.columns === undefined ? needed : [...asked.columns, ...(names ?? []), ...(keep ?? [])];
  const kinds = Object.fromEntries((opened.card?.inputs ?? []).map(({ name, kind }) => [name, kind]));
  // Copied cells stay as they are written: 007 is not 7.
  const isText = format === "csv" || format === "tsv";
  const otherKinds = isText && opened.card !== undefined ? "categorical" : undefined;
  return { ...asked, columns: columns && [...new Set(columns)], kinds, otherKinds };
}

interface Job {
  readonly plan: PredictPlan;
  readonly predictor: Predictor;
  readonly stream: StreamOptions;
  readonly writer: TableWriter;
  readonly format: OutputFormat;
  readonly terminal: Terminal;
  readonly output: string | undefined;
  readonly threads: number | undefined;
}

async function predictAll(job: Job): Promise<number> {
  const { writer, terminal, stream, output } = job;
  let seen = 0;
  const onRows = (rows: number) => {
    seen = rows;
    terminal.live?.write(`${rows.toLocaleString("en")} rows`);
  };
  try {
    const found = await blockFile(job);
    const rows = found === undefined ? await inOrder(job, onRows) : await inBlocks(job, found, onRows);
    await writer.close();
    return rows;
  } catch (error) {
    await writer.discard();
    if (!stream.signal?.aborted) throw error;
    throw new Failure(
      `Stopped after ${seen} rows.${output === undefined ? "" : ` ${output} was not written.`}`,
    );
  } finally {
    terminal.live?.clear();
  }
}

/** The file and its size, if both ends are text, so that threads can do all the work on a block of it. */
async function blockFile({
  plan,
  stream,
  writer,
}: Job): Promise<{ file: DataFile; size: number } | undefined> {
  const place = await locate(plan.source, stream);
  if (place.kind !== "files" || place.files.length > 1 || stream.limit !== undefined || !isTextWriter(writer))
    return undefined;
  const [file] = place.files as [DataFile];
  if (file.path === undefined || !isCsv(file)) return undefined;
  const { size } = await stat(file.path);
  return { file, size: file.compression === undefined ? size : USUAL_COMPRESSION * size };
}

/** Tables of numbers as text shrink to about a third. */
const USUAL_COMPRESSION = 3;

async function inBlocks(
  { stream, plan, predictor, writer, format, threads }: Job,
  found: { file: DataFile; size: number },
  onRows: (rows: number) => void,
): Promise<number> {
  const { predictBlocks } = await import("../predict/parallel.js");
  return predictBlocks({
    ...found,
    threads,
    stream,
    plan,
    predictor,
    writer: writer as TextTableWriter,
    format: format as TextFormat,
    onRows,
  });
}

async function inOrder(
  { plan, predictor, stream, writer }: Job,
  onRows: (rows: number) => void,
): Promise<number> {
  let rows = 0;
  for await (const batch of streamTables(plan.source, stream)) {
    await writer.write(predictor(batch, rows));
    rows += batch.rows;
    onRows(rows);
  }
  return rows;
}
