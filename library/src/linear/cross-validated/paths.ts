import type { FitOptions, MatrixLike, Progress } from "../../core/contract.js";
import { ParameterError, show } from "../../core/errors.js";
import { runSteps } from "../../core/estimator.js";
import type { NumberArray } from "../../core/labels.js";
import { exp, log } from "../../core/numbers/elementary.js";
import { fitOptions, readOptions } from "../../core/params/options.js";
import { integer, numbers, optional, type Params, type ParamValues, real } from "../../core/params/params.js";
import { runToEnd } from "../../core/steps.js";
import { Matrix } from "../../data/matrix.js";
import { type RegressionSet, regressionSet } from "../../data/training-set.js";
import { openColumns } from "../../numeric/columns/open-columns.js";
import { farColumnCentres, shiftedColumns } from "../../solvers/centred-columns.js";
import { correlationRounding, LassoState, lassoSteps } from "../../solvers/lasso-descent.js";
import { totalWeight } from "../../solvers/objective.js";
import { fitIntercept, positive } from "../fits/params.js";
import { nonNegativeProblems } from "../least-squares/non-negative.js";
import { rescaledWeights } from "../least-squares/rescaled-weights.js";

export const elasticNetPathParams = {
  l1Ratio: real({
    above: 0,
    atMost: 1,
    default: 0.5,
    doc: "Mixing parameter of the elastic net: 1 is the lasso.",
  }),
  nAlphas: integer({ atLeast: 1, default: 100, doc: "Number of α along the path, if alphas is not given." }),
  eps: real({
    above: 0,
    below: 1,
    default: 1e-3,
    doc: "Length of the path: smallest α divided by the largest.",
  }),
  alphas: optional(numbers({ above: 0, default: [], doc: "The values of α, in any order." })),
  fitIntercept: fitIntercept(),
  tol: real({ above: 0, default: 1e-6, doc: "Stop a fit when the duality gap is below tol · Σ(y − ȳ)²." }),
  maxIter: integer({ atLeast: 1, default: 10_000, doc: "Maximum number of sweeps per fit." }),
  positive: positive(),
};
export type ElasticNetPathOptions = Params<typeof elasticNetPathParams>;
export type LassoPathOptions = Omit<ElasticNetPathOptions, "l1Ratio">;

const elasticNetPathOptions = { ...elasticNetPathParams, ...fitOptions };
const { l1Ratio: _, ...lassoPathOptions } = elasticNetPathOptions;

/** A regularisation path, strongest penalty first. */
export interface RegularisationPath {
  readonly alphas: Float64Array;
  /** One row per α. */
  readonly coefs: Matrix;
  readonly intercepts: Float64Array;
  /** Duality gaps: upper bounds of the distance of each objective from its minimum. */
  readonly dualGaps: Float64Array;
  readonly iterations: Int32Array;
}

/**
 * The elastic net for a sequence of strengths:
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖²     for every α
 *
 * Each fit starts from the previous solution, so a path costs little more than its last fit. Without `alphas` it runs from
 * the smallest α at which all coefficients are 0 down to `eps` times that, equally spaced in log α.
 */
export function elasticNetPath(
  x: MatrixLike,
  y: NumberArray,
  options: ElasticNetPathOptions & FitOptions = {},
): RegularisationPath {
  return path("elasticNetPath", x, y, readOptions("elasticNetPath", elasticNetPathOptions, options));
}

/** `elasticNetPath` with l1Ratio 1. */
export function lassoPath(
  x: MatrixLike,
  y: NumberArray,
  options: LassoPathOptions & FitOptions = {},
): RegularisationPath {
  const given = readOptions("lassoPath", lassoPathOptions, options);
  return path("lassoPath", x, y, { ...given, l1Ratio: 1 });
}

function path(
  where: string,
  x: MatrixLike,
  y: NumberArray,
  { sampleWeight, signal, onProgress, ...params }: ParamValues<typeof elasticNetPathOptions>,
): RegularisationPath {
  const set = regressionSet(where, x, y, { sampleWeight }, { sparse: true });
  return runSteps(where, pathSteps(where, set, params), { signal, onProgress });
}

/** What determines a path. */
export interface PathParams extends Strengths {
  readonly fitIntercept: boolean;
  readonly tol: number;
  readonly maxIter: number;
  readonly positive: boolean;
}

/** The path of the given rows, a step per α. */
export function* pathSteps(
  where: string,
  given: RegressionSet,
  params: PathParams,
): Generator<Progress, RegularisationPath, void> {
  const { l1Ratio, fitIntercept, tol, maxIter } = params;
  const { set } = rescaledWeights(where, given);
  if (params.positive) return yield* nonNegativePath(where, set, params);
  const total = totalWeight(set);
  const { columns, shift } = openCentred(where, set, fitIntercept);
  try {
    const state = new LassoState(columns);
    const { norms, targetNorm } = columns;
    const alphas = strengths(where, params, { correlations: state.correlations, norms, targetNorm, total });
    const d = set.x.cols;
    const coefs = Matrix.zeros(alphas.length, d);
    const intercepts = new Float64Array(alphas.length);
    const dualGaps = new Float64Array(alphas.length);
    const iterations = new Int32Array(alphas.length);
    const gapTarget = tol * Math.max(columns.targetNorm, 1e-300);
    for (let a = 0; a < alphas.length; a++) {
      const strength = alphas[a]! * total;
      const penalty = { l1: strength * l1Ratio, l2: strength * (1 - l1Ratio) };
      const found = runToEnd(lassoSteps(state, { ...penalty, gapTarget, maxSweeps: maxIter }));
      coefs.data.set(columns.coefficients, a * d);
      const centre = (j: number) => columns.mean[j]! + (shift ? shift[j]! : 0);
      intercepts[a] = columns.yMean - coefs.row(a).reduce((sum, w, j) => sum + w * centre(j), 0);
      dualGaps[a] = found.gap / total;
      iterations[a] = found.sweeps;
      yield { iteration: a + 1, total: alphas.length, objective: found.primal / total };
    }
    return { alphas, coefs, intercepts, dualGaps, iterations };
  } finally {
    columns.close();
  }
}

/** The path over w ≥ 0. */
function* nonNegativePath(
  where: string,
  set: RegressionSet,
  params: PathParams,
): Generator<Progress, RegularisationPath, void> {
  const { l1Ratio, fitIntercept, tol, maxIter } = params;
  const problem = nonNegativeProblems(where, { ...set, y: [set.y] }, fitIntercept)[0]!;
  const { total } = problem;
  const alphas = strengths(where, params, problem);
  const d = set.x.cols;
  const w = new Float64Array(d);
  const coefs = Matrix.zeros(alphas.length, d);
  const intercepts = new Float64Array(alphas.length);
  const dualGaps = new Float64Array(alphas.length);
  const iterations = new Int32Array(alphas.length);
  for (let a = 0; a < alphas.length; a++) {
    const penalty = { l1: alphas[a]! * l1Ratio * total, l2: alphas[a]! * (1 - l1Ratio) * total };
    const found = runToEnd(problem.solve(w, { ...penalty, tol, maxIter }));
    coefs.data.set(w, a * d);
    intercepts[a] = problem.interceptOf(w);
    dualGaps[a] = problem.dualGap(w, penalty) / total;
    iterations[a] = found.sweeps;
    yield { iteration: a + 1, total: alphas.length };
  }
  return { alphas, coefs, intercepts, dualGaps, iterations };
}

/** The strengths of the path of these rows, largest first. */
export function pathStrengths(
  where: string,
  given: RegressionSet,
  params: Strengths & { readonly fitIntercept: boolean },
): Float64Array {
  const { set } = rescaledWeights(where, given);
  const { columns } = openCentred(where, set, params.fitIntercept);
  try {
    const { norms, targetNorm } = columns;
    const { correlations } = new LassoState(columns);
    return strengths(where, params, { correlations, norms, targetNorm, total: totalWeight(set) });
  } finally {
    columns.close();
  }
}

/** The columns, those that are far from 0 shifted near it. */
function openCentred(where: string, { x, y, weights }: RegressionSet, intercept: boolean) {
  const shift = intercept ? farColumnCentres(x) : null;
  const near = shift ? shiftedColumns(x, shift) : x;
  return { columns: openColumns(where, near, y, weights, intercept, undefined), shift };
}

interface Strengths {
  readonly alphas: readonly number[] | null;
  readonly nAlphas: number;
  readonly eps: number;
  readonly l1Ratio: number;
}

/** Columns and targets, centred. */
interface Correlated {
  /** Σ s. */
  readonly total: number;
  /** Σ s x y, per column. */
  readonly correlations: Float64Array;
  /** Σ s x², per column. */
  readonly norms: Float64Array;
  /** Σ s y². */
  readonly targetNorm: number;
}

function strengths(
  where: string,
  params: Strengths,
  { correlations, norms, targetNorm, total }: Correlated,
): Float64Array {
  const { alphas, nAlphas, eps, l1Ratio } = params;
  if (alphas !== null) {
    if (alphas.length === 0) throw new ParameterError(where, "alphas", "a list of numbers > 0", show(alphas));
    return Float64Array.from(alphas).sort().reverse();
  }
  const largest = correlations.reduce((most, c, j) => {
    const size = Math.abs(c);
    return size > correlationRounding(norms[j]!, targetNorm) ? Math.max(most, size) : most;
  }, 0);
  // With a constant y, or one that no column is correlated with, all coefficients are 0 at any α.
  const top = largest > 0 ? largest / (total * l1Ratio) : 1;
  const ratio = nAlphas > 1 ? log(eps) / (nAlphas - 1) : 0;
  return Float64Array.from({ length: nAlphas }, (_, a) => top * exp(a * ratio));
}
