import { DataError } from "argmax/core";
import type { Category } from "argmax/sums";
import type { Cells } from "../compile/cells.js";
import { compare, either, number, when } from "../expressions/expression.js";
import { type Aggregate, sumOf } from "../expressions/sums.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** The rows that have a cell. */
export interface CellCount {
  /** null is a gap. */
  readonly value: Category;
  readonly count: number;
  /** One number per aggregate. */
  readonly values: Float64Array;
}

/** The different cells of each column with their rows, in one pass; infinities are refused. */
export async function cellCounts(
  rows: TrainingRows,
  aggregates: readonly Aggregate[] = [],
): Promise<CellCount[][]> {
  const answers = await rows.several(rows.features.map((column) => ({ groupBy: [column.key], aggregates })));
  return answers.map((groups, j) =>
    groups.map(({ keys: [value = null], count, values }) => {
      if (Math.abs(Number(value)) === Infinity && typeof value === "number") refuseInfinity(rows, j, count);
      return { value, count, values };
    }),
  );
}

/** Refuses infinities in columns that may have gaps. */
export async function requireNoInfinities(rows: TrainingRows): Promise<void> {
  const places = [...rows.features.keys()].filter(
    (j) => rows.features[j]!.kind === "numeric" && !rows.passes.isFinite(rows.x[j]!),
  );
  if (places.length === 0) return;
  const [group] = await rows.sums({
    groupBy: [],
    aggregates: places.map((j) => {
      const x = rows.x[j]!;
      const far = either(compare(x, "=", number(Infinity)), compare(x, "=", number(-Infinity)));
      return sumOf(when(far, number(1), number(0)));
    }),
  });
  const e = group!.values.findIndex((count) => count > 0);
  if (e >= 0) refuseInfinity(rows, places[e]!, group!.values[e]!);
}

function refuseInfinity(rows: TrainingRows, j: number, count: number): never {
  const expected = "free of infinities";
  const advice = "Leave these rows out, or clip them, in the query.";
  throw new DataError(
    rows.where,
    `column ${rows.nameOf(j)}`,
    expected,
    `±Infinity in ${count} of the rows`,
    advice,
  );
}

/** 1 in rows where the column has a gap. */
export const gapsIn = (column: Cells) => when(column.isGap(), number(1), number(0));
