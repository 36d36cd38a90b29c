import type { Matrix } from "../../data/matrix.js";
import { mixtureChunk, mixtureScores as mixtureScoresKernel } from "../generated/mixture.js";
import {
  ALL_SQUARES,
  COLUMN_SQUARES,
  DIAGONAL,
  mixtureBytes,
  mixtureF64,
  NO_SQUARES,
  ROWS,
  TRIANGULAR,
} from "../generated/mixture.layout.js";
import { type DenseRows, denseRows, streamedRows } from "../rows/dense-rows.js";
import { type Arena, ArenaOwner, type F64, withArena } from "../runtime/arena.js";
import { addPartials, type Chunks, chunksOf } from "../runtime/chunks.js";
import { Fields } from "../runtime/fields.js";
import { parallel } from "../runtime/threads.js";

/** K Gaussians and their logarithmic weights, as the kernels read them. */
export interface MixtureFactors {
  /** K × d. */
  readonly means: Float64Array;
  /** log πₖ − ½ log |2πΣₖ|. */
  readonly constants: Float64Array;
  /** K × d: 1/deviation per column, for diagonal covariances; or `triangular`. */
  readonly diagonal?: Float64Array;
  /** Per component, or one for all: W (d × d, upper triangle) with W Wᵀ = Σ⁻¹. */
  readonly triangular?: readonly Float64Array[];
}

/** Second moments that a covariance is made of. */
export type Squares = "none" | "columns" | "pairs";
const squaresCode = { none: NO_SQUARES, columns: COLUMN_SQUARES, pairs: ALL_SQUARES };

/** Sums over all rows, weighted by responsibilities; u = x − centre of the component. */
export interface MixtureSums {
  /** Σᵢ sᵢ log p(xᵢ); 0 for given responsibilities. */
  readonly logLikelihood: number;
  /** Σ r, per component. */
  readonly counts: Float64Array;
  /** Σ r u, K × d. */
  readonly offsets: Float64Array;
  /** Σ r u² (K × d) or Σ r u uᵀ (K × d × d); empty without squares. */
  readonly squares: Float64Array;
}

const sideOf = (d: number) => 4 * Math.ceil((d + 1) / 4);
const workOf = (d: number, K: number) => (d + 2 * sideOf(d) + K + 1) * ROWS;

function lengthOf(squares: Squares, d: number): number {
  if (squares === "pairs") return sideOf(d) ** 2;
  return squares === "columns" ? 2 * d + 1 : d + 1;
}

/** Multiplications per row and component, roughly, for the decision about threads. */
const operationsOf = (d: number, pairs: boolean) => 20 + (pairs ? 2 * d * d : 4 * d);

/** Rows in the kernels' memory, ready for passes of expectation–maximisation with K components. */
export class MixturePass extends ArenaOwner {
  readonly #rows: DenseRows;
  readonly #fields: Fields<keyof typeof mixtureF64>;
  readonly #chunks: Chunks;
  readonly #partials: F64;
  readonly #weights: F64 | undefined;
  readonly #centres: F64;
  readonly #area: number;
  #factors: F64 | undefined;
  #given: F64 | undefined;

  constructor(
    where: string,
    readonly x: Matrix,
    weights: Float64Array | undefined,
    readonly components: number,
    readonly squares: Squares,
  ) {
    super(where);
    const { rows: n, cols: d } = x;
    const K = components;
    const { arena } = this;
    try {
      this.#area = 1 + K * lengthOf(squares, d);
      this.#chunks = chunksOf(n, this.#area);
      this.#rows = denseRows(arena, x, this.#chunks.rows);
      this.#weights = weights && arena.copy(weights);
      this.#centres = arena.f64(K * d);
      this.#partials = arena.f64(this.#chunks.count * this.#area);
      this.#fields = new Fields(arena.f64(mixtureBytes / 8), mixtureF64);
      this.#fields.write({
        d,
        components: K,
        squares: squaresCode[squares],
        sums: this.#partials.ptr,
        area: this.#area,
        work: arena.f64(this.#chunks.count * workOf(d, K)).ptr,
        chunkRows: this.#chunks.rows,
        centres: this.#centres.ptr,
        means: arena.f64(K * d).ptr,
        constants: arena.f64(K).ptr,
      });
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Responsibilities by these Gaussians (`hard`: the whole row to the most probable), and the moments around the centres. */
  expect(mixture: MixtureFactors, hard: boolean, centres: Float64Array): MixtureSums {
    this.#factors = placeFactors(this.arena, this.#fields, mixture, this.x.cols, this.#factors);
    this.#fields.write({ hard: hard ? 1 : 0, given: 0 });
    return this.#sum(centres);
  }

  /** The moments that given responsibilities (n × K) weigh. */
  weigh(responsibilities: Float64Array, centres: Float64Array): MixtureSums {
    this.#given ??= this.arena.f64(responsibilities.length);
    this.#given.array.set(responsibilities);
    return this.#sum(centres, this.#given.ptr);
  }

  #sum(centres: Float64Array, given = 0): MixtureSums {
    const { components: K, squares } = this;
    const d = this.x.cols;
    this.#centres.array.set(centres);
    const total = new Float64Array(this.#area);
    this.#rows.forEachBlock((x, from, n, meanwhile) => {
      const weights = this.#weights ? this.#weights.ptr + 8 * from : 0;
      this.#fields.write({ x, n, weights, given: given === 0 ? 0 : given + 8 * from * K });
      const count = Math.ceil(n / this.#chunks.rows);
      const operations = n * K * operationsOf(d, squares === "pairs");
      parallel(this.arena.heap, mixtureChunk({ address: this.#fields.ptr }), count, operations, meanwhile);
      addPartials(this.#partials.array, count, total);
    });
    return unpack(total, K, d, squares);
  }
}

/** The sums of all chunks, component by component. */
function unpack(total: Float64Array, K: number, d: number, squares: Squares): MixtureSums {
  const counts = new Float64Array(K);
  const offsets = new Float64Array(K * d);
  const length = lengthOf(squares, d);
  const second = new Float64Array(squares === "pairs" ? K * d * d : squares === "columns" ? K * d : 0);
  const side = sideOf(d);
  for (let k = 0; k < K; k++) {
    const at = 1 + k * length;
    if (squares !== "pairs") {
      counts[k] = total[at]!;
      offsets.set(total.subarray(at + 1, at + 1 + d), k * d);
      if (squares === "columns") second.set(total.subarray(at + 1 + d, at + 1 + 2 * d), k * d);
      continue;
    }
    counts[k] = total[at + d * side + d]!;
    for (let i = 0; i < d; i++) {
      offsets[k * d + i] = total[at + i * side + d]!;
      for (let j = i; j < d; j++) {
        const sum = total[at + i * side + j]!;
        second[(k * d + i) * d + j] = sum;
        second[(k * d + j) * d + i] = sum;
      }
    }
  }
  return { logLikelihood: total[0]!, counts, offsets, squares: second };
}

/** Writes the Gaussians to where `fields` points; returns the memory of their factors. */
function placeFactors(
  arena: Arena,
  fields: Fields<keyof typeof mixtureF64>,
  { means, constants, diagonal, triangular }: MixtureFactors,
  d: number,
  room: F64 | undefined,
): F64 {
  const factors = diagonal ?? packPairs(triangular!, d);
  const memory = room ?? arena.f64(factors.length);
  memory.array.set(factors);
  const count = triangular?.length ?? constants.length;
  fields.write({
    precision: diagonal ? DIAGONAL : TRIANGULAR,
    factors: memory.ptr,
    factorStep: count === 1 ? 0 : factors.length / count,
  });
  const { heap } = arena;
  heap.floats.set(means, fields.get("means") / 8);
  heap.floats.set(constants, fields.get("constants") / 8);
  return memory;
}

/** The columns of every upper triangle in pairs; see wasm/clustering/mixture.layout.ts. */
function packPairs(matrices: readonly Float64Array[], d: number): Float64Array {
  let length = 0;
  for (let q = 0; q < d; q += 2) length += 2 * Math.min(d, q + 2);
  const out = new Float64Array(matrices.length * length);
  let to = 0;
  for (const w of matrices) {
    for (let q = 0; q < d; q += 2) {
      for (let j = 0; j < Math.min(d, q + 2); j++) {
        out[to++] = w[j * d + q]!;
        out[to++] = q + 1 < d ? w[j * d + q + 1]! : 0;
      }
    }
  }
  return out;
}

/** log πₖ + log N(x; μₖ, Σₖ), one row per row of x, one column per component; not finite where a distance overflows. */
export function mixtureScores(where: string, x: Matrix, mixture: MixtureFactors): Float64Array {
  const K = mixture.constants.length;
  const { rows, cols: d } = x;
  const out = new Float64Array(rows * K);
  if (rows === 0) return out;
  withArena(where, (arena) => {
    const chunks = chunksOf(rows, 1);
    const fields = new Fields(arena.f64(mixtureBytes / 8), mixtureF64);
    const means = arena.f64(K * d);
    const constants = arena.f64(K);
    fields.write({ d, components: K, means: means.ptr, constants: constants.ptr, chunkRows: chunks.rows });
    placeFactors(arena, fields, mixture, d, undefined);
    let scores: F64 | undefined;
    let work: F64 | undefined;
    streamedRows(arena, x, chunks.rows).forEachBlock((ptr, from, n, meanwhile) => {
      const count = Math.ceil(n / chunks.rows);
      // The first block is the largest.
      scores ??= arena.f64(n * K);
      work ??= arena.f64(count * workOf(d, K));
      fields.write({ x: ptr, n, scores: scores.ptr, work: work.ptr });
      const operations = n * K * operationsOf(d, mixture.diagonal === undefined);
      parallel(arena.heap, mixtureScoresKernel({ address: fields.ptr }), count, operations, meanwhile);
      out.set(scores.array.subarray(0, n * K), from * K);
    });
  });
  return out;
}
