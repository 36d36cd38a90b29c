import type { Matrix } from "../data/matrix.js";
import { Arena, type F64, type I32 } from "./arena.js";
import { smoKernels } from "./families.js";
import { parallel, threads } from "./threads.js";

/** A kernel function as the kernels know it; see kernels/shared/kernel-functions.ts. */
export interface KernelCode {
  readonly code: number;
  readonly a: number;
  readonly c: number;
  readonly degree: number;
}

/** minimise ½ Σ α_s α_t y_s y_t k(x_s, x_t) + Σ p_t α_t over 0 ≤ α ≤ upper with Σ y α = 0; `halves` × n variables. */
export interface SmoProblem {
  readonly x: Matrix;
  readonly kernel: KernelCode;
  readonly halves: 1 | 2;
  readonly y: Float64Array;
  readonly upper: Float64Array;
  readonly p: Float64Array;
  readonly eps: number;
  readonly maxIter: number;
  readonly shrinking: boolean;
  readonly cacheBytes: number;
}

export interface SmoResult {
  readonly alpha: Float64Array;
  /** y_t times the gradient at α. */
  readonly f: Float64Array;
  readonly iterations: number;
  /** Largest violation: max over up of −f plus max over low of f. */
  readonly violation: number;
  readonly rowsComputed: number;
}

const FIELDS = 40;
/** The kernel's STRETCH. */
const STRETCH = 512;
/** Helping threads beyond this have nothing left to do. */
const MOST_PARTS = 4;

/** The state of a sequential minimal optimisation in the arena. */
export class Smo {
  readonly #arena: Arena;
  readonly #fields: F64;
  readonly #alpha: F64;
  readonly #f: F64;
  readonly #place: F64;
  readonly #norms: F64;
  readonly #diagonal: F64;
  readonly #n: number;
  readonly #halves: number;

  constructor(where: string, problem: SmoProblem) {
    const { x, kernel, halves, y, upper, p } = problem;
    const { rows: n, cols: d } = x;
    const arena = new Arena(where);
    this.#arena = arena;
    try {
      this.#n = n;
      this.#halves = halves;
      const padded = (n + 7) & ~7;
      const panels = arena.zeros(padded * d);
      panelsInto(x, panels.array);
      const slots = Math.max(2, Math.min(n, Math.floor(problem.cacheBytes / (4 * padded))));
      this.#norms = arena.zeros(padded + 2);
      this.#diagonal = arena.zeros(padded + 2);
      this.#place = arena.zeros(padded);
      this.#alpha = arena.zeros(halves * n + 1);
      this.#f = arena.zeros(halves * n + 1);
      const rows = arena.f64(Math.ceil((slots * padded) / 2));
      const book: I32 = arena.i32(n + 4 * (slots + 1));
      const work = arena.f64(padded);
      const jobs = arena.zeros(25 + d + 1);
      const scratch = arena.f64(MOST_PARTS * STRETCH);
      this.#fields = arena.zeros(FIELDS);
      this.#fields.array.set([
        panels.ptr,
        n,
        d,
        this.#norms.ptr,
        kernel.code,
        kernel.a,
        kernel.c,
        kernel.degree,
        halves,
        arena.copy(y).ptr,
        arena.copy(upper).ptr,
        this.#alpha.ptr,
        this.#f.ptr,
        arena.copy(p.map((v, t) => v * y[t]!)).ptr,
        this.#diagonal.ptr,
        this.#place.ptr,
        problem.eps,
        problem.maxIter,
        problem.shrinking ? 1 : 0,
        rows.ptr,
        slots,
        book.ptr,
        work.ptr,
        jobs.ptr,
      ]);
      const [mayRise, mayFall] = [arena.zeros(halves * n + 1), arena.zeros(halves * n + 1)];
      this.#fields.array[31] = scratch.ptr;
      this.#fields.array[33] = mayRise.ptr;
      this.#fields.array[34] = mayFall.ptr;
      arena.heap.exports(smoKernels).smoStart!(this.#fields.ptr);
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** At most `steps` more; true when the end is reached. */
  run(steps: number): boolean {
    const { heap } = this.#arena;
    heap.exports(smoKernels).smoOpen!(this.#fields.ptr);
    const parts = Math.min(threads(), MOST_PARTS);
    parallel(heap, smoKernels, "smoSteps", [this.#fields.ptr, steps], parts, steps * this.#n * 40);
    return this.#fields.array[30] === 1;
  }

  get iterations(): number {
    return this.#fields.array[24]!;
  }

  get violation(): number {
    return this.#fields.array[27]! + this.#fields.array[28]!;
  }

  /** The largest ‖x‖² and |k(x, x)|: infinite where numbers are too large. */
  largest(): { square: number; kernel: number } {
    const most = (list: F64) => list.array.reduce((top, v) => (Math.abs(v) <= top ? top : Math.abs(v)), 0);
    return { square: most(this.#norms), kernel: most(this.#diagonal) };
  }

  get active(): number {
    return this.#fields.array[25]!;
  }

  result(): SmoResult {
    const n = this.#n;
    const alpha = new Float64Array(this.#halves * n);
    const f = new Float64Array(this.#halves * n);
    const place = this.#place.array;
    for (let h = 0; h < this.#halves; h++) {
      for (let t = 0; t < n; t++) {
        alpha[h * n + place[t]!] = this.#alpha.array[h * n + t]!;
        f[h * n + place[t]!] = this.#f.array[h * n + t]!;
      }
    }
    return {
      alpha,
      f,
      iterations: this.iterations,
      violation: this.violation,
      rowsComputed: this.#fields.array[26]!,
    };
  }

  close(): void {
    this.#arena.close();
  }
}

/** Panels of eight rows, feature by feature. */
export function panelsInto({ data, rows, cols }: Matrix, out: Float64Array<ArrayBufferLike>): void {
  for (let i = 0; i < rows; i++) {
    let to = (i >> 3) * cols * 8 + (i & 7);
    for (let j = 0, from = i * cols; j < cols; j++, from++, to += 8) out[to] = data[from]!;
  }
}
