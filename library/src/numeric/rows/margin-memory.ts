import type { Arena, F64 } from "../runtime/arena.js";

/** The memory of a margin sum: targets, weights, margins and derivatives per row; θ, and the partial sums of the chunks. */
export class MarginMemory {
  readonly y: F64;
  readonly s: F64 | undefined;
  readonly theta: F64;
  readonly margin: F64;
  /** s ℓ′(z, y). */
  readonly derivative: F64;
  /** s ℓ″(z, y). */
  readonly curvature: F64;
  /** Per chunk: the loss, Σ of the derivatives, and the gradient of w. */
  readonly partials: F64;
  #zeros: F64 | undefined;

  constructor(
    private readonly arena: Arena,
    y: Float64Array,
    s: Float64Array | undefined,
    cols: number,
    chunks: number,
  ) {
    const rows = y.length;
    this.y = arena.copy(y);
    this.s = s ? arena.copy(s) : undefined;
    this.theta = arena.f64(cols + 1);
    this.margin = arena.f64(rows);
    this.derivative = arena.f64(rows);
    this.curvature = arena.f64(rows);
    this.partials = arena.f64(chunks * (cols + 2));
  }

  /** Targets of 0, one per row. */
  get zeroTargets(): F64 {
    this.#zeros ??= this.arena.zeros(this.y.length + 1);
    return this.#zeros;
  }

  /** Replaces the curvatures by s · weight(z, y). */
  reweigh(weight: (z: number, y: number) => number): void {
    const [z, y, s, h] = [this.margin.array, this.y.array, this.s?.array, this.curvature.array];
    for (let i = 0; i < h.length; i++) h[i] = (s ? s[i]! : 1) * weight(z[i]!, y[i]!);
  }
}
