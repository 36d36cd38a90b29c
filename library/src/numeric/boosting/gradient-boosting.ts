import { Matrix } from "../../data/matrix.js";
import {
  boostGradients,
  boostGrow,
  boostOpen,
  boostRevalue,
  boostUpdate,
  predictHeldOut,
} from "../generated/boosting.js";
import {
  ABSOLUTE_ERROR,
  CHUNK_BYTES,
  candidateBytes,
  chunkLossBytes,
  chunkLossF64,
  GAMMA,
  LEFT_COUNTS,
  LOG_LOSS,
  MAX_THREADS,
  nodeBytes,
  nodeF64,
  nodeI32,
  PIECE,
  POISSON,
  type ProblemInputs,
  problemBytes,
  problemF64,
  QUANTILE,
  SQUARED_ERROR,
} from "../generated/boosting.layout.js";
import { type Arena, ArenaOwner, type F64, type I32 } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { type BinnedColumn, type Bins, binRows, columnTable } from "./bins.js";
import { type GrownTree, nodeRecord, readTree } from "./boosted-tree.js";
import { histogramBytes, mostLeaves } from "./histogram-growth.js";
import { hessianBits, integerScales } from "./integer-sums.js";
import { restrictions } from "./restrictions.js";

/** Kernel codes of the losses. */
export const boostingLosses = {
  squaredError: SQUARED_ERROR,
  absoluteError: ABSOLUTE_ERROR,
  quantile: QUANTILE,
  poisson: POISSON,
  gamma: GAMMA,
  logLoss: LOG_LOSS,
} as const;
export type BoostingLoss = keyof typeof boostingLosses;

/** Mean losses, and the largest |gradient| of the training rows. */
export interface RoundLosses {
  readonly train: number;
  readonly validation: number | null;
  readonly maxAbsGradient: number;
}

/** Rows with their targets and weights. */
export interface BoostingRows {
  /** Row indices; null for all. */
  readonly rows: Int32Array | null;
  /** The target of each row; class indices if there is more than one score. */
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
}

export interface BoostingProblem {
  readonly x: Matrix;
  readonly columns: readonly BinnedColumn[];
  readonly train: BoostingRows;
  readonly validation: BoostingRows | null;
  readonly loss: BoostingLoss;
  readonly quantile: number;
  /** Raw predictions before the first tree, one per score. */
  readonly baseline: Float64Array;
  /** Expected number of trees, which decides whether threads are started. */
  readonly trees: number;
  readonly maxLeaves: number;
  readonly maxDepth: number;
  readonly minSamplesLeaf: number;
  readonly minHessian: number;
  readonly l2: number;
  readonly learningRate: number;
  /** Monotonic constraint per column: 1 increasing, −1 decreasing, 0 none; null if there is none. */
  readonly monotone: Int32Array | null;
  /** Groups of columns that may interact; null: all. */
  readonly groups: readonly (readonly number[])[] | null;
  /** Proportion of the columns considered for each split, drawn by `seed`. */
  readonly maxFeatures: number;
  /** A 32-bit number other than 0. */
  readonly seed: number;
  /** Maximum bytes of histograms that are kept; others are built again, with the same sums. */
  readonly slotBytes?: number;
}

/** Default of `slotBytes`. */
const SLOT_BYTES = 512 * 2 ** 20;
/** Rows per chunk for gradients and for predictions of held-out rows. */
const ROWS = 2048;

/** Raw predictions of training or held-out rows, with their targets, weights and bins. */
interface RowSet {
  readonly n: number;
  /** Scores of class k from k · stride on. */
  readonly stride: number;
  readonly bins: Bins;
  readonly y: F64;
  readonly z: F64;
  readonly weights: F64 | null;
  readonly total: number;
}

/** The state of a boosting run in the arena. */
export class Boosting extends ArenaOwner {
  readonly #problem: BoostingProblem;
  readonly #fields: Fields<keyof typeof problemF64>;
  readonly #nodes: F64;
  readonly #rows: I32;
  readonly #train: RowSet;
  readonly #validation: RowSet | null;
  readonly #gradients: F64;
  readonly #sums: F64;
  /** Largest |gradient| and hessian of the last gradients. */
  #maxAbsGradient = 0;
  #maxHessian = 0;

  constructor(where: string, problem: BoostingProblem) {
    super(where);
    const { arena } = this;
    this.#problem = problem;
    try {
      this.#train = this.#rowSet(problem.train, true);
      this.#validation = problem.validation && this.#rowSet(problem.validation, false);
      const { n, stride, bins } = this.#train;
      const d = problem.x.cols;
      const K = problem.baseline.length;
      const most = Math.max(n, this.#validation?.n ?? 0);
      this.#gradients = arena.f64(2 * K * Math.max(stride, this.#validation?.stride ?? 0) + 2);
      this.#sums = arena.f64((chunkLossBytes / 8) * Math.ceil(most / ROWS));
      const limits = limitsOf(problem, n);
      const { maxLeaves } = limits;
      this.#nodes = arena.f64(((2 * maxLeaves - 1) * nodeBytes) / 8);
      this.#rows = arena.i32(n);
      const table = columnTable(problem.columns, bins.missing, problem.monotone);
      this.#fields = new Fields(arena.zeros(problemBytes / 8), problemF64);
      const inputs: ProblemInputs = {
        n,
        d,
        rowBins: bins.rowBins,
        colBins: bins.colBins,
        columns: arena.copyI32(table).ptr,
        gradients: this.#gradients.ptr,
        gradientScale: 1,
        hessianScale: 1,
        shift: hessianBits(n),
        rows: this.#rows.ptr,
        nodes: this.#nodes.ptr,
        maxLeaves,
        maxDepth: Math.min(problem.maxDepth, 2 ** 30),
        minSamplesLeaf: problem.minSamplesLeaf,
        minHessian: problem.minHessian,
        l2: problem.l2,
        shrinkage: problem.learningRate,
        bounded: problem.monotone?.some((sign) => sign !== 0) ? 1 : 0,
        threads: limits.threads,
        slotCount: limits.slots,
        ...buffersFor(arena, n, d, limits),
        ...restrictions(arena, d, problem),
      };
      this.#fields.write(inputs);
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Raw predictions to begin with, instead of the baseline: one row per row, one column per score. */
  begin(train: Matrix, validation: Matrix | null): void {
    const write = ({ n, stride, z }: RowSet, { data, cols: K }: Matrix) => {
      for (let k = 0; k < K; k++) {
        const own = z.array.subarray(k * stride, k * stride + n);
        for (let i = 0, at = k; i < n; i++, at += K) own[i] = data[at]!;
      }
    };
    write(this.#train, train);
    if (validation) write(this.#validation!, validation);
  }

  /** Computes the gradients for the next trees; returns the mean losses of the training rows and of the held-out rows. */
  losses(): RoundLosses {
    // The training rows last, since both write to the same gradients.
    const validation = this.#validation && this.#gradientsOf(this.#validation);
    const train = this.#gradientsOf(this.#train);
    return { train, validation, maxAbsGradient: this.#maxAbsGradient };
  }

  /** Grows the tree of score k from the gradients of the last `losses`. */
  grow(k: number): GrownTree {
    const { heap } = this.arena;
    const { n, stride } = this.#train;
    const d = this.#problem.x.cols;
    this.#fields.set("gradients", this.#gradients.ptr + 16 * k * stride);
    this.#fields.write(integerScales(n, this.#maxAbsGradient, this.#maxHessian));
    heap.call(boostOpen({ address: this.#fields.ptr }));
    const work = n * d * 15 + this.#fields.get("maxLeaves") * d * 2000;
    const { trees } = this.#problem;
    parallel(
      heap,
      boostGrow({ address: this.#fields.ptr }),
      this.#fields.get("threads"),
      work,
      undefined,
      work * trees,
    );
    return this.#readTree();
  }

  /** Sets the leaf values to `rate` times the quantile q of their rows' residuals y − z; `weighted` computes it if rows have weights. */
  setLeafQuantiles(
    q: number,
    rate: number,
    weighted: (residuals: Float64Array, weights: Float64Array, q: number) => number,
  ): GrownTree {
    const { heap } = this.arena;
    const { n, y, z, weights } = this.#train;
    const count = this.#fields.get("nodeCount");
    if (weights === null) {
      parallel(heap, boostRevalue({ address: this.#fields.ptr, y: y.ptr, z: z.ptr, q, rate }), count, n * 60);
      return this.#readTree();
    }
    const rows = this.#rows.array;
    for (let v = 0; v < count; v++) {
      const { whole, real } = nodeRecord(heap, this.#nodes.ptr, v);
      if (whole[nodeI32.left] !== 0) continue;
      const own = rows.subarray(whole[nodeI32.start]!, whole[nodeI32.stop]!);
      const residuals = Float64Array.from(own, (i) => y.array[i]! - z.array[i]!);
      const held = Float64Array.from(own, (i) => weights.array[i]!);
      real[nodeF64.value] = rate * weighted(residuals, held, q);
    }
    return this.#readTree();
  }

  /** Adds the last tree to the predictions of score k. */
  add(k: number): void {
    const { heap } = this.arena;
    const { n, stride, z } = this.#train;
    const count = this.#fields.get("nodeCount");
    parallel(heap, boostUpdate({ address: this.#fields.ptr, z: z.at(k * stride) }), count, n * 10);
    const other = this.#validation;
    if (other === null) return;
    const call = predictHeldOut({
      address: this.#fields.ptr,
      rowBins: other.bins.rowBins,
      count: other.n,
      z: other.z.at(k * other.stride),
      rows: ROWS,
    });
    parallel(heap, call, Math.ceil(other.n / ROWS), other.n * 100);
  }

  /** A copy of the raw predictions: one row per row, one column per score. */
  rawPredictions(of: "train" | "validation"): Matrix {
    const { n, stride, z } = of === "train" ? this.#train : this.#validation!;
    const K = this.#problem.baseline.length;
    if (K === 1) return new Matrix(z.array.slice(0, n), n, 1);
    const out = Matrix.zeros(n, K);
    for (let k = 0; k < K; k++) {
      const own = z.array.subarray(k * stride, k * stride + n);
      for (let i = 0, at = k; i < n; i++, at += K) out.data[at] = own[i]!;
    }
    return out;
  }

  #rowSet({ rows, y, weights }: BoostingRows, isTraining: boolean): RowSet {
    const { x, columns, baseline } = this.#problem;
    const arena = this.arena;
    const n = y.length;
    const stride = n + (n & 1);
    const bins = binRows(arena, x, rows, columns, isTraining);
    const z = arena.f64(stride * baseline.length);
    for (const [k, value] of baseline.entries()) z.array.fill(value, k * stride, (k + 1) * stride);
    let total = n;
    if (weights) total = weights.reduce((sum, w) => sum + w, 0);
    // One more for an odd number of rows, which are processed in pairs.
    const ys = arena.zeros(stride);
    ys.array.set(y);
    const ws = weights ? arena.zeros(stride) : null;
    ws?.array.set(weights!);
    return { n, stride, bins, y: ys, z, weights: ws, total };
  }

  #gradientsOf(rowSet: RowSet): number {
    const { loss, quantile, baseline } = this.#problem;
    const { n, stride, y, z, weights, total } = rowSet;
    const K = baseline.length;
    const chunks = Math.ceil(n / ROWS);
    const call = boostGradients({
      loss: boostingLosses[loss],
      q: quantile,
      K,
      count: n,
      stride,
      y: y.ptr,
      z: z.ptr,
      weights: weights?.ptr ?? 0,
      gradients: this.#gradients.ptr,
      sums: this.#sums.ptr,
      rows: ROWS,
    });
    parallel(this.arena.heap, call, chunks, n * K * 60);
    let sum = 0;
    this.#maxAbsGradient = 0;
    this.#maxHessian = 0;
    const sums = this.#sums.array;
    const { loss: LOSS, maxAbsGradient, maxHessian } = chunkLossF64;
    for (let c = 0, at = 0; c < chunks; c++, at += chunkLossBytes / 8) {
      sum += sums[at + LOSS]!;
      this.#maxAbsGradient = Math.max(this.#maxAbsGradient, sums[at + maxAbsGradient]!);
      this.#maxHessian = Math.max(this.#maxHessian, sums[at + maxHessian]!);
    }
    return sum / total;
  }

  #readTree(): GrownTree {
    return readTree(this.arena.heap, this.#nodes.ptr, this.#fields.get("nodeCount"));
  }
}

interface Limits {
  readonly maxLeaves: number;
  /** Bytes of a histogram, and the number of histograms that are kept. */
  readonly histogram: number;
  readonly slots: number;
  readonly threads: number;
}

function limitsOf(problem: BoostingProblem, n: number): Limits {
  const { slotBytes = SLOT_BYTES } = problem;
  const maxLeaves = mostLeaves({ ...problem, rows: n });
  const histogram = histogramBytes(problem.x.cols);
  const slots = Math.max(2, Math.min(maxLeaves + 1, Math.floor(slotBytes / histogram)));
  return { maxLeaves, histogram, slots, threads: Math.min(activeThreads(), MAX_THREADS) };
}

/** Buffers for growing a tree. */
function buffersFor(arena: Arena, n: number, d: number, { maxLeaves, histogram, slots, threads }: Limits) {
  return {
    packed: arena.f64(2 * n).ptr,
    identity: arena.copyI32(Int32Array.from({ length: n }, (_, i) => i)).ptr,
    // One more, since a row is written to both sides before its side is known.
    lefts: arena.i32(n + 1).ptr,
    rights: arena.i32(n + 1).ptr,
    slots: arena.f64((slots * histogram) / 8).ptr,
    freeSlots: arena.i32(slots).ptr,
    partials: arena.f64(((threads - 1) * histogram) / 8).ptr,
    chunks: arena.f64((threads * CHUNK_BYTES) / 8).ptr,
    candidates: arena.f64((2 * d * candidateBytes) / 8).ptr,
    jobs: arena.i32(LEFT_COUNTS / 4 + Math.ceil(n / PIECE)).ptr,
    queue: arena.i32(maxLeaves + 1).ptr,
  };
}
