import { firstLoop, secondLoop } from "../generated/quasi-newton.js";
import { Arena, type F64 } from "../runtime/arena.js";

/** Applies the initial inverse Hessian: out = H₀ v. */
export type InitialMatrix = (v: Float64Array, out: Float64Array) => void;

/** Below this cosine of step and gradient change, the curvature is dominated by rounding. */
const NO_CURVATURE = 1e-14;

/**
 * The last steps of a quasi-Newton method and their gradient changes: H g by the L-BFGS two-loop recursion on
 * top of any initial matrix. The vectors are in the arena; `close` frees them.
 */
export class CurvaturePairs {
  readonly #arena: Arena;
  readonly #s: F64;
  readonly #y: F64;
  readonly #rho: F64;
  readonly #alpha: F64;
  readonly #work: F64;
  #newest = -1;
  #count = 0;

  constructor(
    where: string,
    readonly size: number,
    readonly memory: number,
  ) {
    this.#arena = new Arena(where);
    try {
      this.#s = this.#arena.f64(memory * size);
      this.#y = this.#arena.f64(memory * size);
      this.#rho = this.#arena.f64(memory);
      this.#alpha = this.#arena.f64(memory);
      this.#work = this.#arena.f64(size);
    } catch (error) {
      this.#arena.close();
      throw error;
    }
  }

  get length(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Stores the step to − from and its gradient change; a pair without positive curvature is dropped. */
  push(from: Float64Array, to: Float64Array, gradientFrom: Float64Array, gradientTo: Float64Array): void {
    const slot = (this.#newest + 1) % this.memory;
    const at = slot * this.size;
    const s = this.#s.array;
    const y = this.#y.array;
    let sy = 0;
    let ss = 0;
    let yy = 0;
    for (let e = 0; e < this.size; e++) {
      const ds = to[e]! - from[e]!;
      const dy = gradientTo[e]! - gradientFrom[e]!;
      s[at + e] = ds;
      y[at + e] = dy;
      sy += ds * dy;
      ss += ds * ds;
      yy += dy * dy;
    }
    if (!(sy > NO_CURVATURE * Math.sqrt(ss) * Math.sqrt(yy))) return;
    this.#rho.array[slot] = 1 / sy;
    this.#newest = slot;
    this.#count = Math.min(this.memory, this.#count + 1);
  }

  /** sᵀy / yᵀ H₀ y of the newest pair: the usual scale of the initial matrix. */
  scale(applyInitial: InitialMatrix): number {
    if (this.#count === 0) return 1;
    const at = this.#newest * this.size;
    const y = this.#y.array.slice(at, at + this.size) as Float64Array;
    const hy = new Float64Array(this.size);
    applyInitial(y, hy);
    let product = 0;
    for (let e = 0; e < this.size; e++) product += y[e]! * hy[e]!;
    return 1 / (this.#rho.array[this.#newest]! * product);
  }

  /** out = −H g. */
  directionInto(g: Float64Array, applyInitial: InitialMatrix, out: Float64Array): void {
    const work = this.#work;
    work.array.set(g);
    this.#loop(firstLoop);
    applyInitial(work.array as Float64Array, out);
    work.array.set(out);
    this.#loop(secondLoop);
    const result = work.array;
    for (let e = 0; e < this.size; e++) out[e] = -result[e]!;
  }

  close(): void {
    this.#arena.close();
  }

  #loop(kernel: typeof firstLoop): void {
    if (this.#count === 0) return;
    const call = kernel({
      s: this.#s.ptr,
      y: this.#y.ptr,
      rho: this.#rho.ptr,
      alpha: this.#alpha.ptr,
      n: this.size,
      memory: this.memory,
      newest: this.#newest,
      count: this.#count,
      q: this.#work.ptr,
    });
    this.#arena.heap.call(call);
  }
}
