import { pushAll } from "argmax/numeric";
import { MOST_CLASSES } from "../state/guess-roles.js";
import { type ColumnSummary, countsOf } from "./describe.js";
import { duplicateRows } from "./duplicates.js";
import { leakOf, type Truth } from "./leak.js";
import { pixelColumns } from "./pixel-columns.js";
import { type ColumnData, columnOf, lengthOf, type TableData } from "./table.js";
import { textAt } from "./texts.js";

export type WarningKind =
  | "id-like"
  | "constant"
  | "leak"
  | "rare-class"
  | "one-class"
  | "few-values"
  | "many-classes"
  | "duplicates"
  | "missing"
  | "target-missing"
  | "high-cardinality"
  | "numbers-as-text"
  | "text-left-out"
  | "infinite";

export interface Warning {
  readonly kind: WarningKind;
  /** The column that it is about. */
  readonly column: string | null;
  /** A sentence. */
  readonly message: string;
  /** What one click does about it. */
  readonly fix: "ignore" | "use" | "as-category" | "as-number" | null;
}

/** Which columns are learned from, and what. */
export interface Reviewed {
  readonly features: readonly string[];
  readonly target: string | null;
  /** Columns that are not used, though nobody has given them another role. */
  readonly ignored: readonly string[];
}

const MANY_MISSING = 0.5;
/** One-hot columns from which encoders, linear models and people struggle. */
const MANY_CATEGORIES = 100;
/** Fewer rows than this are no class to learn or to test. */
const RARE = 10;
/** In a shorter table all cells may differ by chance. */
const FEWEST_FOR_IDS = 20;
/** Share of the cells that must look like numbers. */
const MOSTLY = 0.9;
const SAMPLE = 1000;
/** Rare classes that are named one by one. */
const MOST_NAMED = 5;

/** What is wrong with the features and the target, in sentences. `onColumn` is awaited before each feature. */
export async function warningsOf(
  table: TableData,
  summaries: readonly ColumnSummary[],
  { features, target, ignored }: Reviewed,
  onColumn: () => Promise<void>,
): Promise<Warning[]> {
  const aim = target === null ? undefined : columnOf(table, target);
  const found = aim === undefined ? [] : targetWarnings(aim, summaries[table.columns.indexOf(aim)]!);
  const truth = aim && truthOf(aim);
  const isFeature = new Set(features);
  const isIgnored = new Set(ignored);
  const isPixel = new Set<ColumnData>(pixelColumns(table));
  for (const [j, column] of table.columns.entries()) {
    if (isIgnored.has(column.name)) pushAll(found, textLeftOut(column, summaries[j]!));
    // Corners of pictures are often empty, and a picture needs all its pixels.
    if (!isFeature.has(column.name) || isPixel.has(column)) continue;
    await onColumn();
    pushAll(found, featureWarnings(column, summaries[j]!, aim, truth));
  }
  const duplicates = duplicateRows(table);
  if (duplicates > 0)
    found.push({
      kind: "duplicates",
      column: null,
      message: `${count(duplicates, "row equals", "rows equal")} an earlier one in every column: learned from and tested on at once, such rows make models look better than they are.`,
      fix: null,
    });
  return found;
}

/** Text with several words can be learned from: that it is not is worth a word. */
function textLeftOut(column: ColumnData, summary: ColumnSummary): Warning[] {
  if (column.kind !== "text" || summary.distinct <= 1 || isIdentifier(column, summary)) return [];
  return [
    {
      kind: "text-left-out",
      column: column.name,
      message: `${named(column.name)} is free text and is left out: used as a feature, its words become columns.`,
      fix: "use",
    },
  ];
}

function truthOf(target: ColumnData): Truth | undefined {
  if (target.kind === "text") return undefined;
  const values = target.kind === "number" ? target.values : target.codes;
  const isThere = (value: number) => (target.kind === "number" ? Number.isFinite(value) : value >= 0);
  const rows = Int32Array.from(values.keys()).filter((i) => isThere(values[i]!));
  return {
    rows,
    y: Float64Array.from(rows, (i) => values[i]!),
    isRegression: target.kind === "number",
  };
}

function targetWarnings(target: ColumnData, { distinct, missing, infinite }: ColumnSummary): Warning[] {
  const { name } = target;
  const warn = (kind: WarningKind, message: string, fix: Warning["fix"] = null): Warning => ({
    kind,
    column: name,
    message: `${named(name)} ${message}`,
    fix,
  });
  if (distinct <= 1)
    return [
      warn(
        "one-class",
        distinct === 0
          ? "has no entry: there is nothing to learn."
          : "has one value in all rows: there is nothing to learn.",
      ),
    ];
  const found: Warning[] = [];
  if (missing > 0)
    found.push(
      warn("target-missing", `is missing in ${count(missing, "row", "rows")}: they are not learned from.`),
    );
  if (infinite > 0)
    found.push(
      warn("infinite", `has ${count(infinite, "infinite number", "infinite numbers")}: correct the file.`),
    );
  if (target.kind === "number") {
    if (distinct <= MOST_CLASSES && target.isDate !== true)
      found.push(
        warn(
          "few-values",
          `has ${distinct} different numbers: are they classes? Then its kind is category.`,
          "as-category",
        ),
      );
    return found;
  }
  if (distinct > MANY_CATEGORIES || target.kind === "text")
    found.push(
      warn(
        "many-classes",
        `has ${distinct.toLocaleString("en")} different classes: is it what should be predicted?`,
      ),
    );
  const rare = [...countsOf(target)].filter(([, rows]) => rows < RARE);
  if (rare.length > MOST_NAMED)
    return [
      ...found,
      warn(
        "rare-class",
        `has ${rare.length} classes with fewer than ${RARE} rows each, such as ${quoted(rare[0]![0])}: too few to learn from and to test.`,
      ),
    ];
  for (const [label, rows] of rare)
    found.push(
      warn(
        "rare-class",
        `is ${quoted(label)} in ${count(rows, "row", "rows")} only: too few to learn from and to test.`,
      ),
    );
  return found;
}

function featureWarnings(
  column: ColumnData,
  summary: ColumnSummary,
  target: ColumnData | undefined,
  truth: Truth | undefined,
): Warning[] {
  const { name } = column;
  const { distinct, missing, infinite } = summary;
  const rows = lengthOf(column);
  const warn = (kind: WarningKind, message: string, fix: Warning["fix"] = "ignore"): Warning => ({
    kind,
    column: name,
    message: `${named(name)} ${message}`,
    fix,
  });
  if (distinct <= 1)
    return [
      warn(
        "constant",
        distinct === 0 ? "has no entry at all: leave it out." : "is the same in every row: leave it out.",
      ),
    ];
  const found: Warning[] = [];
  if (isIdentifier(column, summary))
    found.push(
      warn(
        "id-like",
        "differs in every row, as an identifier does: leave it out, or models learn rows by heart.",
      ),
    );
  if (missing >= MANY_MISSING * rows)
    found.push(warn("missing", `is missing in ${Math.round((100 * missing) / rows)} % of the rows.`));
  if (infinite > 0)
    found.push(
      warn(
        "infinite",
        `has ${count(infinite, "infinite number", "infinite numbers")}, which most models refuse.`,
      ),
    );
  if (column.kind === "category" && distinct > MANY_CATEGORIES)
    found.push(
      warn(
        "high-cardinality",
        `has ${distinct.toLocaleString("en")} categories, which become as many columns.`,
      ),
    );
  const odd = oddNumber(column);
  if (odd !== undefined)
    found.push(
      warn(
        "numbers-as-text",
        `has numbers, but is read as ${column.kind} because of ${quoted(odd.text)} in row ${odd.row + 1}: as numbers, such cells are missing.`,
        "as-number",
      ),
    );
  if (truth !== undefined) {
    const leak = leakOf(column, truth);
    const what = named(target!.name);
    if (leak === "cells")
      found.push(
        warn(
          "leak",
          `alone predicts ${what} almost perfectly: is it known before ${what} is? If not, leave it out.`,
        ),
      );
    if (leak === "gaps")
      found.push(
        warn(
          "leak",
          `is missing or not as ${what} is: it is probably filled in afterwards. If so, leave it out.`,
        ),
      );
  }
  return found;
}

/** Distinct whole numbers that count rows, or distinct text without blanks. */
function isIdentifier(column: ColumnData, { distinct, missing }: ColumnSummary): boolean {
  const present = lengthOf(column) - missing;
  if (distinct < present || present < FEWEST_FOR_IDS) return false;
  if (column.kind === "text") {
    for (let i = 0; i < Math.min(lengthOf(column), SAMPLE); i++)
      if (/\s\S+\s/.test(textAt(column.texts, i) ?? "")) return false;
    return true;
  }
  if (column.kind === "category") return !column.levels.slice(0, SAMPLE).some((text) => /\s\S+\s/.test(text));
  let [least, most] = [Infinity, -Infinity];
  for (const value of column.values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return false;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return (
    most - least < 2 * present || /(?:^|[^a-z])(?:id|key|index|nr|no|number)$|[a-z]Id$/i.test(column.name)
  );
}

const NUMBER = /^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?\s*$/i;

/** The first cell that is no number of a column of which most are; codes with zeros in front are no numbers. */
function oddNumber(column: ColumnData): { readonly row: number; readonly text: string } | undefined {
  if (column.kind === "number") return undefined;
  const cellAt = (i: number) =>
    column.kind === "text" ? textAt(column.texts, i) : (column.levels[column.codes[i]!] ?? null);
  const length = lengthOf(column);
  let [seen, numbers] = [0, 0];
  for (let i = 0; i < length && seen < SAMPLE; i++) {
    const text = cellAt(i);
    if (text === null) continue;
    if (/^0\d/.test(text)) return undefined;
    seen++;
    if (NUMBER.test(text)) numbers++;
  }
  if (seen === 0 || numbers < MOSTLY * seen) return undefined;
  for (let i = 0; i < length; i++) {
    const text = cellAt(i);
    if (text !== null && !NUMBER.test(text)) return { row: i, text };
  }
  return undefined;
}

const count = (value: number, one: string, many: string): string =>
  `${value.toLocaleString("en")} ${value === 1 ? one : many}`;

const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
const named = (name: string): string => cut(name);
const quoted = (text: string): string => `“${cut(text)}”`;
