import type { CategoricalColumn, Column, Table } from "argmax";
import { columnsOf, isoText } from "../columns.js";
import type { ByteSink } from "./sinks.js";
import type { TableWriter } from "./write.js";

export type TextFormat = "csv" | "tsv" | "json" | "ndjson";

/** Rows that are formatted as one text. */
const ROWS_AT_ONCE = 8192;

/** A writer that also takes rows that are text already. */
export interface TextTableWriter extends TableWriter {
  writeText(text: string | Uint8Array, rows: number): Promise<void>;
}

export function textWriter(format: TextFormat, sink: ByteSink): TextTableWriter {
  let rows = 0;
  return {
    async write(batch) {
      if (rows === 0) await sink.write(format === "json" ? "[\n" : headerOf(format, batch));
      for (const text of texts(format, batch, rows === 0)) await sink.write(text);
      rows += batch.rows;
    },
    async writeText(text, count) {
      await sink.write(text);
      rows += count;
    },
    async close() {
      if (format === "json") await sink.write(rows === 0 ? "[]\n" : "\n]\n");
      await sink.close();
    },
    discard: () => sink.discard(),
  };
}

/** The rows of a batch after the first as one text, or as its UTF-8. */
export function rowsText(format: TextFormat, batch: Table): string | Uint8Array {
  const [entry, ...others] = columnsOf(batch);
  const isTable = format === "csv" || format === "tsv";
  const lines =
    isTable && entry?.[1].kind === "categorical" && others.length === 0
      ? categoryLines(entry[1], delimiterOf(format))
      : undefined;
  return lines ?? [...texts(format, batch, false)].join("");
}

/** Bytes of a line up to which copying it whole is faster than joining text. */
const SHORT_LINE = 16;

/**
 * Rows of one column of short labels, as `csvText` writes them. As many words of four bytes are written for every row, and the next row
 * overwrites those beyond its end: loops of different lengths are not predictable.
 */
function categoryLines({ codes, categories }: CategoricalColumn, delimiter: string): Uint8Array | undefined {
  const lines = ['""', ...categories.map((name) => quoted(name, delimiter))].map((text) =>
    Buffer.from(`${text}\n`),
  );
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  if (longest > SHORT_LINE) return undefined;
  const lengths = Uint8Array.from(lines, ({ length }) => length);
  const words = Math.ceil(longest / 4);
  const bytes = new Uint8Array(4 * words * lines.length);
  for (const [k, line] of lines.entries()) bytes.set(line, 4 * words * k);
  const parts = new Int32Array(bytes.length / 4);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < parts.length; k++) parts[k] = view.getInt32(4 * k, true);
  const out = new DataView(new ArrayBuffer(4 * words * (codes.length + 1)));
  let at = 0;
  for (let i = 0; i < codes.length; i++) {
    // A missing one has the code −1.
    const line = codes[i]! + 1;
    for (let k = 0; k < words; k++) out.setInt32(at + 4 * k, parts[line * words + k]!, true);
    at += lengths[line]!;
  }
  return new Uint8Array(out.buffer, 0, at);
}

const delimiterOf = (format: TextFormat): string => (format === "tsv" ? "\t" : ",");

const headerOf = (format: TextFormat, batch: Table): string =>
  format === "csv" || format === "tsv" ? headerLine(batch, delimiterOf(format)) : "";

function* texts(format: TextFormat, batch: Table, isFirst: boolean): Generator<string> {
  const isJson = format === "json" || format === "ndjson";
  const delimiter = delimiterOf(format);
  const cells = columnsOf(batch).map(([name, column]) =>
    isJson ? jsonCells(name, column) : csvCells(column, delimiter),
  );
  for (let from = 0; from < batch.rows; from += ROWS_AT_ONCE) {
    const to = Math.min(batch.rows, from + ROWS_AT_ONCE);
    yield isJson
      ? jsonText(cells, from, to, format === "json", isFirst && from === 0)
      : csvText(cells, from, to, delimiter);
  }
}

type CellText = (i: number) => string;

const headerLine = (table: Table, delimiter: string): string =>
  `${table.columnNames.map((name) => quoted(name, delimiter)).join(delimiter)}\n`;

/** A text as a cell: in quotes if it would be read as something else otherwise. Blanks around it would be lost. */
const quoted = (text: string, delimiter: string): string =>
  text === "" || text.includes(delimiter) || /["\n\r]|^\s|\s$|^'/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;

function csvCells(column: Column, delimiter: string): CellText {
  switch (column.kind) {
    case "numeric": {
      const { values } = column;
      return (i) => (Number.isNaN(values[i]) ? "" : `${values[i]}`);
    }
    case "boolean": {
      const words = ["false", "true", ""];
      return (i) => words[column.values[i]!]!;
    }
    case "date":
      return (i) => (Number.isNaN(column.values[i]) ? "" : isoText(new Date(column.values[i]!)));
    case "categorical": {
      const written = column.categories.map((name) => quoted(name, delimiter));
      return (i) => written[column.codes[i]!] ?? "";
    }
    case "text":
      return (i) => (column.values[i] === null ? "" : quoted(column.values[i]!, delimiter));
  }
}

/** Parts are joined once: text that grows by pieces is garbage by the megabyte. */
function csvText(cells: readonly CellText[], from: number, to: number, delimiter: string): string {
  const last = cells.length - 1;
  // A row of one empty cell would be a blank line, which readers pass over.
  if (last === 0) {
    const [cell] = cells as [CellText];
    const lines = new Array<string>(to - from + 1);
    for (let i = from; i < to; i++) lines[i - from] = cell(i) || '""';
    lines[to - from] = "";
    return lines.join("\n");
  }
  const parts = new Array<string>(2 * cells.length * (to - from));
  let p = 0;
  for (let i = from; i < to; i++) {
    for (let k = 0; k <= last; k++) {
      parts[p++] = cells[k]!(i);
      parts[p++] = k === last ? "\n" : delimiter;
    }
  }
  return parts.join("");
}

/** `"name":value` of every row. Numbers that JSON has no text for are null. */
function jsonCells(name: string, column: Column): CellText {
  const key = `${JSON.stringify(name)}:`;
  if (column.kind === "categorical") {
    const written = column.categories.map((text) => key + JSON.stringify(text));
    return (i) => written[column.codes[i]!] ?? `${key}null`;
  }
  if (column.kind === "numeric")
    return (i) => key + (Number.isFinite(column.values[i]) ? column.values[i] : "null");
  if (column.kind === "date")
    return (i) =>
      key + (Number.isNaN(column.values[i]) ? "null" : `"${isoText(new Date(column.values[i]!))}"`);
  return (i) => key + JSON.stringify(column.at(i));
}

function jsonText(
  cells: readonly CellText[],
  from: number,
  to: number,
  inArray: boolean,
  isFirst: boolean,
): string {
  let text = "";
  for (let i = from; i < to; i++) {
    const row = `{${cells.map((cell) => cell(i)).join(",")}}`;
    text += inArray ? `${isFirst && i === from ? "" : ",\n"}${row}` : `${row}\n`;
  }
  return text;
}
