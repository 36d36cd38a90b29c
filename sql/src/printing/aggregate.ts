import type { Dialect } from "../dialects/dialect.js";
import type { Expression } from "../expressions/expression.js";
import type { SumQuery } from "../expressions/sums.js";
import { layered } from "./layers.js";

/**
 * Several sums over the rows of one source as one statement. Its rows are
 *
 *   q: which query,  k: the keys as text,  n: the number of rows,  v: the aggregates
 */
export function sumSelect(dialect: Dialect, queries: readonly SumQuery[], from: string): string {
  return queries.map((query, q) => oneSelect(dialect, query, q, from)).join(" UNION ALL ");
}

function oneSelect(dialect: Dialect, { groupBy, aggregates }: SumQuery, q: number, from: string): string {
  const roots: Expression[] = [...groupBy.map(({ of }) => of), ...aggregates.map(({ of }) => of)];
  const { source, print } = layered(dialect, roots, from);
  const printed = groupBy.map(({ of }) => print(of));
  const keys = groupBy.map(({ type }, g) => dialect.keyText(printed[g]!, type));
  const values = aggregates.map(({ kind, of }) => dialect.aggregate(kind, print(of)));
  // By the values themselves: their text would be made for every row.
  const grouped = keys.length === 0 ? "" : ` GROUP BY ${printed.join(", ")}`;
  const columns = [
    `${q} AS q`,
    `${dialect.list("text", keys)} AS k`,
    `${dialect.countRows} AS n`,
    `${dialect.list("double", values)} AS v`,
  ];
  return `SELECT ${columns.join(", ")} FROM ${source}${grouped}`;
}
