/**
 * Weighted least squares column by column, for coordinate descent on
 *
 *   ½ Σ s_i (y_i − x_i·w − b)² + l1 ‖w‖₁ + ½ l2 ‖w‖²
 *
 * with b eliminated by centring: the residual is that of centred columns and centred y. Columns of a dense matrix
 * are copied centred and scaled by √s; sparse ones are centred implicitly.
 */
export interface Strengths {
  readonly l1: number;
  readonly l2: number;
}

/** Gains of a coordinate's update below which sweeping ends. */
export interface SweepEnd {
  readonly enough: number;
  readonly finest: number;
}

export interface ColumnProblem {
  readonly rows: number;
  readonly cols: number;
  /** ‖column‖² after centring, weighted. */
  readonly norms: Float64Array;
  /** ‖y‖² after centring, weighted. */
  readonly targetNorm: number;
  readonly mean: Float64Array;
  readonly yMean: number;
  /** Current coefficients; a view, valid until the next call. */
  readonly coefficients: Float64Array<ArrayBufferLike>;
  /**
   * Sweeps over the listed columns, whose correlations with the residual are in c, until a sweep gains less than `enough`
   * (or less than `finest`, where sweeps are very cheap); returns the number of sweeps.
   */
  sweep(list: Int32Array, c: Float64Array, penalty: Strengths, sweeps: number, stop: SweepEnd): number;
  /**
   * The minimiser with the signs of the listed columns held fixed, one value per column, or null when the listed columns
   * are dependent (or this would cost more than sweeping).
   */
  solveSigned(list: Int32Array, l1: number, l2: number): Float64Array | null;
  /** Sets the listed coefficients and updates the residual. */
  place(list: Int32Array, values: Float64Array): void;
  /** c_j = x_j · residual for every listed column (absent: for all); other entries of `out` are unchanged. */
  correlationsInto(out: Float64Array, list?: Int32Array): void;
  /** Recomputes the residual from the coefficients: updates accumulate rounding errors. */
  renewResidual(): void;
  /** The residual, each row times √s. */
  residualInto(out: Float64Array): void;
  /** ½ ‖residual‖², weighted. */
  residualHalfSquare(): number;
  /** residual · y, both centred. */
  residualDotTarget(): number;
  close(): void;
}

/** Columns per chunk of the parallel passes: about a millisecond of work. */
export const chunkColumns = (entriesPerColumn: number, align: number) =>
  Math.max(align, align * Math.ceil(2 ** 18 / Math.max(1, entriesPerColumn) / align));

export function weightedMean(y: Float64Array, weights: Float64Array | undefined): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    sum += s * y[i]!;
    total += s;
  }
  return sum / total;
}

/** out_j = from_j for the listed j, or for all. */
export function takeListed(
  from: Float64Array<ArrayBufferLike>,
  list: Int32Array | undefined,
  out: Float64Array,
): void {
  if (list === undefined) out.set(from);
  else for (let e = 0; e < list.length; e++) out[list[e]!] = from[list[e]!]!;
}
