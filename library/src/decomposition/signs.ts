import type { Matrix } from "../data/matrix.js";

/**
 * Vectors are known up to their sign: the entry of the largest size becomes positive, the first of equal ones.
 * Parity: svd_flip of scikit-learn ≥ 1.5 (by components); before, the scores of the training rows decided.
 */
export function flipSignsInto(out: Matrix): void {
  for (let k = 0; k < out.rows; k++) {
    const row = out.row(k);
    let largest = 0;
    // Entries that differ by rounding only count as equal, so that the choice does not depend on it.
    for (const value of row) if (Math.abs(value) > Math.abs(largest) * (1 + 1e-9)) largest = value;
    if (largest < 0) for (let j = 0; j < row.length; j++) row[j] = -row[j]!;
  }
}
