import type { Arena, F64, I32 } from "../runtime/arena.js";
import type { Address, ChunkCall } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

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

/** What dense and sparse columns have in common. */
export abstract class Columns {
  readonly rows: number;
  readonly cols: number;
  readonly yMean: number;
  /** y, less its mean. */
  protected readonly centred: Float64Array;
  protected readonly w: F64;
  protected readonly r: F64;
  protected readonly q: F64;
  readonly #c: F64;
  readonly #list: I32;

  constructor(
    protected readonly arena: Arena,
    { rows, cols }: { readonly rows: number; readonly cols: number },
    y: Float64Array,
    weights: Float64Array | undefined,
    intercept: boolean,
    start: Float64Array | undefined,
  ) {
    this.rows = rows;
    this.cols = cols;
    this.yMean = intercept ? weightedMean(y, weights) : 0;
    this.centred = y.map((v) => v - this.yMean);
    this.w = start ? arena.copy(start.subarray(0, cols)) : arena.zeros(cols);
    this.r = arena.f64(rows);
    this.q = arena.f64(cols);
    this.#c = arena.f64(cols);
    this.#list = arena.i32(cols);
  }

  get coefficients(): Float64Array<ArrayBufferLike> {
    return this.w.array;
  }

  close(): void {
    this.arena.close();
  }

  /** The list of columns in the arena. */
  protected placed(list: Int32Array): Address {
    this.#list.array.set(list);
    return this.#list.ptr;
  }

  /** Runs a kernel over the listed columns, or all, of so many entries each; `out` gets a number per column. */
  protected overColumns(
    list: Int32Array | undefined,
    entries: number,
    operations: number,
    out: Float64Array,
    kernel: (list: Address, m: number, c: Address, chunkCols: number) => ChunkCall,
  ): void {
    const m = list?.length ?? this.cols;
    const size = chunkColumns(entries, 1);
    const call = kernel(list ? this.placed(list) : 0, m, this.#c.ptr, size);
    parallel(this.arena.heap, call, Math.ceil(m / size), operations * m);
    takeListed(this.#c.array, list, out);
  }
}

/** Columns per chunk of the parallel passes: about a millisecond of work. */
export const chunkColumns = (entriesPerColumn: number, align: number) =>
  Math.max(align, align * Math.ceil(2 ** 18 / Math.max(1, entriesPerColumn) / align));

function weightedMean(y: Float64Array, weights: Float64Array | undefined): number {
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
function takeListed(
  from: Float64Array<ArrayBufferLike>,
  list: Int32Array | undefined,
  out: Float64Array,
): void {
  if (list === undefined) out.set(from);
  else for (let e = 0; e < list.length; e++) out[list[e]!] = from[list[e]!]!;
}
