import type { FitOptions, MatrixLike } from "../core/contract.js";
import type { Steps } from "../core/estimator.js";
import { type NumberArray, readTargets } from "../core/labels.js";
import { integer, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { runToEnd } from "../core/steps.js";
import { StepwiseRegressor } from "../core/stepwise-regressor.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { huber } from "../losses/losses.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { centreFarColumns } from "../solvers/centred-columns.js";
import { lbfgs } from "../solvers/lbfgs.js";
import { newton } from "../solvers/newton.js";
import { linearProblem } from "../solvers/problem.js";
import type { AnySolver } from "../solvers/solver.js";
import { verified } from "../solvers/verified.js";
import { linearRegressor } from "./fits/capabilities.js";
import { fitIntercept } from "./fits/params.js";
import { joined } from "./fits/stochastic.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { leastSquares } from "./least-squares/least-squares.js";
import { rescaledWeights } from "./least-squares/rescaled-weights.js";

export const huberRegressorParams = {
  epsilon: real({
    atLeast: 1,
    default: 1.35,
    doc: "Residuals above epsilon × scale are outliers, with linear loss; 1.35 gives 95 % statistical efficiency.",
  }),
  alpha: real({ atLeast: 0, default: 1e-4, doc: "Regularisation strength α of the penalty α‖w‖²." }),
  fitIntercept: fitIntercept(),
  tol: real({ above: 0, default: 1e-5, doc: "Stop when the relative error of the scale is below this." }),
  maxIter: integer({ atLeast: 1, default: 100, doc: "Maximum number of values of the scale to try." }),
};

/**
 * Robust regression with Huber's loss and concomitant scale estimation.
 *
 *   minimise over (w, b), σ > 0:   Σᵢ sᵢ (σ + H((yᵢ − w·xᵢ − b)/σ) σ) + α‖w‖²,
 *   H(r) = r² for |r| ≤ ε, 2ε|r| − ε² beyond
 *
 * For a given σ this is a plain Huber fit with δ = εσ, solved by Newton. The minimum over (w, b) is convex in σ and
 * its derivative is ∂/∂σ at the fit (envelope theorem), so σ is the root of an increasing function: a bracketed secant.
 * Parity: scikit-learn's HuberRegressor.
 */
export class HuberRegressor extends StepwiseRegressor<typeof huberRegressorParams, FittedHuberRegressor> {
  static readonly id = "HuberRegressor";
  static readonly table = huberRegressorParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });

  static restore(state: ModelState): FittedHuberRegressor {
    return new FittedHuberRegressor(readRegressorState(state));
  }

  /** Scale by scale. */
  protected *learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Steps<FittedHuberRegressor> {
    const given = regressionSet(where, x, y, options, { sparse: true });
    const { set, factor } = rescaledWeights(where, given);
    const search = new ScaleSearch(where, set, { ...this.params, alpha: this.params.alpha / factor });
    const { tol, maxIter } = this.params;
    let iteration = 0;
    while (!search.done(tol) && iteration < maxIter) {
      search.step();
      iteration++;
      const model = this.#model(set, search, iteration, factor);
      yield { iteration, total: maxIter, objective: factor * search.objective, model: () => model };
    }
    return this.#model(set, search, iteration, factor);
  }

  #model(set: RegressionSet, search: ScaleSearch, iterations: number, factor: number): FittedHuberRegressor {
    const { tol, maxIter } = this.params;
    const { theta, scale } = search;
    const [objective, derivative] = [factor * search.objective, factor * search.derivative];
    const converged = search.done(tol) && search.converged;
    const solver = solverFor(set).name;
    const warnings = scaleWarnings(search.done(tol), search, maxIter);
    return new FittedHuberRegressor({
      id: HuberRegressor.id,
      params: this.params,
      coef: theta.slice(0, -1),
      intercept: theta.at(-1)!,
      link: "identity",
      report: { converged, iterations, objective, gradientNorm: Math.abs(derivative), solver, warnings },
      extra: { scale },
      featureNamesIn: set.featureNamesIn,
    });
  }
}

const solverFor = ({ x }: RegressionSet): AnySolver =>
  x instanceof CsrMatrix || x.cols > 1000 ? lbfgs() : newton();

/** What is said of a search for the scale that has ended. */
export function scaleWarnings(
  isDone: boolean,
  { converged, warnings }: { readonly converged: boolean; readonly warnings: readonly string[] },
  maxIter: number,
): readonly string[] {
  if (!isDone) return [`Stopped after maxIter = ${maxIter} scales: raise maxIter, or scale the columns.`];
  return converged ? [] : warnings;
}

export const UNFINISHED =
  "Rounding stopped the solver short of tol: scale the columns (StandardScaler), or raise tol.";

/** The root σ of an increasing derivative: a bracketed secant. */
export class ScaleBracket {
  scale: number;
  derivative = Number.NaN;
  #low = 0;
  #high = Infinity;
  #previous: { scale: number; derivative: number } | null = null;
  /** Below this the residuals are rounding errors of a perfect fit. */
  readonly #floor: number;

  constructor(scale: number, floor: number) {
    this.scale = Math.max(scale, floor);
    this.#floor = floor;
  }

  done(tol: number): boolean {
    return this.#high - this.#low <= tol * this.scale || this.derivative === 0 || this.#high <= this.#floor;
  }

  /** Moves to the next scale, whose derivative `record` takes. */
  advance(): void {
    if (this.derivative > 0) this.#high = this.scale;
    else this.#low = this.scale;
    let next = this.#secant();
    const inside = next > this.#low && next < this.#high;
    if (!inside)
      next =
        this.#high === Infinity
          ? 2 * this.scale
          : this.#low === 0
            ? 0.5 * this.#high
            : 0.5 * (this.#low + this.#high);
    this.#previous = { scale: this.scale, derivative: this.derivative };
    this.scale = next;
  }

  record(derivative: number): void {
    this.derivative = derivative;
    if (this.#previous === null) return;
    // A secant that lands next to the root leaves one side of the bracket far away: close it from just beyond.
    const nudge = 1e-7 * this.scale;
    if (this.#high - this.#low < Infinity && Math.abs(this.scale - this.#previous.scale) < nudge) {
      if (derivative > 0) this.#low = Math.max(this.#low, this.scale - 10 * nudge);
      else this.#high = Math.min(this.#high, this.scale + 10 * nudge);
    }
  }

  #secant(): number {
    const previous = this.#previous;
    if (previous === null || previous.derivative === this.derivative) return Number.NaN;
    return (
      this.scale - (this.derivative * (this.scale - previous.scale)) / (this.derivative - previous.derivative)
    );
  }
}

/** Fits at the scales of a bracket; stores the coefficients at the last. */
class ScaleSearch {
  theta: Float64Array;
  objective = Infinity;
  /** Whether the coefficients are those of the minimum for this scale, and the warnings if not. */
  converged = false;
  warnings: readonly string[] = [];
  readonly #bracket: ScaleBracket;

  constructor(
    private readonly where: string,
    private readonly set: RegressionSet,
    private readonly params: {
      readonly epsilon: number;
      readonly alpha: number;
      readonly fitIntercept: boolean;
    },
  ) {
    const start = leastSquares(where, set, params.alpha, params.fitIntercept);
    this.theta = joined(start.coef, start.intercept);
    // median |r| / 0.6745 estimates σ robustly.
    const sorted = this.#residuals(this.theta).map(Math.abs).sort();
    const scale = sorted[sorted.length >> 1]! / 0.6745;
    this.#bracket = new ScaleBracket(scale, floorOf(set, params.fitIntercept));
    this.#fitAtScale();
  }

  get scale(): number {
    return this.#bracket.scale;
  }

  get derivative(): number {
    return this.#bracket.derivative;
  }

  done(tol: number): boolean {
    return this.#bracket.done(tol);
  }

  step(): void {
    this.#bracket.advance();
    this.#fitAtScale();
  }

  #fitAtScale(): void {
    const { set, params, where } = this;
    const problem = linearProblem({
      where,
      x: set.x,
      y: set.y,
      weights: set.weights,
      loss: huber(params.epsilon * this.scale),
      intercept: params.fitIntercept,
      // Σ s σH(r/σ) is 2/σ times the Huber loss with δ = εσ.
      l2: params.alpha * this.scale,
      start: this.theta,
      maxIter: 200,
      tol: 1e-8,
    });
    const solver = solverFor(set);
    const view = centreFarColumns(problem);
    const found = runToEnd(solver.minimise(view?.problem ?? problem));
    // A solver that bounds its distance from the minimum needs no check at every scale.
    const sure = found.converged && found.gap !== undefined;
    const solution = sure
      ? { ...found, theta: view?.back(found.theta) ?? found.theta }
      : runToEnd(verified(solver, problem));
    this.theta = solution.theta;
    this.converged = solution.converged;
    this.warnings = solution.warnings ?? [UNFINISHED];
    this.#measure();
  }

  #measure(): void {
    const { epsilon, alpha } = this.params;
    const { weights } = this.set;
    const residuals = this.#residuals(this.theta);
    let objective = 0;
    let derivative = 0;
    for (let i = 0; i < residuals.length; i++) {
      const s = weights ? weights[i]! : 1;
      const r = residuals[i]! / this.scale;
      const inside = Math.abs(r) <= epsilon;
      objective += s * this.scale * (1 + (inside ? r * r : 2 * epsilon * Math.abs(r) - epsilon * epsilon));
      derivative += s * (1 - (inside ? r * r : epsilon * epsilon));
    }
    for (let j = 0; j < this.theta.length - 1; j++) objective += alpha * this.theta[j]! * this.theta[j]!;
    this.objective = objective;
    this.#bracket.record(derivative);
  }

  #residuals(theta: Float64Array): Float64Array {
    const { x, y } = this.set;
    const fit = linearScores(this.where, x, theta.slice(0, -1), theta.slice(-1)).data;
    return y.map((v, i) => v - fit[i]!);
  }
}

/** 1e-10 of the spread of y (around 0 when b is 0), and no less than the rounding of y itself. */
function floorOf({ y, weights }: RegressionSet, fitIntercept: boolean): number {
  let total = 0;
  let mean = 0;
  let largest = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    total += s;
    mean += s * y[i]!;
    if (s > 0) largest = Math.max(largest, Math.abs(y[i]!));
  }
  mean = fitIntercept ? mean / total : 0;
  let square = 0;
  for (let i = 0; i < y.length; i++) square += (weights ? weights[i]! : 1) * (y[i]! - mean) ** 2;
  return leastScale(Math.sqrt(square / total), largest);
}

/** Of targets with this spread whose largest is `largest`. */
export const leastScale = (spread: number, largest: number): number =>
  Math.max(1e-10 * spread, Number.EPSILON * largest) || 1e-10;

export class FittedHuberRegressor extends FittedLinearRegressor {
  /** σ: residuals beyond ε·σ count as outliers. */
  get scale(): number {
    return this.state.extra?.["scale"] ?? Number.NaN;
  }

  /** Which labelled rows are outliers: |y − ŷ| > ε·σ. */
  outliers(x: MatrixLike, y: NumberArray): boolean[] {
    const limit = (this.state.params["epsilon"] as number) * this.scale;
    const fits = this.predict(x);
    const targets = readTargets("HuberRegressor.outliers", y, fits.length);
    return Array.from(fits, (fit, i) => Math.abs(targets[i]! - fit) > limit);
  }
}
