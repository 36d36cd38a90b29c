import type { Column, InputKind, Table } from "argmax";
import { Failure } from "../command.js";
import { asKind, columnsOf, requireFinite, settled, tableOf } from "./columns.js";
import { streamCsvFile } from "./formats/csv-stream.js";
import { isCsv, labelOf, loadTable, typedTables } from "./load.js";
import { type DataFile, locate } from "./locate.js";
import type { StreamOptions } from "./source.js";

const BATCH = 65_536;

/**
 * Reads a source in batches, so that files larger than memory can be read. The kinds of columns are the same in every batch:
 * those of the first, unless `kinds` gives them. Categories are those of the batch.
 */
export async function* streamTables(source: string, options: StreamOptions = {}): AsyncGenerator<Table> {
  const { batchRows = BATCH, limit = Number.POSITIVE_INFINITY } = options;
  let left = limit;
  for await (const table of wholeBatches(source, options, batchRows)) {
    for (let from = 0; from < table.rows && left > 0; from += batchRows) {
      const to = Math.min(table.rows, from + batchRows, from + left);
      yield from === 0 && to === table.rows ? table : slice(table, from, to);
      left -= to - from;
    }
    if (left <= 0) return;
  }
}

function slice(table: Table, from: number, to: number): Table {
  return table.selectRows(Int32Array.from({ length: to - from }, (_, k) => from + k));
}

async function* wholeBatches(
  source: string,
  options: StreamOptions,
  batchRows: number,
): AsyncGenerator<Table> {
  const place = await locate(source, options);
  if (place.kind === "files" && isCsv(place.files[0]!)) {
    yield* csvBatches(place.files, options);
    return;
  }
  if (place.kind === "included" || (place.kind === "files" && place.files[0]!.format === "libsvm")) {
    const { table, remarks } = await loadTable(source, options);
    for (const remark of remarks) options.onRemark?.(remark);
    yield withKinds(table, options.kinds ?? {}, place.name, 0);
    return;
  }
  const label = labelOf(place);
  let kinds: Record<string, InputKind> | undefined;
  let rows = 0;
  for await (const { table } of typedTables(place, options, batchRows)) {
    kinds ??= firstKinds(table, options);
    const before = rows;
    const read = withKinds(table, kinds, label, before);
    requireFinite(
      read,
      (name, i) => `${label}, row ${before + i + 1}, column ${JSON.stringify(name)}: the cell`,
    );
    yield read;
    rows += table.rows;
  }
  if (rows === 0) throw new Failure(`${label} has no rows.`);
}

/** The kinds of the first file are those of all. */
async function* csvBatches(files: readonly DataFile[], options: StreamOptions): AsyncGenerator<Table> {
  let kinds = options.kinds;
  for (const file of files) {
    for await (const table of streamCsvFile(file, { ...options, kinds })) {
      kinds = { ...Object.fromEntries(columnsOf(table).map(([name, { kind }]) => [name, kind])), ...kinds };
      yield table;
    }
  }
}

function firstKinds(table: Table, { kinds = {}, asText = [] }: StreamOptions): Record<string, InputKind> {
  return Object.fromEntries(
    columnsOf(table).map(([name, column]) => {
      const text = asText.includes(name) ? asKind(column, "text", () => "") : column;
      return [name, kinds[name] ?? kindOf(text)];
    }),
  );
}

/** A column of text without entries stays text: later rows may have some. */
const kindOf = (column: Column): InputKind =>
  column.kind === "text" && column.missing === column.length ? "categorical" : settled(column).kind;

function withKinds(
  table: Table,
  kinds: Readonly<Record<string, InputKind>>,
  label: string,
  before: number,
): Table {
  return tableOf(
    columnsOf(table).map(([name, column]) => {
      const where = (i: number) =>
        `${label}, row ${before + i + 1}, column ${JSON.stringify(name)}: the cell`;
      return [name, asKind(column, kinds[name] ?? column.kind, where)] as const;
    }),
  );
}
