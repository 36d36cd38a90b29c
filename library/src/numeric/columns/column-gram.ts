import { gramSweeps, productsChunk, subtractColumns } from "../generated/coordinate-descent.js";
import type { Arena, F64, I32 } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";

/** Maximum number of columns whose products are stored (18 MB). */
const MOST = 1536;
/** Initial capacity in columns. */
const FIRST = 128;
/** Columns per chunk of the products; even, so that pairs stay together. */
const CHUNK = 8;

/**
 * Inner products of the active columns of coordinate descent. With them the cost of a coefficient update is the number of
 * active columns, not the number of rows [Friedman et al. 2010, §2.2].
 *
 * They are computed once the sweeps without them have cost as much as computing them.
 */
export class ColumnGram {
  readonly #slotOf: Int32Array;
  readonly #columns: I32;
  #products: F64;
  #capacity: number;
  #count = 0;
  #worked = 0;

  constructor(
    private readonly arena: Arena,
    /** Columns of n doubles. */
    private readonly a: F64,
    private readonly n: number,
    cols: number,
  ) {
    this.#slotOf = new Int32Array(cols).fill(-1);
    this.#capacity = Math.min(FIRST, cols);
    this.#columns = arena.i32(Math.min(MOST, cols));
    this.#products = arena.f64(this.#capacity ** 2);
  }

  /** Records that `sweeps` sweeps over m columns were made, with or without products. */
  worked(sweeps: number, m: number): void {
    this.#worked += 2 * sweeps * m * this.n;
  }

  /** Computes the products of the listed columns if worthwhile by now; false if they are not available. */
  has(list: Int32Array): boolean {
    const fresh = list.filter((j) => this.#slotOf[j]! < 0);
    if (fresh.length === 0) return true;
    const count = this.#count + fresh.length;
    const cost = (this.n * fresh.length * (this.#count + count)) / 2;
    if (count > MOST || count > this.n || cost > this.#worked) return false;
    this.#worked -= cost;
    if (count > this.#capacity) this.#grow(Math.min(MOST, Math.max(count, 2 * this.#capacity)));
    const columns = this.#columns.array;
    for (let e = 0; e < fresh.length; e++) {
      columns[this.#count + e] = fresh[e]!;
      this.#slotOf[fresh[e]!] = this.#count + e;
    }
    const { a, n } = this;
    const chunks = Math.ceil(fresh.length / CHUNK);
    const call = productsChunk({
      a: a.ptr,
      n,
      columns: this.#columns.ptr,
      from: this.#count,
      to: count,
      g: this.#products.ptr,
      stride: this.#capacity,
      chunkRows: CHUNK,
    });
    parallel(this.arena.heap, call, chunks, 2 * cost);
    this.#count = count;
    return true;
  }

  /**
   * Sweeps over the listed columns, whose correlations with the residual are `c`. Updates w and the residual
   * and returns the number of sweeps.
   */
  sweep(
    list: Int32Array,
    c: Float64Array,
    w: F64,
    residual: F64,
    penalty: { readonly l1: number; readonly l2: number },
    sweeps: number,
    enough: number,
    scratch: Arena,
  ): number {
    const count = this.#count;
    const slots = list.map((j) => this.#slotOf[j]!);
    const [ws, gs, l1, l2] = [
      scratch.zeros(count),
      scratch.zeros(count),
      scratch.f64(count),
      scratch.f64(count),
    ];
    l1.array.fill(penalty.l1);
    l2.array.fill(penalty.l2);
    const [before, start, pull] = [w.array, ws.array, gs.array];
    for (const [e, slot] of slots.entries()) {
      start[slot] = before[list[e]!]!;
      pull[slot] = c[list[e]!]!;
    }
    const call = gramSweeps({
      q: this.#products.ptr,
      side: count,
      stride: this.#capacity,
      list: scratch.copyI32(slots).ptr,
      m: list.length,
      w: ws.ptr,
      g: gs.ptr,
      l1: l1.ptr,
      l2: l2.ptr,
      sweeps,
      enough,
    });
    const made = this.arena.heap.call(call);
    const learned = ws.array;
    this.#apply(
      list,
      Float64Array.from(slots, (slot) => learned[slot]!),
      w,
      residual,
      scratch,
    );
    return made;
  }

  /** Sets the coefficients of the listed columns, and subtracts their changes from the residual. */
  #apply(list: Int32Array, values: Float64Array, w: F64, residual: F64, scratch: Arena): void {
    const changed: number[] = [];
    const change: number[] = [];
    const after = w.array;
    for (const [e, j] of list.entries()) {
      if (values[e] === after[j]) continue;
      changed.push(j);
      change.push(values[e]! - after[j]!);
      after[j] = values[e]!;
    }
    const call = subtractColumns({
      a: this.a.ptr,
      n: this.n,
      list: scratch.copyI32(changed).ptr,
      change: scratch.copy(change).ptr,
      m: changed.length,
      r: residual.ptr,
    });
    this.arena.heap.call(call);
  }

  #grow(capacity: number): void {
    const larger = this.arena.f64(capacity ** 2);
    const from = this.#products.array;
    const to = larger.array;
    for (let e = 0; e < this.#count; e++) {
      to.set(from.subarray(e * this.#capacity, e * this.#capacity + this.#count), e * capacity);
    }
    this.#products = larger;
    this.#capacity = capacity;
  }
}
