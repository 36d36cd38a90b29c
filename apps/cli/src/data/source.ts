import type { InputKind, Table } from "argmax";

/** Formats of files, by the word that --format takes. */
export const formats = ["csv", "tsv", "json", "ndjson", "parquet", "arrow", "libsvm", "sqlite"] as const;
export type Format = (typeof formats)[number];

/** How a source is read; what is left out is guessed from its name and content. */
export interface SourceOptions {
  /** Format of a file whose name does not tell, or of standard input. */
  readonly format?: Format | undefined;
  readonly delimiter?: string | undefined;
  /** Encoding of a CSV file, by a name that TextDecoder knows; UTF-8 or UTF-16 otherwise. */
  readonly encoding?: string | undefined;
  /** The table of a database. */
  readonly table?: string | undefined;
  /** At most this many rows. */
  readonly limit?: number | undefined;
  /** Columns to read, by name; all by default. They stay in the order of the source. */
  readonly columns?: readonly string[] | undefined;
  /** Columns to read as text, whatever their cells look like. */
  readonly asText?: readonly string[] | undefined;
  /** Rows of a CSV file with too many or too few cells: an error, or left out. */
  readonly badRows?: "error" | "skip" | undefined;
  /** Bytes that a compressed or columnar file may become in memory; by default a hundred times its size, and 256 MB at least. */
  readonly maxUnpacked?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Standard input, for tests. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
}

/** How a source is read in batches. */
export interface StreamOptions extends SourceOptions {
  /** At most this many rows per batch. */
  readonly batchRows?: number | undefined;
  /** Kinds of columns, where they are known. The others are those of the first batch. */
  readonly kinds?: Readonly<Record<string, InputKind>> | undefined;
  /** The kind of all other columns of a CSV file, which are then not guessed. */
  readonly otherKinds?: InputKind | undefined;
  /** Called with sentences for the user: what was guessed that may be wrong. */
  readonly onRemark?: ((remark: string) => void) | undefined;
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
