import { DataError, ParameterError, show } from "../../core/errors.js";
import { option, readOptions } from "../../core/params/options.js";
import type { TableOf } from "../../core/params/params.js";
import type { TextRules } from "../text/convert-text.js";
import { asDates, asNumbers, convertText, dayFirstOption, decimalOption } from "../text/convert-text.js";
import {
  BooleanColumn,
  CategoricalColumn,
  type Column,
  type ColumnValues,
  DateColumn,
  NumericColumn,
  readColumn,
  TextColumn,
} from "./column.js";
import { addNote } from "./column-notes.js";
import type { FreeText } from "./table.js";

/** What a column holds, as the option `types` says it. */
export type ColumnType = "number" | "category" | "boolean" | "date" | "text";
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** The cell of a column type. */
export interface CellOfType {
  number: number;
  category: string;
  boolean: boolean;
  date: Date;
  text: FreeText;
}

export const columnTypes: readonly ColumnType[] = ["number", "category", "boolean", "date", "text"];

export const isColumnTypes = (value: unknown): value is ColumnTypes =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((type) => columnTypes.includes(type as ColumnType));

export interface TableOptions<T extends ColumnTypes = ColumnTypes> {
  /** What columns hold, where it should not be guessed. The type of the table says it too. */
  readonly types?: T | undefined;
  /** What stands before the fraction of numbers that are written as text. Guessed: "1,234" is 1234, "1,5" is 1.5. */
  readonly decimal?: "." | "," | undefined;
  /** Whether 3/4/2026 is the 3rd of April. Not guessed: such dates stay text, unless a day after the 12th shows it. */
  readonly dayFirst?: boolean | undefined;
}

export const typesOption = option<ColumnTypes>(
  "union",
  "What columns hold, where it should not be guessed.",
  `an object of ${columnTypes.map(show).join(", ")} by the column's name`,
  isColumnTypes,
);

export const tableOptions = {
  types: typesOption,
  decimal: decimalOption,
  dayFirst: dayFirstOption,
} satisfies TableOf<TableOptions>;

/** Makes the columns of a table from values as callers have them. */
export class ColumnReader {
  readonly #types: ColumnTypes;
  readonly #rules: TextRules;

  constructor(
    readonly where: string,
    options: TableOptions,
    /** Whether text that is numbers or dates is read as these; otherwise it has a note that says so. */
    readonly converts: boolean,
  ) {
    const { types = {}, decimal, dayFirst } = readOptions(where, tableOptions, options);
    this.#types = types;
    this.#rules = { decimal, dayFirst };
  }

  /** Types of columns that are not there. */
  requireNames(names: ReadonlySet<string> | ReadonlyMap<string, unknown>): void {
    const unknown = Object.keys(this.#types).find((name) => !names.has(name));
    if (unknown === undefined) return;
    const expected = `the type of a column (${[...names.keys()].slice(0, 12).map(show).join(", ")})`;
    throw new ParameterError(this.where, `types.${unknown}`, expected, show(unknown));
  }

  read(name: string, values: ColumnValues | Column): Column {
    const column = readColumn(this.where, name, values);
    if (Object.hasOwn(this.#types, name)) return this.#as(name, column, this.#types[name]!);
    // A column that the caller has made is what the caller says.
    if (column === values) return column;
    return this.converts ? convertText(column, this.#rules) : this.#noted(column);
  }

  #noted(column: Column): Column {
    const converted = convertText(column, this.#rules);
    if (converted.kind === column.kind) return column;
    const what = converted.kind === "date" ? "dates" : "numbers";
    const type = converted.kind === "date" ? "date" : "number";
    return addNote(column, {
      code: `${what}-as-text`,
      text: `has ${what} as text, as ${show(column.at(firstOf(column)))}, which are categories here: pass ${what}, or { types: { …: "${type}" } }.`,
    });
  }

  #as(name: string, column: Column, type: ColumnType): Column {
    const isEmpty = column.missing === column.length;
    const isText = column.kind === "categorical" || column.kind === "text";
    switch (type) {
      case "number":
        if (column.kind === "boolean") return new NumericColumn(flagsAsNumbers(column));
        if (column.kind === "numeric") return column;
        return (
          (isText && asNumbers(column, this.#rules)) || this.#refuse(name, column, "numbers in one format")
        );
      case "date": {
        if (isEmpty) return new DateColumn(new Float64Array(column.length).fill(Number.NaN));
        if (column.kind === "date") return column;
        const dates = isText ? asDates(column, this.#rules) : undefined;
        return dates?.kind === "date" ? dates : this.#refuse(name, column, "dates in one format");
      }
      case "boolean":
        if (isEmpty) return new BooleanColumn(new Uint8Array(column.length).fill(2));
        return column.kind === "boolean" ? column : this.#refuse(name, column, "true and false");
      case "category":
        if (column.kind === "categorical") return column;
        return isEmpty
          ? new CategoricalColumn(new Int32Array(column.length).fill(-1), [])
          : readColumn(this.where, name, texts(column));
      case "text":
        return column.kind === "text" ? column : new TextColumn(texts(column));
    }
  }

  #refuse(name: string, column: Column, expected: string): never {
    const received = `entries as ${show(column.at(firstOf(column)))}`;
    throw new DataError(this.where, `column ${show(name)}`, `${expected}, as types says`, received);
  }
}

const firstOf = (column: Column): number => {
  for (let i = 0; i < column.length; i++) if (column.at(i) !== null) return i;
  return 0;
};

const flagsAsNumbers = ({ values }: BooleanColumn): Float64Array =>
  Float64Array.from(values, (value) => (value > 1 ? Number.NaN : value));

function texts(column: Column): (string | null)[] {
  return Array.from({ length: column.length }, (_, i) => {
    const cell = column.at(i);
    return cell === null ? null : cell instanceof Date ? cell.toISOString() : String(cell);
  });
}
