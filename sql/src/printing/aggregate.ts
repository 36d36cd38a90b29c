import type { Dialect } from "../dialects/dialect.js";
import type { Expression } from "../expressions/expression.js";
import type { SumQuery } from "../expressions/sums.js";
import { type LayeredRows, layered } from "./layers.js";

export interface SumOptions {
  /** How expressions that are used more than once get columns. */
  readonly layering?:
    | ((dialect: Dialect, roots: readonly Expression[], from: string) => LayeredRows)
    | undefined;
  /** A key that every SELECT groups by too, so that each shard adds up its own rows. */
  readonly shard?: Expression | undefined;
}

/**
 * Sums over the rows of a source as a SELECT. Its rows are
 *
 *   the number of the query,  the keys as text,  the number of rows,  the aggregates
 */
export function sumSelect(
  dialect: Dialect,
  { groupBy, aggregates }: SumQuery,
  from: string,
  q = 0,
  { layering = layered, shard }: SumOptions = {},
): string {
  const keys = groupBy.map(({ of }) => of);
  const groups = shard ? [shard, ...keys] : keys;
  const { source, print } = layering(dialect, [...groups, ...aggregates.map(({ of }) => of)], from);
  const texts = groupBy.map(({ of, type }) => dialect.keyText(print(of), type));
  const values = aggregates.map(({ kind, of }) => dialect.aggregate(kind, print(of)));
  const grouped = groups.length === 0 ? "" : ` GROUP BY ${groups.map(print).join(", ")}`;
  const columns = [
    `${q} AS _argmax_q`,
    `${dialect.list("text", texts)} AS _argmax_k`,
    `${dialect.countRows} AS _argmax_n`,
    `${dialect.list("double", values)} AS _argmax_v`,
  ];
  return `SELECT ${columns.join(", ")} FROM ${source}${grouped}`;
}
