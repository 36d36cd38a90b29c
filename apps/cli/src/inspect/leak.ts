import {
  type Column,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  type Label,
  NumericColumn,
  type Table,
} from "argmax";
import { maxOf } from "argmax/numeric";
import { tableOf } from "../data/columns.js";
import { gapsOf } from "./summary.js";

/** A column leaks if a tree on it alone leaves at most this share of the error of a constant. */
const NEARLY_ALL = 0.01;
/** Whether an entry is missing is known beforehand only if it tells little: a weaker proof suffices. */
const NEARLY_ALL_BY_GAPS = 0.1;
/** Fewer rows prove nothing, and more than this change nothing. */
const FEWEST = 50;
const MOST = 5000;

export type Leak = "entries" | "gaps";

/** Whether a column alone tells the target of rows that the tree has not seen. */
export function leakOf(column: Column, y: readonly Label[], isRegression: boolean): Leak | undefined {
  if (y.length < FEWEST) return undefined;
  const rows = Math.min(y.length, MOST);
  // Every second row is held out; files that are sorted by the target have both halves in each.
  const step = y.length / rows;
  const chosen = Array.from({ length: rows }, (_, k) => Math.floor(k * step));
  const train = chosen.filter((_, k) => k % 2 === 0);
  const test = chosen.filter((_, k) => k % 2 === 1);
  const errorOf = (one: Column) => {
    const X = tableOf([["x", one]]);
    return isRegression ? regressionError(X, y, train, test) : classificationError(X, y, train, test);
  };
  if (column.missing > 0 && column.missing < column.length && errorOf(gapsOf(column)) <= NEARLY_ALL_BY_GAPS)
    return "gaps";
  // Free text has no order and no categories that a tree could use.
  if (column.kind === "text") return undefined;
  const usable = column.kind === "date" ? new NumericColumn(column.values) : column;
  return errorOf(usable) <= NEARLY_ALL ? "entries" : undefined;
}

const pick = (y: readonly Label[], rows: readonly number[]) => rows.map((i) => y[i]!);

/** Share of the errors of the most frequent class. */
function classificationError(X: Table, y: readonly Label[], train: number[], test: number[]): number {
  const labels = pick(y, train).map(String);
  if (new Set(labels).size < 2) return 1;
  const model = new DecisionTreeClassifier({ maxDepth: 4 }).fit(X.selectRows(train), labels);
  const truth = pick(y, test).map(String);
  const predicted = model.predict(X.selectRows(test));
  const counts = new Map<string, number>();
  for (const label of truth) counts.set(label, (counts.get(label) ?? 0) + 1);
  const baseline = truth.length - maxOf(counts.values());
  if (baseline === 0) return 1;
  return predicted.filter((label, k) => label !== truth[k]).length / baseline;
}

/** 1 − R²; 1 for a constant, which needs no column to be predicted. */
function regressionError(X: Table, y: readonly Label[], train: number[], test: number[]): number {
  const truth = pick(y, test).map(Number);
  if (truth.every((value) => value === truth[0])) return 1;
  const model = new DecisionTreeRegressor({ maxDepth: 10 }).fit(
    X.selectRows(train),
    pick(y, train).map(Number),
  );
  return 1 - model.score(X.selectRows(test), truth);
}
