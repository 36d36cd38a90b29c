import type { Dialect } from "../dialects/dialect.js";
import type { GroupKey, KeyValue, SumGroup, SumQuery } from "../expressions/sums.js";
import { sumSelect } from "../printing/aggregate.js";
import { layered } from "../printing/layers.js";
import type { BatchColumn, BatchOptions, BatchValues } from "./engine.js";

/** A row of `sumSelect`, as clients give it. */
type SumRow = Readonly<Record<"q" | "n", unknown>> & {
  readonly k: readonly unknown[];
  readonly v: readonly unknown[];
};

/** The statement of several sums, and its rows as groups. */
export function sumStatement(dialect: Dialect, queries: readonly SumQuery[], from: string) {
  return {
    text: sumSelect(dialect, queries, from),
    read(rows: readonly SumRow[]): SumGroup[][] {
      const answers: SumGroup[][] = queries.map(() => []);
      for (const { q, k, n, v } of rows) {
        const { groupBy, aggregates } = queries[Number(q)]!;
        answers[Number(q)]!.push({
          keys: groupBy.map(({ type }, g) => keyOf(k[g], type)),
          count: Number(n),
          values: Float64Array.from(aggregates, ({ kind }, a) => aggregateOf(v[a], kind)),
        });
      }
      return answers;
    },
  };
}

function keyOf(given: unknown, type: GroupKey["type"]): KeyValue {
  if (given === null || given === undefined) return null;
  if (type === "number") return Number(given);
  return type === "boolean" ? ["true", "t", "1"].includes(String(given)) : String(given);
}

/** A sum of no rows is NULL. */
function aggregateOf(given: unknown, kind: "sum" | "min" | "max"): number {
  if (given === null || given === undefined) return kind === "sum" ? 0 : Number.NaN;
  return Number(given);
}

/** SELECT of rows of expressions as columns c0, c1, … */
export function batchStatement(
  dialect: Dialect,
  columns: readonly BatchColumn[],
  from: string,
  { where, orderBy, limit }: BatchOptions,
): string {
  const roots = [...columns.map(({ of }) => of), ...(where ? [where] : []), ...(orderBy ? [orderBy] : [])];
  const { source, print } = layered(dialect, roots, from);
  const made = columns.map(({ of }, c) => `${print(of)} AS c${c}`);
  const condition = where ? ` WHERE ${print(where)} >= 1` : "";
  const order = orderBy ? ` ORDER BY ${print(orderBy)}` : "";
  return `SELECT ${made.join(", ")} FROM ${source}${condition}${order}${limit === undefined ? "" : ` LIMIT ${limit}`}`;
}

/** Columns of values as clients give them. */
export function batchValues(
  columns: readonly BatchColumn[],
  given: readonly (readonly unknown[])[],
): readonly BatchValues[] {
  return columns.map(({ type }, c) => {
    const values = given[c]!;
    if (type === "text") return values.map((value) => (value === null ? null : String(value)));
    return Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));
  });
}
