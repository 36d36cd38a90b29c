import type { Label } from "../core/labels.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";
import type { Scatter } from "../numeric/rows/moments.js";
import { rowScatter, rowsByClass } from "../numeric/rows/row-scatter.js";

/** What each class's rows add up to. */
export interface ClassTotals {
  /** K × d. */
  readonly means: Float64Array;
  readonly counts: Float64Array;
  /** Σ counts. */
  readonly total: number;
  readonly d: number;
}

/** Rows by class. */
interface ClassRows {
  readonly x: Matrix;
  readonly codes: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly rows: readonly Int32Array[];
}

/** All that a discriminant learns from rows. */
export interface ClassStatistics extends ClassTotals, ClassRows {}

/** The same without rows, as a database answers. */
export interface SummedStatistics extends ClassTotals {
  readonly x?: undefined;
}

/** Totals of classes from the moments of each. */
export function totalsOf(moments: readonly Scatter[]): SummedStatistics {
  const d = moments[0]!.mean.length;
  const means = new Float64Array(moments.length * d);
  moments.forEach(({ mean }, k) => {
    means.set(mean, k * d);
  });
  const counts = Float64Array.from(moments, ({ count }) => count);
  return { means, counts, total: counts.reduce((sum, count) => sum + count, 0), d };
}

/** Calls `visit` with the moments of each class in turn, so that K scatters need not exist at once. */
export function classStatistics(
  where: string,
  set: ClassificationSet<Label>,
  visit: (k: number, moments: Scatter) => void,
): ClassStatistics {
  const { x, codes, weights, classes } = set;
  if (x instanceof CsrMatrix) throw new Error("discriminants read dense rows only");
  const d = x.cols;
  const rows = rowsByClass(codes, classes.length);
  const means = new Float64Array(classes.length * d);
  const counts = new Float64Array(classes.length);
  for (let k = 0; k < classes.length; k++) {
    const moments = rowScatter(where, x, rows[k]!, weights);
    means.set(moments.mean, k * d);
    counts[k] = moments.count;
    visit(k, moments);
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { x, codes, weights, rows, means, counts, total, d };
}

/** Shrinkage s towards a multiple of the identity: (1 − s) Σ + s (tr Σ / d) I. */
export function shrunk(covariance: Float64Array, d: number, shrinkage: number): Float64Array {
  let trace = 0;
  for (let j = 0; j < d; j++) trace += covariance[j * d + j]!;
  const out = new Float64Array(d * d);
  for (let e = 0; e < out.length; e++) out[e] = (1 - shrinkage) * covariance[e]!;
  for (let j = 0; j < d; j++) out[j * d + j]! += (shrinkage * trace) / d;
  return out;
}

/**
 * The covariance of some rows, shrunk as Ledoit and Wolf would [A well-conditioned estimator for large-dimensional
 * covariance matrices, 2004]: columns are scaled to unit variance, the shrinkage is
 *
 *   s = min(β, δ) / δ,   δ = ‖C − μI‖² / d,   β = (1/nd) (1/n Σᵢ ‖zᵢ‖⁴ − ‖C‖²),   μ = tr C / d
 *
 * and the result goes back to the columns' own units. Parity: scikit-learn's shrinkage="auto". `quarticOf` returns
 * Σᵢ ‖zᵢ‖⁴, the only sum that is not among the moments.
 */
export function ledoitWolf(
  { count, mean, scatter }: Scatter,
  quarticOf: (inverse: Float64Array) => number,
): Float64Array {
  const d = mean.length;
  const scale = deviationsOf({ count, mean, scatter });
  const inverse = scale.map((deviation) => 1 / deviation);
  const c = new Float64Array(d * d);
  let squares = 0;
  let trace = 0;
  for (let i = 0; i < d; i++) {
    const share = inverse[i]! / count;
    for (let j = 0; j < d; j++) {
      const value = scatter[i * d + j]! * share * inverse[j]!;
      c[i * d + j] = value;
      squares += value * value;
    }
    trace += c[i * d + i]!;
  }
  const mu = trace / d;
  const beta = (quarticOf(inverse) / count - squares) / (d * count);
  const delta = (squares - 2 * mu * trace + d * mu * mu) / d;
  const shrinkage = d === 1 || beta <= 0 || delta <= 0 ? 0 : Math.min(beta, delta) / delta;
  const out = shrunk(c, d, shrinkage);
  for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) out[i * d + j]! *= scale[i]! * scale[j]!;
  return out;
}

/** Deviation of each column; 1 for a constant one. */
export const deviationsOf = ({ count, mean, scatter }: Scatter): Float64Array =>
  Float64Array.from(mean, (_, j) => Math.sqrt(scatter[j * mean.length + j]! / count) || 1);

/** Σ s ‖(x − mean) · inverse‖⁴. */
export function quartic(
  { data, cols }: Matrix,
  rows: Int32Array,
  weights: Float64Array | undefined,
  mean: Float64Array,
  inverse: Float64Array,
): number {
  let sum = 0;
  for (let r = 0; r < rows.length; r++) {
    const i = rows[r]!;
    let square = 0;
    for (let j = 0, at = i * cols; j < cols; j++) {
      const z = (data[at + j]! - mean[j]!) * inverse[j]!;
      square += z * z;
    }
    sum += (weights === undefined ? 1 : weights[i]!) * square * square;
  }
  return sum;
}
