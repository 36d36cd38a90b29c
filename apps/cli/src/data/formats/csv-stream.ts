import { stat } from "node:fs/promises";
import type { CsvKind, InputKind, Table } from "argmax";
import { Failure } from "../../command.js";
import { readBytes } from "../bytes.js";
import { columnsOf, requireFinite } from "../columns.js";
import type { DataFile } from "../locate.js";
import { requireNames } from "../names.js";
import type { SourceOptions, StreamOptions } from "../source.js";
import { type Marks, plainBlocks, rowBlocks } from "./csv-blocks.js";
import { csvFailure } from "./csv-errors.js";
import { type Header, headerOf, marksOf, parse, remarksOf } from "./csv-header.js";
import { utf8Chunks } from "./encoding.js";

/** Bytes of a block: large enough for kernels to be busy, small enough to stay in the caches of a machine. Measured: 1 and 4 MB take a tenth longer. */
const BLOCK = 2 << 20;

const csvKinds: Readonly<Record<InputKind, CsvKind>> = {
  numeric: "number",
  categorical: "category",
  boolean: "boolean",
  date: "date",
  text: "text",
};

const show = (text: unknown) => JSON.stringify(text);

export const delimiterOf = ({ format }: DataFile, { delimiter }: SourceOptions): string | undefined =>
  delimiter ?? (format === "tsv" ? "\t" : undefined);

/** All that is needed to read a block of rows: plain values, which another thread can be sent. */
export interface CsvPlan {
  readonly label: string;
  readonly delimiter: string;
  readonly quote: string;
  readonly decimal: "." | ",";
  /** Whether the file begins with names. */
  readonly hasHeader: boolean;
  readonly names: readonly string[];
  readonly columns: readonly string[] | undefined;
  readonly types: Readonly<Record<string, CsvKind>>;
  readonly badRows: "error" | "skip" | undefined;
}

/** The rows of a block after the first. Errors name lines of the file if `linesBefore` is known. */
export function readBlock(plan: CsvPlan, bytes: Uint8Array, rowsBefore: number, linesBefore = 0): Table {
  const { label, names, hasHeader: _, ...options } = plan;
  const table = parse(label, bytes, { ...options, header: names }, linesBefore);
  requireFinite(table, (name, i) => `${label}, row ${rowsBefore + i + 1}, column ${show(name)}: the cell`);
  return table;
}

/** A block of whole rows. */
export interface CsvBlock {
  readonly plan: CsvPlan;
  readonly bytes: Uint8Array;
  /** The rows of the first block, which were read to make the plan. */
  readonly table?: Table | undefined;
  /** Reads the rows; `rowsBefore` is for errors. */
  read(rowsBefore: number, bytes?: Uint8Array): Promise<Table>;
}

/** The blocks of a file. Kinds that are not given are those of the first block. */
export async function* csvBlocks(file: DataFile, options: StreamOptions): AsyncGenerator<CsvBlock> {
  const { label } = file;
  let header: Header | undefined;
  let plan: CsvPlan | undefined;
  let consumed = 0;
  const sniff = (start: Uint8Array): Header => {
    try {
      header ??= headerOf(start, { delimiter: delimiterOf(file, options) });
    } catch (error) {
      throw csvFailure(label, error);
    }
    return header;
  };
  for await (const bytes of blocksOf(file, options, (start) => marksOf(sniff(start).guess))) {
    options.signal?.throwIfAborted();
    const before = consumed;
    consumed += bytes.length;
    if (plan === undefined) {
      const first = firstBlock(label, bytes, sniff(bytes), options);
      plan = first.plan;
      const { table } = first;
      yield { plan, bytes, table, read: async () => table };
      continue;
    }
    const fixed = plan;
    const read = (rowsBefore: number, own = bytes) =>
      located(file, before, options, (lines) => readBlock(fixed, own, rowsBefore, lines));
    yield { plan, bytes, read };
  }
  if (plan === undefined) throw new Failure(`${label} is empty: it has no rows.`);
}

/** A plain file is read block by block; compressed files, pipes and UTF-16 chunk by chunk. */
async function* blocksOf(
  file: DataFile,
  { stdin, encoding }: StreamOptions,
  marks: (start: Uint8Array) => Marks,
): AsyncGenerator<Uint8Array> {
  if (file.path !== undefined && file.compression === undefined && (await stat(file.path)).isFile()) {
    const isRead = yield* plainBlocks(file.path, file.label, marks, BLOCK, encoding);
    if (isRead) return;
  }
  yield* rowBlocks(file.label, utf8Chunks(file.label, readBytes(file, stdin), encoding), marks, BLOCK);
}

function firstBlock(
  label: string,
  bytes: Uint8Array,
  { guess, names }: Header,
  options: StreamOptions,
): { plan: CsvPlan; table: Table } {
  const { delimiter, quote, header } = guess;
  const { columns, badRows } = options;
  const types = requestedTypes(label, names, options);
  let decimal: "." | "," = ".";
  const table = parse(label, bytes, {
    delimiter,
    quote,
    header,
    columns,
    types,
    badRows,
    onGuess: (found) => {
      decimal = found.decimal as "." | ",";
      for (const remark of remarksOf(label, bytes, found)) options.onRemark?.(remark);
    },
  });
  requireRows(label, table);
  requireFinite(table, (name, i) => `${label}, row ${i + 1}, column ${show(name)}: the cell`);
  const found = Object.fromEntries(columnsOf(table).map(([name, { kind }]) => [name, csvKinds[kind]]));
  return {
    plan: {
      label,
      delimiter,
      quote,
      decimal,
      hasHeader: header,
      names,
      columns,
      types: { ...found, ...types },
      badRows,
    },
    table,
  };
}

export function requireRows(label: string, table: Table): void {
  if (table.rows === 0) throw new Failure(`${label} has names of columns, but no rows.`);
}

/** The rows in batches. */
export async function* streamCsvFile(file: DataFile, options: StreamOptions): AsyncGenerator<Table> {
  let rows = 0;
  for await (const block of csvBlocks(file, options)) {
    const table = await block.read(rows);
    rows += table.rows;
    yield table;
  }
}

function requestedTypes(
  label: string,
  names: readonly string[],
  options: StreamOptions,
): Record<string, CsvKind> {
  requireNames(label, [...(options.columns ?? []), ...(options.asText ?? [])], names);
  const kinds = Object.entries(options.kinds ?? {}).filter(([name]) => names.includes(name));
  const others =
    options.otherKinds === undefined
      ? []
      : names.map((name) => [name, csvKinds[options.otherKinds!]] as const);
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries((options.asText ?? []).map((name) => [name, "category" as const])),
    ...Object.fromEntries(kinds.map(([name, kind]) => [name, csvKinds[kind]])),
  };
}

/** Runs `read`; if it fails, counts the lines before the block and runs it again, so that its error names the line. */
async function located(
  file: DataFile,
  consumed: number,
  options: StreamOptions,
  read: (linesBefore: number) => Table,
): Promise<Table> {
  try {
    return read(0);
  } catch (error) {
    // What was read from standard input is gone.
    if (file.path === undefined) throw error;
    return read(await linesWithin(file.label, file, consumed, options));
  }
}

/** Line breaks in the first bytes of a file. */
async function linesWithin(
  label: string,
  file: DataFile,
  end: number,
  { stdin, encoding }: StreamOptions,
): Promise<number> {
  let [at, lines] = [0, 0];
  for await (const chunk of utf8Chunks(label, readBytes(file, stdin), encoding)) {
    const rest = chunk.subarray(0, end - at);
    for (const code of rest) if (code === 10) lines++;
    at += rest.length;
    if (at >= end) break;
  }
  return lines;
}
