import { dot } from "./objective.js";

/**
 * The L-BFGS two-loop recursion [Nocedal & Wright, algorithm 7.4] on top of any initial inverse Hessian.
 */
export class CurvaturePairs {
  readonly #s: Float64Array[] = [];
  readonly #y: Float64Array[] = [];
  readonly #rho: number[] = [];

  constructor(readonly memory: number) {}

  get length(): number {
    return this.#s.length;
  }

  clear(): void {
    this.#s.length = 0;
    this.#y.length = 0;
    this.#rho.length = 0;
  }

  /** Remembers a step and its change of gradient; a pair without positive curvature is dropped. */
  push(s: Float64Array, y: Float64Array): void {
    const sy = dot(s, y);
    if (!(sy > 1e-16 * dot(y, y))) return;
    if (this.#s.length === this.memory) {
      this.#s.shift();
      this.#y.shift();
      this.#rho.shift();
    }
    this.#s.push(s);
    this.#y.push(y);
    this.#rho.push(1 / sy);
  }

  /** sᵀy / yᵀ H₀ y of the newest pair: the usual scale of the initial matrix. */
  scale(applyInitial: (v: Float64Array, out: Float64Array) => void): number {
    const y = this.#y.at(-1);
    if (y === undefined) return 1;
    const hy = new Float64Array(y.length);
    applyInitial(y, hy);
    return 1 / (this.#rho.at(-1)! * dot(y, hy));
  }

  /** out = −H g. */
  directionInto(
    g: Float64Array,
    applyInitial: (v: Float64Array, out: Float64Array) => void,
    out: Float64Array,
  ): void {
    const q = g.slice();
    const alpha = new Float64Array(this.#s.length);
    for (let k = this.#s.length - 1; k >= 0; k--) {
      alpha[k] = this.#rho[k]! * dot(this.#s[k]!, q);
      addScaled(-alpha[k]!, this.#y[k]!, q);
    }
    applyInitial(q, out);
    for (let k = 0; k < this.#s.length; k++) {
      const beta = this.#rho[k]! * dot(this.#y[k]!, out);
      addScaled(alpha[k]! - beta, this.#s[k]!, out);
    }
    for (let e = 0; e < out.length; e++) out[e] = -out[e]!;
  }
}

function addScaled(a: number, x: Float64Array, out: Float64Array): void {
  for (let e = 0; e < out.length; e++) out[e]! += a * x[e]!;
}
