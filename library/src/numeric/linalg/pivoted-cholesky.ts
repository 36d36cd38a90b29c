import { maxOf, minOf } from "../../core/numbers/extremes.js";

/**
 * Independent columns of a Gram matrix Q = XᵀX, and the others as combinations of them:
 *
 *   X = X_I B,    B = [1 on the columns of I, T on the rest],    T = Q_II⁻¹ Q_I·
 *
 * Cholesky with diagonal pivoting [Higham 2002, §10.3] on Q scaled to unit diagonal: the next column is the one
 * that the chosen ones explain least, until the remainder is rounding.
 */
export interface IndependentColumns {
  /** The columns of I, in the order they were chosen. */
  readonly chosen: Int32Array;
  readonly rest: Int32Array;
  /** T: one row per chosen column, one column per other column. */
  readonly combination: Float64Array;
  /** out = Q_II⁻¹ v, in the order of `chosen`. */
  solveInto(v: Float64Array, out: Float64Array): void;
}

/** Pivots (of the unit diagonal) below the first are zeros, above the second they are exact enough. */
const ZERO_PIVOT = 1e-12;
const SOUND_PIVOT = 1e-7;
/** If column sizes differ by more than this, the least-norm solution requires digits that Q does not have. */
const WIDEST_SCALES = 1e4;

/** Null when there is no clear gap between what is zero and what is not. */
export function independentColumns(q: Float64Array, d: number): IndependentColumns | null {
  const size = Float64Array.from({ length: d }, (_, j) => Math.sqrt(Math.max(0, q[j * d + j]!)));
  const some = size.filter((s) => s !== 0);
  const [smallest, largest] = [minOf(some, Infinity), maxOf(some, 0)];
  if (largest > WIDEST_SCALES * smallest) return null;
  // Row i of L is filled up to the step at which i was chosen; the rest stay full.
  const lower = new Float64Array(d * d);
  const chosen = chooseInto(q, size, lower);
  if (chosen === null) return null;
  const r = chosen.length;
  const isChosen = new Set(chosen);
  const rest = Int32Array.from({ length: d }, (_, j) => j).filter((j) => !isChosen.has(j));
  /** v ← L_II⁻ᵀ v. */
  const backInto = (v: Float64Array) => {
    for (let k = r - 1; k >= 0; k--) {
      const row = chosen[k]! * d;
      const value = v[k]! / lower[row + k]!;
      v[k] = value;
      for (let e = 0; e < k; e++) v[e]! -= lower[row + e]! * value;
    }
  };
  const combination = new Float64Array(r * rest.length);
  for (const [c, j] of rest.entries()) {
    const column = lower.slice(j * d, j * d + r);
    backInto(column);
    for (let k = 0; k < r; k++)
      combination[k * rest.length + c] = (column[k]! * size[j]!) / size[chosen[k]!]!;
  }
  const solveInto = (v: Float64Array, out: Float64Array) => {
    for (let k = 0; k < r; k++) {
      const row = chosen[k]! * d;
      let value = v[k]! / size[chosen[k]!]!;
      for (let e = 0; e < k; e++) value -= lower[row + e]! * out[e]!;
      out[k] = value / lower[row + k]!;
    }
    backInto(out);
    for (let k = 0; k < r; k++) out[k]! /= size[chosen[k]!]!;
  };
  return { chosen: Int32Array.from(chosen), rest, combination, solveInto };
}

/** Chooses columns one by one, and writes the rows of L; null if a pivot is neither zero nor exact. */
function chooseInto(q: Float64Array, size: Float64Array, lower: Float64Array): number[] | null {
  const d = size.length;
  const left = Float64Array.from(size, (s) => (s > 0 ? 1 : 0));
  const open = new Uint8Array(d).fill(1);
  const chosen: number[] = [];
  for (let k = 0; k < d; k++) {
    let pivot = -1;
    for (let j = 0; j < d; j++) if (open[j] && (pivot < 0 || left[j]! > left[pivot]!)) pivot = j;
    if (left[pivot]! <= ZERO_PIVOT * d) break;
    if (left[pivot]! < SOUND_PIVOT) return null;
    const root = Math.sqrt(left[pivot]!);
    const at = pivot * d;
    open[pivot] = 0;
    chosen.push(pivot);
    lower[at + k] = root;
    for (let i = 0; i < d; i++) {
      if (!open[i] || size[i] === 0) continue;
      const row = i * d;
      let value = q[row + pivot]! / (size[i]! * size[pivot]!);
      for (let e = 0; e < k; e++) value -= lower[row + e]! * lower[at + e]!;
      value /= root;
      lower[row + k] = value;
      left[i]! -= value * value;
    }
  }
  return chosen;
}
