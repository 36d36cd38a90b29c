import {
  marginPassBytes,
  marginPassF64,
  marginPassI32,
  marginPassUsize,
} from "../generated/margin-pass.layout.js";
import { type Arena, ArenaOwner, type F64 } from "../runtime/arena.js";
import type { Chunks } from "../runtime/chunks.js";
import { MixedFields } from "../runtime/fields.js";
import type { Address } from "../runtime/kernels.js";
import type { LossCode, RowSum } from "./row-sum.js";

const SQUARED: LossCode = { code: 0, param: 0 };

const integers = { ...marginPassI32, ...marginPassUsize };

/** What a pass over the rows is made from. */
export interface MarginTerms {
  readonly loss: LossCode;
  readonly y: F64;
  readonly s: F64 | undefined;
  /** Curvatures out. */
  readonly h: F64 | undefined;
}

/** RowSum of a one-margin loss over rows X, dense or sparse, in the arena. */
export abstract class MarginSum<X> extends ArenaOwner implements RowSum {
  readonly rows: number;
  readonly cols: number;
  readonly outputs = 1;
  protected readonly x: X;
  protected readonly theta: F64;
  protected readonly margin: F64;
  /** s ℓ′(z, y). */
  protected readonly derivative: F64;
  /** s ℓ″(z, y). */
  protected readonly curvature: F64;
  /** Per chunk: the loss, Σ of the derivatives, and the gradient of w. */
  protected readonly partials: F64;
  readonly #y: F64;
  readonly #s: F64 | undefined;
  readonly #fields: MixedFields<keyof typeof marginPassF64, keyof typeof integers>;
  readonly #own: MarginTerms;
  /** Squared loss with targets of 0 and the curvatures as weights. */
  #squared: MarginTerms | undefined;
  /** Those that the fields describe, and from which row on. */
  #terms: MarginTerms | undefined;
  #from = 0;

  constructor(
    where: string,
    { rows, cols }: { readonly rows: number; readonly cols: number },
    y: Float64Array,
    s: Float64Array | undefined,
    loss: LossCode,
    protected readonly chunks: Chunks,
    place: (arena: Arena) => X,
  ) {
    super(where);
    this.rows = rows;
    this.cols = cols;
    const { arena } = this;
    try {
      this.x = place(arena);
      this.#y = arena.copy(y);
      this.#s = s ? arena.copy(s) : undefined;
      this.theta = arena.f64(cols + 1);
      this.margin = arena.f64(rows);
      this.derivative = arena.f64(rows);
      this.curvature = arena.f64(rows);
      this.partials = arena.f64(chunks.count * (cols + 2));
      this.#own = { loss, y: this.#y, s: this.#s, h: this.curvature };
      this.#fields = new MixedFields(arena, marginPassBytes, marginPassF64, integers);
      this.#fields.write({
        d: cols,
        theta: this.theta.ptr,
        out: this.partials.ptr,
        chunkRows: chunks.rows,
      });
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    this.theta.array.set(theta);
    return this.pass(this.#own, gradientOut);
  }

  /** Through the squared-loss kernel with targets 0 and weights h: its gradient at v is Σ h_i (x_i·v) x_i. */
  hessianVectorInto(v: Float64Array, out: Float64Array): void {
    const y = this.#squared?.y ?? this.arena.zeros(this.rows + 1);
    this.#squared ??= { loss: SQUARED, y, s: this.curvature, h: undefined };
    this.theta.array.set(v);
    this.pass(this.#squared, out);
  }

  abstract hessianInto(out: Float64Array): void;
  abstract hessianDiagonalInto(out: Float64Array): void;

  reweigh(weight: (z: number, y: number) => number): void {
    const [z, y, s, h] = [this.margin.array, this.#y.array, this.#s?.array, this.curvature.array];
    for (let i = 0; i < h.length; i++) h[i] = (s ? s[i]! : 1) * weight(z[i]!, y[i]!);
  }

  /** Σ s ℓ at θ; writes the curvatures to h, and the gradient if an output array is given. */
  protected abstract pass(terms: MarginTerms, gradientOut: Float64Array | null): number;

  /** The record of a pass over n rows from row `from` on. */
  protected passOver(from: number, n: number, terms: MarginTerms, gradient: boolean): Address {
    const { loss, y, s, h } = terms;
    // Most passes are like the one before.
    if (terms !== this.#terms || from !== this.#from)
      this.#fields.write({
        n,
        y: y.at(from),
        s: s?.at(from) ?? 0,
        z: this.margin.at(from),
        r: this.derivative.at(from),
        h: h?.at(from) ?? 0,
        kind: loss.code,
        param: loss.param,
      });
    this.#terms = terms;
    this.#from = from;
    this.#fields.write({ gradient: gradient ? 1 : 0 });
    return this.#fields.ptr;
  }
}
