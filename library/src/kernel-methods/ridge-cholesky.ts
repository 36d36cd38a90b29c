import { Matrix } from "../data/matrix.js";
import { kernelRowsOf, type TrainingRows } from "../kernel-functions/training-rows.js";
import { FeatureSlices, SLICE_WIDTH } from "../numeric/kernel-functions/feature-slices.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelScores } from "../numeric/kernel-functions/kernel-scores.js";
import { withArena } from "../numeric/runtime/arena.js";
import { kernelColumnsOf } from "./kernel-columns.js";
import type { RidgeSolutions, RidgeSystem } from "./ridge-conjugate-gradients.js";

/** A pivot below this fraction of its diagonal entry leaves less than seven digits of the solution. */
const LOST = 1e-9;

/**
 * (K + D) c = y by blocked Cholesky with one step of iterative refinement; stores half of an n × n matrix.
 * Null if K + D is nearly singular: then K has low rank, and a pivoted factorisation is more accurate.
 */
export function ridgeByCholesky(system: RidgeSystem): RidgeSolutions | null {
  const { where, training, ridge, y } = system;
  const n = ridge.length;
  return withArena(where, (arena) => {
    const slices = new FeatureSlices(arena, n);
    const columns = arena.zeros(4 * Math.ceil(n / 4) * SLICE_WIDTH);
    for (let from = 0; from < n; from += SLICE_WIDTH) {
      const width = Math.min(SLICE_WIDTH, n - from);
      const ld = 4 * Math.ceil(width / 4);
      const chosen = Int32Array.from({ length: width }, (_, k) => from + k);
      const values = kernelColumnsOf(where, training, chosen);
      const known = new Float64Array(width * slices.rank);
      for (let k = 0; k < width; k++) known.set(slices.row(from + k), k * slices.rank);
      const c = columns.array;
      for (let i = from; i < n; i++) c.set(values.row(i), (i - from) * ld);
      const diagonal = new Float64Array(width);
      for (let k = 0; k < width; k++) {
        c[k * ld + k]! += ridge[from + k]!;
        diagonal[k] = c[k * ld + k]!;
      }
      slices.downdate(columns.ptr, ld, known, width, from / 4);
      const triangle = factor(columns.array, ld, diagonal);
      if (triangle === null) return null;
      const order = Int32Array.from({ length: width }, (_, k) => k);
      slices.append(columns.ptr, ld, order, triangle, null, from / 4);
    }
    const solve = (right: Float64Array) => {
      const c = right.slice();
      slices.solveInto(c, false);
      slices.solveInto(c, true);
      return c;
    };
    const solutions = y.map(solve);
    for (const [v, r] of residuals(system, solutions).entries()) {
      const correction = solve(r);
      for (let i = 0; i < n; i++) solutions[v]![i]! += correction[i]!;
    }
    const rest = residuals(system, solutions);
    const residual = rest.reduce((most, r) => r.reduce((m, e) => Math.max(m, Math.abs(e)), most), 0);
    return { solutions, iterations: 1, residual };
  });
}

/** Cholesky of the first rows of C, `ld` doubles apart; null if nearly singular. */
function factor(c: Float64Array<ArrayBufferLike>, ld: number, diagonal: Float64Array): Float64Array | null {
  const side = diagonal.length;
  const l = new Float64Array(side * side);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j <= i; j++) {
      let value = c[i * ld + j]!;
      for (let e = 0; e < j; e++) value -= l[i * side + e]! * l[j * side + e]!;
      if (j < i) l[i * side + j] = value / l[j * side + j]!;
      else if (value > LOST * diagonal[i]!) l[i * side + i] = Math.sqrt(value);
      else return null;
    }
  }
  return l;
}

/** y − (K + D) c. */
function residuals({ where, training, ridge, y }: RidgeSystem, c: readonly Float64Array[]): Float64Array[] {
  const products = kernelProducts(where, training, c);
  return y.map((own, v) => own.map((value, i) => value - products[v]![i]! - ridge[i]! * c[v]![i]!));
}

/** K c for each vector c. */
export function kernelProducts(
  where: string,
  training: TrainingRows,
  c: readonly Float64Array[],
): Float64Array[] {
  const { kernel, x } = training;
  const n = x.rows;
  if (kernel.kind === "tree") {
    const coef = Matrix.fromRows(c);
    const intercept = new Float64Array(c.length);
    const { data } = kernelScores(where, x, {
      points: kernelPoints(x, kernel.tree),
      tree: kernel.tree,
      coef,
      intercept,
    });
    return c.map((_, v) => Float64Array.from({ length: n }, (_, i) => data[i * c.length + v]!));
  }
  const out = c.map(() => new Float64Array(n));
  for (let from = 0; from < n; from += SLICE_WIDTH) {
    const chosen = Int32Array.from({ length: Math.min(SLICE_WIDTH, n - from) }, (_, e) => from + e);
    const rows = kernelRowsOf(where, training, chosen);
    for (const [v, own] of c.entries()) {
      for (let e = 0; e < rows.rows; e++) {
        let sum = 0;
        for (let t = 0, at = e * n; t < n; t++, at++) sum += rows.data[at]! * own[t]!;
        out[v]![from + e] = sum;
      }
    }
  }
  return out;
}
