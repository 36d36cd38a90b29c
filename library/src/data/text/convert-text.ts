import { isColumn } from "../../core/column-like.js";
import { DataError, show } from "../../core/errors.js";
import { option, readOptions } from "../../core/params/options.js";
import type { TableOf } from "../../core/params/params.js";
import type { CategoricalColumn, Column, TextColumn } from "../table/column.js";
import { DateColumn, NumericColumn } from "../table/column.js";
import { addNote, type ColumnNote, rememberText } from "../table/column-notes.js";
import { type DateFormat, dateFormats } from "./date-text.js";
import { type DigitFormat, digitFormats, isIdentifier, numberOf, numberParts } from "./number-text.js";

/** What the caller knows of a table whose text may be numbers or dates. */
export interface TextRules {
  /** What stands before the fraction of a number; both are possible if undefined. */
  readonly decimal?: "." | "," | undefined;
  /** Whether 3/4/2026 is the 3rd of April; undefined if it must not be guessed. */
  readonly dayFirst?: boolean | undefined;
}

const textRules = {
  decimal: option<"." | ",">(
    "choice",
    "What stands before the fraction of numbers that are written as text; guessed if it is absent.",
    '"." or ","',
    (value) => value === "." || value === ",",
  ),
  dayFirst: option<boolean>(
    "flag",
    "Whether 3/4/2026 is the 3rd of April; such dates stay text if it is absent.",
    "true or false",
    (value) => typeof value === "boolean",
  ),
} satisfies TableOf<TextRules>;
/** The options that readers of text share. */
export const { decimal: decimalOption, dayFirst: dayFirstOption } = textRules;

type Written = CategoricalColumn | TextColumn;

/**
 * A column of text whose entries all are numbers, or all dates, in one format, as a column of these, with a note; any other column as
 * it is, with a note where most entries are numbers or dates, or where two formats disagree.
 */
export function convertText(column: Column, rules: TextRules = {}): Column {
  if (!isColumn(column)) throw new DataError("convertText", "the column", "a Column", show(column));
  readOptions("convertText", textRules, rules);
  if ((column.kind !== "categorical" && column.kind !== "text") || column.missing === column.length)
    return column;
  return asNumbers(column, rules) ?? asDates(column, rules) ?? withOddOnes(column);
}

/** The different entries; those of a text column as they come. */
function* entriesOf(column: Written): Generator<string> {
  if (column.kind === "text") {
    for (const value of column.values) if (value !== null) yield value;
    return;
  }
  const used = new Uint8Array(column.categories.length);
  for (const code of column.codes) if (code >= 0) used[code] = 1;
  for (const [code, category] of column.categories.entries()) if (used[code]) yield category;
}

/** A number per entry; NaN where it is missing. */
function valuesOf(column: Written, read: (text: string) => number): Float64Array {
  if (column.kind === "text")
    return Float64Array.from(column.values, (value) => (value === null ? Number.NaN : read(value)));
  const known = new Map<number, number>();
  return Float64Array.from(column.codes, (code) => {
    if (code < 0) return Number.NaN;
    let value = known.get(code);
    if (value === undefined) {
      value = read(column.categories[code]!);
      known.set(code, value);
    }
    return value;
  });
}

/** Numbers in one format; undefined if they are not. */
export function asNumbers(column: Written, { decimal }: TextRules = {}): NumericColumn | undefined {
  let formats = digitFormats.filter((format) => decimal === undefined || format.decimal === decimal);
  let unit: string | undefined;
  let example = "";
  let differ = false;
  for (const text of entriesOf(column)) {
    const parts = isIdentifier(text.trim()) ? undefined : numberParts(text);
    if (parts === undefined || (unit !== undefined && parts.unit !== unit)) return undefined;
    unit = parts.unit;
    formats = formats.filter(({ pattern }) => pattern.test(parts.digits));
    if (formats.length === 0) return undefined;
    // The entry that shows the format best is one with its marks.
    if (example === "" || (!/\D/.test(example) && /\D/.test(text))) example = text;
  }
  const format = formats[0]!;
  const other = formats.find((one) => one.decimal !== format.decimal);
  const read = (text: string) => numberOf(numberParts(text)!, format);
  if (other !== undefined && format.name !== "plain")
    for (const text of entriesOf(column)) differ ||= read(text) !== numberOf(numberParts(text)!, other);
  const numbers = new NumericColumn(valuesOf(column, read));
  rememberText(numbers, column);
  return addNote(numbers, numberNote(format, unit!, example, differ ? read(example) : undefined));
}

function numberNote(
  format: DigitFormat,
  unit: string,
  example: string,
  doubtful: number | undefined,
): ColumnNote {
  const what = [format.name === "plain" ? "" : format.name, unit].filter((part) => part !== "").join(", ");
  const how = what === "" ? "" : ` (${what})`;
  if (doubtful === undefined)
    return { code: "converted-numbers", text: `was text and is read as numbers${how}, as ${show(example)}.` };
  return {
    code: "ambiguous-numbers",
    text: `was text and is read as numbers with commas between thousands: ${show(example)} is ${doubtful}. If these are decimal commas, pass { decimal: "," }.`,
  };
}

/** Dates in one format; undefined if they are not, or if it is not certain which number is the month. */
export function asDates(column: Written, { dayFirst }: TextRules = {}): DateColumn | Written | undefined {
  let formats = dateFormats.filter(
    (format) => dayFirst === undefined || (format.dayFirst ?? dayFirst) === dayFirst,
  );
  let example = "";
  for (const text of entriesOf(column)) {
    formats = formats.filter((format) => format.read(text.trim()) !== undefined);
    if (formats.length === 0) return undefined;
    example ||= text;
  }
  const [format, other] = formats as [DateFormat, DateFormat | undefined];
  const read = (text: string) => format.read(text.trim())!;
  if (other !== undefined) {
    for (const text of entriesOf(column))
      if (read(text) !== other.read(text.trim()))
        return addNote(column, {
          code: "ambiguous-dates",
          text: `has dates whose month and day cannot be told apart, as ${show(text)}, and stays text: pass { dayFirst: true } or { dayFirst: false }.`,
        });
  }
  const dates = new DateColumn(valuesOf(column, read));
  rememberText(dates, column);
  return addNote(dates, {
    code: "converted-dates",
    text: `was text and is read as dates (${format.name}), as ${show(example)}.`,
  });
}

/** Entries that are looked at for numbers among text. */
const SAMPLE = 1000;
/** Fraction of the entries that must be numbers, or dates, before one that is not is worth a note. */
const MOSTLY = 0.9;

/** Also with a unit of measurement, as 12 kg. */
const looksLikeNumber = (text: string): boolean => {
  const parts = numberParts(text.replace(/(\d) ?[a-zµ°]{1,3}$/i, "$1"));
  return parts !== undefined && digitFormats.some(({ pattern }) => pattern.test(parts.digits));
};
const looksLikeDate = (text: string): boolean =>
  dateFormats.some(({ read }) => read(text.trim()) !== undefined);

/** Text that is mostly numbers or dates, with the first entry that is not. */
export interface OddEntry {
  readonly code: "numbers-as-text" | "dates-as-text";
  /** Undefined where all entries are, but are not written alike. */
  readonly odd: string | undefined;
}

/** One odd entry makes text of a whole column: of the first thousand different ones, at most a tenth. */
export function oddEntryOf(column: Written): OddEntry | undefined {
  const sample: string[] = [];
  for (const text of entriesOf(column)) {
    if (isIdentifier(text.trim())) return undefined;
    if (sample.push(text) === SAMPLE) break;
  }
  const found = (code: OddEntry["code"], looks: (text: string) => boolean): OddEntry | undefined => {
    const odd = sample.filter((text) => !looks(text));
    return odd.length > (1 - MOSTLY) * sample.length ? undefined : { code, odd: odd[0] };
  };
  return found("numbers-as-text", looksLikeNumber) ?? found("dates-as-text", looksLikeDate);
}

/** What a warning about such a column says, after its name. */
export function oddEntryText({ code, odd }: OddEntry, place = ""): string {
  const reason =
    odd === undefined ? "since they are not all written alike" : `because of ${show(odd)}${place}`;
  return `has ${code === "numbers-as-text" ? "numbers" : "dates"}, but stays text ${reason}.`;
}

function withOddOnes<C extends Written>(column: C): C {
  const found = oddEntryOf(column);
  return found === undefined ? column : addNote(column, { code: found.code, text: oddEntryText(found) });
}
