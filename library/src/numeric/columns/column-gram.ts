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
    parallel(
      this.arena.heap,
      productsChunk({
        a: a.ptr,
        n,
        columns: this.#columns.ptr,
        from: this.#count,
        to: count,
        g: this.#products.ptr,
        stride: this.#capacity,
        chunkRows: CHUNK,
      }),
      chunks,
      2 * cost,
    );
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
    const m = list.length;
    const count = this.#count;
    const slots = scratch.copyI32(list.map((j) => this.#slotOf[j]!));
    const [ws, gs] = [scratch.zeros(count), scratch.zeros(count)];
    const l1 = scratch.f64(count);
    const l2 = scratch.f64(count);
    l1.array.fill(penalty.l1);
    l2.array.fill(penalty.l2);
    const [before, start, pull] = [w.array, ws.array, gs.array];
    for (let e = 0; e < m; e++) {
      const slot = this.#slotOf[list[e]!]!;
      start[slot] = before[list[e]!]!;
      pull[slot] = c[list[e]!]!;
    }
    const made = this.arena.heap.call(
      gramSweeps({
        q: this.#products.ptr,
        side: count,
        stride: this.#capacity,
        list: slots.ptr,
        m,
        w: ws.ptr,
        g: gs.ptr,
        l1: l1.ptr,
        l2: l2.ptr,
        sweeps,
        enough,
      }),
    );
    const changed: number[] = [];
    const change: number[] = [];
    const [after, learned] = [w.array, ws.array];
    for (let e = 0; e < m; e++) {
      const j = list[e]!;
      const value = learned[this.#slotOf[j]!]!;
      if (value === after[j]) continue;
      changed.push(j);
      change.push(value - after[j]!);
      after[j] = value;
    }
    const [columns, steps] = [scratch.copyI32(changed), scratch.copy(change)];
    this.arena.heap.call(
      subtractColumns({
        a: this.a.ptr,
        n: this.n,
        list: columns.ptr,
        change: steps.ptr,
        m: changed.length,
        r: residual.ptr,
      }),
    );
    return made;
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
