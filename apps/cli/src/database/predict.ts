import { rename, rm } from "node:fs/promises";
import { type ColumnType, type SourceColumn, toSql } from "@argmax/sql";
import { AbortError, ArgmaxError, CategoricalColumn, type Column, TextColumn } from "argmax";
import { Failure } from "../command.js";
import { tableOf } from "../data/columns.js";
import { quotedText } from "../data/formats/duckdb.js";
import { requireNames } from "../data/names.js";
import { type OutputFormat, openWriter } from "../data/write/write.js";
import { typesOf } from "../described-types.js";
import { inputNames, type OpenedModel } from "../model-file.js";
import { outputsOf } from "../predict/outputs.js";
import { freeName } from "../predict/predictor.js";
import { writeFailure } from "../write-failure.js";
import { askDuckdb } from "./duckdb.js";
import { type OpenedDatabase, withDatabase } from "./open.js";
import type { DatabaseValues } from "./options.js";
import { columnOf } from "./training-data.js";

/** What is predicted of what, and where it goes. */
export interface DatabasePrediction {
  /** The model file. */
  readonly model: string;
  readonly source: string;
  readonly proba: boolean;
  /** Columns to copy; undefined for all, or for those of `columns` and of the model. */
  readonly keep: readonly string[] | undefined;
  /** What --columns names: for a model that knows no names, the columns of its training in their order. */
  readonly columns: readonly string[] | undefined;
  /** Whether every row has a column `type`, as lines of --json have. */
  readonly typed: boolean;
  readonly format: OutputFormat;
  readonly output: string | undefined;
  readonly onRows: (rows: number) => void;
}

/** Rows that are read at once. */
const BLOCK = 10_000;
/** Milliseconds that a block may take. */
const PASS = 3_600_000;

/** Lets the database predict, and writes what it answers. Returns the number of rows. */
export async function predictInDatabase(
  plan: DatabasePrediction,
  opened: OpenedModel,
  values: DatabaseValues,
  signal: AbortSignal,
): Promise<number> {
  let seen = 0;
  const onRows = (rows: number) => {
    seen = rows;
    plan.onRows(rows);
  };
  try {
    return await withDatabase(plan.source, values, signal, async (source) => {
      const asked = askedOf({ ...plan, onRows }, opened, source);
      return source.duckdb !== undefined && plan.output !== undefined && isCopied(plan.format)
        ? copied(asked, source, plan.output, signal)
        : streamed(asked, source, signal);
    });
  } catch (error) {
    if (!(error instanceof AbortError)) throw error;
    const { output } = plan;
    throw new Failure(
      `Stopped after ${seen} rows.${output === undefined ? "" : ` ${output} was not written.`}`,
    );
  }
}

/** The SELECT of the predictions. */
interface Asked extends DatabasePrediction {
  readonly select: string;
  readonly kept: readonly string[];
  /** Names of the columns of the predictions, which are behind those that are kept. */
  readonly made: readonly string[];
  /** Whether labels are true and false, which old versions of ClickHouse have no type for. */
  readonly isTruth: boolean;
}

function askedOf(plan: DatabasePrediction, opened: OpenedModel, source: OpenedDatabase): Asked {
  const { model, card } = opened;
  const { columns, label, rows } = source;
  const names = columns.map(({ name }) => name);
  const known = inputNames(opened);
  requireNames(label, [...(known ?? []), ...(plan.keep ?? []), ...(plan.columns ?? [])], names);
  const copied = plan.keep ?? (plan.columns && [...plan.columns, ...(known ?? [])]) ?? names;
  const keep = names.filter((name) => copied.includes(name));
  const inputs = known ?? plan.columns ?? numbersIn(columns);
  const given = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
  const wanted = outputsOf(plan.model, model, plan.proba).names;
  try {
    const sql = toSql(model, {
      dialect: rows.engine.dialect,
      columns: inputs,
      types: typesIn(given, typesOf(card)),
    });
    const outputs = Object.keys(sql.expressions);
    const taken = new Set(keep);
    const made = wanted.flatMap((name) =>
      outputsNamed(name, outputs).map((output): [string, string] => [
        output,
        freeName(nameOf(output), taken),
      ]),
    );
    const select = sql.select(rows.source.from, { keep, names: Object.fromEntries(made) });
    const isTruth = typeof model.classes?.[0] === "boolean";
    return { ...plan, select, kept: keep, made: made.map(([, name]) => name), isTruth };
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    const { subject, expected, received, advice } = error;
    throw new Failure(
      `${plan.model} cannot predict in a database: ${subject} must be ${expected}, got ${received}. ${advice}`.trim(),
    );
  }
}

/** Types of the source; a boolean or a date of the training that the source has as something else is that. */
const typesIn = (
  given: Readonly<Record<string, ColumnType | undefined>>,
  trained: Readonly<Record<string, ColumnType>>,
): Record<string, ColumnType> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, type]): [string, ColumnType][] => {
      const found = type ?? trained[name];
      return found === undefined ? [] : [[name, found]];
    }),
  );

const numbersIn = (columns: readonly SourceColumn[]): string[] =>
  columns.flatMap(({ name, type }) => (type === "number" || type === "boolean" ? [name] : []));

/** Outputs of `toSql` that are a column of `argmax predict`. */
function outputsNamed(name: string, outputs: readonly string[]): readonly string[] {
  if (name !== "prediction") return [name.replace(/^proba_/, "probability_")];
  const single = outputs.find((output) => output === "label" || output === "cluster");
  return single === undefined ? outputs.filter((output) => output.startsWith("prediction")) : [single];
}

const nameOf = (output: string): string =>
  output === "label" || output === "cluster" ? "prediction" : output.replace(/^probability_/, "proba_");

const copySettings: Partial<Record<OutputFormat, string>> = {
  csv: "FORMAT csv, HEADER, DELIMITER ','",
  tsv: "FORMAT csv, HEADER, DELIMITER '\t'",
  ndjson: "FORMAT json",
  parquet: "FORMAT parquet, COMPRESSION zstd",
};

const isCopied = (format: OutputFormat): boolean => Object.hasOwn(copySettings, format);

/** DuckDB writes the file itself. Under its name the file is whole or not there. */
async function copied(
  { select, format }: Asked,
  { duckdb }: OpenedDatabase,
  output: string,
  signal: AbortSignal,
): Promise<number> {
  const temporary = `${output}.${process.pid}.partial`;
  const isText = format !== "parquet";
  const packed = isText ? `, COMPRESSION ${/\.gz$/i.test(output) ? "gzip" : "none"}` : "";
  const into = `${quotedText(temporary)} (${copySettings[format]}${packed})`;
  try {
    const [row] = await askDuckdb(duckdb!, `COPY (${select}) TO ${into}`, signal);
    signal.throwIfAborted();
    await rename(temporary, output);
    return Number(row![0]);
  } catch (error) {
    await rm(temporary, { force: true });
    const { message } = error as Error;
    if (/^IO Error: .*(Cannot open file|No such file|Permission denied|Is a directory)/.test(message))
      throw new Failure(
        `${output} cannot be written: ${message.split("\n")[0]!.replace(/^IO Error: /, "")}.`,
      );
    throw writeFailure(output, error);
  }
}

/** Rows come in blocks, and a writer of this program writes them. */
async function streamed(asked: Asked, { database }: OpenedDatabase, signal: AbortSignal): Promise<number> {
  const { select, format, output, kept, typed, onRows } = asked;
  const { engine, source } = database.query(select);
  const session = await engine.open(source, { signal, timeoutMs: PASS });
  const nested = session.columns.find(({ type }) => type === undefined);
  if (nested !== undefined) {
    await session.close();
    throw new Failure(
      `Column ${JSON.stringify(nested.name)} is not of numbers, text, booleans or dates, which are what can be written: name those to copy with --keep.`,
    );
  }
  const writer = await openWriter(output, { format });
  let rows = 0;
  try {
    const columns = session.columns.map((column, c) => readOf(column, asked, c < kept.length));
    const blocks = session.batches(
      columns.map(({ name, type, as }) => ({ of: { kind: "column" as const, name, type, as }, type: as })),
      { rows: BLOCK, signal, timeoutMs: PASS },
    );
    for await (const block of blocks) {
      const count = block[0]!.length;
      const type: [string, Column][] = typed
        ? [["type", new CategoricalColumn(new Int32Array(count), ["prediction"])]]
        : [];
      const made = columns.map(({ name, shown }, c): [string, Column] => [name, shown(block[c]!)]);
      await writer.write(tableOf([...type, ...made]));
      rows += count;
      onRows(rows);
    }
    await writer.close();
    return rows;
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await session.close();
  }
}

/** How a column of the answer is read and written. Copied cells of text formats stay as the database writes them. */
function readOf({ name, type }: SourceColumn, { format, isTruth, made }: Asked, isKept: boolean) {
  const isText = format === "csv" || format === "tsv";
  if (isKept && isText) {
    const shown = (cells: ArrayLike<number | string | null>) =>
      new TextColumn(Array.from(cells as ArrayLike<string | null>, (cell) => plainNumber(cell, type)));
    return { name, type, as: "text" as const, shown };
  }
  const own = isTruth && name === made[0] ? "boolean" : type;
  const as = own === "text" ? ("text" as const) : ("number" as const);
  return { name, type, as, shown: (cells: ArrayLike<number | string | null>) => columnOf(own, cells) };
}

/** 13 for 13.0, as DuckDB writes a double. */
const plainNumber = (cell: string | null, type: ColumnType | undefined): string | null =>
  type === "number" && cell !== null ? cell.replace(/\.0$/, "") : cell;
