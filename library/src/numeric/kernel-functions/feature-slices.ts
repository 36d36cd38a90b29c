import { downdateChunk, sliceChunk, unpackChunk } from "../generated/kernel-system.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { type Address, after, type ChunkCall } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

/** Most features per slice. */
export const SLICE_WIDTH = 64;
/** Quads of rows per chunk: some hundred microseconds of work. */
const CHUNK_QUADS = 32;

interface Slice {
  readonly width: number;
  /** The first quad of rows with these features, and the address of quad 0, stored or not. */
  readonly first: number;
  readonly base: Address;
}

/**
 * The rows Φ of a growing triangular factor, K = Φ Φᵀ, in slices of features and quads of rows.
 * A new slice is computed from columns C of K in two steps, between which its triangle T is factored:
 *
 *   C ← C − Φ Φ_cᵀ,      Φ ← [Φ, C T⁻ᵀ]
 */
export class FeatureSlices {
  readonly quads: number;
  readonly #slices: Slice[] = [];
  #used = 0;
  #rank = 0;
  #panels: F64 | undefined;

  constructor(
    private readonly arena: Arena,
    readonly rows: number,
  ) {
    this.quads = Math.ceil(rows / 4);
  }

  get rank(): number {
    return this.#rank;
  }

  /** Removes all features but keeps their memory: new slices must have the same widths. */
  clear(): void {
    this.#used = 0;
    this.#rank = 0;
  }

  /**
   * C ← C − Φ Bᵀ. C's rows are `ld` doubles apart, the first is row 4 · first, and quads are whole.
   * b: `columns` rows of rank features; C has columns up to the next multiple of four.
   */
  downdate(c: Address, ld: number, b: Float64Array, columns: number, first = 0): void {
    if (this.#rank === 0) return;
    const panels = this.#packed(b, columns);
    const wide = Math.ceil(columns / 4);
    const quads = this.quads - first;
    const call = downdateChunk({
      slices: this.#table(),
      count: this.#used,
      panels: panels.ptr,
      columns: wide,
      c,
      ld,
      first,
      end: this.quads,
      chunkQuads: CHUNK_QUADS,
    });
    this.#run(call, quads, 32 * quads * wide * this.#rank);
  }

  /**
   * Φ ← [Φ, C_order T⁻ᵀ], T lower triangular. Updates `residual`, K_ii − ‖φ_i‖² per row, padded to whole quads; quads before
   * `first` have no features in this slice.
   */
  append(c: Address, ld: number, order: Int32Array, t: Float64Array, residual: F64 | null, first = 0): void {
    const width = order.length;
    const { arena } = this;
    let slice = this.#slices[this.#used];
    if (slice === undefined) {
      const values = arena.f64((this.quads - first) * 4 * width);
      slice = { width, first, base: after(values.ptr, -first * width * 32) };
      this.#slices.push(slice);
    }
    this.#used++;
    this.#rank += width;
    const { panels, ends } = packedTriangle(t, width);
    const quads = this.quads - first;
    const call = sliceChunk({
      c,
      ld,
      order: arena.copyI32(order).ptr,
      t: arena.copy(panels).ptr,
      ends: arena.copy(ends).ptr,
      width,
      slice: slice.base,
      left: residual?.ptr ?? 0,
      first,
      end: this.quads,
      chunkQuads: CHUNK_QUADS,
    });
    this.#run(call, quads, 4 * quads * width * width);
  }

  /** Swaps rows a and b; both must be in every slice. */
  swap(a: number, b: number): void {
    const floats = this.arena.heap.floats;
    for (const { base, width } of this.#live()) {
      const [one, other] = [a, b].map((i) => base / 8 + (i >> 2) * width * 4 + (i & 3)) as [number, number];
      for (let k = 0; k < 4 * width; k += 4) {
        const held = floats[one + k]!;
        floats[one + k] = floats[other + k]!;
        floats[other + k] = held;
      }
    }
  }

  /** The features of one row, which must be in every slice. */
  row(i: number): Float64Array {
    const out = new Float64Array(this.#rank);
    let at = 0;
    for (const { base, width } of this.#live()) {
      const floats = this.arena.heap.floats;
      const from = base / 8 + (i >> 2) * width * 4 + (i & 3);
      for (let k = 0; k < width; k++, at++) out[at] = floats[from + 4 * k]!;
    }
    return out;
  }

  /** All features, rows × rank, at address `out`. */
  unpack(out: Address): void {
    const call = unpackChunk({
      slices: this.#table(),
      count: this.#used,
      rank: this.#rank,
      n: this.rows,
      out,
      chunkQuads: CHUNK_QUADS,
    });
    this.#run(call, this.quads, 4 * this.quads * this.#rank);
  }

  /**
   * Φ⁻¹ v and Φ⁻ᵀ v in place for a factor of all rows in their own order, whose slice s begins at row 64 s.
   */
  solveInto(v: Float64Array, transposed: boolean): void {
    const slices = this.#live();
    const starts = slices.map((_, s) => s * SLICE_WIDTH);
    if (transposed) for (let s = slices.length - 1; s >= 0; s--) this.#backward(slices[s]!, starts[s]!, v);
    else for (let s = 0; s < slices.length; s++) this.#forward(slices[s]!, starts[s]!, v);
  }

  #forward({ base, width }: Slice, start: number, v: Float64Array): void {
    const floats = this.arena.heap.floats;
    const at = (i: number) => base / 8 + (i >> 2) * width * 4 + (i & 3);
    for (let k = 0; k < width; k++) {
      const row = at(start + k);
      let sum = v[start + k]!;
      for (let e = 0; e < k; e++) sum -= floats[row + 4 * e]! * v[start + e]!;
      v[start + k] = sum / floats[row + 4 * k]!;
    }
    for (let i = start + width; i < this.rows; i++) {
      const row = at(i);
      let sum = 0;
      for (let e = 0; e < width; e++) sum += floats[row + 4 * e]! * v[start + e]!;
      v[i]! -= sum;
    }
  }

  #backward({ base, width }: Slice, start: number, v: Float64Array): void {
    const floats = this.arena.heap.floats;
    const at = (i: number) => base / 8 + (i >> 2) * width * 4 + (i & 3);
    const sums = new Float64Array(width);
    for (let i = start + width; i < this.rows; i++) {
      const row = at(i);
      for (let e = 0; e < width; e++) sums[e]! += floats[row + 4 * e]! * v[i]!;
    }
    for (let k = width - 1; k >= 0; k--) {
      let sum = v[start + k]! - sums[k]!;
      for (let e = k + 1; e < width; e++) sum -= floats[at(start + e) + 4 * k]! * v[start + e]!;
      v[start + k] = sum / floats[at(start + k) + 4 * k]!;
    }
  }

  #live(): readonly Slice[] {
    return this.#slices.slice(0, this.#used);
  }

  #table(): Address {
    return this.arena.copy(this.#live().flatMap(({ base, width, first }) => [base, width, first])).ptr;
  }

  /** −B in panels: slice by slice, and in each quad by quad of its rows. */
  #packed(b: Float64Array, columns: number): F64 {
    const wide = Math.ceil(columns / 4);
    const size = wide * 4 * this.#rank;
    if (this.#panels === undefined || this.#panels.length < size) this.#panels = this.arena.f64(2 * size);
    const out = this.#panels.array;
    let to = 0;
    let from = 0;
    for (const { width } of this.#live()) {
      for (let q = 0; q < 4 * wide; q += 4) {
        for (let k = 0; k < width; k++) {
          for (let r = q; r < q + 4; r++, to++) out[to] = r < columns ? -b[r * this.#rank + from + k]! : 0;
        }
      }
      from += width;
    }
    return this.#panels;
  }

  #run(call: ChunkCall, quads: number, operations: number): void {
    parallel(this.arena.heap, call, Math.ceil(quads / CHUNK_QUADS), operations);
  }
}

/** −T packed: panels of four rows left of the diagonal blocks, and the end of each row with the inverse of its diagonal entry. */
function packedTriangle(t: Float64Array, width: number): { panels: Float64Array; ends: Float64Array } {
  const fours = width & ~3;
  const panels = new Float64Array((fours * (fours - 4)) / 2 + 1);
  const ends = new Float64Array(4 * fours + (width - fours) * width + 1);
  let to = 0;
  for (let k = 0; k < fours; k += 4) {
    for (let e = 0; e < k; e++) for (let r = k; r < k + 4; r++, to++) panels[to] = -t[r * width + e]!;
  }
  to = 0;
  for (let k = 0; k < width; k++) {
    const [from, size] = k < fours ? [k & ~3, 4] : [0, width];
    for (let e = from; e < k; e++) ends[to + e - from] = -t[k * width + e]!;
    ends[to + k - from] = 1 / t[k * width + k]!;
    to += size;
  }
  return { panels, ends };
}
