import { show } from "../core/errors.js";
import type { CategoricalColumn, Column } from "../data/column.js";

/** What a TableVectorizer can do with a column by itself. */
export type Treatment = "numbers" | "booleans" | "categories" | "manyCategories" | "dates" | "texts" | "drop";

/** What it does with a column, and why. */
export interface ColumnChoice {
  /** Name, or number where X had no names. */
  readonly column: string | number;
  /** What the column holds. */
  readonly kind: Column["kind"];
  /** "given" if the parameter `columns` says what to do. */
  readonly treatment: Treatment | "given";
  readonly reason: string;
}

/** So many different entries in so many rows that they are names of rows, not of groups. */
const MOST_ROWS = 20;

/** Words per entry of prose; names and codes have fewer. */
const PROSE = 3;

/** The treatment of a column and the reason for it. */
export function treatmentOf(column: Column, maxCategories: number): { treatment: Treatment; reason: string } {
  const n = column.length;
  const { missing } = column;
  const gaps = missing > 0 ? `, ${missing} of ${n} missing` : "";
  if (missing === n) return { treatment: "drop", reason: "no value in any row" };
  switch (column.kind) {
    case "numeric": {
      const { isConstant, isCount } = numbersIn(column.values);
      if (isConstant && missing === 0) return { treatment: "drop", reason: `constant, ${column.at(0)}` };
      if (isCount) return { treatment: "drop", reason: "numbers the rows: consecutive integers, each once" };
      return { treatment: "numbers", reason: `numbers${gaps}` };
    }
    case "boolean": {
      const values = new Set(column.values);
      if (values.size === 1) return { treatment: "drop", reason: `constant, ${column.at(0)}` };
      return { treatment: "booleans", reason: `true or false${gaps}` };
    }
    case "date": {
      if (new Set(column.values).size === 1) return { treatment: "drop", reason: "constant, one date" };
      return { treatment: "dates", reason: `dates${gaps}` };
    }
    case "categorical":
      return textTreatment(usedCategories(column), n - missing, missing, maxCategories, gaps);
    default:
      return textTreatment(
        new Set(column.values.filter((entry) => entry !== null)),
        n - missing,
        missing,
        maxCategories,
        gaps,
      );
  }
}

function numbersIn(values: Float64Array): { isConstant: boolean; isCount: boolean } {
  let low = Infinity;
  let high = -Infinity;
  let isWhole = true;
  let present = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    present++;
    if (value < low) low = value;
    if (value > high) high = value;
    if (isWhole && !Number.isInteger(value)) isWhole = false;
  }
  const spans = isWhole && present >= MOST_ROWS && high - low === present - 1;
  return { isConstant: low === high, isCount: spans && new Set(values).size === values.length };
}

/** The categories that rows have. */
function usedCategories({ codes, categories }: CategoricalColumn): ReadonlySet<string> {
  const used = new Uint8Array(categories.length);
  for (let i = 0; i < codes.length; i++) if (codes[i]! >= 0) used[codes[i]!] = 1;
  return new Set(categories.filter((_, code) => used[code] === 1));
}

/** By the different entries of a column and the number of rows that have one. */
function textTreatment(
  distinct: ReadonlySet<string>,
  present: number,
  missing: number,
  maxCategories: number,
  gaps: string,
): { treatment: Treatment; reason: string } {
  const [first] = distinct;
  if (distinct.size === 1 && missing === 0) return { treatment: "drop", reason: `constant, ${show(first)}` };
  if (distinct.size <= maxCategories)
    return { treatment: "categories", reason: `${distinct.size} categories${gaps}` };
  const words = wordsPerEntry(distinct);
  // Prose seldom repeats; many categories do.
  if (words >= PROSE && distinct.size > present / 2)
    return { treatment: "texts", reason: `free text of about ${Math.round(words)} words${gaps}` };
  if (distinct.size === present && present >= MOST_ROWS)
    return { treatment: "drop", reason: "names the rows: every entry occurs once" };
  return {
    treatment: "manyCategories",
    reason: `${distinct.size} categories, more than ${maxCategories}${gaps}`,
  };
}

/** Mean number of words, of the first thousand entries. */
function wordsPerEntry(entries: ReadonlySet<string>): number {
  let words = 0;
  let count = 0;
  for (const entry of entries) {
    if (count === 1000) break;
    count++;
    words += entry.split(/\s+/u).filter((word) => word !== "").length;
  }
  return words / count;
}
