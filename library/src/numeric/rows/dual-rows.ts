import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { dualSweep } from "../generated/dual.js";
import { type Arena, ArenaOwner, type F64, type I32 } from "../runtime/arena.js";
import type { Address } from "../runtime/kernels.js";

/** Rows in the arena, dense or compressed, as the kernels that process one row at a time read them. */
export interface RowLayout {
  readonly x: Address;
  /** 0 for dense rows. */
  readonly indptr: Address;
  readonly indices: Address;
}

/** Copies the rows into the arena, in the given order if present. */
export function placeRows(arena: Arena, x: Matrix | CsrMatrix, order?: Int32Array): RowLayout {
  if (!(x instanceof CsrMatrix)) {
    const rows = order ? gathered(arena, x, order) : arena.copy(x.data);
    return { x: rows.ptr, indptr: 0, indices: 0 };
  }
  if (order) return placeRows(arena, x.selectRows(order));
  return {
    x: arena.copy(x.values).ptr,
    indptr: arena.copyI32(x.indptr).ptr,
    indices: arena.copyI32(x.indices).ptr,
  };
}

/** Copies runs of consecutive rows as a whole: accessing a memory page costs more than reading it. */
function gathered(arena: Arena, { data, cols }: Matrix, order: Int32Array): F64 {
  const rows = arena.f64(order.length * cols);
  const out = rows.array;
  for (let from = 0, to = 0; from < order.length; from = to) {
    const first = order[from]!;
    do to++;
    while (to < order.length && order[to] === first + to - from);
    out.set(data.subarray(first * cols, (first + to - from) * cols), from * cols);
  }
  return rows;
}

/** The box-constrained dual that `wasm/linear/dual.ts` sweeps over: variables v on rows v mod n. */
export interface DualBox {
  readonly sigma: Float64Array;
  readonly c: Float64Array;
  readonly upper: Float64Array;
  /** D, added to the diagonal (0, or 1/2C for squared losses). */
  readonly diagonal: Float64Array;
}

export interface SweepResult {
  readonly active: number;
  readonly most: number;
  readonly least: number;
}

/** State of a dual coordinate descent in the arena. */
export class DualRows extends ArenaOwner {
  readonly #rows: RowLayout;
  readonly #n: number;
  readonly #d: number;
  readonly #diagonal: F64;
  readonly #sigma: F64;
  readonly #c: F64;
  readonly #upper: F64;
  readonly #norms: F64;
  readonly #a: F64;
  readonly #w: F64;
  readonly #state: F64;
  readonly #order: I32;

  constructor(where: string, x: Matrix | CsrMatrix, box: DualBox) {
    super(where);
    const { arena } = this;
    try {
      this.#n = x.rows;
      this.#d = x.cols;
      this.#rows = placeRows(arena, x);
      this.#diagonal = arena.copy(box.diagonal);
      this.#sigma = arena.copy(box.sigma);
      this.#c = arena.copy(box.c);
      this.#upper = arena.copy(box.upper);
      this.#norms = arena.copy(rowNorms(x));
      this.#a = arena.zeros(box.c.length);
      this.#w = arena.zeros(x.cols);
      this.#state = arena.zeros(5);
      this.#order = arena.i32(box.c.length);
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Σ a σ x. */
  get w(): Float64Array<ArrayBufferLike> {
    return this.#w.array;
  }

  get a(): Float64Array<ArrayBufferLike> {
    return this.#a.array;
  }

  /** √ρ Σ a σ. */
  get beta(): number {
    return this.#state.array[0]!;
  }

  /** One sweep over `order`; afterwards its first entries are the variables that are still active. */
  sweep(
    order: Int32Array,
    active: number,
    root: number,
    b0: number,
    upper: number,
    lower: number,
  ): SweepResult {
    this.#order.array.set(order);
    const state = this.#state.array;
    state[1] = upper;
    state[2] = lower;
    const left = this.arena.heap.call(
      dualSweep({
        ...this.#rows,
        n: this.#n,
        d: this.#d,
        order: this.#order.ptr,
        active,
        sigma: this.#sigma.ptr,
        c: this.#c.ptr,
        u: this.#upper.ptr,
        diagonal: this.#diagonal.ptr,
        norms: this.#norms.ptr,
        a: this.#a.ptr,
        w: this.#w.ptr,
        root,
        b0,
        state: this.#state.ptr,
      }),
    );
    order.set(this.#order.array);
    return { active: left, most: this.#state.array[3]!, least: this.#state.array[4]! };
  }
}

export function rowNorms(x: Matrix | CsrMatrix): Float64Array {
  const norms = new Float64Array(x.rows);
  for (let i = 0; i < x.rows; i++) {
    const from = x instanceof CsrMatrix ? x.indptr[i]! : i * x.cols;
    const to = x instanceof CsrMatrix ? x.indptr[i + 1]! : from + x.cols;
    const values = x instanceof CsrMatrix ? x.values : x.data;
    let sum = 0;
    for (let e = from; e < to; e++) sum += values[e]! * values[e]!;
    norms[i] = sum;
  }
  return norms;
}
