import { Random } from "../core/numbers/random.js";
import { kernelRowsOf, type TrainingRows } from "../kernel-functions/training-rows.js";

/** The state of the dual perceptron: the number of mistakes per row, and b. */
export interface Mistakes {
  readonly counts: Int32Array;
  readonly b: number;
}

export interface PerceptronParams {
  readonly eta0: number;
  readonly fitIntercept: boolean;
  readonly shuffle: boolean;
  readonly nIterNoChange: number;
  readonly tol: number;
  readonly maxIter: number;
  readonly randomState: number;
}

export interface PerceptronEpoch {
  readonly iteration: number;
  /** Mean loss of the epoch, each row's before its update. */
  readonly objective: number;
  readonly state: Mistakes;
}

export interface PerceptronSolution {
  readonly state: Mistakes;
  readonly iterations: number;
  readonly converged: boolean;
  /** Mean loss over the rows. */
  readonly objective: number;
  /** Largest absolute entry of its gradient with respect to c. */
  readonly gradientNorm: number;
}

/** Kernel rows computed at a time. */
const BLOCK = 256;
/** A kernel matrix of at most this many entries (256 MB) is stored. */
const KEPT_ENTRIES = 2 ** 25;

/** Visits rows of a kernel matrix in any order: stored if the matrix fits, else recomputed in blocks. */
export class KernelRowBlocks {
  #all: Float64Array | undefined;

  constructor(
    private readonly where: string,
    private readonly training: TrainingRows,
    private readonly keptEntries = KEPT_ENTRIES,
  ) {}

  /** Calls `visit(i, rows, at)` for each i of `order`: row i of K is in `rows` from `at` on. */
  forEach(order: Int32Array, visit: (i: number, rows: Float64Array, at: number) => void): void {
    const n = this.training.x.rows;
    if (n * n <= this.keptEntries) {
      this.#all ??= kernelRowsOf(
        this.where,
        this.training,
        Int32Array.from({ length: n }, (_, i) => i),
      ).data;
      for (const i of order) visit(i, this.#all, i * n);
      return;
    }
    for (let from = 0; from < order.length; from += BLOCK) {
      const chosen = order.slice(from, from + BLOCK);
      const { data } = kernelRowsOf(this.where, this.training, chosen);
      for (let e = 0; e < chosen.length; e++) visit(chosen[e]!, data, e * n);
    }
  }
}

/**
 * The perceptron in its dual form: for every misclassified row of f = Σ η sₜ yₜ mₜ k(xₜ, ·) + b,
 *
 *   m_i ← m_i + 1,   b ← b + η s_i y_i
 *
 * which is w ← w + η s_i y_i φ(x_i). Stops when the mean loss of an epoch, Σ s max(0, −y f)/Σ s, has not fallen by tol for
 * `nIterNoChange` epochs, and returns the best of these: the stopping rule and the row order of solvers/sgd.ts.
 */
export function* perceptronEpochs(
  rows: KernelRowBlocks,
  y: Float64Array,
  weights: Float64Array | undefined,
  params: PerceptronParams,
): Generator<PerceptronEpoch, PerceptronSolution, void> {
  const n = y.length;
  const total = weights ? weights.reduce((sum, s) => sum + s, 0) : n;
  const random = new Random(params.randomState);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  const step = y.map((sign, i) => params.eta0 * sign * (weights?.[i] ?? 1));
  const counts = new Int32Array(n);
  const c = new Float64Array(n);
  let b = 0;
  let best = Infinity;
  let withoutProgress = 0;
  let iterations = 0;
  let converged = false;
  const recent: Mistakes[] = [];
  while (iterations < params.maxIter && !converged) {
    if (params.shuffle) random.shuffleInto(order);
    let loss = 0;
    rows.forEach(order, (i, k, at) => {
      const margin = y[i]! * (productOf(c, k, at) + b);
      if (margin > 0) return;
      loss -= margin * (weights?.[i] ?? 1);
      counts[i]!++;
      c[i]! += step[i]!;
      if (params.fitIntercept) b += step[i]!;
    });
    iterations++;
    const state = { counts: counts.slice(), b };
    recent.push(state);
    if (recent.length > params.nIterNoChange) recent.shift();
    const mean = loss / total;
    withoutProgress = params.tol > 0 && mean > best - params.tol ? withoutProgress + 1 : 0;
    best = Math.min(best, mean);
    yield { iteration: iterations, objective: mean, state };
    converged = withoutProgress >= params.nIterNoChange;
  }
  const found = bestOf(rows, y, weights, step, converged ? recent : recent.slice(-1));
  return {
    ...found,
    iterations,
    converged,
    objective: found.objective / total,
    gradientNorm: found.gradientNorm / total,
  };
}

/** The first state of least loss, and the gradient there. */
function bestOf(
  rows: KernelRowBlocks,
  y: Float64Array,
  weights: Float64Array | undefined,
  step: Float64Array,
  states: readonly Mistakes[],
): { state: Mistakes; objective: number; gradientNorm: number } {
  const order = Int32Array.from(y.keys());
  const coefs = states.map(({ counts }) => step.map((s, i) => s * counts[i]!));
  const losses = new Float64Array(states.length);
  const gradients = states.map(() => new Float64Array(y.length));
  rows.forEach(order, (i, k, at) => {
    for (let e = 0; e < states.length; e++) {
      const margin = y[i]! * (productOf(coefs[e]!, k, at) + states[e]!.b);
      if (margin > 0) continue;
      const s = weights?.[i] ?? 1;
      losses[e]! -= s * margin;
      gradients[e]![i] = -s * y[i]!;
    }
  });
  let first = 0;
  for (let e = 1; e < states.length; e++) if (losses[e]! < losses[first]!) first = e;
  let gradientNorm = 0;
  rows.forEach(order, (_, k, at) => {
    gradientNorm = Math.max(gradientNorm, Math.abs(productOf(gradients[first]!, k, at)));
  });
  return { state: states[first]!, objective: losses[first]!, gradientNorm };
}

function productOf(c: Float64Array, k: Float64Array, at: number): number {
  let sum = 0;
  for (let t = 0; t < c.length; t++) sum += c[t]! * k[at + t]!;
  return sum;
}
