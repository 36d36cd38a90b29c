import type { Column } from "../data/table/column.js";
import { countEntries, summarizeColumn } from "../data/table/column-summary.js";
import { guessTask, MOST_CLASSES } from "../data/table/guess-target.js";
import type { KnownTarget } from "./leak.js";
import { count, grouped, quote, type TableWarning, warn } from "./table-warning.js";

/** More classes than this are rarely a target. */
const MANY_CLASSES = 100;
/** Fewer rows are too few to learn a class and to test it. */
const RARE = 10;
/** Rare classes that are named one by one. */
const MOST_NAMED = 5;

/** The rows that have a target, as codes or values. Free text is never learned: its rows prove nothing. */
export function knownTarget(column: Column, asked: KnownTarget["task"] | undefined): KnownTarget {
  const isQuantity = column.kind === "numeric" || column.kind === "date";
  const values = valuesOf(column);
  const isKnown = (value: number) => Number.isFinite(value) && (isQuantity || value >= 0);
  const rows = Int32Array.from(values.keys()).filter((i) => isKnown(values[i]!));
  const y = Float64Array.from(rows, (i) => values[i]!);
  const guessed = () =>
    column.kind === "date" ? "regression" : isQuantity ? guessTask(y) : "classification";
  return { rows, y, task: asked ?? guessed() };
}

function valuesOf(column: Column): Float64Array {
  switch (column.kind) {
    case "numeric":
    case "date":
      return column.values;
    case "categorical":
      return Float64Array.from(column.codes);
    case "boolean":
      return Float64Array.from(column.values, (value) => (value > 1 ? -1 : value));
    case "text":
      return new Float64Array(column.length).fill(-1);
  }
}

export function checkTarget(name: string, column: Column, task: KnownTarget["task"]): TableWarning[] {
  const { distinct, missing, infinite } = summarizeColumn(column, { bins: 1, top: 1 });
  if (distinct <= 1) {
    const text = distinct === 0 ? "has no entries" : `is ${quote(entryOf(column))} in every row`;
    return [warn("constant", name, `${text}: there is nothing to learn.`, {}, "high")];
  }
  const found: TableWarning[] = [];
  if (missing > 0) {
    const text = `is missing in ${count(missing, "row, which is", "rows, which are")} not used for training.`;
    found.push(warn("target-missing", name, text, { missing }));
  }
  if (infinite > 0) {
    const text = `has ${count(infinite, "infinite number", "infinite numbers")}: correct the data.`;
    found.push(warn("infinite", name, text, { infinite }));
  }
  if (task === "classification") return [...found, ...checkClasses(name, column, distinct)];
  if (distinct <= MOST_CLASSES && column.kind !== "date") {
    const text = `has ${distinct} distinct numbers: if they are classes, make it a category.`;
    found.push(warn("few-values", name, text, { distinct }));
  }
  return found;
}

function checkClasses(name: string, column: Column, distinct: number): TableWarning[] {
  const found: TableWarning[] = [];
  if (distinct > MANY_CLASSES || column.kind === "text") {
    const text = `has ${grouped(distinct)} distinct classes: is it the column to predict?`;
    found.push(warn("many-classes", name, text, { distinct }));
  }
  const rare = [...countsOf(column)].filter(([, rows]) => rows < RARE);
  const few = "too few to learn from and to test.";
  if (rare.length > MOST_NAMED) {
    const text = `has ${grouped(rare.length)} classes with fewer than ${RARE} rows each, such as ${quote(rare[0]![0])}: ${few}`;
    return [...found, warn("rare-class", name, text, { classes: rare.length })];
  }
  for (const [label, rows] of rare)
    found.push(
      warn("rare-class", name, `is ${quote(label)} in ${count(rows, "row", "rows")} only: ${few}`, { rows }),
    );
  return found;
}

const entryOf = (column: Column): string => String(column.toArray().find((entry) => entry !== null));

function countsOf(column: Column): Map<string, number> {
  if (column.kind !== "numeric" && column.kind !== "date") return countEntries(column);
  const counts = new Map<string, number>();
  for (const value of column.values.filter((one) => !Number.isNaN(one)))
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return counts;
}
