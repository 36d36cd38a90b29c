import type { Table } from "argmax";

/** How a source is read; what is left out is guessed from its name and content. */
export interface SourceOptions {
  /** Format of a file whose name does not tell, or of standard input. */
  readonly format?: "csv" | "tsv" | "json" | "ndjson" | "parquet" | "arrow" | "libsvm" | undefined;
  readonly delimiter?: string | undefined;
  /** The table of a database. */
  readonly table?: string | undefined;
  /** At most this many rows. */
  readonly limit?: number | undefined;
  /** Columns to read, by name; all by default. */
  readonly columns?: readonly string[] | undefined;
  /** Columns to read as text, whatever their cells look like. */
  readonly asText?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A table that was read as a whole. */
export interface LoadedTable {
  /** For headings and file names: `titanic` for `data/titanic.csv.gz`. */
  readonly name: string;
  readonly table: Table;
  /** Sentences for the user: what was guessed that may be wrong. */
  readonly remarks: readonly string[];
  /** The target of an included dataset or of a LIBSVM file, by its column's name. */
  readonly target?: string | undefined;
}
