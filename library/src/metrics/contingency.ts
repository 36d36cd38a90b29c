import { listOf } from "../core/column-like.js";
import { DataError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { Matrix } from "../data/matrix.js";
import { checkLengths, sortedLabels } from "./inputs.js";

/** How often each class meets each cluster. */
export interface Contingency<T extends Label = Label, P extends Label = Label> {
  readonly classes: readonly T[];
  readonly clusters: readonly P[];
  /** One row per class, one column per cluster. */
  readonly matrix: Matrix;
}

/** Counts that a table of pairs may have: 2²⁶ doubles are 512 MiB, a table of 8,192 classes. */
const MOST_COUNTS = 2 ** 26;

/** Throws if a table of rows × columns counts does not fit into memory. */
export function requireFewClasses(where: string, rows: number, columns: number): void {
  if (rows * columns <= MOST_COUNTS) return;
  const expected = `of so few classes that a table of pairs has at most ${MOST_COUNTS} entries (8192 × 8192)`;
  const advice = "Are these labels, and not numbers to predict?";
  throw new DataError(where, "the labels", expected, `${rows} × ${columns} classes`, advice);
}

/** Counts of (class, cluster); labels of the two lists need not be of one type. */
export function contingencyMatrix<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): Contingency<T, P> {
  const where = "contingencyMatrix";
  const { classes, clusters, cells } = countPairs(where, yTrue, yPred);
  requireFewClasses(where, classes.length, clusters.length);
  const matrix = Matrix.zeros(classes.length, clusters.length);
  for (const [r, c, count] of cells) matrix.data[r * clusters.length + c] = count;
  return { classes, clusters, matrix };
}

/** Counts that are not 0, row by row. */
function countPairs<T extends Label, P extends Label>(where: string, yTrue: Labels<T>, yPred: Labels<P>) {
  const n = checkLengths(where, yTrue, yPred);
  const [truths, predictions] = [listOf(yTrue), listOf(yPred)];
  const classes = sortedLabels(where, [yTrue]);
  const clusters = sortedLabels(where, [yPred]);
  const rowOf = new Map(classes.map((label, r) => [label, r]));
  const columnOf = new Map(clusters.map((label, c) => [label, c]));
  const counts = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    const e = rowOf.get(truths[i]!)! * clusters.length + columnOf.get(predictions[i]!)!;
    counts.set(e, (counts.get(e) ?? 0) + 1);
  }
  const cells = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([e, count]) => [Math.floor(e / clusters.length), e % clusters.length, count] as const);
  return { n, classes, clusters, cells };
}

/** What all scores of two labelings need. */
export interface Margins {
  readonly n: number;
  /** Counts that are not 0: row, column, count. */
  readonly cells: readonly (readonly [number, number, number])[];
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

export function marginsOf<T extends Label, P extends Label>(
  where: string,
  yTrue: Labels<T>,
  yPred: Labels<P>,
): Margins {
  const { n, classes, clusters, cells } = countPairs(where, yTrue, yPred);
  const rows = new Float64Array(classes.length);
  const columns = new Float64Array(clusters.length);
  for (const [r, c, count] of cells) {
    rows[r]! += count;
    columns[c]! += count;
  }
  return { n, cells, rows, columns };
}
