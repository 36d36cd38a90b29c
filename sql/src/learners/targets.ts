import { DataError, type Label } from "argmax/core";
import { choose, compare, type Expression, number, shared } from "../expressions/expression.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** The target as a number: labels that are numbers too. */
export function numericTarget({ where, target }: TrainingRows): Expression {
  const { value, classes, name } = target!;
  if (classes.length === 0) return value;
  if (typeof classes[0] === "number")
    return shared(
      choose(
        classes.map((label, k) => ({ test: compare(value, "=", number(k)), value: number(Number(label)) })),
      ),
    );
  throw new DataError(
    where,
    `target ${JSON.stringify(name)}`,
    "numbers",
    `labels as ${JSON.stringify(classes[0])}`,
  );
}

/** The target as classes: different numbers too. */
export async function classTarget(
  rows: TrainingRows,
): Promise<{ readonly value: Expression; readonly classes: readonly Label[] }> {
  const { value, classes } = rows.target!;
  if (classes.length > 0) return { value, classes };
  const groups = await rows.sums({ groupBy: [{ of: value, type: "number" }], aggregates: [] });
  const found = groups.map(({ keys }) => Number(keys[0])).sort((a, b) => a - b);
  const place = choose(
    found.map((label, k) => ({ test: compare(value, "=", number(label)), value: number(k) })),
  );
  return { value: shared(place), classes: found };
}
