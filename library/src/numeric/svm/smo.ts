import { smoOpen, smoStart, smoSteps } from "../generated/smo.js";
import {
  JOB_POINT,
  MAX_THREADS,
  NEWTON_VARIABLES,
  NEWTON_VECTORS,
  type ProblemInputs,
  problemBytes,
  problemF64,
  STRETCH,
} from "../generated/smo.layout.js";
import { type KernelPoints, placePoints } from "../kernel-functions/kernel-points.js";
import type { KernelTree } from "../kernel-functions/kernel-tree.js";
import { type Arena, ArenaOwner, type F64, Vector } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { activeThreads, parallel } from "../runtime/threads.js";

/** A kernel function whose rows are computed in JavaScript. */
export interface JsKernelRows {
  /** k(x_t, x_t) of all points. */
  readonly diagonal: Float64Array;
  /** out[s] = k(x_t, x_s) for all points. */
  rowInto(t: number, out: Float32Array<ArrayBufferLike> | Float64Array): void;
}

/**
 * minimise ½ Σ α_s α_t y_s y_t k(x_s, x_t) + Σ p_t α_t over 0 ≤ α ≤ upper with Σ y α = 0; `variablesPerPoint` × n variables.
 * `unbiased` leaves Σ y α free.
 */
export interface SmoProblem {
  readonly points: KernelPoints;
  readonly kernel: KernelTree | JsKernelRows;
  readonly variablesPerPoint: 1 | 2;
  readonly y: Float64Array;
  readonly upper: Float64Array;
  readonly p: Float64Array;
  readonly unbiased: boolean;
  /** Initial α near the solution; for the linear kernel on dense points of at most `startColumns` columns. */
  readonly start?: Float64Array | undefined;
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
  readonly objective: number;
  /** Largest violation among active points: max −f over those that may rise plus max f over those that may fall, at least 0. */
  readonly violation: number;
}

/** The most columns of a problem with an initial α: its f is computed in the memory of the Newton steps. */
export const startColumns: number = NEWTON_VARIABLES;

const isJsKernel = (kernel: KernelTree | JsKernelRows): kernel is JsKernelRows => "rowInto" in kernel;

/** Vectors of the given lengths in one allocation: cheaper for many small problems. */
function vectorsOf<Name extends string>(arena: Arena, lengths: Record<Name, number>): Record<Name, F64> {
  const names = Object.keys(lengths) as Name[];
  // Every vector starts at a multiple of 64 bytes.
  const room = (name: Name) => 8 * Math.ceil(lengths[name] / 8);
  const block = arena.f64(names.reduce((sum, name) => sum + room(name), 0));
  let at = 0;
  const next = (name: Name) => {
    const vector = new Vector(arena.heap, Float64Array<ArrayBufferLike>, block.at(at), lengths[name]);
    at += room(name);
    return vector;
  };
  const vectors = {} as Record<Name, F64>;
  for (const name of names) vectors[name] = next(name);
  return vectors;
}

/** The vectors of a problem, for rows of `padded` entries. */
const smoVectors = (
  arena: Arena,
  variables: number,
  padded: number,
  d: number,
  newtonMost: number,
  scratch: number,
) =>
  vectorsOf(arena, {
    // Entries are read in pairs, past the last one.
    norms: padded + 2,
    diagonal: padded + 2,
    place: padded,
    work: padded,
    alpha: variables,
    f: variables,
    y: variables,
    upper: variables,
    linearTerm: variables,
    // Flags are 32-bit floats, read in fours.
    mayRise: variables,
    mayFall: variables,
    jobs: JOB_POINT / 8 + d + 1,
    scratch: MAX_THREADS * scratch,
    newton: newtonMost * (2 * newtonMost + NEWTON_VECTORS),
  });

/** The state of a sequential minimal optimisation in the arena. */
export class Smo extends ArenaOwner {
  readonly #fields: Fields<keyof typeof problemF64>;
  readonly #vectors: Readonly<Record<"alpha" | "f" | "place" | "norms" | "diagonal", F64>>;
  readonly #n: number;
  readonly #variablesPerPoint: number;
  readonly #jsRows: JsKernelRows | null;

  constructor(where: string, problem: SmoProblem) {
    super(where);
    const { points, kernel, variablesPerPoint, y, upper, p } = problem;
    const { count: n, cols: d } = points;
    const { arena } = this;
    this.#n = n;
    this.#variablesPerPoint = variablesPerPoint;
    this.#jsRows = isJsKernel(kernel) ? kernel : null;
    try {
      const padded = (n + 7) & ~7;
      const variables = variablesPerPoint * n + 1;
      const placed = placePoints(arena, points, isJsKernel(kernel) ? null : kernel);
      const slots = Math.max(2, Math.min(n, Math.floor(problem.cacheBytes / (4 * padded))));
      const scratch = STRETCH * (1 + placed.depth);
      const newtonMost = Math.min(Math.max(variablesPerPoint * n, d + 1), NEWTON_VARIABLES);
      const record = arena.zeros(problemBytes / 8);
      const vectors = smoVectors(arena, variables, padded, d, newtonMost, scratch);
      this.#vectors = vectors;
      for (const { array } of [vectors.norms, vectors.diagonal, vectors.alpha]) array.fill(0);
      if (isJsKernel(kernel)) vectors.diagonal.array.set(kernel.diagonal);
      if (problem.start) vectors.alpha.array.set(problem.start);
      vectors.y.array.set(y);
      vectors.upper.array.set(upper);
      const linear = vectors.linearTerm.array;
      for (let t = 0; t < p.length; t++) linear[t] = p[t]! * y[t]!;
      this.#fields = new Fields(record, problemF64);
      const { x, starts, columns, values, program, length } = placed;
      const inputs: Omit<ProblemInputs, keyof typeof vectors> = {
        x,
        n,
        d,
        starts,
        columns,
        values,
        program,
        length,
        variablesPerPoint,
        eps: problem.eps,
        maxIter: problem.maxIter,
        // Rows computed in JavaScript are always complete, so shrinking saves nothing.
        shrinking: problem.shrinking && !problem.unbiased && this.#jsRows === null ? 1 : 0,
        unbiased: problem.unbiased ? 1 : 0,
        started: problem.start ? 1 : 0,
        scratchBytes: scratch * 8,
        newtonMost,
        rows: arena.f64(Math.ceil((slots * padded) / 2)).ptr,
        slots,
        book: arena.i32(n + 4 * (slots + 1)).ptr,
        wanted: -1,
      };
      this.#fields.write(inputs);
      this.#fields.writePointers(vectors);
      arena.heap.call(smoStart({ problem: this.#fields.ptr }));
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Runs at most `steps` more steps; returns whether the solver has finished. */
  run(steps: number): boolean {
    const { heap } = this.arena;
    const last = this.iterations + steps;
    for (;;) {
      heap.call(smoOpen({ problem: this.#fields.ptr }));
      const threads = this.#jsRows ? 1 : Math.min(activeThreads(), MAX_THREADS);
      const left = last - this.iterations;
      parallel(heap, smoSteps({ problem: this.#fields.ptr, steps: left }), threads, left * this.#n * 40);
      if (this.#fields.get("wanted") < 0) return this.#fields.get("ended") === 1;
      const at = this.#fields.get("wantedRow") / 4;
      const row = new Float32Array(heap.memory.buffer, at * 4, this.#n);
      this.#jsRows!.rowInto(this.#fields.get("wanted"), row);
    }
  }

  get iterations(): number {
    return this.#fields.get("iterations");
  }

  /** The largest ‖x‖² and |k(x, x)|; Infinity or NaN on overflow. */
  largest(): { square: number; kernel: number } {
    const most = ({ array }: F64) => {
      let top = 0;
      for (let t = 0; t < array.length; t++) if (!(Math.abs(array[t]!) <= top)) top = Math.abs(array[t]!);
      return top;
    };
    return { square: most(this.#vectors.norms), kernel: most(this.#vectors.diagonal) };
  }

  /** The current state; f of points set aside by shrinking is exact only at the end. */
  result(): SmoResult {
    const n = this.#n;
    const alpha = new Float64Array(this.#variablesPerPoint * n);
    const f = new Float64Array(this.#variablesPerPoint * n);
    const place = this.#vectors.place.array;
    for (let h = 0; h < this.#variablesPerPoint; h++) {
      for (let t = 0; t < n; t++) {
        alpha[h * n + place[t]!] = this.#vectors.alpha.array[h * n + t]!;
        f[h * n + place[t]!] = this.#vectors.f.array[h * n + t]!;
      }
    }
    const violation = Math.max(0, this.#fields.get("up") + this.#fields.get("low"));
    return { alpha, f, iterations: this.iterations, objective: this.#fields.get("objective"), violation };
  }

  /** Continues with the given f, for points in the order of the input. */
  restart(f: Float64Array): void {
    const n = this.#n;
    const place = this.#vectors.place.array;
    for (let h = 0; h < this.#variablesPerPoint; h++) {
      for (let t = 0; t < n; t++) this.#vectors.f.array[h * n + t] = f[h * n + place[t]!]!;
    }
    this.#fields.set("active", n);
    this.#fields.set("ended", 0);
  }
}
