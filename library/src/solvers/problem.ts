import type { CsrMatrix } from "../data/csr-matrix.js";
import type { Matrix } from "../data/matrix.js";
import { type HingeForm, type Loss, marginLoss } from "../losses/loss.js";
import type { Moments } from "../numeric/rows/moments.js";
import type { Objective, Regularisation, Solution } from "./objective.js";
import { evaluateSmooth, l1Norm, optimalityViolation } from "./objective.js";
import { referenceObjective, rowObjective } from "./row-objective.js";
import type { SharedRows } from "./shared-rows.js";

/**
 * A linear learning problem in numbers:
 *
 *   minimise over θ = [w, b] (one block per output):   Σ_i s_i ℓ(x_i·w + b, y_i) + ½ l2 ‖w‖² + l1 ‖w‖₁,   w in the ball
 *
 * y holds −1/+1 for classification losses, numbers for regression, class indices for softmax.
 */
export interface Problem extends Regularisation {
  /** Names the caller in error messages. */
  readonly where: string;
  readonly x: Matrix | CsrMatrix;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly loss: Loss;
  /** 1, or the number of classes for softmax. */
  readonly outputs: number;
  /** Softmax only: the last class is the reference and has no coefficients. */
  readonly reference?: boolean;
  /** The initial θ; all zeros if absent. */
  readonly start?: Float64Array | undefined;
  readonly maxIter: number;
  readonly tol: number;
  readonly randomState: number;
  /** Centres of far columns (`farColumnCentres`), if computed before: one X has one problem per class. */
  readonly far?: Float64Array | null;
  /** The moments of these rows and y, if other problems share them; undefined for other rows or weights. */
  readonly moments?: SharedMoments | undefined;
  /** Whether the columns of X are known to be far from dependent (`orthogonal-view.ts`). */
  readonly independent?: boolean;
  /** The score of held-out rows at θ, larger is better: stochastic descent stops by it. */
  readonly heldOutScore?: ((theta: Float64Array) => number) | undefined;
  /** What this problem shares with others of the same rows. */
  readonly shared?: SharedRows | undefined;
  /** Keeps the objective open for the next call of `openObjective`; its owner closes it. */
  readonly opened?: OpenedObjective | undefined;
}

export type SharedMoments = (x: Problem["x"], weights: Float64Array | undefined) => Moments | undefined;

/** A problem of one output, with b and without a penalty unless stated otherwise. */
export function linearProblem(
  stated: Pick<Problem, "where" | "x" | "y" | "weights" | "loss" | "maxIter" | "tol"> & Partial<Problem>,
): Problem {
  return { outputs: 1, intercept: true, l1: 0, l2: 0, ball: null, randomState: 0, ...stated };
}

export interface OpenedObjective {
  objective: Objective | null;
}

/** The problem as a function for solvers that need no rows. The caller closes it. */
export function openObjective(problem: Problem): Objective {
  const { opened } = problem;
  if (opened === undefined) return newObjective(problem);
  opened.objective ??= newObjective(problem);
  return { ...opened.objective, close: () => undefined };
}

const newObjective = (problem: Problem): Objective =>
  problem.reference ? referenceObjective(problem) : rowObjective(problem);

/** Blocks [w, b] of θ: one per output, without the reference class. */
export const blocksOf = ({ outputs, reference }: Problem): number => (reference ? outputs - 1 : outputs);

/** Whether θ has one output too many to be unique: softmax without a reference class. */
export const isSymmetric = ({ outputs, reference }: Problem): boolean => outputs > 1 && !reference;

export function startOf(problem: Problem): Float64Array {
  return problem.start ? problem.start.slice() : new Float64Array(blocksOf(problem) * (problem.x.cols + 1));
}

/** The loss as a sum of hinges, for solvers that require this form. */
export function hingesOf(loss: Loss): HingeForm {
  const { hinges } = marginLoss(loss);
  if (hinges === undefined) throw new Error(`${loss.name} is not a sum of hinges`);
  return hinges;
}

type Primal = Pick<Solution, "objective" | "gradientNorm">;

/** J and the size of its (sub)gradient at θ, for solvers that do not work on the objective itself. */
export function primalAt(problem: Problem, theta: Float64Array): Primal {
  const objective = openObjective(problem);
  try {
    return primalOf(objective, theta);
  } finally {
    objective.close();
  }
}

/** The same on an open objective. */
export function primalOf(objective: Objective, theta: Float64Array): Primal {
  const gradient = new Float64Array(objective.size);
  const smooth = evaluateSmooth(objective, theta, gradient);
  return {
    objective: smooth + objective.l1 * l1Norm(objective, theta),
    gradientNorm: optimalityViolation(objective, theta, gradient),
  };
}
