import type { FitReport } from "../../core/contract.js";
import type { Step, Steps } from "../../core/estimator.js";
import type { Label } from "../../core/labels.js";
import { maxOf } from "../../core/numbers/extremes.js";
import { mapSteps } from "../../core/steps.js";
import { requireFinite } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type ClassificationSet, type RegressionSet, signsOf } from "../../data/training-set.js";
import type { Loss } from "../../losses/loss.js";
import { tubeWarnings } from "../../losses/wide-tube.js";
import type { Penalty } from "../../penalties/penalties.js";
import { farColumnCentres } from "../../solvers/centred-columns.js";
import type { Ball, Solution } from "../../solvers/objective.js";
import { totalWeight } from "../../solvers/objective.js";
import { blocksOf, type Problem, type SharedMoments } from "../../solvers/problem.js";
import type { SharedRows } from "../../solvers/shared-rows.js";
import type { AnySolver } from "../../solvers/solver.js";
import { verified } from "../../solvers/verified.js";
import type { LinearState, Link } from "../fitted-classifier.js";
import type { RegressorState } from "../fitted-regressor.js";
import { rescaledWeights } from "../least-squares/rescaled-weights.js";

/**
 * Loss, penalty, solver and link of a linear estimator. The rest of the problem comes from its params and the rows.
 *
 *   minimise over (w, b):   (1/Σs) Σᵢ sᵢ ℓ(w·xᵢ + b, yᵢ) + R(w),   or C Σᵢ sᵢ ℓ(w·xᵢ + b, yᵢ) + R(w) where C is given
 */
export interface LinearParts<K> {
  readonly loss: Loss;
  readonly penalty: Penalty;
  readonly solver: AnySolver;
  /** The link from scores to predictions. */
  readonly link: K;
  /** Factor of the summed loss, instead of the mean. */
  readonly C?: number;
  /** Softmax only: the last class is the reference, with all its coefficients 0. */
  readonly reference?: boolean;
  /** The solver's tolerance where it is not the parameter `tol` itself. */
  readonly tol?: number;
  /** The score of rows that are held out for early stopping, of class k against the rest. */
  readonly heldOutScore?: ((k: number) => Problem["heldOutScore"]) | undefined;
  /** What fits of the same rows share. */
  readonly shared?: SharedRows | undefined;
  /** The initial [w, b] per output, of problems that are solved one after the other; zeros if absent. */
  readonly start?: Float64Array | undefined;
  /** Moments of the rows that several targets share. */
  readonly moments?: SharedMoments | undefined;
}

export type ClassifierParts = LinearParts<Link | null>;
export type RegressorParts = LinearParts<RegressorState["link"]>;

export interface LinearEstimator {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>> & {
    readonly fitIntercept: boolean;
    readonly tol: number;
    readonly maxIter: number;
    readonly randomState?: number;
  };
}

interface Coefficients {
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;
}

type Build<M> = (learned: Coefficients) => M;

/** A problem without its targets, which one-vs-rest sets per class. */
interface Task {
  readonly problem: Omit<Problem, "y" | "outputs">;
  readonly solver: AnySolver;
  /** report.objective divided by the summed objective. */
  readonly scale: number;
  readonly heldOutScore?: ClassifierParts["heldOutScore"];
}

/** A penalty in the form that is added to the summed loss; `total` is Σ of the row weights. */
export function summedPenalty(
  penalty: Penalty,
  total: number,
  C?: number,
): { l1: number; l2: number; ball: Ball | null } {
  const factor = penalty.per === "mean" ? total : 1;
  const summed = (strength: number) => (C === undefined ? strength * factor : strength / C);
  const ball: Ball | null =
    penalty.name === "l1Ball" || penalty.name === "l2Ball"
      ? { norm: penalty.name === "l1Ball" ? "l1" : "l2", radius: penalty.radius }
      : null;
  return { l1: summed(penalty.l1), l2: summed(penalty.l2), ball };
}

type TrainingSet = ClassificationSet<Label> | RegressionSet;

/** The problem on the given rows; checks X for NaN and ±∞ unless the solver detects them. */
function taskOf<S extends TrainingSet>(
  where: string,
  { params }: LinearEstimator,
  {
    loss,
    penalty,
    solver,
    C,
    reference = false,
    tol = params.tol,
    start,
    shared,
    moments,
  }: LinearParts<unknown>,
  given: S,
): { task: Task; set: S } {
  const total = totalWeight(given);
  const { l1, l2, ball } = summedPenalty(penalty, total, C);
  // Weights of extreme size are divided by a factor, and so is the penalty.
  const { set, factor } = rescaledWeights(where, given);
  const { fitIntercept: intercept, maxIter, randomState = 0 } = params;
  const { x, weights } = set;
  const problem = {
    where,
    x,
    weights,
    loss,
    intercept,
    l1: l1 / factor,
    l2: l2 / factor,
    ball,
    reference,
    maxIter,
    tol,
    randomState,
    start,
    moments,
    ...(shared && { shared, far: shared.far }),
  };
  if (!solver.findsNonFinite?.(problem)) requireFinite(where, x);
  const scale = C ?? (penalty.per === "mean" ? 1 / total : 1);
  return { task: { problem, solver, scale: scale * factor }, set };
}

/** One step of a fit: its progress, and the model so far, built on request. */
class ModelStep<M> implements Step<M> {
  constructor(
    readonly iteration: number,
    readonly total: number | undefined,
    readonly objective: number | undefined,
    readonly gradientNorm: number | undefined,
    readonly model: () => M,
  ) {}
}

/** Two classes and softmax are one problem; otherwise there is one problem per class, that class against the rest. */
function* classifySteps<M>(task: Task, set: ClassificationSet<Label>, build: Build<M>): Steps<M> {
  const classes = set.classes.length;
  const d = set.x.cols;
  if (task.problem.loss.targets === "classes") {
    const y = sharedTargets(task, () => new Float64Array(set.codes));
    const problem = { ...task.problem, y, outputs: classes };
    const blocks = blocksOf(problem);
    const solution = yield* solveSteps(task, problem, build, (theta) => unpack(theta, blocks, d));
    const { coef, intercept } = unpack(solution.theta, blocks, d);
    if (!problem.reference) centreInto(problem, coef, intercept);
    return build({ coef, intercept, report: reportOf(task, [solution]) });
  }
  if (classes === 2) {
    const heldOutScore = task.heldOutScore?.(1);
    const y = sharedTargets(task, () => signsOf(set.codes, 1));
    const problem = { ...task.problem, y, outputs: 1, heldOutScore };
    const solution = yield* solveSteps(task, problem, build, (theta) => unpack(theta, 1, d));
    return build({ ...unpack(solution.theta, 1, d), report: reportOf(task, [solution]) });
  }
  const stacked = new Float64Array(classes * (d + 1));
  const solutions: Solution[] = [];
  const far = farColumnCentres(set.x);
  for (let k = 0; k < classes; k++) {
    const heldOutScore = task.heldOutScore?.(k);
    const problem = { ...task.problem, y: signsOf(set.codes, k), outputs: 1, far, heldOutScore };
    const solution = yield* solveSteps(task, problem, build, (theta) => {
      // A copy: the model of a step may be requested long after the next classes are done.
      const soFar = stacked.slice().fill(0, k * (d + 1));
      soFar.set(theta, k * (d + 1));
      return unpack(soFar, classes, d);
    });
    stacked.set(solution.theta, k * (d + 1));
    solutions.push(solution);
  }
  return build({ ...unpack(stacked, classes, d), report: reportOf(task, solutions) });
}

const sharedTargets = ({ problem }: Task, make: () => Float64Array): Float64Array =>
  problem.shared ? problem.shared.targets(make) : make();

function* regressSteps<M>(task: Task, set: RegressionSet, build: Build<M>): Steps<M> {
  const d = set.x.cols;
  const problem = { ...task.problem, y: set.y, outputs: 1 };
  const solution = yield* solveSteps(task, problem, build, (theta) => unpack(theta, 1, d));
  const report = reportOf(task, [solution]);
  const warnings = [...report.warnings, ...tubeWarnings(problem.loss, set.y, problem.intercept)];
  return build({ ...unpack(solution.theta, 1, d), report: { ...report, warnings } });
}

/** A solver's steps as steps of a model. */
function* solveSteps<M>(
  { solver, scale }: Task,
  problem: Problem,
  build: Build<M>,
  pack: (theta: Float64Array) => Omit<Coefficients, "report">,
): Generator<Step<M>, Solution, void> {
  const scaled = (value: number | undefined) => (value === undefined ? undefined : value * scale);
  const solution = yield* mapSteps(verified(solver, problem), (step) => {
    const { theta, iteration, total } = step;
    const objective = scaled(step.objective);
    const gradientNorm = scaled(step.gradientNorm);
    return new ModelStep(iteration, total, objective, gradientNorm, () =>
      build({ ...pack(theta), report: unfinished(solver, iteration, objective, gradientNorm) }),
    );
  });
  const { objective, gradientNorm, converged } = solution;
  const sound = converged && Number.isFinite(objective) && Number.isFinite(gradientNorm);
  // NaN and ±∞ in X whose check was left to the solver.
  if (!sound) requireFinite(problem.where, problem.x);
  return solution;
}

function unfinished(
  solver: AnySolver,
  iterations: number,
  objective = Number.NaN,
  gradientNorm = Number.NaN,
): FitReport {
  return { converged: false, iterations, objective, gradientNorm, solver: solver.name, warnings: [] };
}

/** parts → problem → solve → model, step by step. */
export function* classifierSetSteps<L extends Label, M>(
  where: string,
  estimator: LinearEstimator,
  parts: ClassifierParts,
  given: ClassificationSet<L>,
  build: (state: LinearState<L>) => M,
): Steps<M> {
  const { id, params } = estimator;
  const { classes, featureNamesIn } = given;
  const { link } = parts;
  const { task, set } = taskOf(where, estimator, parts, given);
  return yield* classifySteps({ ...task, heldOutScore: parts.heldOutScore }, set, (learned) =>
    build({ id, params, classes, link, featureNamesIn, ...learned }),
  );
}

/** `taskOf` checks for NaN and ±∞. */
export const linearRules = { sparse: true, deferFiniteCheck: true } as const;

/** The same for a regressor. */
export function* regressorSetSteps<M>(
  where: string,
  estimator: LinearEstimator,
  parts: RegressorParts,
  given: RegressionSet,
  build: (state: RegressorState) => M,
): Steps<M> {
  const { id, params } = estimator;
  const { featureNamesIn } = given;
  const { link } = parts;
  const { task, set } = taskOf(where, estimator, parts, given);
  return yield* regressSteps(task, set, ({ coef, intercept, report }) =>
    build({ id, params, coef: coef.data, intercept: intercept[0]!, report, link, featureNamesIn }),
  );
}

/** The coefficients and intercepts of blocks [w, b]. */
export function unpack(
  theta: Float64Array,
  outputs: number,
  d: number,
): { coef: Matrix; intercept: Float64Array } {
  const coef = Matrix.zeros(outputs, d);
  const intercept = new Float64Array(outputs);
  for (let k = 0; k < outputs; k++) {
    coef.data.set(theta.subarray(k * (d + 1), k * (d + 1) + d), k * d);
    intercept[k] = theta[k * (d + 1) + d]!;
  }
  return { coef, intercept };
}

/**
 * Adding the same vector to every class changes no probability. Of the equivalent solutions, centres the classes at a sum of 0:
 * unique for coefficients under an l2 penalty, the usual convention otherwise.
 */
export function centreInto(
  { l1, ball }: Pick<Problem, "l1" | "ball">,
  coef: Matrix,
  intercept: Float64Array,
): void {
  const classes = coef.rows;
  const mean = intercept.reduce((sum, b) => sum + b, 0) / classes;
  for (let k = 0; k < classes; k++) intercept[k]! -= mean;
  // The norm ‖w‖₁ would change.
  if (l1 > 0 || ball?.norm === "l1") return;
  for (let j = 0; j < coef.cols; j++) {
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += coef.data[k * coef.cols + j]!;
    for (let k = 0; k < classes; k++) coef.data[k * coef.cols + j]! -= sum / classes;
  }
}

export function reportOf(
  {
    problem,
    solver,
    scale,
  }: {
    readonly problem: Pick<Problem, "maxIter">;
    readonly solver: Pick<AnySolver, "name">;
    readonly scale: number;
  },
  solutions: readonly Solution[],
): FitReport {
  const { maxIter } = problem;
  const warnings = solutions.flatMap((s) => s.warnings ?? []);
  const converged = solutions.every((s) => s.converged);
  const iterations = maxOf(solutions.map((s) => s.iterations));
  const objective = solutions.reduce((sum, s) => sum + s.objective, 0);
  if (!converged && warnings.length === 0 && iterations < maxIter) {
    warnings.push(
      "Rounding stopped the solver short of tol: scale the columns (StandardScaler), or raise tol.",
    );
  } else if (!converged && warnings.length === 0) {
    warnings.push(`Stopped after maxIter = ${maxIter} iterations: raise maxIter, or scale the columns.`);
  }
  return {
    converged,
    iterations,
    objective: objective * scale,
    gradientNorm: maxOf(solutions.map((s) => s.gradientNorm)) * scale,
    solver: solver.name,
    warnings: [...new Set(warnings)],
  };
}
