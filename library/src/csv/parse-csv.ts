import { FormatError, ParameterError, show } from "../core/errors.js";
import { option, readOptions } from "../core/params/options.js";
import { choice, flag, invalid, optional, type ParamSpec, type TableOf } from "../core/params/params.js";
import { textEncoder } from "../core/text/utf8-coders.js";
import type { Column, TextColumn } from "../data/table/column.js";
import { notesOf } from "../data/table/column-notes.js";
import { type Schema, Table } from "../data/table/table.js";
import { type CellOfType, type ColumnType, typesOption } from "../data/table/typed-column.js";
import type { TextRules } from "../data/text/convert-text.js";
import { asDates, asNumbers, convertText, dayFirstOption } from "../data/text/convert-text.js";
import { type BadQuote, CsvCells, CsvText } from "../numeric/csv/csv-cells.js";
import { withArena } from "../numeric/runtime/arena.js";
import { CellReader, isRefused, type Refused } from "./cells.js";
import { CsvGuess, type GuessedColumn } from "./csv-guess.js";
import { checkDialect, guessDecimal, guessDialect, looksLikeNames, NO_QUOTE } from "./dialect.js";
import { type DecodedText, utf8Of } from "./encoding.js";
import { LineCounter } from "./lines.js";

/** What a column holds, as `types` says it. */
export type CsvKind = ColumnType;

export interface CsvOptions<T extends Readonly<Record<string, CsvKind>> = Readonly<Record<string, CsvKind>>> {
  /** What columns hold, where it should not be guessed. The type of the table says it too. */
  readonly types?: T | undefined;
  /** The columns to read, by name; all by default. The others cost nothing but the search for their ends. */
  readonly columns?: readonly string[] | undefined;
  /**
   * The encoding of bytes, by any name that TextDecoder knows: "windows-1252", "iso-8859-15", "utf-16le". UTF-8 by default; UTF-16 is
   * recognised. Bytes that are not UTF-8 are an error that says what they look like.
   */
  readonly encoding?: string | undefined;
  /** One character. Guessed among comma, semicolon, tab and bar; a first line `sep=;`, as Excel writes it, says it. */
  readonly delimiter?: string | undefined;
  /** One character; "" if nothing is quoted. Guessed: " or '. */
  readonly quote?: string | undefined;
  /** What stands before the fraction of a number. Guessed: a comma only if it does not divide cells. */
  readonly decimal?: "." | "," | undefined;
  /** Whether 3/4/2026 is the 3rd of April. Not guessed: such dates stay text, unless a day after the 12th shows it. */
  readonly dayFirst?: boolean | undefined;
  /** Whether the first row has the names, or the names themselves. Guessed: it has, unless a number other than years is among them. */
  readonly header?: boolean | readonly string[] | undefined;
  /** Cells that mean that there is no entry. */
  readonly missing?: readonly string[] | undefined;
  /** Leave out blanks around cells that are not quoted; none are left out where a blank is the delimiter or the quote. */
  readonly trim?: boolean | undefined;
  /** Rows of another width than the first: an error that names the line, or left out and told to `onGuess`. */
  readonly badRows?: "error" | "skip" | undefined;
  /** Called with what was guessed. It prints well: `onGuess: console.log`. */
  readonly onGuess?: ((guess: CsvGuess) => void) | undefined;
}

/** Those of pandas, and the question mark of many public files. */
export const MISSING = [
  "",
  "#N/A",
  "#N/A N/A",
  "#NA",
  "-1.#IND",
  "-1.#QNAN",
  "-NaN",
  "-nan",
  "1.#IND",
  "1.#QNAN",
  "<NA>",
  "N/A",
  "NA",
  "NULL",
  "NaN",
  "None",
  "n/a",
  "nan",
  "null",
  "?",
];

const isCharacter = (value: string, empty: boolean): boolean =>
  value === ""
    ? empty
    : value.length === 1 && value.charCodeAt(0) < 128 && value !== "\n" && value !== "\r" && value !== "\0";

const character = (doc: string, empty: boolean): ParamSpec<string | null> =>
  optional({
    kind: "text",
    default: "",
    doc,
    expected: empty ? 'one ASCII character or ""' : "one ASCII character",
    read: (value) => (typeof value === "string" && isCharacter(value, empty) ? value : invalid),
  });

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

export const parseCsvOptions = {
  types: typesOption,
  columns: option<readonly string[]>(
    "union",
    "The columns to read, by name; all by default.",
    "an array of names",
    isTexts,
  ),
  encoding: optional({
    kind: "text",
    default: "utf-8",
    doc: "The encoding of bytes, by a name that TextDecoder knows; null: UTF-8, or UTF-16 if they show it.",
    expected: "the name of an encoding",
    read: (value) => (typeof value === "string" && value !== "" ? value : invalid),
  } satisfies ParamSpec<string>),
  delimiter: character("What divides cells; null is guessed.", false),
  quote: character('What cells with delimiters inside stand between; "" is nothing, null is guessed.', true),
  decimal: optional(
    choice([".", ","], {
      default: ".",
      doc: "What stands before the fraction of a number; null is guessed.",
    }),
  ),
  dayFirst: dayFirstOption,
  header: option<boolean | readonly string[]>(
    "union",
    "Whether the first row has the names, or the names.",
    "true, false or an array of names",
    (value) => typeof value === "boolean" || isTexts(value),
  ),
  missing: option<readonly string[]>(
    "union",
    "Cells that mean that there is no entry.",
    "an array of strings",
    isTexts,
  ),
  trim: flag({ default: true, doc: "Leave out blanks around cells that are not quoted." }),
  badRows: choice(["error", "skip"], {
    default: "error",
    doc: "What to do with rows of another width than the first.",
  }),
  onGuess: option<(guess: CsvGuess) => void>(
    "function",
    "Called with what was guessed.",
    "a function",
    (value) => typeof value === "function",
  ),
} satisfies TableOf<CsvOptions>;

/**
 * Reads a table from the text of a CSV file (or its bytes, which is faster): any of the usual delimiters, quoted cells with line
 * breaks, decimal commas, marks of the byte order. Types are guessed by column, strictly: numbers, ISO dates, true and false, then
 * categories; text of which more than half of the entries differ is free text, and integers with zeros in front or of more than
 * 15 digits stay as they are written. Text whose cells all are numbers in one format (1,234 or 1.234,56 or $12 or 12 %), or dates
 * (5/31/2026, 31.5.2026), is read as these, and `table.warnings` says so; what is ambiguous too. `onGuess` reports what was guessed,
 * `types` overrules it.
 *
 *   const table = parseCsv(text, { types: { survived: "category" }, onGuess: console.log });
 *
 * The library opens no files: this takes what was read and is called parse.
 */
export function parseCsv<
  const T extends Readonly<Record<string, CsvKind>> = Readonly<Record<never, CsvKind>>,
>(
  text: string | Uint8Array | ArrayBuffer,
  options: CsvOptions<T> = {},
): Table<{ readonly [K in keyof T]: CellOfType[T[K]] } & Schema> {
  const where = "parseCsv";
  const read = readOptions(where, parseCsvOptions, options);
  checkDialect(where, read);
  const decoded = utf8Of(where, text, read.encoding);
  const own = withoutSeparatorLine(decoded, read);
  checkDialect(where, own.read);
  return withArena(where, (arena) => readTable(where, own, new CsvText(arena, own.bytes))) as ReturnType<
    typeof parseCsv<T>
  >;
}

type ReadOptions = ReturnType<typeof readOptions<typeof parseCsvOptions>>;

/** A text whose rows begin at the given line. */
interface CsvRows extends DecodedText {
  readonly read: ReadOptions;
  readonly firstLine: number;
}

/** Excel writes the delimiter into a line of its own before the names, and hides it when it reads the file. */
function withoutSeparatorLine(text: DecodedText, read: ReadOptions): CsvRows {
  // spread: nine bytes.
  const start = String.fromCharCode(...text.bytes.subarray(0, 9));
  const found = /^"?sep=([^\r\n"\d])"?(\r\n|\r|\n|$)/i.exec(start);
  if (found === null) return { ...text, read, firstLine: 1 };
  const delimiter = read.delimiter ?? found[1]!;
  return { ...text, bytes: text.bytes.subarray(found[0].length), read: { ...read, delimiter }, firstLine: 2 };
}

function readTable(where: string, { bytes, read, firstLine, ...decoded }: CsvRows, text: CsvText): unknown {
  const dialect = guessDialect(bytes, text, read);
  const cells = new CsvCells(text, dialect);
  const lines = new LineCounter(bytes, firstLine);
  if (cells.badQuote) refuseQuote(where, bytes, lines, cells.badQuote);
  if (cells.rows === 0) throw new FormatError(where, "the text", "at least one row", "none");
  if (cells.badRows.length > 0 && read.badRows === "error")
    refuseBadRow(where, cells, lines, dialect.delimiter);

  const missing = (read.missing ?? MISSING).map((token) => textEncoder().encode(token));
  const readerOf = (firstRow: number, decimal: string) =>
    new CellReader(bytes, cells, firstRow, dialect.quote, decimal, missing);
  const first = readerOf(0, ".");
  const hasHeader =
    typeof read.header === "boolean"
      ? read.header
      : read.header === undefined && looksLikeNames(first, dialect, read.decimal);
  const names = namesOf(where, first, hasHeader, read.header);
  const decimal = read.decimal ?? guessDecimal(first, dialect);
  const reader = readerOf(hasHeader ? 1 : 0, decimal);

  const types: Readonly<Record<string, CsvKind>> = read.types ?? {};
  for (const name of Object.keys(types)) requireName(where, `types.${name}`, name, names);
  for (const [k, name] of (read.columns ?? []).entries()) requireName(where, `columns[${k}]`, name, names);
  const wanted = new Set(read.columns ?? names);
  // A decimal comma that was guessed holds for the file; a point is not evidence of how quoted cells are written.
  const rules = { decimal: read.decimal ?? (decimal === "," ? decimal : undefined), dayFirst: read.dayFirst };
  const columns = new Map<string, Column>();
  const guesses: GuessedColumn[] = [];
  for (const [col, name] of names.entries()) {
    if (!wanted.has(name)) continue;
    const asked = Object.hasOwn(types, name) ? types[name] : undefined;
    const found = asked
      ? { column: readAs(where, reader, lines, col, name, asked, rules), reason: "as asked" }
      : guessColumn(reader, col, rules);
    columns.set(name, found.column);
    guesses.push({ name, kind: found.column.kind, missing: found.column.missing, reason: found.reason });
  }
  read.onGuess?.(
    new CsvGuess({
      encoding: decoded.encoding,
      encodingGuessed: decoded.guessed,
      delimiter: String.fromCharCode(dialect.delimiter),
      quote: dialect.quote === NO_QUOTE ? "" : String.fromCharCode(dialect.quote),
      decimal,
      header: hasHeader,
      rows: reader.rows,
      columns: guesses,
      skippedLines: cells.badRows.map(({ at }) => lines.lineAt(at)),
    }),
  );
  return Table.fromColumns(columns);
}

function refuseBadRow(
  where: string,
  { badRows, cols, rows }: CsvCells,
  lines: LineCounter,
  delimiter: number,
): never {
  const [{ at, width }] = badRows as [CsvCells["badRows"][number]];
  throw new FormatError({
    where,
    subject: `line ${lines.lineAt(at)}`,
    expected: `${cols} cells, as in the first row (divided by ${show(String.fromCharCode(delimiter))})`,
    received: `${width}`,
    advice:
      `${badRows.length === 1 ? "It is the only such row" : `There are ${badRows.length} such rows`} beside ${rows} others: ` +
      'correct the file, pass another { delimiter }, or leave them out with { badRows: "skip" }.',
  });
}

function refuseQuote(where: string, bytes: Uint8Array, lines: LineCounter, { fault, at }: BadQuote): never {
  const line = lines.lineAt(at);
  if (fault === "not closed") {
    const subject = `the quote that opens a cell in line ${line}`;
    const advice = 'If quotes are ordinary characters of this file, pass { quote: "" }.';
    throw new FormatError(where, subject, "closed by another one", "none up to the end", advice);
  }
  const after = bytes.subarray(at + 1).find((code) => code !== 32);
  throw new FormatError({
    where,
    subject: `the quoted cell in line ${line}`,
    expected: "followed by the delimiter or the end of the line",
    received: JSON.stringify(String.fromCharCode(after!)),
    advice:
      'A quote inside is written twice. If quotes are ordinary characters of this file, pass { quote: "" }.',
  });
}

function namesOf(
  where: string,
  first: CellReader,
  hasHeader: boolean,
  given: boolean | readonly string[] | undefined,
): string[] {
  const { cols } = first;
  if (Array.isArray(given)) {
    if (given.length === cols && new Set(given).size === cols) return [...given];
    const received = `${given.length} names${given.length === cols ? ", of which two are equal" : ""}`;
    throw new ParameterError(where, "header", `a distinct name for each of ${cols} columns`, received);
  }
  const names: string[] = [];
  const used = new Set<string>();
  for (let col = 0; col < cols; col++) {
    const wanted = (hasHeader ? first.text(0, col) : "") || `column${col + 1}`;
    let name = wanted;
    for (let copy = 1; used.has(name); copy++) name = `${wanted}.${copy}`;
    used.add(name);
    names.push(name);
  }
  return names;
}

function requireName(where: string, subject: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  throw new ParameterError({
    where,
    subject,
    expected: `one of the columns (${names.slice(0, 12).map(show).join(", ")}${names.length > 12 ? ", …" : ""})`,
    received: show(name),
  });
}

const WORDS = new Map([
  ["false", 0],
  ["true", 1],
]);
const MORE_WORDS = new Map([
  ...WORDS,
  ...["no", "n", "f", "0"].map((word): [string, number] => [word, 0]),
  ...["yes", "y", "t", "1"].map((word): [string, number] => [word, 1]),
]);

/** Text has more than this many different entries, and more than half of all entries. */
const MANY = 20;

interface Found {
  readonly column: Column;
  readonly reason: string;
}

/** Cells by their kind; text that all is numbers or dates in a format that people write as these. */
function guessColumn(reader: CellReader, col: number, rules: TextRules): Found {
  const { column, reason } = guessKind(reader, col);
  const converted = convertText(column, rules);
  const [note] = notesOf(converted);
  return { column: converted, reason: note === undefined ? reason : note.text.replace(/\.$/, "") };
}

function guessKind(reader: CellReader, col: number): Found {
  const numbers = reader.numbers(col, true);
  if (!isRefused(numbers)) {
    const isEmpty = numbers.missing === numbers.length;
    return { column: numbers, reason: isEmpty ? "no entry at all" : "only numbers" };
  }
  const odd = show(reader.text(numbers.row, col));
  const booleans = reader.booleans(col, WORDS);
  if (!isRefused(booleans)) return { column: booleans, reason: "only true and false" };
  const dates = reader.dates(col);
  if (!isRefused(dates)) return { column: dates, reason: "only ISO dates" };
  const reason = /^[+-]?\d+$/.test(reader.text(numbers.row, col))
    ? `${odd} would not survive as a number`
    : `${odd} is not a number`;
  // Most of the rows may differ at the beginning of a long file, and few in the end. What is missing is counted as it is written.
  const most = Math.max(MANY, Math.floor(reader.rows / 2)) + reader.missingTokens;
  const categories = reader.categories(col, most);
  if (categories !== undefined) {
    const { length } = categories.categories;
    const present = categories.length - categories.missing;
    if (length <= MANY || 2 * length <= present)
      return { column: categories, reason: `${reason}; ${length} different` };
  }
  return { column: reader.texts(col), reason: `${reason}; more than half of the entries differ` };
}

function readAs(
  where: string,
  reader: CellReader,
  lines: LineCounter,
  col: number,
  name: string,
  kind: CsvKind,
  rules: TextRules,
): Column {
  const checked = (column: Column | Refused, expected: string): Column => {
    if (!isRefused(column)) return column;
    const subject = `column ${show(name)} in line ${lines.lineAt(reader.placeOf(column.row, col))}`;
    throw new FormatError(where, subject, expected, show(reader.text(column.row, col)));
  };
  const read = <C extends Column>(plain: C | Refused, asWritten: (text: TextColumn) => C | undefined) =>
    isRefused(plain) ? (asWritten(reader.texts(col)) ?? plain) : plain;
  switch (kind) {
    case "number":
      return checked(
        read(reader.numbers(col, false), (text) => asNumbers(text, rules)),
        "a number, as types says",
      );
    case "boolean":
      return checked(
        reader.booleans(col, MORE_WORDS),
        "true or false (or yes and no, 1 and 0), as types says",
      );
    case "date":
      return checked(
        read(reader.dates(col), (text) => {
          const dates = asDates(text, rules);
          return dates?.kind === "date" ? dates : undefined;
        }),
        "a date such as 2026-05-31 or 2026-05-31T12:00:00Z, or dates all written alike (with dayFirst, where days and months look alike), as types says",
      );
    case "category":
      return reader.categories(col, Number.POSITIVE_INFINITY)!;
    case "text":
      return reader.texts(col);
  }
}
