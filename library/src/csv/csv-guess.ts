import { grid, Printed } from "../core/text/printing.js";
import type { Column } from "../data/table/column.js";

export interface GuessedColumn {
  readonly name: string;
  readonly kind: Column["kind"];
  readonly missing: number;
  /** Why it was taken for that. */
  readonly reason: string;
}

/** How `parseCsv` read a file. */
export class CsvGuess extends Printed {
  /** The encoding of the bytes; "utf-8" of a string. */
  readonly encoding: string;
  /** Whether the encoding was guessed from the bytes: there is neither a mark nor the option, and it is not UTF-8. */
  readonly encodingGuessed: boolean;
  readonly delimiter: string;
  /** "" if nothing is quoted. */
  readonly quote: string;
  readonly decimal: string;
  /** Whether the first row was taken for the names. */
  readonly header: boolean;
  readonly rows: number;
  readonly columns: readonly GuessedColumn[];
  /** Lines of rows that were left out because of their width. */
  readonly skippedLines: readonly number[];

  constructor(
    parts: Pick<
      CsvGuess,
      | "encoding"
      | "encodingGuessed"
      | "delimiter"
      | "quote"
      | "decimal"
      | "header"
      | "rows"
      | "columns"
      | "skippedLines"
    >,
  ) {
    super();
    this.encoding = parts.encoding;
    this.encodingGuessed = parts.encodingGuessed;
    this.delimiter = parts.delimiter;
    this.quote = parts.quote;
    this.decimal = parts.decimal;
    this.header = parts.header;
    this.rows = parts.rows;
    this.columns = Object.freeze([...parts.columns]);
    this.skippedLines = Object.freeze([...parts.skippedLines]);
    Object.freeze(this);
  }

  toString(): string {
    const names = this.header ? "names in the first row" : "no row of names";
    const comma = this.decimal === "," ? ", decimal commas" : "";
    const skipped = this.skippedLines.length > 0 ? `, ${this.skippedLines.length} rows left out` : "";
    const encoding =
      this.encoding === "utf-8" ? "" : `, in ${this.encoding}${this.encodingGuessed ? " (guessed)" : ""}`;
    const head = `${this.rows} rows, divided by ${JSON.stringify(this.delimiter)}${comma}, ${names}${encoding}${skipped}`;
    const cells = (of: (column: GuessedColumn) => string) => this.columns.map(of);
    const table = grid(
      [
        cells(({ name }) => name),
        cells(({ kind }) => kind),
        cells(({ missing }) => (missing > 0 ? `${missing} missing` : "")),
        cells(({ reason }) => reason),
      ],
      4,
    );
    return `${head}\n${table}`;
  }
}
