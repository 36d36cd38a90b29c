import type { MatrixLike } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { checkList, type Label, type Labels, type NumberArray } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import { classificationSet } from "../data/training-set.js";

/**
 * Fisher's criterion of an axis v: the scatter of the class means over the scatter within classes, along v.
 *
 *   J(v) = Σₖ nₖ (mₖ − m)² / Σₖ Σᵢ (v·xᵢ − mₖ)²,    mₖ and m the means of v·x
 *
 * The first axis of LinearDiscriminantAnalysis maximises it. Infinity where classes do not vary along v and means differ.
 */
export function fisherCriterion<L extends Label>(
  x: MatrixLike,
  y: Labels<L>,
  axis: ArrayLike<number>,
  options: { readonly sampleWeight?: NumberArray | undefined } = {},
): number {
  const where = "fisherCriterion";
  const { x: design, codes, classes, weights } = classificationSet(where, x, y, options, {}, null);
  const { data, cols, rows } = design as Matrix;
  checkList(where, "axis", axis);
  if (axis.length !== cols) {
    throw new ShapeError(where, "axis", `${cols} long, as X is wide`, `${axis.length}`);
  }
  for (let j = 0; j < cols; j++) {
    if (Number.isFinite(axis[j])) continue;
    throw new DataError(where, `axis[${j}]`, "a finite number", show(axis[j]));
  }
  const z = new Float64Array(rows);
  const counts = new Float64Array(classes.length);
  const means = new Float64Array(classes.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) z[i]! += data[i * cols + j]! * axis[j]!;
    const s = weights === undefined ? 1 : weights[i]!;
    const k = codes[i]!;
    counts[k]! += s;
    means[k]! += ((z[i]! - means[k]!) * s) / counts[k]!;
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mean = means.reduce((sum, m, k) => sum + (m * counts[k]!) / total, 0);
  const between = means.reduce((sum, m, k) => sum + counts[k]! * (m - mean) * (m - mean), 0);
  let within = 0;
  for (let i = 0; i < rows; i++) {
    const u = z[i]! - means[codes[i]!]!;
    within += (weights === undefined ? 1 : weights[i]!) * u * u;
  }
  if (within === 0 && between === 0) return 0;
  return between / within;
}
