import type { FitReport } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { joinReports } from "../core/report.js";
import { Matrix } from "../data/matrix.js";
import type { TargetsSet } from "../data/targets.js";
import { type Expansion, expansionOver } from "../kernel-functions/expansion.js";
import type { TrainingRows } from "../kernel-functions/training-rows.js";
import { leastSquaresTargets } from "../linear/least-squares/least-squares.js";
import { featureMap } from "./feature-map.js";
import { pivotedFeatures } from "./pivoted-features.js";
import { ridgeByCholesky } from "./ridge-cholesky.js";
import { ridgeByConjugateGradients } from "./ridge-conjugate-gradients.js";

/** The fitted function, with one output per target. */
export interface KernelRidgeFit {
  readonly expansion: Expansion;
  readonly report: FitReport;
}

/** The n × n kernel matrix of more rows does not fit the arena. */
const MOST_ROWS = 20_000;
/** With fewer rows, Cholesky is faster than building a preconditioner. */
const FEWEST_ITERATIVE = 400;

function requireFewRows(where: string, rows: number): void {
  if (rows <= MOST_ROWS) return;
  const expected = `at most ${MOST_ROWS} rows, whose kernel matrix fits into memory`;
  const advice = "A pipeline of Nystroem and Ridge takes any number.";
  throw new DataError(where, "X", expected, `${rows}`, advice);
}

/** Kernel ridge regression of every target, with an α for each; targets with the same α share a factorisation. */
export function solveKernelRidge(
  where: string,
  training: TrainingRows,
  set: TargetsSet,
  alphas: readonly number[],
  fitIntercept: boolean,
): KernelRidgeFit {
  requireFewRows(where, set.x.rows);
  const groups = [...new Set(alphas)].map((alpha) => {
    const targets = [...alphas.keys()].filter((t) => alphas[t] === alpha);
    const own = { ...set, y: targets.map((t) => set.y[t]!) };
    const fit =
      solveDual(where, training, own, alpha, fitIntercept) ??
      solvePrimal(where, training, own, alpha, fitIntercept);
    return { targets, fit };
  });
  return groups.length === 1 ? groups[0]!.fit : joined(training, groups, alphas.length);
}

/** Solves (K + α S⁻¹) c = y − b; null if α is 0 or too small to make the system positive definite. */
function solveDual(
  where: string,
  training: TrainingRows,
  { x, y, weights }: TargetsSet,
  alpha: number,
  fitIntercept: boolean,
): KernelRidgeFit | null {
  const n = x.rows;
  if (alpha === 0) return null;
  const ridge = Float64Array.from({ length: n }, (_, i) => alpha / (weights?.[i] ?? 1));
  const system = { where, training, ridge, y: fitIntercept ? [...y, new Float64Array(n).fill(1)] : y };
  const iterated = n >= FEWEST_ITERATIVE ? ridgeByConjugateGradients(system) : null;
  const solved = iterated ?? ridgeByCholesky(system);
  if (solved === null) return null;
  const v = fitIntercept ? solved.solutions[y.length]! : null;
  const intercept = new Float64Array(y.length);
  let objective = 0;
  const coefs = y.map((target, t) => {
    const u = solved.solutions[t]!;
    const b = v ? sum(u) / sum(v) : 0;
    intercept[t] = b;
    const coef = v ? u.map((value, i) => value - b * v[i]!) : u;
    // At the solution the errors are e = α c/s, so Σ s e² + α cᵀKc = α cᵀ(y − b).
    objective += alpha * coef.reduce((total, c, i) => total + c * (target[i]! - b), 0);
    return coef;
  });
  return {
    expansion: expansionOver(training, null, Matrix.fromRows(coefs), intercept),
    report: {
      converged: true,
      iterations: solved.iterations,
      objective,
      gradientNorm: solved.residual,
      solver: iterated ? "conjugateGradients" : "cholesky",
      warnings: [],
    },
  };
}

/** Relative trace that the factorisation of a nearly singular kernel matrix may omit. */
const TOL = 1e-13;

/** Least squares on the columns of the kernel's feature map, as many as the rank of the kernel matrix. */
function solvePrimal(
  where: string,
  training: TrainingRows,
  set: TargetsSet,
  alpha: number,
  fitIntercept: boolean,
): KernelRidgeFit {
  const found = pivotedFeatures(where, training, TOL);
  const alphas = set.y.map(() => alpha);
  const fits = leastSquaresTargets(where, { ...set, x: found.features }, alphas, fitIntercept);
  const intercept = Float64Array.from(fits, (fit) => fit.intercept);
  const map = featureMap(training, found);
  return {
    expansion: map.expansion(Matrix.fromRows(fits.map(({ coef }) => coef)), intercept),
    report: { ...joinReports(fits.map(({ report }) => report)), solver: "pivotedCholesky" },
  };
}

interface Group {
  readonly targets: readonly number[];
  readonly fit: KernelRidgeFit;
}

/** The fits of groups of targets as one function over all training rows. */
function joined(training: TrainingRows, groups: readonly Group[], targets: number): KernelRidgeFit {
  const n = training.x.rows;
  const placeOf = new Map(Array.from(training.rows, (row, i) => [row, i]));
  const coef = Matrix.zeros(targets, n);
  const intercept = new Float64Array(targets);
  for (const { targets: own, fit } of groups) {
    const { parts } = fit.expansion;
    for (const [e, t] of own.entries()) {
      intercept[t] = parts.intercept[e]!;
      for (const [p, row] of parts.rows.entries()) coef.data[t * n + placeOf.get(row)!] = parts.coef.at(e, p);
    }
  }
  const report = joinReports(groups.map(({ fit }) => fit.report));
  return { expansion: expansionOver(training, null, coef, intercept), report };
}

const sum = (v: Float64Array): number => v.reduce((total, e) => total + e, 0);
