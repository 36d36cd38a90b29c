import type { DuckDBConnection } from "@duckdb/node-api";
import { missingCells } from "argmax/sums";
import { Failure } from "../command.js";
import { type CsvPlan, csvBlocks } from "../data/formats/csv-stream.js";
import { quotedName, quotedText } from "../data/formats/duckdb.js";
import type { DataFile } from "../data/locate.js";
import type { StreamOptions } from "../data/source.js";
import { askDuckdb, listOf, pathsOf } from "./duckdb.js";

const show = (text: string) => JSON.stringify(text);

/** A CSV file as this program reads it: delimiter, names and kinds of columns are those of its first rows. */
async function planOf(file: DataFile, options: StreamOptions): Promise<CsvPlan> {
  for await (const { plan } of csvBlocks(file, options)) return plan;
  throw new Failure(`${file.label} is empty: it has no rows.`);
}

/** What is read of a cell of text, and which cells are not of that kind. */
interface Kind {
  readonly type: string;
  readonly others: (cell: string) => string;
  readonly expected: string;
  /** The type if this holds for all cells. */
  readonly narrow?: { readonly type: string; readonly test: (cell: string) => string };
}

const kinds = {
  number: {
    type: "DOUBLE",
    // Identifiers, which would not survive as numbers, as in parseCsv.
    others: (cell) =>
      `TRY_CAST(${cell} AS DOUBLE) IS NULL OR regexp_full_match(${cell}, '[+-]?(0[0-9]+|[0-9]{16,})|.*_.*')`,
    expected: "numbers",
    narrow: { type: "BIGINT", test: (cell) => `regexp_full_match(${cell}, '[+-]?[0-9]+')` },
  },
  boolean: {
    type: "BOOLEAN",
    others: (cell) => `lower(${cell}) NOT IN ('true', 'false')`,
    expected: "true or false",
  },
  date: {
    // A TIMESTAMP would be read without its zone.
    type: "TIMESTAMPTZ",
    others: (cell) =>
      `TRY_CAST(${cell} AS TIMESTAMPTZ) IS NULL OR NOT regexp_matches(${cell}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}')`,
    expected: "dates such as 2026-05-31",
    narrow: { type: "DATE", test: (cell) => `length(${cell}) = 10` },
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** A SELECT of the rows of CSV files, with columns of the kinds that all of their cells have. */
export async function csvSelect(
  connection: DuckDBConnection,
  files: readonly DataFile[],
  options: StreamOptions,
): Promise<string> {
  const [first] = files as [DataFile];
  const plan = await planOf(first, options);
  for (const file of files.slice(1)) await requireSameHeader(file, plan, options);
  const scan = scanOf(files, plan);
  const settled = await kindsOf(connection, scan, plan, options);
  const columns = plan.names.map((name) => {
    const type = settled.get(name);
    const cell = cellOf(name, plan, type);
    return `${type === undefined ? cell : `TRY_CAST(${cell} AS ${type})`} AS ${quotedName(name)}`;
  });
  return `SELECT ${columns.join(", ")} FROM ${scan}`;
}

/** DuckDB finds columns by their place. */
async function requireSameHeader(file: DataFile, plan: CsvPlan, options: StreamOptions): Promise<void> {
  const other = await planOf(file, { ...options, onRemark: undefined });
  const isSame =
    other.names.length === plan.names.length && other.names.every((name, c) => name === plan.names[c]);
  if (!isSame)
    throw new Failure(
      `${file.label} must have the columns of ${plan.label} in the same order with --in-database: ` +
        `${plan.names.join(", ")}. It has ${other.names.join(", ")}.`,
    );
  for (const mark of ["delimiter", "quote", "decimal"] as const)
    if (other[mark] !== plan[mark])
      throw new Failure(
        `${file.label} must be written as ${plan.label} with --in-database: its ${mark} is ${show(other[mark])}, not ${show(plan[mark])}.`,
      );
}

function scanOf(
  files: readonly DataFile[],
  { names, delimiter, quote, hasHeader, badRows }: CsvPlan,
): string {
  const compressions = new Set(files.map(({ compression }) => compression ?? "none"));
  const settings = [
    "auto_detect = false",
    `columns = {${names.map((name) => `${quotedText(name)}: 'VARCHAR'`).join(", ")}}`,
    `header = ${hasHeader}`,
    `delim = ${quotedText(delimiter)}`,
    `quote = ${quotedText(quote)}`,
    `escape = ${quotedText(quote)}`,
    `nullstr = ${listOf(["", ...missingCells].filter((word) => !word.includes(delimiter)))}`,
    `compression = '${compressions.size === 1 ? [...compressions][0] : "auto"}'`,
    ...(badRows === "skip" ? ["ignore_errors = true"] : []),
  ];
  return `read_csv(${pathsOf(files)}, ${settings.join(", ")})`;
}

const cellOf = (name: string, { decimal }: CsvPlan, type: string | undefined): string =>
  (type === "DOUBLE" || type === "BIGINT") && decimal === ","
    ? `replace(${quotedName(name)}, ',', '.')`
    : quotedName(name);

/** The types of the columns that are not text. The first rows say what a column may be, and a pass over all whether it is. */
async function kindsOf(
  connection: DuckDBConnection,
  scan: string,
  plan: CsvPlan,
  { onRemark, signal }: StreamOptions,
): Promise<ReadonlyMap<string, string>> {
  const typed = plan.names.flatMap((name) => {
    const kind = plan.types[name] ?? "category";
    return Object.hasOwn(kinds, kind) ? [{ name, kind: kinds[kind as keyof typeof kinds] as Kind }] : [];
  });
  if (typed.length === 0) return new Map();
  const tests = typed.map(({ name, kind }) => {
    const cell = cellOf(name, plan, kind.type);
    const narrow = kind.narrow ? `bool_and(${kind.narrow.test(cell)})` : "false";
    return `count(*) FILTER (${cell} IS NOT NULL AND (${kind.others(cell)})), ${narrow}`;
  });
  const [found] = await askDuckdb(connection, `SELECT ${tests.join(", ")} FROM ${scan}`, signal);
  const types = new Map<string, string>();
  for (const [k, { name, kind }] of typed.entries()) {
    const others = Number(found![2 * k]);
    if (others === 0) types.set(name, found![2 * k + 1] === true ? kind.narrow!.type : kind.type);
    else
      onRemark?.(
        `${plan.label}: column ${show(name)} is read as text: ${others} of its cells ${others === 1 ? "is" : "are"} not ${kind.expected}.`,
      );
  }
  return types;
}
