import type { FitReport, Progress } from "../../core/contract.js";
import type { Steps } from "../../core/estimator.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { requireFinite } from "../../data/input.js";
import type { TargetsSet } from "../../data/targets.js";
import type { RegressionSet } from "../../data/training-set.js";
import { cholesky, choleskySolveInto } from "../../numeric/linalg/cholesky.js";
import { linearScores } from "../../numeric/rows/linear-scores.js";
import { type TargetMoments, targetMoments } from "../../numeric/rows/moments.js";
import { tooLarge } from "../../solvers/objective.js";
import { rescaledWeights } from "./rescaled-weights.js";
import { gramBlock } from "./target-moments.js";

/**
 * Least squares with coefficients that are not negative (NNLS), and with the penalties of the elastic net:
 *
 *   minimise over (w, b), w ≥ 0:   ½ Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + l1 Σⱼ wⱼ + ½ l2 ‖w‖²
 *
 * On the Gram matrix (d × d): sweeps of coordinate descent, which converge whatever the columns are, find the coefficients that are
 * 0; given those, the problem is a linear system, which Cholesky solves exactly [the last step of Lawson & Hanson 1974, ch. 23].
 */
export interface NonNegativeStrength {
  readonly l1: number;
  readonly l2: number;
  /** Stop when the objective is within about tol · ½ Σ(y − ȳ)² of the minimum. */
  readonly tol: number;
  readonly maxIter: number;
}

export class NonNegativeLeastSquares {
  readonly total: number;
  /** Σ s (x − x̄)(y − ȳ). */
  readonly correlations: Float64Array;
  readonly #q: Float64Array;
  readonly #mean: Float64Array;
  readonly #yMean: number;
  readonly #square: number;
  readonly #intercept: boolean;

  /** The problem of target t, from moments; `q` is their block of X. */
  constructor(q: Float64Array, moments: TargetMoments, t: number, intercept: boolean) {
    const { mean, yMean, scatter, total } = moments;
    const d = mean.length;
    const side = d + yMean.length;
    this.total = total;
    this.#q = q;
    this.correlations = Float64Array.from({ length: d }, (_, j) => scatter[j * side + d + t]!);
    this.#mean = mean;
    this.#yMean = yMean[t]!;
    this.#square = scatter[(d + t) * (side + 1)]!;
    this.#intercept = intercept;
  }

  /** Σ s (x − x̄)². */
  get norms(): Float64Array {
    const d = this.correlations.length;
    return this.correlations.map((_, j) => this.#q[j * (d + 1)]!);
  }

  /** Σ s (y − ȳ)². */
  get targetNorm(): number {
    return this.#square;
  }

  interceptOf(w: Float64Array): number {
    return this.#intercept ? w.reduce((b, v, j) => b - v * this.#mean[j]!, this.#yMean) : 0;
  }

  /** P(w) − D(θ), θ the residuals scaled until xⱼ·θ − l2 wⱼ ≤ l1 for all j: an upper bound of P(w) − min P. */
  dualGap(w: Float64Array, { l1, l2 }: { readonly l1: number; readonly l2: number }): number {
    const g = this.#gradient(w, 0, 0);
    let [fitted, norm1, norm2, left, largest] = [0, 0, 0, 0, 0];
    for (let j = 0; j < w.length; j++) {
      fitted += w[j]! * this.correlations[j]!;
      left += w[j]! * g[j]!;
      norm1 += w[j]!;
      norm2 += w[j]! * w[j]!;
      largest = Math.max(largest, g[j]! - l2 * w[j]!);
    }
    // ‖r‖² = ‖y‖² − w·c − w·Xᵀr, and r·y = ‖r‖² + w·Xᵀr.
    const square = this.#square - fitted - left;
    const scale = largest > l1 ? l1 / largest : 1;
    const primal = 0.5 * square + l1 * norm1 + 0.5 * l2 * norm2;
    const dual = scale * (square + left) - 0.5 * scale * scale * (square + l2 * norm2);
    return Math.max(0, primal - dual);
  }

  /** Improves w until it is optimal; yields after every burst of sweeps, with the sweeps so far and the largest violation. */
  *solve(w: Float64Array, strength: NonNegativeStrength): Generator<Sweeps, Sweeps, void> {
    const { l1, l2, tol, maxIter } = strength;
    const d = w.length;
    let largest = 0;
    for (let j = 0; j < d; j++) largest = Math.max(largest, this.#q[j * d + j]! + l2);
    // A violation v of coordinate j costs about v²/2Q_jj.
    const tolerance = 0.1 * Math.sqrt((tol * this.#square * largest) / d);
    let g = this.#gradient(w, l1, l2);
    for (let sweeps = 0, burst = FIRST_SWEEPS; ; burst = Math.min(MOST_SWEEPS, 2 * burst)) {
      const violation = violationOf(g, w);
      const state = { sweeps, violation, converged: violation <= tolerance };
      if (state.converged || sweeps >= maxIter) return state;
      const made = Math.min(burst, maxIter - sweeps);
      for (let s = 0; s < made; s++) this.#sweep(g, w, l2);
      sweeps += made;
      this.#polishInto(l1, l2, w);
      g = this.#gradient(w, l1, l2);
      yield { sweeps, violation: violationOf(g, w), converged: false };
    }
  }

  /** c − Qw − l2 w − l1: minus the gradient. */
  #gradient(w: Float64Array, l1: number, l2: number): Float64Array {
    const d = w.length;
    const g = this.correlations.map((c, j) => c - l1 - l2 * w[j]!);
    for (let i = 0; i < d; i++) {
      const v = w[i]!;
      if (v !== 0) for (let j = 0, at = i * d; j < d; j++, at++) g[j]! -= this.#q[at]! * v;
    }
    return g;
  }

  #sweep(g: Float64Array, w: Float64Array, l2: number): void {
    const d = w.length;
    for (let j = 0; j < d; j++) {
      const curvature = this.#q[j * d + j]! + l2;
      if (!(curvature > 0)) continue;
      const change = Math.max(0, w[j]! + g[j]! / curvature) - w[j]!;
      if (change === 0) continue;
      w[j]! += change;
      for (let i = 0, at = j * d; i < d; i++, at++) g[i]! -= this.#q[at]! * change;
      g[j]! -= l2 * change;
    }
  }

  /** Solves for the positive coefficients, as long as none of them would be negative. */
  #polishInto(l1: number, l2: number, out: Float64Array): void {
    const d = out.length;
    const live = [...out.keys()].filter((j) => out[j]! > 0);
    const m = live.length;
    if (m === 0) return;
    const a = new Float64Array(m * m);
    const right = Float64Array.from(live, (j) => this.correlations[j]! - l1);
    for (let e = 0; e < m; e++) {
      for (let f = 0; f < m; f++) a[e * m + f] = this.#q[live[e]! * d + live[f]!]!;
      a[e * m + e]! += l2;
    }
    const factor = cholesky(a, m);
    if (factor.lifted > 0) return;
    const solved = new Float64Array(m);
    choleskySolveInto(factor, right, solved);
    if (solved.every((v) => v >= 0)) for (let e = 0; e < m; e++) out[live[e]!] = solved[e]!;
  }
}

/** One problem per target; all share the Gram matrix. */
export function nonNegativeProblems(
  where: string,
  set: TargetsSet,
  intercept: boolean,
): NonNegativeLeastSquares[] {
  const { x, y, weights } = set;
  const moments = targetMoments(where, x instanceof CsrMatrix ? x.toDense() : x, y, weights, intercept);
  const q = gramBlock(moments.scatter, x.cols, x.cols + y.length);
  const problems = y.map((_, t) => new NonNegativeLeastSquares(q, moments, t, intercept));
  for (let j = 0; j < x.cols; j++) {
    const fine = problems.every(({ correlations }) => Number.isFinite(correlations[j]!));
    if (fine && Number.isFinite(q[j * x.cols + j]!)) continue;
    requireFinite(where, x);
    tooLarge(where, j);
  }
  return problems;
}

/** Sweeps before the first system is solved, and at most between two of them. */
const FIRST_SWEEPS = 5;
const MOST_SWEEPS = 200;

interface Sweeps {
  readonly sweeps: number;
  readonly violation: number;
  readonly converged: boolean;
}

const violationOf = (g: Float64Array, w: Float64Array): number =>
  g.reduce((worst, pull, j) => Math.max(worst, w[j]! > 0 ? Math.abs(pull) : pull), 0);

export interface NonNegativeFit {
  readonly coef: Float64Array;
  readonly intercept: number;
  readonly report: FitReport;
}

/** The objective of an estimator: `factor` times the summed one, whose l1 and l2 follow from Σs. */
export interface NonNegativeObjective {
  readonly intercept: boolean;
  readonly tol: number;
  readonly maxIter: number;
  strengths(total: number): { readonly l1: number; readonly l2: number; readonly factor: number };
}

/** Σ s r² + α‖w‖², to nearly full precision. */
export const nonNegativeRidge = (alpha: number, intercept: boolean): NonNegativeObjective => ({
  intercept,
  tol: 1e-14,
  maxIter: 100_000,
  strengths: () => ({ l1: 0, l2: alpha, factor: 2 }),
});

/** The objective of the elastic net, a mean. */
export const nonNegativeElasticNet = (
  { alpha, l1Ratio }: { readonly alpha: number; readonly l1Ratio: number },
  {
    fitIntercept,
    tol,
    maxIter,
  }: { readonly fitIntercept: boolean; readonly tol: number; readonly maxIter: number },
): NonNegativeObjective => ({
  intercept: fitIntercept,
  tol,
  maxIter,
  strengths: (total) => ({
    l1: alpha * l1Ratio * total,
    l2: alpha * (1 - l1Ratio) * total,
    factor: 1 / total,
  }),
});

/** The fit of an estimator with `positive`, step by step. */
export function* nonNegativeSteps<M>(
  where: string,
  given: RegressionSet,
  objective: NonNegativeObjective,
  build: (fit: NonNegativeFit) => M,
): Steps<M> {
  const { set, factor } = rescaledWeights(where, given);
  const [problem] = nonNegativeProblems(where, { ...set, y: [set.y] }, objective.intercept);
  return yield* solveSteps(where, problem!, { set, factor }, objective, build);
}

/** The fits of several targets one after the other, with an objective for each. */
export function* nonNegativeTargetSteps(
  where: string,
  given: TargetsSet,
  objectives: readonly NonNegativeObjective[],
): Generator<Progress, NonNegativeFit[], void> {
  const { set, factor } = rescaledWeights(where, given);
  const fits: NonNegativeFit[] = [];
  for (const [t, problem] of nonNegativeProblems(where, set, objectives[0]!.intercept).entries()) {
    const own = { set: { ...set, y: set.y[t]! }, factor };
    fits.push(yield* solveSteps(where, problem, own, objectives[t]!, (fit) => fit));
  }
  return fits;
}

export const tooFewSweeps = (maxIter: number): string =>
  `Stopped after maxIter = ${maxIter} sweeps: raise maxIter, or scale the columns.`;

function* solveSteps<M>(
  where: string,
  problem: NonNegativeLeastSquares,
  { set, factor: divided }: { readonly set: RegressionSet; readonly factor: number },
  { tol, maxIter, strengths }: NonNegativeObjective,
  build: (fit: NonNegativeFit) => M,
): Steps<M> {
  const { l1, l2, factor } = strengths(problem.total * divided);
  const strength = { l1: l1 / divided, l2: l2 / divided, tol, maxIter };
  const w = new Float64Array(set.x.cols);
  const fitOf = (coef: Float64Array, { sweeps, violation, converged }: Sweeps): NonNegativeFit => {
    const b = problem.interceptOf(coef);
    const warnings = converged ? [] : [tooFewSweeps(maxIter)];
    const objective = divided * factor * objectiveAt(where, set, coef, b, strength);
    const gradientNorm = divided * factor * violation;
    const solver = "nonNegative";
    return {
      coef,
      intercept: b,
      report: { converged, iterations: sweeps, objective, gradientNorm, solver, warnings },
    };
  };
  const steps = problem.solve(w, strength);
  for (;;) {
    const step = steps.next();
    const coef = w.slice();
    const fit = () => fitOf(coef, step.value as Sweeps);
    if (step.done) return build(fit());
    yield { iteration: step.value.sweeps, total: maxIter, model: () => build(fit()) };
  }
}

function objectiveAt(
  where: string,
  { x, y, weights }: RegressionSet,
  coef: Float64Array,
  b: number,
  { l1, l2 }: NonNegativeStrength,
): number {
  const fits = linearScores(where, x, coef, Float64Array.of(b)).data;
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += 0.5 * (weights ? weights[i]! : 1) * (y[i]! - fits[i]!) ** 2;
  return coef.reduce((value, w) => value + l1 * w + 0.5 * l2 * w * w, sum);
}
