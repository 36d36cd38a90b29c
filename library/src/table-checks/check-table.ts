import { DataError, show } from "../core/errors.js";
import { option, readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import { type AnyTable, isTable } from "../data/feature-names-in.js";
import type { Column } from "../data/table/column.js";
import { notesOf } from "../data/table/column-notes.js";
import { summarizeColumn } from "../data/table/column-summary.js";
import { identifierLikelihood } from "../data/table/identifier-column.js";
import { oddEntryOf, oddEntryText } from "../data/text/convert-text.js";
import { countDuplicateRows } from "./duplicate-rows.js";
import { type KnownTarget, leakOf } from "./leak.js";
import type { TableWarning, TableWarningCode } from "./table-warning.js";
import { count, grouped, percent, quote, warn } from "./table-warning.js";
import { checkTarget, knownTarget } from "./target-checks.js";

export interface CheckTableOptions {
  /** The column to predict, for warnings about leaks and classes. */
  readonly target?: string | null | undefined;
  /** Guessed from the target by default: see `guessTask`. */
  readonly task?: "classification" | "regression" | undefined;
  /** The columns to learn from: all but the target by default. */
  readonly features?: readonly string[] | undefined;
  /** What to check: everything by default. Leaks and duplicates take most of the time. */
  readonly codes?: readonly TableWarningCode[] | undefined;
}

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === "string");

export const checkTableOptions = {
  target: option<string | null>(
    "union",
    "The column to predict, for warnings about leaks and classes.",
    "the name of a column",
    (value) => value === null || typeof value === "string",
  ),
  task: option<"classification" | "regression">(
    "choice",
    "What the target is; guessed if it is absent.",
    '"classification" or "regression"',
    (value) => value === "classification" || value === "regression",
  ),
  features: option<readonly string[]>(
    "union",
    "The columns to learn from; all but the target if it is absent.",
    "an array of names of columns",
    isTextList,
  ),
  codes: option<readonly TableWarningCode[]>(
    "union",
    "What to check; everything if it is absent.",
    "an array of codes of warnings",
    isTextList,
  ),
} satisfies TableOf<CheckTableOptions>;

/** Fraction of one entry from which a column carries almost no information. */
const NEARLY_CONSTANT = 0.99;
const MANY_MISSING = 0.5;
/** One-hot columns from which encoders, linear models and readers struggle. */
const MANY_CATEGORIES = 100;

/**
 * What would spoil a model of the table: columns that leak the target, identifiers, constants, gaps, infinite numbers, numbers kept as
 * text, too many categories, rare classes, duplicate rows. Severe warnings come first.
 *
 *     for (const { code, message } of checkTable(table, { target: "price" })) console.log(code, message);
 *
 * Leaks are found on at most 5000 rows, by a tree on each column alone that predicts held-out rows.
 */
export function checkTable(table: AnyTable, options: CheckTableOptions = {}): TableWarning[] {
  return bySeverity([...checkTableSteps(table, options)].flat());
}

/** The warnings of `checkTable` in steps: of the target, of each column and of the rows. Between steps a program can stop, or do other work. */
export function* checkTableSteps(
  table: AnyTable,
  options: CheckTableOptions = {},
): Generator<readonly TableWarning[], void, void> {
  const where = "checkTable";
  if (!isTable(table)) throw new DataError(where, "the table", "a Table", show(table));
  const { target, task, features, codes } = readOptions(where, checkTableOptions, options);
  for (const name of [...(target == null ? [] : [target]), ...(features ?? [])])
    if (!table.columnNames.includes(name))
      throw new DataError(where, "the column", "one of the table", show(name));
  const isAsked = (code: TableWarningCode) => codes === undefined || codes.includes(code);
  const asked = (found: readonly TableWarning[]) => found.filter(({ code }) => isAsked(code));
  const aim = target == null ? undefined : knownTarget(table.column(target), task);
  if (aim !== undefined) yield asked(checkTarget(target!, table.column(target!), aim.task));
  const isPixel = pixelNames(table);
  for (const name of features ?? table.columnNames) {
    if (name === target || isPixel.has(name)) continue;
    const column = table.column(name);
    const found = asked(checkColumn(name, column));
    const isConstant = found.some(({ code }) => code === "constant");
    yield aim === undefined || isConstant || !isAsked("leak")
      ? found
      : [...found, ...checkLeak(name, column, target!, aim)];
  }
  if (isAsked("duplicates")) yield checkRows(table);
}

export const bySeverity = (warnings: readonly TableWarning[]): TableWarning[] => [
  ...warnings.filter(({ severity }) => severity === "high"),
  ...warnings.filter(({ severity }) => severity === "low"),
];

/** Square pictures, pixel by pixel: their corners are often empty, and a picture needs all its pixels. */
function pixelNames(table: AnyTable): ReadonlySet<string> {
  const names = table.columnNames.filter(
    (name) => /^pixel/i.test(name) && table.column(name).kind === "numeric",
  );
  return new Set(names.length >= 16 && Number.isInteger(Math.sqrt(names.length)) ? names : []);
}

function checkColumn(name: string, column: Column): TableWarning[] {
  const { distinct, missing, infinite, frequency } = summarizeColumn(column, { bins: 1, top: 1 });
  const rows = column.length;
  const present = rows - missing;
  if (distinct <= 1)
    return [
      warn("constant", name, present === 0 ? "has no entries: leave it out." : "is constant: leave it out."),
    ];
  const found: TableWarning[] = [];
  if (identifierLikelihood(name, column, distinct) !== undefined) {
    const text = "differs in every row, as identifiers do: leave it out, or models memorise rows.";
    found.push(warn("id-like", name, text, { distinct }));
  }
  if (frequency >= NEARLY_CONSTANT * present) {
    const fraction = frequency / present;
    found.push(
      warn("nearly-constant", name, `has the same entry in ${percent(fraction)} of the rows.`, { fraction }),
    );
  }
  if (missing >= MANY_MISSING * rows) {
    const fraction = missing / rows;
    found.push(
      warn("missing", name, `is missing in ${percent(fraction)} of the rows.`, { missing, fraction }),
    );
  }
  if (infinite > 0) {
    const text = `has ${count(infinite, "infinite number", "infinite numbers")}, which most models reject.`;
    found.push(warn("infinite", name, text, { infinite }));
  }
  if (column.kind === "categorical" && distinct > MANY_CATEGORIES) {
    const text = `has ${grouped(distinct)} categories: encode it by the target, or group rare ones.`;
    found.push(warn("high-cardinality", name, text, { distinct }));
  }
  return [...found, ...checkText(name, column)];
}

/** Numbers and dates that are kept as text: as the reader of the table has noted, or as the entries show. */
function checkText(name: string, column: Column): TableWarning[] {
  if (column.kind !== "categorical" && column.kind !== "text") return [];
  const found = oddEntryOf(column);
  if (found?.odd !== undefined) {
    const row = rowOf(column, found.odd);
    return [warn(found.code, name, oddEntryText(found, ` in row ${grouped(row + 1)}`), { row })];
  }
  return notesOf(column).flatMap(({ code, text }) =>
    code === "numbers-as-text" || code === "dates-as-text" ? [warn(code, name, text)] : [],
  );
}

function rowOf(column: Extract<Column, { readonly kind: "categorical" | "text" }>, text: string): number {
  if (column.kind === "text") return column.values.indexOf(text);
  return column.codes.indexOf(column.categories.indexOf(text));
}

function checkLeak(name: string, column: Column, target: string, aim: KnownTarget): TableWarning[] {
  const leak = leakOf(column, aim);
  if (leak === undefined) return [];
  const y = quote(target);
  return [
    warn(
      "leak",
      name,
      leak === "entries"
        ? `alone predicts ${y} almost perfectly: leave it out unless it is known before ${y} is.`
        : `is missing depending on ${y}, as if it was recorded afterwards: leave it out if so.`,
    ),
  ];
}

function checkRows(table: AnyTable): TableWarning[] {
  const duplicates = countDuplicateRows(table);
  if (duplicates === 0) return [];
  const message = `${count(duplicates, "row is", "rows are")} equal to an earlier row: with copies in both training and test data, scores are optimistically biased.`;
  return [{ code: "duplicates", column: null, severity: "high", message, figures: { duplicates } }];
}
