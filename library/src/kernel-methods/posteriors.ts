import { exp, log, log1pExp, sigmoid } from "../core/elementary.js";
import { Matrix } from "../data/matrix.js";

/** What log-odds (one column, of the second class) or log posteriors up to a constant (one a class) say in probabilities. */
export function posteriors(scores: Matrix): Matrix {
  const { data, rows, cols } = scores;
  const K = Math.max(2, cols);
  const out = Matrix.zeros(rows, K);
  for (let i = 0; i < rows; i++) {
    if (cols === 1) {
      // Each tail is computed by itself: 1 − p would lose all of a small p.
      out.data[2 * i] = sigmoid(-data[i]!);
      out.data[2 * i + 1] = sigmoid(data[i]!);
      continue;
    }
    const { top, sum } = exponentials(data, i * K, K);
    for (let k = i * K; k < (i + 1) * K; k++) out.data[k] = exp(data[k]! - top) / sum;
  }
  return out;
}

/** Logarithms of `posteriors`, also where those underflow to 0. */
export function logPosteriors(scores: Matrix): Matrix {
  const { data, rows, cols } = scores;
  const K = Math.max(2, cols);
  const out = Matrix.zeros(rows, K);
  for (let i = 0; i < rows; i++) {
    if (cols === 1) {
      out.data[2 * i] = -log1pExp(data[i]!);
      out.data[2 * i + 1] = -log1pExp(-data[i]!);
      continue;
    }
    const { top, sum } = exponentials(data, i * K, K);
    const all = top + log(sum);
    for (let k = i * K; k < (i + 1) * K; k++) out.data[k] = data[k]! - all;
  }
  return out;
}

function exponentials(z: Float64Array, at: number, count: number): { top: number; sum: number } {
  let top = z[at]!;
  for (let k = at + 1; k < at + count; k++) top = Math.max(top, z[k]!);
  let sum = 0;
  for (let k = at; k < at + count; k++) sum += exp(z[k]! - top);
  return { top, sum };
}
