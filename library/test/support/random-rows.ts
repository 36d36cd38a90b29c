import { Random } from "../../src/core/numbers/random.js";
import { Matrix } from "../../src/data/matrix.js";

/** Standard normal entries. */
export const normals = (rows: number, cols: number, seed: number): Matrix =>
  drawnNormals(new Random(seed), rows, cols);

export function drawnNormals(random: Random, rows: number, cols: number): Matrix {
  const data = Float64Array.from({ length: rows * cols }, () => random.normal());
  return new Matrix(data, rows, cols);
}

/** Largest difference of two lists. */
export function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let e = 0; e < b.length; e++) most = Math.max(most, Math.abs(a[e]! - b[e]!));
  return a.length === b.length ? most : Infinity;
}

/** A Bᵀ. */
export function products(a: Matrix, b: Matrix): Matrix {
  const out = Matrix.zeros(a.rows, b.rows);
  for (let i = 0; i < a.rows; i++) {
    for (let t = 0; t < b.rows; t++) {
      let sum = 0;
      for (let j = 0; j < a.cols; j++) sum += a.data[i * a.cols + j]! * b.data[t * b.cols + j]!;
      out.data[i * b.rows + t] = sum;
    }
  }
  return out;
}

/** Three classes that no line separates, one of them in the middle. */
export function rings(rows: number, cols: number, seed: number): { x: Matrix; y: string[] } {
  const x = normals(rows, cols, seed);
  const y = Array.from({ length: rows }, (_, i) => {
    const r = x.at(i, 0) ** 2 + x.at(i, 1) ** 2;
    return r < 0.8 ? "inner" : r < 2.2 ? "middle" : "outer";
  });
  return { x, y };
}
