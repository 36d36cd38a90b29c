import { CategoricalColumn, NumericColumn, Table } from "argmax/data";
import { maxOf } from "argmax/numeric";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "argmax/trees";
import type { ColumnData } from "./table.js";

/** A column leaks if a tree on it alone leaves at most this share of the error of a constant. */
const NEARLY_ALL = 0.01;
/** Whether a cell is missing should not tell the target at all: a weaker proof suffices. */
const NEARLY_ALL_BY_GAPS = 0.1;
/** Fewer rows prove nothing, and more than this change nothing. */
const FEWEST = 50;
const MOST = 5000;

/** The target of the rows that have one. */
export interface Truth {
  readonly rows: Int32Array;
  /** Class numbers, or values. */
  readonly y: Float64Array;
  readonly isRegression: boolean;
}

/** Whether a column alone predicts the target of rows that the tree has not seen: by its cells, or by where they are missing. */
export function leakOf(column: ColumnData, { rows, y, isRegression }: Truth): "cells" | "gaps" | undefined {
  if (rows.length < FEWEST || column.kind === "text") return undefined;
  const count = Math.min(rows.length, MOST);
  const step = rows.length / count;
  // Every second row is held out; tables that are sorted by the target have all classes in both halves.
  const chosen = Array.from({ length: count }, (_, k) => Math.floor(k * step));
  const halves = [0, 1].map((half) => chosen.filter((_, k) => k % 2 === half)) as [number[], number[]];
  const error = isRegression ? regressionError : classificationError;
  const errorOf = (valuesAt: (places: readonly number[]) => NumericColumn | CategoricalColumn) => {
    const half = (places: readonly number[]): Half => ({
      x: Table.fromColumns(new Map([["x", valuesAt(places)]])) as unknown as Table,
      y: places.map((place) => y[place]!),
    });
    return error(half(halves[0]), half(halves[1]));
  };
  const isGap = (i: number) =>
    column.kind === "number" ? Number.isNaN(column.values[i]!) : column.codes[i]! < 0;
  const gaps = chosen.filter((place) => isGap(rows[place]!)).length;
  if (gaps > 0 && gaps < count) {
    const share = errorOf(
      (places) => new NumericColumn(Float64Array.from(places, (place) => Number(isGap(rows[place]!)))),
    );
    if (share <= NEARLY_ALL_BY_GAPS) return "gaps";
  }
  const share = errorOf((places) =>
    column.kind === "number"
      ? new NumericColumn(Float64Array.from(places, (place) => finite(column.values[rows[place]!]!)))
      : new CategoricalColumn(
          Int32Array.from(places, (place) => column.codes[rows[place]!]!),
          column.levels,
        ),
  );
  return share <= NEARLY_ALL ? "cells" : undefined;
}

const finite = (value: number): number => Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));

interface Half {
  readonly x: Table;
  readonly y: readonly number[];
}

/** Share of the errors of the most frequent class. */
function classificationError(train: Half, test: Half): number {
  if (new Set(train.y).size < 2) return 1;
  const counts = new Map<number, number>();
  for (const label of test.y) counts.set(label, (counts.get(label) ?? 0) + 1);
  const baseline = test.y.length - maxOf(counts.values());
  if (baseline === 0) return 1;
  const predicted = new DecisionTreeClassifier({ maxDepth: 4 }).fit(train.x, train.y).predict(test.x);
  return predicted.filter((label, k) => label !== test.y[k]).length / baseline;
}

/** 1 − R²; 1 for a constant, which needs no column to be predicted. */
function regressionError(train: Half, test: Half): number {
  if (test.y.every((value) => value === test.y[0])) return 1;
  return 1 - new DecisionTreeRegressor({ maxDepth: 10 }).fit(train.x, train.y).score(test.x, test.y);
}
