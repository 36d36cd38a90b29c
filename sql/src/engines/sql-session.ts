import type { Dialect } from "../dialects/dialect.js";
import {
  type GroupKey,
  type KeyValue,
  mergedGroups,
  type SumGroup,
  type SumQuery,
} from "../expressions/sums.js";
import type { SumOptions } from "../printing/aggregate.js";
import { layered } from "../printing/layers.js";
import { type PartRow, sumPlan } from "../printing/sum-plan.js";
import { type BatchColumn, type BatchOptions, type BatchValues, TransientError } from "./engine.js";

/** A row of `sumSelect`, as clients give it. */
type SumRow = readonly [q: unknown, keys: readonly unknown[], count: unknown, values: readonly unknown[]];

/** Asks for several sums: `run` sends a statement and gives its rows. */
export async function sumsOf(
  dialect: Dialect,
  queries: readonly SumQuery[],
  from: string,
  run: (statement: string) => Promise<readonly SumRow[]>,
  options: SumOptions = {},
): Promise<SumGroup[][]> {
  const plan = sumPlan(dialect, queries, from, options);
  const rows: PartRow[] = [];
  for (const statement of plan.statements)
    for (const row of await run(statement)) rows.push(partRow(row, plan.parts));
  const groups = plan.read(options.shardKey !== undefined ? mergedParts(rows, plan.parts) : rows);
  if (groups) return groups;
  throw new TransientError("The rows have changed between two statements of a pass.");
}

function partRow([q, k, n, v]: SumRow, parts: readonly SumQuery[]): PartRow {
  const part = Number(q);
  const { groupBy, aggregates } = parts[part]!;
  return {
    part,
    keys: groupBy.map(({ type }, g) => keyOf(k[g], type)),
    count: Number(n),
    values: Float64Array.from(aggregates, ({ kind }, a) => aggregateOf(v[a], kind)),
  };
}

/** Groups of all shards as one. */
const mergedParts = (rows: readonly PartRow[], parts: readonly SumQuery[]): PartRow[] =>
  parts.flatMap(({ aggregates }, part) =>
    mergedGroups(
      rows.filter((row) => row.part === part),
      aggregates,
    ).map((group) => ({ ...group, part })),
  );

function keyOf(given: unknown, type: GroupKey["type"]): KeyValue {
  if (given === null || given === undefined) return null;
  if (type === "number") return doubleOf(given);
  return type === "boolean" ? ["true", "t", "1"].includes(String(given)) : String(given);
}

/** A double as any database writes it: Infinity, -inf. */
function doubleOf(given: unknown): number {
  const value = Number(given);
  if (!Number.isNaN(value) || typeof given !== "string" || !given.endsWith("inf")) return value;
  return given.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** A sum of no rows is NULL. */
function aggregateOf(given: unknown, kind: "sum" | "min" | "max"): number {
  if (given === null || given === undefined) return kind === "sum" ? 0 : Number.NaN;
  return doubleOf(given);
}

/** SELECT of rows of expressions as columns c0, c1, … */
export function batchStatement(
  dialect: Dialect,
  columns: readonly BatchColumn[],
  from: string,
  { where, orderBy, limit }: BatchOptions,
): string {
  const roots = [...columns.map(({ of }) => of), ...(where ? [where] : []), ...(orderBy ? [orderBy] : [])];
  const { source, print } = layered(dialect, roots, from, { always: dialect.aliasesHideColumns });
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
    return Float64Array.from(values, (value) => (value === null ? Number.NaN : doubleOf(value)));
  });
}
