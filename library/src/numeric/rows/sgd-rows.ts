import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { finiteChunk, epoch as marginEpoch, softmaxEpoch } from "../generated/sgd.js";
import { sgdRunBytes, sgdRunF64, sgdRunI32, sgdRunUsize } from "../generated/sgd.layout.js";
import { Arena, type F64, type I32, withArena } from "../runtime/arena.js";
import { MixedFields } from "../runtime/fields.js";
import { parallel } from "../runtime/threads.js";
import { DenseMarginSum } from "./dense-margin-sum.js";
import type { DenseRows } from "./dense-rows.js";
import { placeRows, type RowLayout } from "./dual-rows.js";
import type { LossCode, RowSum } from "./row-sum.js";

export interface SgdStep {
  readonly l1: number;
  readonly l2: number;
  /** 0 constant, 1 optimal, 2 invscaling, 3 adaptive. */
  readonly schedule: number;
  readonly eta0: number;
  readonly power: number;
  readonly t0: number;
  /** Factor of the intercept's step: 0 keeps it at 0. */
  readonly intercept: number;
  readonly batch: number;
  /** Plain subgradient steps for the l1 penalty, instead of truncation. */
  readonly subgradient: boolean;
  /** Average the coefficients from this step on; Infinity never does. */
  readonly averageFrom: number;
}

/** Softmax over `classes` scores, of which the first `blocks` have coefficients; the others are 0 (a reference class). */
export interface SoftmaxOutputs {
  readonly classes: number;
  readonly blocks: number;
}

/** The state of a run: continuing from it is equivalent to an uninterrupted run. */
export interface SgdState {
  /** [w, b], one block per output, after the last step. */
  readonly iterate: Float64Array;
  /** [w, b] averaged over `averaged` steps; zeros if there were none. */
  readonly mean: Float64Array;
  readonly averaged: number;
  /** The cumulative l1 penalty applied to each w, and the maximum that could have been applied (u). */
  readonly cut: Float64Array;
  readonly due: number;
  /** The number of the next step, from 1. */
  readonly t: number;
}

/** The coefficients of the model: the averaged ones if averaging has begun. */
export const thetaOf = ({ iterate, mean, averaged }: SgdState): Float64Array =>
  averaged > 0 ? mean : iterate;

export interface EpochResult {
  /** Σ s ℓ over the epoch, each row at the coefficients before its own step. */
  readonly loss: number;
  /** Number of steps that changed a coefficient. */
  readonly updates: number;
  /** False when the coefficients became infinite. */
  readonly finite: boolean;
}

/** Numbers per chunk of the finiteness check. */
const FINITE_CHUNK = 2 ** 17;

/** Rows and coefficients of a stochastic gradient descent in the arena. */
export class SgdRows {
  readonly #arena: Arena;
  readonly #rows: RowLayout;
  readonly #n: number;
  readonly #d: number;
  /** Stored numbers of X. */
  readonly #size: number;
  readonly #blocks: number;
  readonly #y: F64 | I32;
  readonly #s: F64 | undefined;
  readonly #w: F64;
  readonly #cut: F64;
  readonly #mean: F64;
  readonly #state: F64;
  readonly #work: F64;
  readonly #order: I32;
  readonly #run: MixedFields<keyof typeof sgdRunF64, keyof typeof sgdRunI32 | keyof typeof sgdRunUsize>;

  constructor(
    where: string,
    x: Matrix | CsrMatrix,
    s: Float64Array | undefined,
    private readonly loss: LossCode | SoftmaxOutputs,
    batch: number,
    /** The order of the rows in memory; absent: that of X. */
    private readonly layout?: Int32Array,
  ) {
    const arena = new Arena(where);
    this.#arena = arena;
    try {
      this.#n = x.rows;
      this.#d = x.cols;
      this.#size = x instanceof CsrMatrix ? x.values.length : x.data.length;
      this.#rows = placeRows(arena, x, layout);
      this.#blocks = "blocks" in loss ? loss.blocks : 1;
      this.#y = "blocks" in loss ? arena.i32(x.rows) : arena.f64(x.rows);
      this.#s = s ? arena.copy(this.#inLayout(s)) : undefined;
      this.#w = arena.zeros(this.#blocks * x.cols);
      this.#cut = arena.zeros(this.#blocks * x.cols);
      this.#mean = arena.zeros(this.#blocks * (x.cols + 1));
      this.#state = arena.zeros(8 + this.#blocks);
      this.#work = arena.f64("blocks" in loss ? batch * loss.classes : 8 + batch);
      this.#order = arena.i32(x.rows);
      this.#run = new MixedFields(arena, sgdRunBytes, sgdRunF64, { ...sgdRunI32, ...sgdRunUsize });
      this.#run.write({
        ...this.#rows,
        ...("blocks" in loss ? loss : { kind: loss.code, param: loss.param }),
        n: x.rows,
        d: x.cols,
        order: this.#order.ptr,
        y: this.#y.ptr,
        s: this.#s?.ptr ?? 0,
        w: this.#w.ptr,
        cut: this.#cut.ptr,
        state: this.#state.ptr,
        work: this.#work.ptr,
      });
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Whether X has neither NaN nor ±∞. A perceptron would ignore NaN: a margin of NaN does not count as a mistake. */
  allFinite(): boolean {
    return withArena(this.#arena.where, (scratch) => {
      const chunks = Math.ceil(this.#size / FINITE_CHUNK);
      const out = scratch.f64(chunks);
      parallel(
        this.#arena.heap,
        finiteChunk({ x: this.#rows.x, size: this.#size, out: out.ptr, chunkSize: FINITE_CHUNK }),
        chunks,
        this.#size,
      );
      return out.array.every((sum) => sum === 0);
    });
  }

  /** Begins or continues a run on targets y. */
  start(y: Float64Array, from: SgdState, eta: number): void {
    this.#y.array.set(this.#inLayout(y));
    const d = this.#d;
    const b = new Float64Array(this.#blocks);
    for (let k = 0; k < this.#blocks; k++) {
      const at = k * (d + 1);
      this.#w.array.set(from.iterate.subarray(at, at + d), k * d);
      b[k] = from.iterate[at + d]!;
    }
    this.#cut.array.set(from.cut);
    this.#mean.array.set(from.mean);
    this.#state.array.set([1, b[0]!, from.t, from.due, eta, 0, from.averaged, 0, ...b]);
  }

  /** Σ s ℓ over the same rows, without a copy; null for sparse rows and softmax. The caller closes it, before this. */
  sum(where: string): RowSum | null {
    if (this.#rows.indptr !== 0 || "blocks" in this.loss) return null;
    const [rows, cols] = [this.#n, this.#d];
    const placed: DenseRows = {
      rows,
      cols,
      forEachBlock: (visit) => visit(this.#rows.x, 0, rows),
    };
    const weights = this.#s && Float64Array.from(this.#s.array);
    return new DenseMarginSum(where, placed, Float64Array.from(this.#y.array), weights, this.loss);
  }

  #inLayout(values: Float64Array): Float64Array {
    const layout = this.layout;
    if (layout === undefined) return values;
    const out = new Float64Array(values.length);
    for (let r = 0; r < out.length; r++) out[r] = values[layout[r]!]!;
    return out;
  }

  set eta(value: number) {
    this.#state.array[4] = value;
  }

  epoch(order: Int32Array, step: SgdStep): EpochResult {
    this.#order.array.set(order);
    const { averageFrom, subgradient, ...given } = step;
    this.#run.write({
      ...given,
      subgradient: subgradient ? 1 : 0,
      mean: averageFrom === Infinity ? 0 : this.#mean.ptr,
      meanFrom: averageFrom,
    });
    const kernel = "blocks" in this.loss ? softmaxEpoch : marginEpoch;
    const fine = this.#arena.heap.call(kernel({ run: this.#run.ptr }));
    const state = this.#state.array;
    return {
      loss: state[5]!,
      updates: state[7]!,
      finite: fine === 1 && this.#w.array.every(Number.isFinite),
    };
  }

  /** The state between two epochs. */
  state(): SgdState {
    const [, , t, due, , , averaged] = this.#state.array;
    const d = this.#d;
    const iterate = new Float64Array(this.#blocks * (d + 1));
    for (let k = 0; k < this.#blocks; k++) {
      const at = k * (d + 1);
      iterate.set(this.#w.array.subarray(k * d, (k + 1) * d), at);
      iterate[at + d] = this.#state.array["blocks" in this.loss ? 8 + k : 1]!;
    }
    return {
      iterate,
      mean: Float64Array.from(this.#mean.array),
      averaged: averaged!,
      cut: Float64Array.from(this.#cut.array),
      due: due!,
      t: t!,
    };
  }

  close(): void {
    this.#arena.close();
  }
}
