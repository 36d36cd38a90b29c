import { type Options, readChoice, readInteger, UsageError } from "../command.js";
import { readEncoding } from "./formats/encoding.js";
import { formats, type SourceOptions } from "./source.js";

/** Options of every command that reads data. */
export const sourceOptions = {
  format: {
    type: "string",
    value: "FORMAT",
    doc: `Format of the data where the name has no known ending, such as standard input: ${formats.join(", ")}`,
  },
  delimiter: {
    type: "string",
    value: "CHAR",
    doc: "Delimiter of a CSV file; guessed otherwise",
  },
  encoding: {
    type: "string",
    value: "NAME",
    doc: "Encoding of a CSV file that is not UTF-8: windows-1252, iso-8859-15, utf-16le, …",
  },
  table: { type: "string", value: "NAME", doc: "The table of a database" },
  rows: { type: "string", value: "N", doc: "Read the first N rows only" },
  columns: { type: "string", value: "A,B", multiple: true, doc: "Read these columns only" },
  text: {
    type: "string",
    value: "A,B",
    multiple: true,
    doc: "Columns that are text, though they look like numbers",
  },
  "bad-rows": {
    type: "string",
    value: "HOW",
    default: "error",
    doc: "Rows of a CSV file with too many or too few cells: error, or skip",
  },
  "max-unpacked": {
    type: "string",
    value: "MB",
    doc: "Megabytes that a compressed or columnar file may take in memory; 100 times its size, and 256 at least",
  },
} as const satisfies Options;

export interface SourceValues {
  readonly format?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly table?: string | undefined;
  readonly rows?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly text?: readonly string[] | undefined;
  readonly "bad-rows"?: string | undefined;
  readonly "max-unpacked"?: string | undefined;
}

/** Names divided by commas, or given one by one. A name with commas is given in double quotes: --text '"a, b"'. */
export const readNames = (given: readonly string[] | undefined): string[] | undefined =>
  given?.flatMap((text) =>
    Array.from(text.matchAll(/"([^"]*)"|([^,]+)/g), ([, quoted, plain]) => (quoted ?? plain!).trim()).filter(
      (name) => name !== "",
    ),
  );

const MARKS: Readonly<Record<string, string>> = {
  "\\t": "\t",
  tab: "\t",
  comma: ",",
  semicolon: ";",
  space: " ",
};

/** How the command line asks for data to be read. */
export function readSourceOptions(values: SourceValues, signal?: AbortSignal): SourceOptions {
  const { format, delimiter, rows } = values;
  const mark = delimiter === undefined ? undefined : (MARKS[delimiter] ?? delimiter);
  if (mark !== undefined && mark.length !== 1)
    throw new UsageError(`--delimiter must be one character, or tab; got ${JSON.stringify(delimiter)}.`);
  return {
    format: format === undefined ? undefined : readChoice("format", format, formats),
    delimiter: mark,
    encoding: values.encoding === undefined ? undefined : readEncoding(values.encoding),
    table: values.table,
    limit: rows === undefined ? undefined : readInteger("rows", rows, 1, Number.MAX_SAFE_INTEGER),
    columns: readNames(values.columns),
    asText: readNames(values.text),
    badRows: readChoice("bad-rows", values["bad-rows"] ?? "error", ["error", "skip"]),
    maxUnpacked:
      values["max-unpacked"] === undefined
        ? undefined
        : readInteger("max-unpacked", values["max-unpacked"], 1, 1 << 24) * 2 ** 20,
    signal,
  };
}

/** The options that say how the source is read, for hints that can be pasted. */
export const sourceWords = (values: SourceValues): string[] =>
  (["format", "delimiter", "encoding", "table", "text", "bad-rows", "max-unpacked"] as const).flatMap(
    (name) => {
      const value = values[name];
      if (value === undefined || (name === "bad-rows" && value === sourceOptions[name].default)) return [];
      return (typeof value === "string" ? [value] : value).flatMap((one) => [`--${name}`, one]);
    },
  );
