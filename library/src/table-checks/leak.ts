import { maxOf } from "../core/numbers/extremes.js";
import { type CategoricalColumn, type Column, NumericColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";

/** A column leaks if a tree on it alone leaves at most this fraction of the error of a constant. */
const NEARLY_ALL = 0.01;
/** Whether an entry is missing should say nothing about the target: a weaker proof suffices. */
const NEARLY_ALL_BY_GAPS = 0.1;
/** Fewer rows prove nothing, and more than this change nothing. */
const FEWEST = 50;
const MOST = 5000;

/** The target of the rows that have one. */
export interface KnownTarget {
  readonly rows: Int32Array;
  /** Codes of classes, or values. */
  readonly y: Float64Array;
  readonly task: "classification" | "regression";
}

/** Whether a column alone predicts the target of held-out rows: by its entries, or by where they are missing. */
export function leakOf(column: Column, { rows, y, task }: KnownTarget): "entries" | "gaps" | undefined {
  if (rows.length < FEWEST) return undefined;
  const n = Math.min(rows.length, MOST);
  const step = rows.length / n;
  const chosen = Int32Array.from({ length: n }, (_, k) => Math.floor(k * step));
  const sample = column.selectRows(chosen.map((place) => rows[place]!));
  // Every second row is held out; tables that are sorted by the target have all classes in both halves.
  const half = (first: number) => chosen.filter((_, k) => k % 2 === first);
  const [train, test] = [half(0), half(1)].map((places) => Array.from(places, (place) => y[place]!));
  const errorOf = (x: NumericColumn | CategoricalColumn | Extract<Column, { kind: "boolean" }>) => {
    const table = Table.fromColumns(new Map([["x", x]])) as unknown as Table;
    const rowsOf = (first: number) =>
      table.selectRows(Int32Array.from({ length: Math.floor((n + 1 - first) / 2) }, (_, k) => 2 * k + first));
    const error = task === "regression" ? regressionError : classificationError;
    return error(rowsOf(0), train!, rowsOf(1), test!);
  };
  if (sample.missing > 0 && sample.missing < n && errorOf(gapsIn(sample)) <= NEARLY_ALL_BY_GAPS)
    return "gaps";
  // Free text has no order and no categories to split on.
  if (sample.kind === "text") return undefined;
  return errorOf(usable(sample)) <= NEARLY_ALL ? "entries" : undefined;
}

type Targets = readonly number[];

const gapsIn = (column: Column): NumericColumn =>
  new NumericColumn(Float64Array.from({ length: column.length }, (_, i) => Number(column.at(i) === null)));

/** Dates as numbers, and infinite numbers as the largest finite ones. */
function usable(column: Exclude<Column, { readonly kind: "text" }>) {
  if (column.kind !== "date" && column.kind !== "numeric") return column;
  return new NumericColumn(
    column.values.map((value) => Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value))),
  );
}

/** Errors, divided by those of the most frequent class. */
function classificationError(trainX: Table, train: Targets, testX: Table, test: Targets): number {
  if (new Set(train).size < 2) return 1;
  const counts = new Map<number, number>();
  for (const label of test) counts.set(label, (counts.get(label) ?? 0) + 1);
  const baseline = test.length - maxOf(counts.values());
  if (baseline === 0) return 1;
  const predicted = new DecisionTreeClassifier({ maxDepth: 4 }).fit(trainX, train).predict(testX);
  return predicted.filter((label, k) => label !== test[k]).length / baseline;
}

/** 1 − R²; 1 for a constant, which needs no column to be predicted. */
function regressionError(trainX: Table, train: Targets, testX: Table, test: Targets): number {
  if (test.every((value) => value === test[0])) return 1;
  return 1 - new DecisionTreeRegressor({ maxDepth: 10 }).fit(trainX, train).score(testX, test);
}
