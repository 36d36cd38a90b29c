import { listOf } from "../core/column-like.js";
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

/** Counts of (class, cluster); labels of the two lists need not be of one type. */
export function contingencyMatrix<T extends Label, P extends Label>(
  yTrue: Labels<T>,
  yPred: Labels<P>,
): Contingency<T, P> {
  return contingencyOf("contingencyMatrix", yTrue, yPred);
}

export function contingencyOf<T extends Label, P extends Label>(
  where: string,
  yTrue: Labels<T>,
  yPred: Labels<P>,
): Contingency<T, P> {
  const n = checkLengths(where, yTrue, yPred);
  const [truths, predictions] = [listOf(yTrue), listOf(yPred)];
  const classes = sortedLabels(where, [yTrue]);
  const clusters = sortedLabels(where, [yPred]);
  const rowOf = new Map(classes.map((label, r) => [label, r]));
  const columnOf = new Map(clusters.map((label, c) => [label, c]));
  const matrix = Matrix.zeros(classes.length, clusters.length);
  for (let i = 0; i < n; i++)
    matrix.data[rowOf.get(truths[i]!)! * clusters.length + columnOf.get(predictions[i]!)!]!++;
  return { classes, clusters, matrix };
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
  const { matrix } = contingencyOf(where, yTrue, yPred);
  const rows = new Float64Array(matrix.rows);
  const columns = new Float64Array(matrix.cols);
  const cells: [number, number, number][] = [];
  for (let r = 0, e = 0; r < matrix.rows; r++) {
    for (let c = 0; c < matrix.cols; c++, e++) {
      const count = matrix.data[e]!;
      rows[r]! += count;
      columns[c]! += count;
      if (count > 0) cells.push([r, c, count]);
    }
  }
  return { n: yTrue.length, cells, rows, columns };
}
