import { type Options, readInteger, UsageError } from "../command.js";
import type { SourceValues } from "../data/options.js";

/** Options of commands that can work where the data lie. */
export const databaseOptions = {
  "in-database": {
    type: "boolean",
    doc: "Let the database do the work, without reading the data into memory: PostgreSQL, ClickHouse, DuckDB, and files of any size (CSV, Parquet, JSON) through DuckDB",
  },
  memory: {
    type: "string",
    value: "MB",
    doc: "Megabytes that DuckDB may take with --in-database (default 1000); beyond, it writes to temporary files",
  },
} as const satisfies Options;

export interface DatabaseValues extends SourceValues {
  readonly "in-database"?: boolean | undefined;
  readonly memory?: string | undefined;
}

/** Options of reading a file into memory, by why they have no effect in a database. */
const inMemoryOnly = {
  encoding: "--encoding is for files that are read into memory: with --in-database they are UTF-8.",
  text: "--text is for data that are read into memory: with --in-database, change the column's type in a view or in the file.",
  "max-unpacked":
    "--max-unpacked is for data that are read into memory: with --in-database, --memory is the limit.",
  "text-words": "--text-words is for data that are read into memory: --in-database learns no words.",
  "text-ngrams": "--text-ngrams is for data that are read into memory: --in-database learns no words.",
  "text-min-rows": "--text-min-rows is for data that are read into memory: --in-database learns no words.",
  stream:
    "--stream and --in-database exclude each other: one reads batch by batch, the other lets a database add up.",
  epochs: "--epochs goes with --stream.",
  threads: "--threads is for predictions on this machine: with --in-database, the database decides.",
  resume: "--resume is for folds that were measured in memory: a comparison with --in-database begins anew.",
} as const;

/** Throws if an option is given that would have no effect beside the others. */
export function requireDatabaseOptions(values: Readonly<Record<string, unknown>>): void {
  if (!values["in-database"]) {
    if (values["memory"] === undefined) return;
    throw new UsageError("--memory goes with --in-database, for DuckDB.");
  }
  for (const [name, reason] of Object.entries(inMemoryOnly))
    if (values[name] !== undefined) throw new UsageError(reason);
}

/** Megabytes that DuckDB may take. */
export const readMemory = ({ memory }: DatabaseValues): number =>
  memory === undefined ? 1000 : readInteger("memory", memory, 64, 1 << 24);
