import type { Expression } from "./expression.js";

/** Sums over all rows of a source, per group. The number of rows of each group always comes with them. */
export interface SumQuery {
  readonly groupBy: readonly GroupKey[];
  readonly aggregates: readonly Aggregate[];
}

/** A key of few values: a class, a fold, a node, a bin. */
export interface GroupKey {
  readonly of: Expression;
  readonly type: "number" | "text" | "boolean";
}

export type KeyValue = number | string | boolean | null;

/** Of the rows where `of` is not NULL; a sum of none is 0, the least and the greatest of none are NaN. */
export interface Aggregate {
  readonly kind: "sum" | "min" | "max";
  readonly of: Expression;
}

export interface SumGroup {
  readonly keys: readonly KeyValue[];
  /** The number of rows. */
  readonly count: number;
  /** One number per aggregate. */
  readonly values: Float64Array;
}

export const sumOf = (of: Expression): Aggregate => ({ kind: "sum", of });

/** Groups of the same keys as one: sums are added. */
export function mergedGroups(groups: readonly SumGroup[], aggregates: readonly Aggregate[]): SumGroup[] {
  const merged = new Map<string, { keys: SumGroup["keys"]; count: number; values: Float64Array }>();
  for (const { keys, count, values } of groups) {
    const name = JSON.stringify(keys);
    const known = merged.get(name);
    if (known === undefined) {
      merged.set(name, { keys, count, values: values.slice() });
      continue;
    }
    known.count += count;
    aggregates.forEach(({ kind }, a) => {
      known.values[a] = joined(kind, known.values[a]!, values[a]!);
    });
  }
  return [...merged.values()];
}

/** Two aggregates as one. NaN is the least and the greatest of no rows. */
export function joined(kind: Aggregate["kind"], a: number, b: number): number {
  if (kind === "sum") return a + b;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? b : a;
  return kind === "min" ? Math.min(a, b) : Math.max(a, b);
}
