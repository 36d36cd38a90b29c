import type { Dialect } from "../dialects/dialect.js";
import type { Expression } from "../expressions/expression.js";
import type { SumQuery } from "../expressions/sums.js";
import { type LayeredRows, layered } from "./layers.js";

export interface SumOptions {
  /** The dialect of a SELECT, if that depends on what it adds up. */
  readonly dialectOf?: ((roots: readonly Expression[]) => Dialect) | undefined;
  /** How expressions that are used more than once get columns. */
  readonly layering?:
    | ((dialect: Dialect, roots: readonly Expression[], from: string) => LayeredRows)
    | undefined;
  /** A column that every SELECT groups by too, so that each shard adds up its own rows. */
  readonly shardKey?: string | undefined;
}

/**
 * Sums over the rows of a source as a SELECT. Its rows are
 *
 *   the number of the query,  the keys as text,  the number of rows,  the aggregates
 */
export function sumSelect(
  given: Dialect,
  { groupBy, aggregates }: SumQuery,
  from: string,
  q = 0,
  { dialectOf, layering = layered, shardKey }: SumOptions = {},
): string {
  const keys = groupBy.map(({ of }) => of);
  const shard = { kind: "column", name: shardKey ?? "", type: undefined, as: "any" } as const;
  const groups = shardKey === undefined ? keys : [shard, ...keys];
  const roots = [...groups, ...aggregates.map(({ of }) => of)];
  const dialect = dialectOf?.(roots) ?? given;
  const { source, print } = layering(dialect, roots, from);
  const texts = groupBy.map(({ of, type }) => dialect.keyText(print(of), type));
  const values = aggregates.map(({ kind, of }) => dialect.aggregate(kind, print(of)));
  // By the values themselves: their text would be made for every row.
  const grouped = groups.length === 0 ? "" : ` GROUP BY ${groups.map(print).join(", ")}`;
  const columns = [
    `${q} AS _argmax_q`,
    `${dialect.list("text", texts)} AS _argmax_k`,
    `${dialect.countRows} AS _argmax_n`,
    `${dialect.list("double", values)} AS _argmax_v`,
  ];
  return `SELECT ${columns.join(", ")} FROM ${source}${grouped}`;
}
