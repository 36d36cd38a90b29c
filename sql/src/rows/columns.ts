import { DataError, nearestName, ParameterError } from "argmax/core";
import type { SourceColumn } from "../engines/engine.js";
import type { ColumnType, Expression } from "../expressions/expression.js";

/** A column, as it is added up to see whether it changes. */
export const checked = ({ name, type }: SourceColumn): Expression =>
  type === "text" ? column(name, type)("text") : column(name, type)("number");

export const column =
  (name: string, type: ColumnType | undefined) =>
  (as: "number" | "text" | "any"): Expression => {
    const key = JSON.stringify([name, as, type]);
    const known = read.get(key) ?? ({ kind: "column", name, type, as } as const);
    read.set(key, known);
    return known;
  };

/** One object per column, so that what reads it more than once is computed once. */
const read = new Map<string, Expression>();

/** Names of columns by what they are for. */
export interface ColumnNames {
  readonly target?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly sampleWeight?: string | undefined;
  readonly fold?: string | undefined;
}

export interface ChosenColumns {
  readonly features: readonly SourceColumn[];
  readonly target: SourceColumn | undefined;
  readonly weight: SourceColumn | undefined;
}

export function columnsOf(
  where: string,
  all: readonly SourceColumn[],
  { target, features, sampleWeight, fold }: ColumnNames,
  shardKey: string | undefined,
): ChosenColumns {
  const named = (subject: string, name: string) => namedColumn(where, all, subject, name);
  const shard = shardKey === undefined ? undefined : named("shardedBy", shardKey);
  const y = target === undefined ? undefined : named("target", target);
  const weight = sampleWeight === undefined ? undefined : named("sampleWeight", sampleWeight);
  const folds = fold === undefined ? undefined : named("fold", fold);
  const rest = () => all.filter((one) => one.type !== undefined && ![y, weight, shard, folds].includes(one));
  const chosen = features?.map((name) => named("features", name)) ?? rest();
  requireDistinct(where, chosen, y);
  if (chosen.length === 0)
    throw new DataError(where, "the source", "one or more columns to learn from", "none");
  return { features: chosen, target: y, weight };
}

/** Refuses a column that is named twice, and the one to predict. */
function requireDistinct(
  where: string,
  chosen: readonly SourceColumn[],
  target: SourceColumn | undefined,
): void {
  const wrong = chosen.find(
    ({ name }, j) => name === target?.name || chosen.findIndex((other) => other.name === name) !== j,
  );
  if (wrong === undefined) return;
  const received = `${JSON.stringify(wrong.name)} ${wrong.name === target?.name ? "among them" : "twice"}`;
  throw new ParameterError(where, "features", "different columns without the target", received);
}

/** A column that learners can read. */
export function namedColumn(
  where: string,
  all: readonly SourceColumn[],
  subject: string,
  name: string,
): SourceColumn {
  const found = all.find((candidate) => candidate.name === name);
  if (found?.type !== undefined) return found;
  const names = all.map((candidate) => candidate.name);
  if (found !== undefined)
    throw new DataError(where, subject, "a column of numbers, text, booleans or dates", JSON.stringify(name));
  const near = nearestName(name, names);
  const advice =
    near === undefined
      ? `There are ${names.slice(0, 20).join(", ")}.`
      : `Did you mean ${JSON.stringify(near)}?`;
  throw new ParameterError(where, subject, "a column of the source", JSON.stringify(name), advice);
}
