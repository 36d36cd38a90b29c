import type { Matrix } from "../../data/matrix.js";
import { triangularFactor } from "./qr.js";
import { jacobiSvd } from "./svd.js";

/**
 * The singular value decomposition of a tall matrix whose columns are first scaled to length 1:
 *
 *   A = U S Vᵀ D,    D = diag(lengths)
 *
 * by QR of the rows and Jacobi rotations of R, without squaring the condition number: nearly dependent columns are distinguished down
 * to machine precision, whatever their scales. A column no longer than its `noise` counts as zero.
 */
export interface ColumnSvd {
  readonly cols: number;
  readonly rank: number;
  /** Length of every column; 0 for those that count as zero. */
  readonly lengths: Float64Array;
  /** The singular values above the cut. */
  readonly values: Float64Array;
  /** Uᵀy, an entry per singular value, for each right-hand side y. */
  readonly projections: readonly Float64Array[];
  /** One row per singular value above the cut: the right singular vector of A D⁻¹. */
  readonly directions: Float64Array;
  /** An orthonormal basis, one row each, of the w with A w = 0. */
  readonly nullSpace: Float64Array;
}

export function columnSvd(
  a: Matrix,
  y: readonly Float64Array[],
  noise: Float64Array,
  ridge: { readonly alpha: number } = { alpha: 0 },
): ColumnSvd {
  const { rows, cols: d, data } = a;
  const root = Math.sqrt(ridge.alpha);
  const lengths = new Float64Array(d);
  for (let j = 0; j < d; j++) lengths[j] = lengthOf(a, j, root, noise[j]!);
  const live = Array.from({ length: d }, (_, j) => j).filter((j) => lengths[j]! > 0);
  const r = live.length;
  const { r: triangle, qty } = triangularFactor(
    root > 0 ? rows + r : rows,
    r,
    (i, out) => {
      out.fill(0);
      if (i >= rows) {
        out[i - rows] = root / lengths[live[i - rows]!]!;
        return;
      }
      for (let e = 0; e < r; e++) out[e] = data[i * d + live[e]!]! / lengths[live[e]!]!;
      for (let t = 0; t < y.length; t++) out[r + t] = y[t]![i]!;
    },
    y.length,
  );
  const { values, us, v } = jacobiSvd(triangle, r);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  // scipy's cut-off: singular values below ε · max(n, d) of the largest are zero.
  const cut = Number.EPSILON * Math.max(rows, d) * largest;
  const kept = Array.from(values.keys()).filter((k) => values[k]! > cut);
  const directions = new Float64Array(kept.length * d);
  const projections = y.map(() => new Float64Array(kept.length));
  kept.forEach((k, to) => {
    for (let e = 0; e < r; e++) {
      directions[to * d + live[e]!] = v[k * r + e]!;
      for (let t = 0; t < y.length; t++)
        projections[t]![to]! += (us[k * r + e]! / values[k]!) * qty[t * r + e]!;
    }
  });
  const dropped = Array.from(values.keys()).filter((k) => !(values[k]! > cut));
  const spread = new Float64Array((dropped.length + d - r) * d);
  dropped.forEach((k, to) => {
    for (let e = 0; e < r; e++) spread[to * d + live[e]!] = v[k * r + e]! / lengths[live[e]!]!;
  });
  for (let j = 0, to = dropped.length; j < d; j++) if (lengths[j] === 0) spread[to++ * d + j] = 1;
  return {
    cols: d,
    rank: kept.length,
    lengths,
    values: Float64Array.from(kept, (k) => values[k]!),
    projections,
    directions,
    nullSpace: orthonormal(spread, d),
  };
}

/** The w of least norm that minimises ‖A w − y‖, for each right-hand side y. */
export function leastNorm(svd: ColumnSvd): Float64Array[] {
  return svd.projections.map((projections) => {
    const w = fromDirections(svd, projections);
    for (let round = 0; round < 2; round++) removeInto(svd.nullSpace, w);
    return w;
  });
}

/** w = D⁻¹ V S⁻¹ u: the coefficients whose margins are U u. */
export function fromDirections(
  { cols: d, lengths, values, directions }: ColumnSvd,
  u: Float64Array,
): Float64Array {
  const w = new Float64Array(d);
  for (let k = 0; k < values.length; k++) {
    const weight = u[k]! / values[k]!;
    for (let j = 0; j < d; j++) if (lengths[j]! > 0) w[j]! += (weight * directions[k * d + j]!) / lengths[j]!;
  }
  return w;
}

/** w minus its projection onto the span of orthonormal rows. */
export function removeInto(rows: Float64Array, w: Float64Array): void {
  const d = w.length;
  for (let at = 0; at < rows.length; at += d) {
    let product = 0;
    for (let j = 0; j < d; j++) product += rows[at + j]! * w[j]!;
    for (let j = 0; j < d; j++) w[j]! -= product * rows[at + j]!;
  }
}

/** Modified Gram–Schmidt, twice. */
function orthonormal(rows: Float64Array, d: number): Float64Array {
  const out = rows.slice();
  for (let at = 0; at < out.length; at += d) {
    const row = out.subarray(at, at + d);
    for (let round = 0; round < 2; round++) {
      unitInto(row);
      removeInto(out.subarray(0, at), row);
    }
    unitInto(row);
  }
  return out;
}

function unitInto(row: Float64Array): void {
  const most = row.reduce((all, v) => Math.max(all, Math.abs(v)), 0) || 1;
  let square = 0;
  for (const v of row) square += (v / most) * (v / most);
  const length = Math.sqrt(square) || 1;
  for (let j = 0; j < row.length; j++) row[j] = row[j]! / most / length;
}

function lengthOf({ rows, cols, data }: Matrix, j: number, root: number, noise: number): number {
  let square = 0;
  for (let at = j; at < rows * cols; at += cols) square += data[at]! * data[at]!;
  return Math.sqrt(square) > noise ? Math.sqrt(square + root * root) : root;
}
