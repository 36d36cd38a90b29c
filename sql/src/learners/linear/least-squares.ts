import { DataError, ElasticNet, elasticNet, Lasso, LinearRegression, Ridge, squared } from "argmax";
import type { FitReport } from "argmax/core";
import {
  areRounding,
  definiteSolver,
  direct,
  fromMoments,
  gramBlock,
  gramDescent,
  type IndependentColumns,
  independentColumns,
  linearReport,
  type MarginLoss,
  NonNegativeLeastSquares,
  type NonNegativeObjective,
  nonNegativeElasticNet,
  nonNegativeRidge,
  reportJson,
  runToEnd,
  type Solution,
  type SummedProblem,
  spreadSolver,
  strengthOfOne,
  type TargetMoments,
  tooFewSweeps,
} from "argmax/sums";
import { type Expression, multiply, number, shared, subtract, sum } from "../../expressions/expression.js";
import { sumOf } from "../../expressions/sums.js";
import { type AnyEstimator, learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { runTogether } from "../asking.js";
import { groupMoments, requireFiniteMoments } from "../moments.js";
import { modelState } from "../state.js";
import { marginTerms } from "./losses.js";
import { centredColumns, SummedObjective, uncentre } from "./objective.js";
import { solved } from "./solve.js";

/** Least squares and its penalties: everything that they need of the rows is their moments, in two passes. */

export interface LeastSquaresFit {
  readonly coef: Float64Array;
  readonly intercept: number;
  readonly report: FitReport;
}

/** Moments of [X, y]; around 0 if no intercept is learned. */
export async function targetMoments(rows: TrainingRows, intercept: boolean): Promise<TargetMoments> {
  const columns = [...rows.x, rows.target!.value];
  const found = intercept
    ? (await groupMoments(rows, columns, { cross: true }))[0]
    : await rawMoments(rows, columns);
  requireFiniteMoments(rows, columns, [found]);
  return {
    total: found.total,
    mean: found.mean.slice(0, -1),
    yMean: found.mean.slice(-1),
    scatter: found.squares,
  };
}

async function rawMoments(rows: TrainingRows, columns: readonly Expression[]) {
  const side = columns.length;
  const weighted = columns.map((x) => shared(rows.weighted(x)));
  const products = weighted.flatMap((wx, i) => columns.slice(i).map((x) => sumOf(multiply(wx, x))));
  const [group] = await rows.sums({ groupBy: [], aggregates: [sumOf(rows.weight), ...products] });
  const squares = new Float64Array(side * side);
  for (let i = 0, at = 1; i < side; i++)
    for (let j = i; j < side; j++, at++) {
      squares[i * side + j] = group!.values[at]!;
      squares[j * side + i] = group!.values[at]!;
    }
  return { total: group!.values[0]!, mean: new Float64Array(side), squares };
}

/** Σ s r² of the residuals r = y − w·x − b, b moved by their mean if an intercept is learned. */
async function measured(
  rows: TrainingRows,
  coef: Float64Array,
  { mean, yMean }: Pick<TargetMoments, "mean" | "yMean">,
  intercept: boolean,
): Promise<{ readonly square: number; readonly intercept: number }> {
  const [centre, zero] = [mean, number(0)];
  const scores = rows.x.map((x, j) =>
    multiply(number(coef[j]!), subtract(x, number(intercept ? centre[j]! : 0))),
  );
  const y = subtract(rows.target!.value, intercept ? number(yMean[0]!) : zero);
  const r = shared(subtract(y, sum(scores)));
  const aggregates = [rows.weight, rows.weighted(r), rows.weighted(multiply(r, r))].map(sumOf);
  const [group] = await rows.sums({ groupBy: [], aggregates });
  const [total, first, square] = group!.values as unknown as [number, number, number];
  if (!intercept) return { square, intercept: 0 };
  const shift = first / total;
  const b = coef.reduce((value, w, j) => value - w * centre[j]!, yMean[0]! + shift);
  return { square: Math.max(0, square - shift * first), intercept: b };
}

/** Σ s (y − w·x − b)² + α‖w‖², from the moments, which must be those of the rows. */
export async function leastSquares(
  rows: TrainingRows,
  moments: TargetMoments,
  alpha: number,
  intercept: boolean,
): Promise<LeastSquaresFit> {
  const d = rows.x.length;
  const q = gramBlock(moments.scatter, d, d + 1);
  const c = Float64Array.from({ length: d }, (_, j) => moments.scatter[j * (d + 1) + d]!);
  const solve = definiteSolver(q, d, alpha);
  const spread = solve || alpha > 0 ? null : await exactlyDependent(rows, q, moments.mean);
  const solver = solve ?? (spread && spreadSolver(q, d, spread));
  if (!solver) return refined(rows, alpha, intercept);
  const coef = solver(c);
  const own = solve && fromMoments(coef, moments, 0, alpha, intercept);
  if (own) return own;
  const { square, intercept: b } = await measured(rows, coef, moments, intercept);
  const objective = coef.reduce((value, w) => value + alpha * w * w, square);
  return { coef, intercept: b, report: direct(objective, 0, "cholesky") };
}

/** Columns that are combinations of others, in the rows themselves: moments have half the digits. */
async function exactlyDependent(
  rows: TrainingRows,
  q: Float64Array,
  mean: Float64Array,
): Promise<IndependentColumns | null> {
  const columns = independentColumns(q, mean.length);
  if (columns === null || columns.rest.length === 0) return columns;
  const { chosen, rest, combination, solveInto } = columns;
  const u = rows.x.map((x, j) => shared(subtract(x, number(mean[j]!))));
  const norms = (list: Int32Array) =>
    Float64Array.from(list, (j) => Math.sqrt(Math.max(0, q[j * mean.length + j]!)));
  const t = combination.slice();
  for (let round = 0; round < 2; round++) {
    const left = Array.from(rest, (j, e) => {
      const terms = Array.from(chosen, (i, k) => multiply(number(t[k * rest.length + e]!), u[i]!));
      return shared(subtract(u[j]!, sum(terms)));
    });
    const pulls = left.flatMap((e) => Array.from(chosen, (i) => sumOf(rows.weighted(multiply(e, u[i]!)))));
    const squares = left.map((e) => sumOf(rows.weighted(multiply(e, e))));
    const [group] = await rows.sums({ groupBy: [], aggregates: [...squares, ...pulls] });
    const found = group!.values.slice(0, rest.length).map(Math.sqrt);
    if (areRounding(found, norms(rest), t, norms(chosen))) return columns;
    // The combination was computed from moments: corrected once by what is left.
    const out = new Float64Array(chosen.length);
    for (let e = 0; e < rest.length; e++) {
      const from = rest.length + e * chosen.length;
      solveInto(group!.values.slice(from, from + chosen.length), out);
      for (let k = 0; k < chosen.length; k++) t[k * rest.length + e]! += out[k]!;
    }
  }
  return null;
}

const REFINED = { tol: 1e-9, maxIter: 100 };

/** Nearly dependent columns: steps of Newton's method, whose gradients come from residuals of the rows, not from their moments. */
async function refined(rows: TrainingRows, alpha: number, intercept: boolean): Promise<LeastSquaresFit> {
  const problem = { ...squaredProblem(alpha, intercept), ...REFINED };
  const { theta, ...solution } = await minimised(rows, problem);
  const report = linearReport(problem, "newton", [{ ...solution, theta }]);
  return { coef: theta.slice(0, -1), intercept: theta.at(-1)!, report };
}

const squaredProblem = (alpha: number, intercept: boolean): SummedProblem => ({
  ...{ loss: squared(), solver: "newton", link: "identity", reference: false, ball: null },
  ...{ intercept, l1: 0, l2: alpha, scale: 2, ...REFINED },
});

async function minimised(rows: TrainingRows, problem: SummedProblem): Promise<Solution> {
  const columns = await centredColumns(rows, problem.intercept);
  const terms = (z: readonly Expression[]) =>
    marginTerms(problem.loss as MarginLoss, z[0]!, rows.target!.value);
  const f = new SummedObjective(columns, 1, problem, terms, false);
  const start = { where: rows.where, sample: undefined, baseline: null };
  const [solution] = await runTogether(rows, [solved(f, problem, "newton", start)], problem.scale);
  uncentre(columns, solution!.theta);
  return solution!;
}

interface Penalised {
  readonly fitIntercept: boolean;
  readonly positive: boolean;
  readonly tol: number;
  readonly maxIter: number;
  readonly l1Ratio: number;
  readonly alpha: number | readonly number[];
}

/** (1/2Σs) Σ s r² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖². */
async function elasticNetFit(rows: TrainingRows, params: Penalised): Promise<LeastSquaresFit> {
  const { fitIntercept, tol, maxIter, l1Ratio } = params;
  const alpha = strengthOfOne(rows.where, params.alpha);
  const moments = await targetMoments(rows, fitIntercept);
  const { total, mean, yMean } = moments;
  const penalty = elasticNet(alpha, l1Ratio);
  const problem: SummedProblem = {
    ...squaredProblem(penalty.l2 * total, fitIntercept),
    ...{ l1: penalty.l1 * total, tol: Math.sqrt(tol), maxIter, scale: 1 / total },
  };
  const stated = { where: rows.where, ...problem };
  const theta = new Float64Array(mean.length + 1);
  const tooLarge = () => {
    throw new DataError(rows.where, "a column", "small enough for sums of squares", "larger numbers");
  };
  const found = runToEnd(
    gramDescent({ ...moments, yMean: yMean[0]! }, stated, theta, tooLarge as () => never),
  );
  const coef = found.theta.slice(0, -1);
  if (found.gradient) {
    const report = linearReport(problem, "coordinateDescent", [found]);
    return { coef, intercept: found.theta.at(-1)!, report };
  }
  const { square, intercept } = await measured(rows, coef, moments, fitIntercept);
  const size = coef.reduce((value, w) => value + problem.l1 * Math.abs(w) + 0.5 * problem.l2 * w * w, 0);
  const report = linearReport(problem, "coordinateDescent", [{ ...found, objective: 0.5 * square + size }]);
  return { coef, intercept, report };
}

/** With w ≥ 0. */
async function nonNegativeFit(rows: TrainingRows, objective: NonNegativeObjective): Promise<LeastSquaresFit> {
  const { intercept, tol, maxIter } = objective;
  const d = rows.x.length;
  const moments = await targetMoments(rows, intercept);
  const problem = new NonNegativeLeastSquares(gramBlock(moments.scatter, d, d + 1), moments, 0, intercept);
  const { l1, l2, factor } = objective.strengths(moments.total);
  const coef = new Float64Array(d);
  const { sweeps, violation, converged } = runToEnd(problem.solve(coef, { l1, l2, tol, maxIter }));
  const { square } = await measured(rows, coef, moments, intercept);
  const value = coef.reduce((sum, w) => sum + l1 * w + 0.5 * l2 * w * w, 0.5 * square);
  const report = {
    ...direct(factor * value, factor * violation, "nonNegative"),
    converged,
    iterations: sweeps,
    warnings: converged ? [] : [tooFewSweeps(maxIter)],
  };
  return { coef, intercept: problem.interceptOf(coef), report };
}

const stateOf = (estimator: AnyEstimator, rows: TrainingRows, { coef, intercept, report }: LeastSquaresFit) =>
  modelState(
    estimator,
    rows,
    { intercept, report: reportJson(report), link: "identity", extra: {} },
    { coef },
  );

async function ridgeState(
  estimator: LinearRegression | Ridge,
  rows: TrainingRows,
  given: number | readonly number[],
) {
  const { fitIntercept, positive } = estimator.params;
  const alpha = strengthOfOne(rows.where, given);
  const fit = positive
    ? await nonNegativeFit(rows, nonNegativeRidge(alpha, fitIntercept))
    : await leastSquares(rows, await targetMoments(rows, fitIntercept), alpha, fitIntercept);
  return stateOf(estimator, rows, fit);
}

async function elasticNetState(estimator: AnyEstimator, rows: TrainingRows, params: Penalised) {
  const alpha = strengthOfOne(rows.where, params.alpha);
  const strength = { alpha, l1Ratio: params.l1Ratio };
  const fit = params.positive
    ? await nonNegativeFit(rows, nonNegativeElasticNet(strength, params))
    : await elasticNetFit(rows, params);
  return stateOf(estimator, rows, fit);
}

export const leastSquaresLearners = [
  learner(LinearRegression, async (estimator, rows) =>
    LinearRegression.restore(await ridgeState(estimator, rows, 0)),
  ),
  learner(Ridge, async (estimator, rows) =>
    Ridge.restore(await ridgeState(estimator, rows, estimator.params.alpha)),
  ),
  learner(Lasso, async (estimator, rows) =>
    Lasso.restore(await elasticNetState(estimator, rows, { ...estimator.params, l1Ratio: 1 })),
  ),
  learner(ElasticNet, async (estimator, rows) =>
    ElasticNet.restore(await elasticNetState(estimator, rows, estimator.params)),
  ),
];
