import { type Arena, ArenaOwner, type F64 } from "../runtime/arena.js";
import type { Chunks } from "../runtime/chunks.js";
import type { LossCode, RowSum } from "./row-sum.js";

const SQUARED: LossCode = { code: 0, param: 0 };

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
  /** Targets of 0, one per row. */
  #zeros: F64 | undefined;

  constructor(
    where: string,
    { rows, cols }: { readonly rows: number; readonly cols: number },
    y: Float64Array,
    s: Float64Array | undefined,
    private readonly loss: LossCode,
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
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    this.theta.array.set(theta);
    return this.pass(this.loss, this.#y, this.#s, this.curvature, gradientOut);
  }

  /** Through the squared-loss kernel with targets 0 and weights h: its gradient at v is Σ h_i (x_i·v) x_i. */
  hessianVectorInto(v: Float64Array, out: Float64Array): void {
    this.#zeros ??= this.arena.zeros(this.rows + 1);
    this.theta.array.set(v);
    this.pass(SQUARED, this.#zeros, this.curvature, undefined, out);
  }

  abstract hessianInto(out: Float64Array): void;
  abstract hessianDiagonalInto(out: Float64Array): void;

  reweigh(weight: (z: number, y: number) => number): void {
    const [z, y, s, h] = [this.margin.array, this.#y.array, this.#s?.array, this.curvature.array];
    for (let i = 0; i < h.length; i++) h[i] = (s ? s[i]! : 1) * weight(z[i]!, y[i]!);
  }

  /** Σ s ℓ at θ; writes the curvatures to h, and the gradient if an output array is given. */
  protected abstract pass(
    loss: LossCode,
    y: F64,
    s: F64 | undefined,
    h: F64 | undefined,
    gradientOut: Float64Array | null,
  ): number;
}
