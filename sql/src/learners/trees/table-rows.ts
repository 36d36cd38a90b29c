import { DataError } from "argmax/core";
import { type KnownColumn, TableColumns } from "argmax/sums";
import type { Cells } from "../../compile/cells.js";
import { type Expression, shared } from "../../expressions/expression.js";
import type { TrainingRows } from "../../rows/training-rows.js";

/** The columns of X as trees read them: numbers, and categories by their places. */
export interface TableRows {
  readonly rows: TrainingRows;
  /** Undefined for what a step has made. */
  readonly table: TableColumns | undefined;
  readonly features: readonly Cells[];
  /** As numbers; NULL for gaps. */
  readonly x: readonly Expression[];
}

const kinds = { number: "numeric", boolean: "boolean", text: "categorical" } as const;

/** Reads the columns of a source as a model does that was fitted to a table; text is categories. */
export async function tableRows(rows: TrainingRows): Promise<TableRows> {
  const { namesIn, where, features } = rows;
  if (namesIn === undefined) return { rows, table: undefined, features, x: rows.x };
  const texts = features.flatMap(({ given }, j) => (given?.type === "text" ? [j] : []));
  const asked = texts.map((j) => ({
    groupBy: [{ of: features[j]!.given!.text, type: "text" as const }],
    aggregates: [],
  }));
  const answers = texts.length > 0 ? await rows.several(asked) : [];
  const known = features.map(({ given }, j): KnownColumn => {
    const type = given?.type ?? "number";
    if (type === "date")
      throw new DataError({
        where,
        subject: `column ${rows.nameOf(j)}`,
        expected: "numbers, booleans or categories",
        received: "dates",
        advice: "Turn it into numbers in the query, or leave it out of features.",
      });
    const groups = answers[texts.indexOf(j)] ?? [];
    const categories = groups.flatMap(({ keys }) => (keys[0] === null ? [] : [String(keys[0])])).sort();
    return { name: namesIn[j]!, kind: kinds[type], categories: Object.freeze(categories) };
  });
  const table = new TableColumns(known);
  const read = features.map((column, j) => column.readAs(known[j]!));
  return { rows, table, features: read, x: read.map((column) => shared(column.number)) };
}

/** The categories of columns, ascending: places of text, or the numbers that occur. */
export async function categoriesOf(
  { rows, table, x }: TableRows,
  categorical: readonly number[],
): Promise<Map<number, Float64Array>> {
  const numeric = categorical.filter((j) => table?.columns[j]?.kind !== "categorical");
  const asked = numeric.map((j) => ({ groupBy: [{ of: x[j]!, type: "number" as const }], aggregates: [] }));
  const answers = numeric.length > 0 ? await rows.several(asked) : [];
  return new Map(
    categorical.map((j) => {
      const text = table?.columns[j];
      if (text?.kind === "categorical") return [j, Float64Array.from(text.categories.keys())];
      const groups = answers[numeric.indexOf(j)]!;
      return [
        j,
        Float64Array.from(groups.flatMap(({ keys }) => (keys[0] === null ? [] : [Number(keys[0])]))).sort(),
      ];
    }),
  );
}
