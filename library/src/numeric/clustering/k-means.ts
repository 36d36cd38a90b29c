import { DataError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { runToEnd } from "../../core/steps.js";
import { Matrix } from "../../data/matrix.js";
import { type KMeansInit, startInto } from "./k-means-start.js";
import { type Frame, frameOf, MeansMemory } from "./means-memory.js";

export type { KMeansInit } from "./k-means-start.js";

export interface KMeansOptions {
  readonly k: number;
  readonly weights?: Float64Array | undefined;
  readonly init?: KMeansInit;
  /** Number of starts; "auto": 10 of "random", 1 otherwise. */
  readonly nInit?: number | "auto";
  readonly maxIter?: number;
  /** Stops when Σ ‖centre moved‖² ≤ tol × mean variance of the columns. */
  readonly tol?: number;
  /** Bounds leave out rows that cannot change their centre; they never change a result. */
  readonly bounds?: boolean;
  readonly randomState?: number;
}

export interface KMeansResult {
  /** k rows of d numbers. */
  readonly centers: Float64Array;
  /** The nearest centre of every row by Σ (x_j − c_j)² in doubles; the smaller number of equally near ones. */
  readonly labels: Int32Array;
  /** Σ w ‖x − c‖². */
  readonly inertia: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** Largest entry of the gradient 2 Σ w (c − x) of a centre over its rows. */
  readonly gradientNorm: number;
}

/** The centres after an iteration of the start with number `start`. */
export interface KMeansStep {
  readonly start: number;
  readonly iteration: number;
  readonly centers: Float64Array;
}

/**
 * Lloyd's algorithm [Lloyd 1982]:
 *
 *   minimise over centres c:   Σᵢ wᵢ min_k ‖xᵢ − c_k‖²
 *
 * Every iteration assigns all rows to their nearest centres and moves each centre to the mean of its rows. The best of `nInit` starts.
 */
export function kMeans(where: string, x: Matrix, options: KMeansOptions): KMeansResult {
  return runToEnd(kMeansSteps(where, x, options));
}

/** The same, iteration by iteration. */
export function* kMeansSteps(
  where: string,
  x: Matrix,
  options: KMeansOptions,
): Generator<KMeansStep, KMeansResult, void> {
  const { k, weights, init = "k-means++", nInit = "auto", randomState = 0 } = options;
  const starts = nInit === "auto" ? (init === "random" ? 10 : 1) : init instanceof Matrix ? 1 : nInit;
  const frame = frameOf(x);
  const memory = new MeansMemory(where, x.rows, x.cols, k, frame, weights);
  try {
    memory.load(x.data);
    memory.packRows();
    const random = new Random(randomState);
    let best: KMeansResult | undefined;
    for (let start = 0; start < starts; start++) {
      startInto(x, weights, init, random.split(), memory);
      const result = yield* lloyd(where, x, memory, frame, start, options);
      if (best === undefined || result.inertia < best.inertia) best = result;
    }
    return best!;
  } finally {
    memory.close();
  }
}

function* lloyd(
  where: string,
  x: Matrix,
  memory: MeansMemory,
  frame: Frame,
  start: number,
  { weights, maxIter = 300, tol = 1e-4, bounds = true }: KMeansOptions,
): Generator<KMeansStep, KMeansResult, void> {
  const { k } = memory;
  const enough = tol === 0 ? 0 : tol * memory.meanVariance();
  // Distances between all centres are worth it where they are few beside the rows.
  const gaps = k * k <= 4 * x.rows;
  memory.labels.array.fill(-1);
  let iterations = 0;
  let strict = false;
  let converged = false;
  while (iterations < maxIter && !converged) {
    const changed = memory.assign(bounds && iterations > 0);
    iterations++;
    // The same labels give the same centres: nothing would ever change again.
    strict = changed === 0 && iterations > 1;
    if (strict) converged = true;
    else {
      const moves = updateCenters(x, weights, frame.shift, memory);
      const shift = moves.reduce((sum, move) => sum + move * move, 0);
      converged = shift <= enough;
      if (bounds) memory.moved(moves, gaps);
    }
    yield { start, iteration: iterations, centers: Float64Array.from(memory.centers.array) };
  }
  if (!strict) memory.assign(bounds && iterations > 0);
  const inertia = memory.measure();
  if (!Number.isFinite(inertia)) tooLarge(where);
  const centers = Float64Array.from(memory.centers.array);
  const labels = Int32Array.from(memory.labels.array);
  const gradientNorm = largestGradient(memory, frame.shift);
  return { centers, labels, inertia, iterations, converged, gradientNorm };
}

function largestGradient(memory: MeansMemory, shift: Float64Array): number {
  const { k, d } = memory;
  const sums = memory.sums();
  const centers = memory.centers.array;
  let most = 0;
  for (let c = 0; c < k; c++) {
    const size = sums[c * (d + 1) + d]!;
    for (let j = 0; j < d; j++) {
      const slope = 2 * (size * (centers[c * d + j]! - shift[j]!) - sums[c * (d + 1) + j]!);
      most = Math.max(most, Math.abs(slope));
    }
  }
  return most;
}

/** Moves every centre to the mean of its rows; returns how far each has moved. */
function updateCenters(
  x: Matrix,
  weights: Float64Array | undefined,
  shift: Float64Array,
  memory: MeansMemory,
): Float64Array {
  const { k, d } = memory;
  const sums = memory.sums();
  const empty: number[] = [];
  for (let c = 0; c < k; c++) if (sums[c * (d + 1) + d] === 0) empty.push(c);
  if (empty.length > 0) refill(x, weights, shift, memory, empty, sums);
  const centers = memory.centers.array;
  const moves = new Float64Array(k);
  for (let c = 0; c < k; c++) {
    const at = c * (d + 1);
    const size = sums[at + d]!;
    let square = 0;
    for (let j = 0; j < d; j++) {
      const value = shift[j]! + sums[at + j]! / size;
      const move = value - centers[c * d + j]!;
      square += move * move;
      centers[c * d + j] = value;
    }
    moves[c] = Math.sqrt(square);
  }
  return moves;
}

/**
 * Gives every centre without rows the row that is farthest from its own centre, and takes that row away from the other one. A row that
 * is the last of its centre stays there.
 * Parity: scikit-learn takes such a row, too, and leaves an empty centre at the mean of all rows.
 */
function refill(
  x: Matrix,
  weights: Float64Array | undefined,
  shift: Float64Array,
  memory: MeansMemory,
  empty: readonly number[],
  out: Float64Array,
): void {
  const { k, d, n } = memory;
  memory.measure();
  const distances = memory.distances.array;
  const labels = memory.labels.array;
  const counts = new Int32Array(k);
  for (let i = 0; i < n; i++) counts[labels[i]!]!++;
  const order = Array.from({ length: n }, (_, i) => i);
  order.sort((a, b) => distances[b]! - distances[a]! || a - b);
  let at = 0;
  for (const c of empty) {
    while (at < n && counts[labels[order[at]!]!]! < 2) at++;
    if (at === n) return;
    const i = order[at++]!;
    const own = labels[i]!;
    counts[own]!--;
    const w = weights ? weights[i]! : 1;
    for (let j = 0; j < d; j++) {
      const value = w * (x.data[i * d + j]! - shift[j]!);
      out[c * (d + 1) + j] = value;
      out[own * (d + 1) + j]! -= value;
    }
    out[c * (d + 1) + d] = w;
    out[own * (d + 1) + d]! -= w;
  }
}

function tooLarge(where: string): never {
  const expected = "small enough for sums of squared distances";
  throw new DataError(where, "X", expected, "values whose squares are not finite", "Scale the columns.");
}
