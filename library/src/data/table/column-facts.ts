import type { CategoricalColumn, Column, TextColumn } from "./column.js";

/**
 * What a column holds as a whole. Its treatment is decided from these facts, and rows selected from a table keep them: every fold of a
 * cross-validation and the final model then treat a column alike.
 */
export interface ColumnFacts {
  readonly rows: number;
  readonly missing: number;
  /** The only entry, as text, if no row has another and none is missing. */
  readonly constant: string | null;
  /** Numbers that count the rows: consecutive integers, each once. */
  readonly counts: boolean;
  /** Different entries of categories and of text that is one of codes (`isCodes`); 0 for others. */
  readonly distinct: number;
  /** Mean number of words per entry of text and categories, of the first thousand; 0 for other kinds. */
  readonly words: number;
  /** Whether a word of a text column occurs in two of the first thousand entries. */
  readonly sharesWords: boolean;
}

/** Facts by column: those of the column itself, or of the one that its rows were selected from. */
const known = new WeakMap<Column, ColumnFacts>();

/** The facts of the whole column that this is, or is a selection of. */
export function factsOf(column: Column): ColumnFacts {
  let facts = known.get(column);
  if (facts === undefined) {
    facts = examine(column);
    known.set(column, facts);
  }
  return facts;
}

/** The same column, with the facts of the one that it is a part of. */
export function withFacts<C extends Column>(column: C, facts: ColumnFacts): C {
  known.set(column, facts);
  return column;
}

/** Fewer consecutive integers than this may be a quantity. */
const FEWEST_COUNTED = 20;
/** Entries whose words are counted. */
const SAMPLE = 1000;

/** Entries that mostly have one word: ticket numbers, cabins, keys. Their vocabulary is the list of the entries themselves. */
export const isCodes = ({ words }: Pick<ColumnFacts, "words">): boolean => words < 1.5;

const none = { constant: null, counts: false, distinct: 0, words: 0, sharesWords: false };

function examine(column: Column): ColumnFacts {
  const shared = { ...none, rows: column.length, missing: column.missing };
  const isWhole = column.missing === 0 && column.length > 0;
  switch (column.kind) {
    case "numeric": {
      const { isConstant, counts } = numbersIn(column.values);
      return { ...shared, counts, constant: isWhole && isConstant ? String(column.values[0]) : null };
    }
    case "boolean":
    case "date": {
      const isConstant = column.values.every((value) => value === column.values[0]);
      return { ...shared, constant: isWhole && isConstant ? shown(column) : null };
    }
    case "categorical": {
      const used = usedCategories(column);
      const constant = isWhole && used.length === 1 ? used[0]! : null;
      return { ...shared, constant, distinct: used.length, ...wordsIn(used) };
    }
    case "text": {
      const isConstant = column.values.every((value) => value === column.values[0]);
      const constant = isWhole && isConstant ? column.values[0]! : null;
      const found = wordsIn(present(column));
      const distinct = isCodes(found) ? new Set(column.values.filter((value) => value !== null)).size : 0;
      return { ...shared, constant, distinct, ...found };
    }
  }
}

const shown = (column: Extract<Column, { readonly kind: "boolean" | "date" }>): string =>
  column.kind === "date" ? "one date" : String(column.at(0));

function numbersIn(values: Float64Array): { isConstant: boolean; counts: boolean } {
  let low = Infinity;
  let high = -Infinity;
  let isWhole = true;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    count++;
    if (value < low) low = value;
    if (value > high) high = value;
    if (isWhole && !Number.isInteger(value)) isWhole = false;
  }
  const spans = isWhole && count >= FEWEST_COUNTED && high - low === count - 1;
  return { isConstant: low === high, counts: spans && new Set(values).size === values.length };
}

/** The categories that rows have. */
function usedCategories({ codes, categories }: CategoricalColumn): string[] {
  const used = new Uint8Array(categories.length);
  for (let i = 0; i < codes.length; i++) if (codes[i]! >= 0) used[codes[i]!] = 1;
  return categories.filter((_, code) => used[code] === 1);
}

/** The first entries that are there. */
function present({ values }: TextColumn): string[] {
  const entries: string[] = [];
  for (let i = 0; i < values.length && entries.length < SAMPLE; i++)
    if (values[i] !== null) entries.push(values[i]!);
  return entries;
}

export function wordsIn(entries: readonly string[]): Pick<ColumnFacts, "words" | "sharesWords"> {
  const seen = new Set<string>();
  let [words, sharesWords] = [0, false];
  const sample = entries.slice(0, SAMPLE);
  for (const entry of sample) {
    words += entry.split(/\s+/u).filter((word) => word !== "").length;
    const own = new Set(entry.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
    for (const word of own) {
      sharesWords ||= seen.has(word);
      seen.add(word);
    }
  }
  return { words: sample.length === 0 ? 0 : words / sample.length, sharesWords };
}
