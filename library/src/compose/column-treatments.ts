import { show } from "../core/errors.js";
import type { Column } from "../data/table/column.js";
import { type ColumnFacts, factsOf, isCodes } from "../data/table/column-facts.js";

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

/** The treatment of a column; `namesRows` if it is dropped since its entries are almost as many as the rows. */
export interface ChosenTreatment {
  readonly treatment: Treatment;
  readonly reason: string;
  readonly namesRows?: true;
}

/** In fewer rows all entries may differ by chance. */
const FEWEST_NAMED = 20;
/** Fraction of different entries from which text names rows, not groups: what an encoder learns of them is of no use for other rows. */
const NAMED = 0.9;
/** Words per entry of prose; names and codes have fewer. */
const PROSE = 3;

/**
 * The treatment of a column and the reason for it, from the facts of the whole column: rows that are selected from a table are treated
 * as all of them are.
 */
export const treatmentOf = (column: Column, maxCategories: number): ChosenTreatment =>
  treatmentOfFacts(column, factsOf(column), maxCategories);

/** The same of the facts alone. */
export function treatmentOfFacts(
  column: Pick<Column, "kind" | "missing" | "length">,
  facts: ColumnFacts,
  maxCategories: number,
): ChosenTreatment {
  const { rows, missing, constant } = facts;
  // What is missing is told of the rows that are learned from.
  const gaps = column.missing > 0 ? `, ${column.missing} of ${column.length} missing` : "";
  if (missing === rows) return { treatment: "drop", reason: "no value in any row" };
  const isText = column.kind === "categorical" || column.kind === "text";
  if (constant !== null)
    return { treatment: "drop", reason: `constant, ${isText ? show(constant) : constant}` };
  switch (column.kind) {
    case "numeric":
      if (facts.counts)
        return { treatment: "drop", reason: "numbers the rows: consecutive integers, each once" };
      return { treatment: "numbers", reason: `numbers${gaps}` };
    case "boolean":
      return { treatment: "booleans", reason: `true or false${gaps}` };
    case "date":
      return { treatment: "dates", reason: `dates${gaps}` };
    case "categorical":
      return categoryTreatment(facts, maxCategories, gaps);
    case "text":
      return isCodes(facts) ? categoryTreatment(facts, maxCategories, gaps) : textTreatment(facts, gaps);
  }
}

const prose = ({ words }: ColumnFacts, gaps: string): ChosenTreatment => ({
  treatment: "texts",
  reason: `free text of about ${Math.round(words)} ${Math.round(words) === 1 ? "word" : "words"}${gaps}`,
});

/** By the number of different entries and of rows that have one. */
function categoryTreatment(facts: ColumnFacts, maxCategories: number, gaps: string): ChosenTreatment {
  const { rows, missing, distinct, words } = facts;
  const present = rows - missing;
  // Prose seldom repeats; categories do.
  if (words >= PROSE && distinct > present / 2) return prose(facts, gaps);
  if (present >= FEWEST_NAMED && distinct >= NAMED * present) {
    const reason =
      distinct === present
        ? "names the rows: every entry occurs once"
        : `names the rows: ${distinct} different entries in ${present} rows`;
    return { treatment: "drop", reason, namesRows: true };
  }
  if (distinct <= maxCategories) return { treatment: "categories", reason: `${distinct} categories${gaps}` };
  return { treatment: "manyCategories", reason: `${distinct} categories, more than ${maxCategories}${gaps}` };
}

/** Text of more than a word or two per entry is read word by word, however few texts differ. */
function textTreatment(facts: ColumnFacts, gaps: string): ChosenTreatment {
  if (facts.sharesWords || facts.rows - facts.missing < FEWEST_NAMED) return prose(facts, gaps);
  return { treatment: "drop", reason: "names the rows: no word occurs in two of them", namesRows: true };
}
