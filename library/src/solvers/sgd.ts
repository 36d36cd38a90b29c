import { Random } from "../core/numbers/random.js";
import { readOptions } from "../core/params/options.js";
import { choice, either, type FilledIn, flag, integer, real, type TableOf } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { requireFinite } from "../data/input.js";
import { isMarginLoss, type Loss, type LossName, regressionLosses } from "../losses/loss.js";
import type { SgdState, SgdStep, SoftmaxOutputs } from "../numeric/rows/sgd-rows.js";
import { SgdRows, thetaOf } from "../numeric/rows/sgd-rows.js";
import type { PenaltyName } from "../penalties/penalties.js";
import { baselineOf } from "./baseline.js";
import { evaluateAll, type Solution, tooLarge, totalWeight } from "./objective.js";
import { blocksOf, openObjective, type Problem, primalOf, startOf } from "./problem.js";
import { rowObjective } from "./row-objective.js";
import type { Solver, SolverStep } from "./solver.js";

export const schedules = ["constant", "optimal", "invscaling", "adaptive"] as const;
export type Schedule = (typeof schedules)[number];

export const l1Updates = ["truncate", "subgradient"] as const;
export type L1Update = (typeof l1Updates)[number];

export interface SgdOptions {
  /** "constant": eta0. "optimal": 1/(α(t₀ + t)) [Bottou]. "invscaling": eta0/tᵖ. "adaptive": eta0, divided by 5 when stuck. */
  readonly learningRate?: Schedule | undefined;
  readonly eta0?: number | undefined;
  readonly powerT?: number | undefined;
  /**
   * How a step applies the l1 penalty. "truncate": coefficients stop at 0 [Tsuruoka et al. 2009].
   * "subgradient": w ← w − η l1 sign(w), the plain rule, which crosses 0 and produces no exact zeros.
   */
  readonly l1Update?: L1Update | undefined;
  /** Rows per step; 1 is the per-example rule of the lectures. */
  readonly batchSize?: number | undefined;
  readonly shuffle?: boolean | undefined;
  /** Average the coefficients over the steps (from step number `average` on, if it is a number). */
  readonly average?: boolean | number | undefined;
  /** Epochs without improvement by tol before stopping. */
  readonly nIterNoChange?: number | undefined;
}

/**
 * Stochastic gradient descent on   mean of s ℓ(w·x + b, y) + l1‖w‖₁ + ½ l2‖w‖²,   one row (or batch) per step:
 *
 *   w ← w − η [ℓ′(z, y) x + l2 w],    b ← b − η ℓ′(z, y)
 *
 * Softmax has one (w_k, b_k) per class, all updated by every row:
 *
 *   w_k ← w_k − η [(p_k − δ(y = k)) x + l2 w_k],    b_k ← b_k − η (p_k − δ(y = k))
 *
 * With the logistic loss and a constant rate this is the lectures' w ← w + ε[x(y − g) − w/(λN)], where l2 = 1/(λN).
 * The l1 term is a truncation: w moves towards 0 by η l1 and stops there. With `l1Update: "subgradient"` it is
 * the lectures' w ← w + ε[x(y − g) − sign(w)/(λN)], where l1 = 1/(λN).
 * Sparse rows use a hundredth of the step for b, as scikit-learn does, since b is updated by every row.
 * Stops when the mean loss of an epoch has not improved by tol for `nIterNoChange` epochs, and returns the best of them. With
 * held-out rows it is their score that has to rise, and the last epoch of the highest score is returned.
 */
export function sgd(options: SgdOptions = {}): Solver<LossName, "none" | "l1" | "l2" | "elasticNet"> {
  const full = readOptions("sgd", sgdOptions, options);
  return Object.freeze({
    name: "sgd",
    losses: sgdLosses,
    penalties: ["none", "l1", "l2", "elasticNet"] as readonly PenaltyName[],
    minimise: (problem: Problem) => sgdSteps(problem, full),
    findsNonFinite: () => true,
    keepsOrigin: () => true,
    ownStoppingRule: true,
    toJSON: () => ({ name: "sgd", ...full }),
  });
}

const sgdLosses: readonly LossName[] = [
  ...regressionLosses,
  "logistic",
  "hinge",
  "squaredHinge",
  "perceptron",
  "exponential",
  "modifiedHuber",
  "softmax",
];

const sgdOptions = {
  learningRate: choice(schedules, { default: "optimal", doc: "Learning rate schedule." }),
  eta0: real({ above: 0, default: 0.01, doc: "Initial learning rate." }),
  powerT: real({ default: 0.25, doc: 'Exponent of the "invscaling" schedule.' }),
  l1Update: choice(l1Updates, { default: "truncate", doc: "Stop at 0, or subtract sign(w)." }),
  batchSize: integer({ atLeast: 1, default: 1, doc: "Rows per step." }),
  shuffle: flag({ default: true, doc: "Shuffle the rows before every epoch." }),
  average: either(
    flag({ default: false, doc: "Average the coefficients over the steps, or from this step on." }),
    integer({ atLeast: 0, default: 0, doc: "" }),
  ),
  nIterNoChange: integer({
    atLeast: 1,
    default: 5,
    doc: "Epochs without improvement by tol before stopping.",
  }),
} satisfies TableOf<SgdOptions>;

/** The state at the start of a run from θ, which has `blocks` intercepts. */
export const freshState = (theta: Float64Array, blocks = 1): SgdState => ({
  iterate: theta,
  mean: new Float64Array(theta.length),
  averaged: 0,
  cut: new Float64Array(theta.length - blocks),
  due: 0,
  t: 1,
});

const softmaxOutputs = (problem: Problem): SoftmaxOutputs => ({
  classes: problem.outputs,
  blocks: blocksOf(problem),
});

/** Enough to continue a run. */
interface Resumable {
  readonly state: SgdState;
}

/** The epochs of a run, from the start or from the state of an earlier run, which SGD* models keep for partialFit. */
export function* sgdSteps(
  problem: Problem,
  options: FilledIn<SgdOptions>,
  from?: SgdState,
): Generator<SolverStep & Resumable, Solution & Resumable, void> {
  const { where, x, y, maxIter, heldOutScore } = problem;
  const total = totalWeight(problem);
  const step = stepOf(problem, options, total);
  const random = new Random(problem.randomState);
  const large = options.shuffle && bytesOf(x) > FITS_IN_CACHE;
  const rows = openRows(problem, options, large ? groupedPermutation(random, x.rows) : undefined);
  try {
    if (!rows.allFinite()) requireFinite(where, x);
    const order = new Int32Array(x.rows).map((_, i) => i);
    const start = from ?? freshState(startOf(problem), blocksOf(problem));
    rows.start(y, options.average === false ? { ...start, averaged: 0 } : start, options.eta0);
    const epochs = new Epochs(problem.tol, options.nIterNoChange, rows.state());
    let eta = options.eta0;
    let converged = false;
    let finite = true;
    while (epochs.count < maxIter && !converged) {
      if (options.shuffle) reorderInto(random, large ? BLOCK_ROWS : 1, order);
      const epoch = rows.epoch(order, step);
      finite = epoch.finite;
      if (!finite) break;
      const state = rows.state();
      const theta = thetaOf(state);
      const objective = epoch.loss / total;
      epochs.add(state, heldOutScore ? -heldOutScore(theta) : objective);
      yield { theta, iteration: epochs.count, total: maxIter, objective, state };
      if (!epochs.stuck) continue;
      if (options.learningRate === "adaptive" && eta > 1e-6) {
        eta /= 5;
        rows.eta = eta;
        epochs.waitAgain();
      } else converged = true;
    }
    const { last, latest, best } = epochs;
    const { state, ...reached } = bestOf(problem, rows, heldOutScore ? [best] : converged ? latest : [last]);
    const column = Number.isFinite(reached.objective) ? -1 : hugeColumn(x);
    if (column >= 0) tooLarge(where, column);
    const baseline = converged ? baselineOf(problem) : null;
    const worse = baseline !== null && !(reached.objective <= baseline.objective * (1 + 1e-9));
    const warnings = [...(finite ? [] : [DIVERGED]), ...(worse ? [WORSE] : [])];
    converged &&= !worse;
    return { theta: thetaOf(state), iterations: epochs.count, converged, ...reached, warnings, state };
  } finally {
    rows.close();
  }
}

function openRows(problem: Problem, { batchSize }: FilledIn<SgdOptions>, order?: Int32Array): SgdRows {
  const { where, x, weights } = problem;
  const loss = isMarginLoss(problem.loss) ? problem.loss : softmaxOutputs(problem);
  return new SgdRows(where, x, weights, loss, batchSize, order);
}

/** The epochs of a run: whether they still improve, and the states that may be the solution. */
class Epochs {
  count = 0;
  last: SgdState;
  /** That of the least loss, or of the highest score of held-out rows. */
  best: SgdState;
  /** The last `patience` of them. */
  readonly latest: SgdState[] = [];
  #least = Infinity;
  #quiet = 0;

  constructor(
    private readonly tol: number,
    private readonly patience: number,
    start: SgdState,
  ) {
    this.last = start;
    this.best = start;
  }

  /** `reached` is a mean loss, or a score with the sign changed. */
  add(state: SgdState, reached: number): void {
    this.count++;
    this.last = state;
    this.latest.push(state);
    if (this.latest.length > this.patience) this.latest.shift();
    this.#quiet = this.tol > 0 && reached > this.#least - this.tol ? this.#quiet + 1 : 0;
    // Of equal scores, which few held-out rows often have, the later epoch is nearer to the minimum.
    if (reached <= this.#least) [this.#least, this.best] = [reached, state];
  }

  get stuck(): boolean {
    return this.#quiet >= this.patience;
  }

  waitAgain(): void {
    this.#quiet = 0;
  }
}

const DIVERGED = "The steps diverged: lower eta0 or scale the columns (StandardScaler).";
const WORSE =
  "The loss is above that of a constant model: lower eta0, scale the columns (StandardScaler), or lower alpha.";

const HUGE = 1e150;

/** A column whose products overflow, or −1. */
function hugeColumn(x: Problem["x"]): number {
  const numbers = x instanceof CsrMatrix ? x.values : x.data;
  let most = 0;
  for (let e = 0; e < numbers.length; e++) if (Math.abs(numbers[e]!) > Math.abs(numbers[most]!)) most = e;
  if (!(Math.abs(numbers[most] ?? 0) > HUGE)) return -1;
  return x instanceof CsrMatrix ? x.indices[most]! : most % x.cols;
}

/**
 * The best of the last epochs, none of which improved on the earlier ones: with a constant or slowly decreasing rate the
 * coefficients oscillate around the minimum, and the last epoch is not the best one.
 */
function bestOf(
  problem: Problem,
  rows: SgdRows,
  states: readonly SgdState[],
): { state: SgdState; objective: number; gradientNorm: number } {
  const sum = rows.sum(problem.where);
  const objective = sum ? rowObjective(problem, 1, sum) : openObjective(problem);
  try {
    const value = (state: SgdState) => {
      const theta = thetaOf(state);
      return evaluateAll(objective, theta, null);
    };
    let state = states[0]!;
    let least = states.length > 1 ? value(state) : Infinity;
    for (const other of states.slice(1)) {
      const reached = value(other);
      if (reached < least) {
        least = reached;
        state = other;
      }
    }
    return { state, ...primalOf(objective, thetaOf(state)) };
  } finally {
    objective.close();
  }
}

/** Consecutive rows that stay together when a large matrix is reordered: accessing a memory page costs more than reading it. */
const GROUP_ROWS = 8;

function groupedPermutation(random: Random, n: number): Int32Array {
  const out = new Int32Array(n);
  let to = 0;
  for (const group of random.permutation(Math.ceil(n / GROUP_ROWS))) {
    for (let i = group * GROUP_ROWS; i < Math.min(n, (group + 1) * GROUP_ROWS); i++) out[to++] = i;
  }
  return out;
}

/** Below this (a second-level cache) the order of rows does not matter for speed. */
const FITS_IN_CACHE = 2 ** 21;
/** Rows that stay contiguous in memory. */
const BLOCK_ROWS = 32;

const bytesOf = (x: Problem["x"]): number => 8 * (x instanceof CsrMatrix ? x.nonZeros : x.data.length);

/**
 * A new order for the next epoch. A random order of rows would miss the cache on every row, so the rows of a large matrix are
 * copied in random order once, and an epoch visits blocks of contiguous rows in random order, each cyclically from a
 * random row.
 */
function reorderInto(random: Random, block: number, out: Int32Array): void {
  const n = out.length;
  if (block === 1) {
    random.shuffleInto(out);
    return;
  }
  const blocks = random.permutation(Math.ceil(n / block));
  let to = 0;
  for (let e = 0; e < blocks.length; e++) {
    const from = blocks[e]! * block;
    const end = Math.min(n, from + block);
    const start = from + random.below(end - from);
    for (let row = start; row < end; row++) out[to++] = row;
    for (let row = from; row < start; row++) out[to++] = row;
  }
}

function stepOf(problem: Problem, options: FilledIn<SgdOptions>, total: number): SgdStep {
  const { x, loss, intercept } = problem;
  const l1 = problem.l1 / total;
  const l2 = problem.l2 / total;
  const alpha = l1 + l2;
  // Without a penalty there is no α to determine the rate; Bottou's rule then falls back to inverse scaling.
  const optimal = options.learningRate === "optimal" && alpha > 0;
  const schedule = optimal
    ? 1
    : options.learningRate === "optimal"
      ? 2
      : schedules.indexOf(options.learningRate);
  const { average } = options;
  return {
    l1,
    l2,
    schedule,
    eta0: options.eta0,
    power: options.powerT,
    t0: optimal ? optimalStart(loss, alpha) : 0,
    intercept: intercept ? (x instanceof CsrMatrix ? 0.01 : 1) : 0,
    batch: options.batchSize,
    subgradient: options.l1Update === "subgradient",
    averageFrom: average === false ? Infinity : average === true ? 1 : average,
  };
}

/** Bottou's t₀: the first step is as large as a typical coefficient, √(1/√α). */
function optimalStart(loss: Loss, alpha: number): number {
  const typical = Math.sqrt(1 / Math.sqrt(alpha));
  // Derivatives of softmax are differences of probabilities, at most 1.
  const derivative = isMarginLoss(loss) ? loss.derivative(-typical, 1) : 1;
  const eta = typical / Math.max(1, Math.abs(derivative));
  return 1 / (eta * alpha);
}
