import { Matrix } from "../data/matrix.js";
import type { TrainingRows } from "../kernel-functions/training-rows.js";
import { FeatureSlices, SLICE_WIDTH } from "../numeric/kernel-functions/feature-slices.js";
import type { Arena, F64 } from "../numeric/runtime/arena.js";
import { kernelColumnsOf } from "./kernel-columns.js";

/**
 * A growing factor of the kernel matrix, K ≈ Φ Φᵀ, with one column per pivot. Rows are permuted: pivots first, in the order
 * chosen, so that finished rows need no further updates.
 */
export class PivotedFactor {
  readonly #slices: FeatureSlices;
  readonly #columns: F64;
  readonly #residual: F64;
  /** The permutation and its inverse. */
  readonly #rowAt: Int32Array;
  readonly #placeOf: Int32Array;

  constructor(
    private readonly arena: Arena,
    private readonly where: string,
    private readonly training: TrainingRows,
    diagonal: Float64Array,
  ) {
    const n = diagonal.length;
    this.#slices = new FeatureSlices(arena, n);
    this.#residual = arena.zeros(4 * Math.ceil(n / 4));
    this.#residual.array.set(diagonal);
    this.#columns = arena.zeros(this.#residual.length * SLICE_WIDTH);
    this.#rowAt = Int32Array.from({ length: n }, (_, i) => i);
    this.#placeOf = this.#rowAt.slice();
  }

  get rank(): number {
    return this.#slices.rank;
  }

  /** The pivots, in the order chosen. */
  get pivots(): Int32Array {
    return this.#rowAt.slice(0, this.rank);
  }

  /** K_ii − ‖φ_i‖² of each row, 0 for pivots. */
  residuals(): Float64Array {
    const left = this.#residual.array;
    const { rank } = this;
    return Float64Array.from(this.#placeOf, (place) => (place < rank ? 0 : left[place]!));
  }

  /** The features of a row that is not a pivot. */
  row(i: number): Float64Array {
    return this.#slices.row(this.#placeOf[i]!);
  }

  /** Adds candidates (at most SLICE_WIDTH) with a residual above `floor` as pivots, largest first. Returns their number. */
  add(candidates: Int32Array, floor: (k: number) => number): number {
    const width = candidates.length;
    const ld = 4 * Math.ceil(width / 4);
    const first = Math.floor(this.rank / 4);
    const columns = this.#columns;
    this.#placeColumns(kernelColumnsOf(this.where, this.training, candidates), ld, 4 * first);
    const known = new Float64Array(width * this.rank);
    for (let k = 0; k < width; k++) known.set(this.row(candidates[k]!), k * this.rank);
    this.#slices.downdate(columns.ptr, ld, known, width, first);
    const rest = new Float64Array(width * width);
    for (let k = 0; k < width; k++) {
      const at = (this.#placeOf[candidates[k]!]! - 4 * first) * ld;
      rest.set(columns.array.subarray(at, at + width), k * width);
    }
    const { order, triangle } = pivotedTriangle(rest, width, floor);
    if (order.length === 0) return 0;
    const before = this.rank;
    this.#slices.append(columns.ptr, ld, order, triangle, this.#residual, first);
    for (const [k, chosen] of order.entries()) this.#swap(this.#placeOf[candidates[chosen]!]!, before + k);
    return order.length;
  }

  /** Φ, one row per training row. */
  features(): Matrix {
    const n = this.#rowAt.length;
    const { rank } = this;
    const placed = this.arena.f64(n * rank);
    this.#slices.unpack(placed.ptr);
    const out = Matrix.zeros(n, rank);
    for (let place = 0; place < n; place++) {
      // Features of later pivots are 0 by definition; what is stored is rounding.
      const known = Math.min(place + 1, rank);
      const from = place * rank;
      out.data.set(placed.array.subarray(from, from + known), this.#rowAt[place]! * rank);
    }
    return out;
  }

  #placeColumns({ data, cols }: Matrix, ld: number, from: number): void {
    const out = this.#columns.array;
    for (let place = from; place < this.#rowAt.length; place++) {
      const at = this.#rowAt[place]! * cols;
      out.set(data.subarray(at, at + cols), (place - from) * ld);
    }
  }

  #swap(a: number, b: number): void {
    if (a === b) return;
    this.#slices.swap(a, b);
    const left = this.#residual.array;
    [left[a], left[b]] = [left[b]!, left[a]!];
    const [one, other] = [this.#rowAt[a]!, this.#rowAt[b]!];
    this.#rowAt[a] = other;
    this.#rowAt[b] = one;
    this.#placeOf[other] = a;
    this.#placeOf[one] = b;
  }
}

/** Cholesky with diagonal pivoting of a small matrix, until no pivot is above the floor of its row. */
function pivotedTriangle(
  a: Float64Array,
  side: number,
  floor: (k: number) => number,
): { order: Int32Array; triangle: Float64Array } {
  const l = new Float64Array(side * side);
  const left = Float64Array.from({ length: side }, (_, k) => a[k * side + k]!);
  const order: number[] = [];
  const open = new Uint8Array(side).fill(1);
  for (;;) {
    let pivot = -1;
    for (let k = 0; k < side; k++) if (open[k] && (pivot < 0 || left[k]! > left[pivot]!)) pivot = k;
    if (pivot < 0 || !(left[pivot]! > floor(pivot))) break;
    const step = order.length;
    const root = Math.sqrt(left[pivot]!);
    open[pivot] = 0;
    for (let k = 0; k < side; k++) {
      if (!open[k] && k !== pivot) continue;
      let value = a[k * side + pivot]!;
      for (let e = 0; e < step; e++) value -= l[k * side + e]! * l[pivot * side + e]!;
      l[k * side + step] = k === pivot ? root : value / root;
      left[k]! -= l[k * side + step]! ** 2;
    }
    order.push(pivot);
  }
  const rank = order.length;
  const triangle = new Float64Array(rank * rank);
  for (let k = 0; k < rank; k++) {
    const row = order[k]! * side;
    triangle.set(l.subarray(row, row + k + 1), k * rank);
  }
  return { order: Int32Array.from(order), triangle };
}
