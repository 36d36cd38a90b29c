import { constants } from "node:fs";
import { access, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { csvDatasetNames, datasetNames } from "argmax/datasets";
import { Failure, UsageError } from "../command.js";
import { isGlob, matchFiles } from "./glob.js";
import { hint } from "./nearest.js";
import type { Format, SourceOptions } from "./source.js";

export type Compression = "gzip" | "zstd";

/** A file, or standard input. */
export interface DataFile {
  /** As the user wrote it, for errors. */
  readonly label: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  readonly format: Format;
  readonly compression: Compression | undefined;
}

/** Where the rows of a source are. */
export type Place =
  | { readonly kind: "included"; readonly name: string }
  | { readonly kind: "files"; readonly name: string; readonly files: readonly DataFile[] }
  | {
      readonly kind: "sqlite";
      readonly name: string;
      readonly path: string;
      readonly table: string | undefined;
    }
  | { readonly kind: "postgres"; readonly name: string; readonly url: string; readonly table: string };

const show = (text: string) => JSON.stringify(text);

/** Names of included datasets. */
export const includedNames: readonly string[] = [...datasetNames, ...csvDatasetNames];

export const isClickhouse = (source: string): boolean => /^clickhouses?:\/\//.test(source);

/** Finds the source. Throws a Failure that says what is wrong and what is near. */
export async function locate(source: string, options: SourceOptions = {}): Promise<Place> {
  if (source === "-") return { kind: "files", name: "stdin", files: [await standardInput(options)] };
  if (/^postgres(?:ql)?:\/\//.test(source)) return postgres(source, options);
  if (isClickhouse(source))
    throw new UsageError(
      "A ClickHouse database is not read into memory: train, compare and predict work in it, with --in-database.",
    );
  if (/^sqlite:/.test(source)) return sqliteUrl(source, options);
  if (isGlob(source) && !(await exists(source))) return globbed(source, options);
  if (includedNames.includes(source) && !(await exists(source))) return { kind: "included", name: source };
  const file = await dataFile(source, options);
  if (file.format === "sqlite")
    return { kind: "sqlite", name: nameOf(source), path: source, table: options.table };
  if (options.table !== undefined)
    throw new UsageError(`--table applies to databases only, and ${source} is a file.`);
  return { kind: "files", name: nameOf(source), files: [file] };
}

async function globbed(source: string, options: SourceOptions): Promise<Place> {
  const paths = await matchFiles(source);
  if (paths.length === 0) throw new Failure(`There is no file that matches ${show(source)}.`);
  const files = await Promise.all(paths.map((path) => dataFile(path, options)));
  const other = files.find(({ format }) => format !== files[0]!.format || format === "sqlite");
  if (other !== undefined)
    throw new Failure(
      `${show(source)} must match files of one format, got ${files[0]!.label} (${files[0]!.format}) and ` +
        `${other.label} (${other.format}).`,
    );
  const stem = nameOf(source).replaceAll(/[^\w-]+/g, "");
  return { kind: "files", name: stem || basename(dirname(source)) || "data", files };
}

/** `titanic` for `data/titanic.csv.gz`. */
const nameOf = (path: string): string =>
  basename(path)
    .replace(/\.(?:gz|zst|zstd)$/i, "")
    .replace(/(?<=.)\.[a-z]\w*$/i, "");

function postgres(url: string, { table }: SourceOptions): Place {
  if (table === undefined) throw new UsageError("A PostgreSQL database needs --table NAME.");
  return { kind: "postgres", name: table.replace(/^.*\./, ""), url, table };
}

async function sqliteUrl(source: string, { table }: SourceOptions): Promise<Place> {
  const [path = "", query = ""] = source.slice("sqlite:".length).split("?");
  await requireFile(path);
  const named = table ?? new URLSearchParams(query).get("table") ?? undefined;
  return { kind: "sqlite", name: named ?? nameOf(path), path, table: named };
}

async function standardInput({ format = "csv" }: SourceOptions): Promise<DataFile> {
  if (format === "sqlite") throw new UsageError("A SQLite database cannot be read from standard input.");
  return { label: "standard input", path: undefined, format, compression: undefined };
}

async function dataFile(path: string, options: SourceOptions): Promise<DataFile> {
  await requireFile(path);
  const start = await firstBytes(path);
  const compression = compressionOf(start);
  const format = options.format ?? formatByContent(path, start) ?? formatByName(path);
  return { label: path, path, format, compression };
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
};

/** Throws unless there is a file that can be read. */
export async function requireFile(path: string): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isDirectory())
      throw new Failure(`${path} is a folder. Give a file in it, or several: "${join(path, "*.csv")}".`);
    if (found.isCharacterDevice() || found.isBlockDevice())
      throw new Failure(
        `${path} is a device, which is not read. Give a file, a pipe, or - for standard input.`,
      );
    await access(path, constants.R_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(await whyUnreadable(path, (error as NodeJS.ErrnoException).code));
  }
}

export async function whyUnreadable(path: string, code: string | undefined): Promise<string> {
  if (code === "EACCES" || code === "EPERM")
    return `${path} cannot be read by this user: permission denied. Change its permissions, or copy it.`;
  if (code !== "ENOENT" && code !== "ENOTDIR") return `${path} cannot be read (${code}).`;
  const folder = dirname(path);
  let names: string[] = [];
  try {
    names = await readdir(folder);
  } catch {
    return `There is no file ${show(path)}: there is no folder ${show(folder)}.`;
  }
  const near = hint(basename(path), names);
  const included = folder === "." && !path.includes(".") ? hint(path, includedNames) : "";
  return `There is no file ${show(path)}.${near || included}`;
}

export async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const startsWith = (bytes: Uint8Array, ...codes: number[]) => codes.every((code, k) => bytes[k] === code);
const startsWithText = (bytes: Uint8Array, text: string) =>
  startsWith(bytes, ...Array.from(text, (character) => character.charCodeAt(0)));

/** The magic numbers of RFC 1952 and RFC 8878. */
export function compressionOf(start: Uint8Array): Compression | undefined {
  if (startsWith(start, 0x1f, 0x8b)) return "gzip";
  if (startsWith(start, 0x28, 0xb5, 0x2f, 0xfd)) return "zstd";
  return undefined;
}

/** The mark of a database file of DuckDB, behind a checksum of 8 bytes. */
export const isDuckdb = (start: Uint8Array): boolean => startsWithText(start.subarray(8), "DUCK");

/** Binary formats begin with a mark of their own. */
function formatByContent(path: string, start: Uint8Array): Format | undefined {
  if (startsWithText(start, "PAR1")) return "parquet";
  if (startsWithText(start, "ARROW1")) return "arrow";
  if (startsWithText(start, "SQLite format 3")) return "sqlite";
  if (isDuckdb(start))
    throw new Failure(
      `${path} is a DuckDB database, which is not read into memory: train, compare and predict work in it, with --in-database --table NAME.`,
    );
  if (startsWith(start, 0x50, 0x4b, 3, 4))
    throw new Failure(
      `${path} is a ZIP or Excel file, which is not read. Save its sheet as CSV, or unpack it first.`,
    );
  if (startsWith(start, 0xd0, 0xcf, 0x11, 0xe0))
    throw new Failure(`${path} is an old Excel file, which is not read. Save its sheet as CSV.`);
  return undefined;
}

const endings: Readonly<Record<string, Format>> = {
  csv: "csv",
  txt: "csv",
  dat: "csv",
  data: "csv",
  tsv: "tsv",
  tab: "tsv",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  parquet: "parquet",
  pq: "parquet",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
  ipc: "arrow",
  svm: "libsvm",
  svmlight: "libsvm",
  libsvm: "libsvm",
  db: "sqlite",
  sqlite: "sqlite",
  sqlite3: "sqlite",
};

/** What the name of a file says of its format, compression aside. */
export const endingOf = (path: string): string =>
  /\.([^./\\]+)$/.exec(path.replace(/\.(?:gz|zst|zstd)$/i, ""))?.[1]?.toLowerCase() ?? "";

export const formatOfEnding = (ending: string): Format | undefined =>
  Object.hasOwn(endings, ending) ? endings[ending] : undefined;

/** Files without a known ending are taken for CSV, the format that people name least. */
const formatByName = (path: string): Format => formatOfEnding(endingOf(path)) ?? "csv";
