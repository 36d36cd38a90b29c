import type { FitReport } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { Matrix } from "../data/matrix.js";
import { type LinearParts, reportOf, summedPenalty } from "../linear/fits/linear-fit.js";
import type { SolvedClassifier, SolvedRegressor } from "../linear/fits/solved-estimators.js";
import { isMarginLoss, type Loss } from "../losses/loss.js";
import type { Preconditioner, TwiceSmoothFunction } from "../minimisers/smooth-function.js";
import { cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { type Baseline, baselineOf } from "../solvers/baseline.js";
import type { Ball, Solution } from "../solvers/objective.js";
import { linearProblem, type Problem } from "../solvers/problem.js";
import { rowObjective } from "../solvers/row-objective.js";
import { smoothPart } from "../solvers/smooth-part.js";
import { isSeparated, SEPARABLE } from "../solvers/verified.js";

/** What is known of rows before they are summed. */
export interface RowFacts {
  readonly rows: number;
  readonly cols: number;
  /** Ascending; none for a regression. */
  readonly classes: readonly Label[];
  /** The least and the largest target of a regression. */
  readonly range: readonly [number, number];
  /** Σ of the row weights. */
  readonly total: number;
}

/** The problem of a linear estimator, as `Problem` states it, without its rows. */
export interface SummedProblem {
  readonly loss: Loss;
  /** The name of the solver that the estimator asks for, or chooses for rows of this shape. */
  readonly solver: string;
  readonly link: string | null;
  readonly reference: boolean;
  readonly intercept: boolean;
  readonly l1: number;
  readonly l2: number;
  readonly ball: Ball | null;
  readonly tol: number;
  readonly maxIter: number;
  /** report.objective divided by the summed objective. */
  readonly scale: number;
}

/** The problem that a linear estimator states for rows of these facts. */
export function summedProblem(
  where: string,
  estimator: SolvedClassifier<never> | SolvedRegressor<never, unknown>,
  { rows, cols, classes, range, total }: RowFacts,
): SummedProblem {
  const set = { x: { rows, cols }, classes, y: Float64Array.from(range) };
  const parts: LinearParts<string | null> = (
    estimator as unknown as { parts(known: object, where: string): LinearParts<string | null> }
  ).parts(set, where);
  const { fitIntercept, tol, maxIter } = estimator.params as unknown as {
    readonly fitIntercept: boolean;
    readonly tol: number;
    readonly maxIter: number;
  };
  const { loss, penalty, C, reference = false, link, solver } = parts;
  return {
    ...summedPenalty(penalty, total, C),
    loss,
    solver: solver.name,
    link,
    reference,
    intercept: fitIntercept,
    tol: parts.tol ?? tol,
    maxIter,
    scale: C ?? (penalty.per === "mean" ? 1 / total : 1),
  };
}

/** A model without weights and J there, from the weight of every class (±1 of the second for losses of signs) or the mean of counts. */
export function constantModel(
  problem: SummedProblem,
  outputs: number,
  cols: number,
  targets: Float64Array,
  weights: Float64Array,
): Baseline | null {
  const { loss, intercept, reference } = problem;
  const x = new Matrix(new Float64Array(targets.length * cols), targets.length, cols);
  const stated = { where: "", x, y: targets, weights, loss, intercept, reference, outputs };
  return baselineOf(linearProblem({ ...stated, maxIter: 1, tol: 1 }));
}

/** A sample of the rows, as kernels read it. */
export interface SampledRows {
  readonly x: Matrix;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  /** Σ of the weights of all rows over that of the sample. */
  readonly factor: number;
}

export interface SampledFunction extends TwiceSmoothFunction {
  /** ∇²F without the penalty, at the point evaluated last. */
  sumHessianInto(out: Float64Array): void;
  /** An approximate inverse of the Hessian near θ. */
  preconditionerAt(theta: Float64Array): Preconditioner;
  close(): void;
}

/** Coefficients whose whole Hessian is computed of a sample: more, and passes over all rows cost less. */
export const MOST_FACTORED = 300;

/** F + ½ l2 ‖w‖² of a sample, scaled to all rows; the caller closes it. */
export function sampledFunction(
  where: string,
  problem: SummedProblem,
  outputs: number,
  { x, y, weights, factor }: SampledRows,
): SampledFunction {
  const { loss, intercept, l2, tol, maxIter } = problem;
  const stated: Problem = linearProblem({ where, x, y, weights, loss, intercept, outputs, tol, maxIter, l2 });
  const objective = rowObjective(stated, factor);
  const own = rowObjective({ ...stated, l2: l2 / factor });
  const smooth = smoothPart(where, objective);
  return {
    ...smooth,
    sumHessianInto: (out) => objective.hessianInto(out),
    preconditionerAt(theta) {
      const { size } = smooth;
      if (size <= MOST_FACTORED) {
        const hessian = new Float64Array(size * size);
        smooth.evaluate(theta, null);
        smooth.hessianInto(hessian);
        const inverse = cholesky(hessian, size, 1e-10);
        return (gradient, out) => choleskySolveInto(inverse, gradient, out);
      }
      own.evaluate(theta, null);
      const { first, renewed } = own.preconditioners;
      const solve = renewed?.() ?? first();
      return (gradient, out) => {
        solve(gradient, out);
        for (let e = 0; e < out.length; e++) out[e]! /= factor;
      };
    },
    close: () => {
      objective.close();
      own.close();
    },
  };
}

/** The report of solved problems, in the units of the estimator. */
export function linearReport(
  { maxIter, scale }: SummedProblem,
  solver: string,
  solutions: readonly Solution[],
): FitReport {
  return reportOf({ problem: { maxIter }, solver: { name: solver }, scale }, solutions);
}

/** Whether J is so small that the classes are separable, and no minimum exists: then with a warning. */
export function separationChecked(
  solution: Solution,
  { loss, l1, l2, ball }: SummedProblem,
  least: number,
): Solution {
  if (!isMarginLoss(loss) && loss.targets !== "classes") return solution;
  if (!isSeparated({ loss, l1, l2, ball, weights: Float64Array.of(least) }, solution.objective))
    return solution;
  return { ...solution, converged: false, warnings: [...(solution.warnings ?? []), SEPARABLE] };
}
