import type { Matrix } from "../data/matrix.js";
import { mixtureScores } from "../numeric/mixture/mixture-pass.js";
import { forEachFarRow, stretchInto } from "../numeric/rows/far-scores.js";
import { largestSize } from "../numeric/rows/unit-scale.js";
import { type Gaussians, mixtureFactors } from "./gaussians.js";

/**
 * log πₖ + log N(x; μₖ, Σₖ), one row per row of x, one column per component of all the mixtures in turn. Rows so far away that
 * squared distances do not fit a double get those of a scaled-down copy, as large as doubles allow: the order stays right.
 */
export function componentScores(where: string, x: Matrix, mixtures: readonly Gaussians[]): Float64Array {
  const lists = mixtures.map((mixture) => mixtureScores(where, x, mixtureFactors(mixture)));
  const K = mixtures.reduce((sum, { weights }) => sum + weights.length, 0);
  let scores = lists[0]!;
  if (lists.length > 1) {
    scores = new Float64Array(x.rows * K);
    let from = 0;
    lists.forEach((list, m) => {
      const own = mixtures[m]!.weights.length;
      for (let i = 0; i < x.rows; i++) scores.set(list.subarray(i * own, (i + 1) * own), i * K + from);
      from += own;
    });
  }
  forEachFarRow(scores, K, (i, row) => rescue(x.row(i), mixtures, row));
  return scores;
}

function rescue(row: Float64Array, mixtures: readonly Gaussians[], out: Float64Array): void {
  const size = largestSize(row);
  let at = 0;
  for (const mixture of mixtures)
    for (let k = 0; k < mixture.weights.length; k++) out[at++] = -distance(row, mixture, k, size);
  stretchInto(out);
}

/** ‖Wᵀ(x − μ)/size‖² of component k. */
function distance(row: Float64Array, mixture: Gaussians, k: number, size: number): number {
  const d = row.length;
  const { diagonal, triangular, means } = mixtureFactors(mixture);
  const gap = (j: number) => row[j]! / size - means[k * d + j]! / size;
  let sum = 0;
  for (let c = 0; c < d; c++) {
    let z = 0;
    if (diagonal) z = gap(c) * diagonal[k * d + c]!;
    else {
      const w = triangular![k] ?? triangular![0]!;
      for (let j = 0; j <= c; j++) z += gap(j) * w[j * d + c]!;
    }
    sum += z * z;
  }
  return sum;
}
