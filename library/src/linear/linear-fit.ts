import type { FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { runSteps, type Step } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import type { ClassWeight } from "../core/params.js";
import { requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import {
  type ClassificationSet,
  classificationSet,
  type RegressionSet,
  regressionSet,
  signsOf,
} from "../data/training-set.js";
import type { Loss } from "../losses/loss.js";
import { tubeWarnings } from "../losses/wide-tube.js";
import type { Penalty } from "../penalties/penalties.js";
import { farFromOrigin } from "../solvers/near-origin.js";
import type { Ball, Solution } from "../solvers/objective.js";
import type { Problem } from "../solvers/problem.js";
import type { AnySolver } from "../solvers/solver.js";
import { verified } from "../solvers/verified.js";
import type { LinearState, Link } from "./fitted-classifier.js";
import type { RegressorState } from "./fitted-regressor.js";
import { tamedWeights } from "./tamed-weights.js";

/**
 * The machine behind every linear estimator: model × loss × penalty × solver.
 * Named estimators choose the parts; this puts them together and turns solutions into coefficients.
 */
export interface Recipe {
  readonly where: string;
  readonly loss: Loss;
  /** l1, l2 and the ball, already in the form that is added to the summed loss. */
  readonly l1: number;
  readonly l2: number;
  readonly ball?: Ball | null;
  readonly intercept: boolean;
  readonly solver: AnySolver;
  readonly maxIter: number;
  readonly tol: number;
  readonly randomState?: number;
  /** Softmax only: the last class is the reference, with all its coefficients 0. */
  readonly reference?: boolean;
  /** The summed objective times this is what the report calls the objective. */
  readonly objectiveScale: number;
}

export interface Coefficients {
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;
}

/** A penalty in the form that is added to the summed loss; `total` is Σ of the row weights. */
export function summedPenalty(penalty: Penalty, total: number): Pick<Recipe, "l1" | "l2" | "ball"> {
  const factor = penalty.per === "mean" ? total : 1;
  const ball: Ball | null =
    penalty.name === "l1Ball" || penalty.name === "l2Ball"
      ? { norm: penalty.name === "l1Ball" ? "l1" : "l2", radius: penalty.radius }
      : null;
  return { l1: penalty.l1 * factor, l2: penalty.l2 * factor, ball };
}

export function weightOf(set: {
  readonly x: { readonly rows: number };
  readonly weights: Float64Array | undefined;
}): number {
  return set.weights ? set.weights.reduce((sum, s) => sum + s, 0) : set.x.rows;
}

function problemOf(
  recipe: Recipe,
  set: ClassificationSet<Label> | RegressionSet,
  y: Float64Array,
  outputs: number,
): Problem {
  const {
    where,
    loss,
    l1,
    l2,
    ball = null,
    intercept,
    maxIter,
    tol,
    randomState = 0,
    reference = false,
  } = recipe;
  return {
    where,
    x: set.x,
    y,
    weights: set.weights,
    loss,
    outputs,
    intercept,
    l1,
    l2,
    ball,
    maxIter,
    tol,
    randomState,
    reference,
  };
}

/** One step of a fit: numbers for progress, and the model if somebody asks for it. */
class ModelStep<M> implements Step<M> {
  constructor(
    readonly iteration: number,
    readonly total: number | undefined,
    readonly objective: number | undefined,
    readonly gradientNorm: number | undefined,
    readonly model: () => M,
  ) {}
}

type Build<M> = (learned: Coefficients) => M;

/** Two classes and softmax are one problem, else one against the rest each. */
function* classifySteps<M>(
  recipe: Recipe,
  set: ClassificationSet<Label>,
  build: Build<M>,
): Generator<Step<M>, M, void> {
  const classes = set.classes.length;
  const d = set.x.cols;
  if (recipe.loss.targets === "classes") {
    const problem = problemOf(recipe, set, new Float64Array(set.codes), classes);
    const outputs = recipe.reference ? classes - 1 : classes;
    const solution = yield* relay(recipe, problem, build, (theta) => unpack(theta, outputs, d));
    const { coef, intercept } = unpack(solution.theta, outputs, d);
    if (!recipe.reference) centreInto(recipe, coef, intercept);
    return build({ coef, intercept, report: reportOf(recipe, [solution]) });
  }
  if (classes === 2) {
    const problem = problemOf(recipe, set, signsOf(set.codes, 1), 1);
    const solution = yield* relay(recipe, problem, build, (theta) => unpack(theta, 1, d));
    return build({ ...unpack(solution.theta, 1, d), report: reportOf(recipe, [solution]) });
  }
  const stacked = new Float64Array(classes * (d + 1));
  const solutions: Solution[] = [];
  const far = farFromOrigin(set.x);
  for (let k = 0; k < classes; k++) {
    const problem = { ...problemOf(recipe, set, signsOf(set.codes, k), 1), far };
    const solution = yield* relay(recipe, problem, build, (theta) => {
      // A copy: a step may be asked for its model long after the classes behind it are done.
      const soFar = stacked.slice().fill(0, k * (d + 1));
      soFar.set(theta, k * (d + 1));
      return unpack(soFar, classes, d);
    });
    stacked.set(solution.theta, k * (d + 1));
    solutions.push(solution);
  }
  return build({ ...unpack(stacked, classes, d), report: reportOf(recipe, solutions) });
}

function* regressSteps<M>(recipe: Recipe, set: RegressionSet, build: Build<M>): Generator<Step<M>, M, void> {
  const d = set.x.cols;
  const problem = problemOf(recipe, set, set.y, 1);
  const solution = yield* relay(recipe, problem, build, (theta) => unpack(theta, 1, d));
  const report = reportOf(recipe, [solution]);
  const warnings = [...report.warnings, ...tubeWarnings(recipe.loss, set.y, recipe.intercept)];
  return build({ ...unpack(solution.theta, 1, d), report: { ...report, warnings } });
}

/** Passes a solver's steps on as steps of a model. */
function* relay<M>(
  recipe: Recipe,
  problem: Problem,
  build: Build<M>,
  pack: (theta: Float64Array) => Omit<Coefficients, "report">,
): Generator<Step<M>, Solution, void> {
  const steps = verified(recipe.solver, problem);
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) {
        const { objective, gradientNorm, converged } = step.value;
        const sound = converged && Number.isFinite(objective) && Number.isFinite(gradientNorm);
        if (!sound) requireFinite(recipe.where, problem.x);
        return step.value;
      }
      const { theta, iteration, total } = step.value;
      const scaled = (value: number | undefined) =>
        value === undefined ? undefined : value * recipe.objectiveScale;
      const objective = scaled(step.value.objective);
      const gradientNorm = scaled(step.value.gradientNorm);
      yield new ModelStep(iteration, total, objective, gradientNorm, () =>
        build({ ...pack(theta), report: unfinished(recipe, iteration, objective, gradientNorm) }),
      );
    }
  } finally {
    // Closes the solver, and with it its memory, when the caller stops early.
    steps.return(undefined as never);
  }
}

function unfinished(
  { solver }: Recipe,
  iterations: number,
  objective = Number.NaN,
  gradientNorm = Number.NaN,
): FitReport {
  return { converged: false, iterations, objective, gradientNorm, solver: solver.name, warnings: [] };
}

/** What a named classifier decides; the rest is the same for all of them. */
export interface ClassifierPlan {
  recipe(where: string, set: ClassificationSet<Label>): Recipe;
  link(set: ClassificationSet<Label>): Link | null;
  /** The objective turns NaN when X has NaN or ±∞, so looking for them beforehand can be left out. */
  readonly finiteLater?: boolean;
}

interface ClassifierDescription {
  readonly id: string;
  readonly params: { readonly classWeight: ClassWeight };
}

/** check → recipe → solve → model. */
export function fitClassifier<L extends Label, M>(
  estimator: ClassifierDescription,
  plan: ClassifierPlan,
  build: (state: LinearState<L>) => M,
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
): M {
  return runSteps(
    `${estimator.id}.fit`,
    classifierSteps(estimator, plan, build, x, y, options, "fit"),
    options,
  );
}

/** The same fit, step by step. */
export function* classifierSteps<L extends Label, M>(
  estimator: ClassifierDescription,
  plan: ClassifierPlan,
  build: (state: LinearState<L>) => M,
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
  call = "steps",
): Generator<Step<M>, M, void> {
  const where = `${estimator.id}.${call}`;
  const rules = { sparse: true, finiteLater: plan.finiteLater === true };
  const set = classificationSet(where, x, y, options, rules, estimator.params.classWeight);
  const { id } = estimator;
  const params = estimator.params;
  const link = plan.link(set);
  const { classes, featureNamesIn } = set;
  const model = (learned: Coefficients) => build({ id, params, classes, link, featureNamesIn, ...learned });
  const tamed = tamedWeights(where, set);
  return yield* classifySteps(withoutFactor(plan.recipe(where, set), tamed.factor), tamed.set, model);
}

export interface RegressorPlan {
  recipe(where: string, set: RegressionSet): Recipe;
  readonly link: RegressorState["link"];
  /** The solver notices NaN and ±∞ in X by itself, so looking for them beforehand can be left out. */
  readonly finiteLater?: boolean;
}

export function fitRegressor<M>(
  estimator: { readonly id: string; readonly params: Readonly<Record<string, unknown>> },
  plan: RegressorPlan,
  build: (state: RegressorState) => M,
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
): M {
  return runSteps(
    `${estimator.id}.fit`,
    regressorSteps(estimator, plan, build, x, y, options, "fit"),
    options,
  );
}

export function* regressorSteps<M>(
  estimator: { readonly id: string; readonly params: Readonly<Record<string, unknown>> },
  plan: RegressorPlan,
  build: (state: RegressorState) => M,
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  call = "steps",
): Generator<Step<M>, M, void> {
  const where = `${estimator.id}.${call}`;
  const rules = { sparse: true, finiteLater: plan.finiteLater === true };
  const set = regressionSet(where, x, y, options, rules);
  const { id } = estimator;
  const params = estimator.params;
  const { link } = plan;
  const { featureNamesIn } = set;
  const model = ({ coef, intercept, report }: Coefficients) =>
    build({ id, params, coef: coef.data, intercept: intercept[0]!, report, link, featureNamesIn });
  const tamed = tamedWeights(where, set);
  return yield* regressSteps(withoutFactor(plan.recipe(where, set), tamed.factor), tamed.set, model);
}

/** The recipe for weights that were divided by a factor. */
function withoutFactor(recipe: Recipe, factor: number): Recipe {
  if (factor === 1) return recipe;
  const { l1, l2, objectiveScale } = recipe;
  return { ...recipe, l1: l1 / factor, l2: l2 / factor, objectiveScale: objectiveScale * factor };
}

function unpack(theta: Float64Array, outputs: number, d: number): { coef: Matrix; intercept: Float64Array } {
  const coef = Matrix.zeros(outputs, d);
  const intercept = new Float64Array(outputs);
  for (let k = 0; k < outputs; k++) {
    coef.data.set(theta.subarray(k * (d + 1), k * (d + 1) + d), k * d);
    intercept[k] = theta[k * (d + 1) + d]!;
  }
  return { coef, intercept };
}

/**
 * Adding the same vector to every class changes no probability. Of all equal solutions the one whose classes sum to
 * zero is returned: the only one for coefficients under an l2 penalty, the usual choice otherwise.
 */
function centreInto(recipe: Recipe, coef: Matrix, intercept: Float64Array): void {
  const classes = coef.rows;
  const mean = intercept.reduce((sum, b) => sum + b, 0) / classes;
  for (let k = 0; k < classes; k++) intercept[k]! -= mean;
  // The norm ‖w‖₁ would change.
  if (recipe.l1 > 0 || recipe.ball?.norm === "l1") return;
  for (let j = 0; j < coef.cols; j++) {
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += coef.data[k * coef.cols + j]!;
    for (let k = 0; k < classes; k++) coef.data[k * coef.cols + j]! -= sum / classes;
  }
}

function reportOf(recipe: Recipe, solutions: readonly Solution[]): FitReport {
  const warnings = solutions.flatMap((s) => s.warnings ?? []);
  const converged = solutions.every((s) => s.converged);
  const iterations = Math.max(...solutions.map((s) => s.iterations));
  const objective = solutions.reduce((sum, s) => sum + s.objective, 0);
  if (!converged && warnings.length === 0 && iterations < recipe.maxIter) {
    warnings.push(
      "Rounding stopped the solver short of tol: scale the columns (StandardScaler), or raise tol.",
    );
  } else if (!converged && warnings.length === 0) {
    warnings.push(
      `Stopped after maxIter = ${recipe.maxIter} iterations: raise maxIter, or scale the columns.`,
    );
  }
  return {
    converged,
    iterations,
    objective: objective * recipe.objectiveScale,
    gradientNorm: Math.max(...solutions.map((s) => s.gradientNorm)) * recipe.objectiveScale,
    solver: recipe.solver.name,
    warnings: [...new Set(warnings)],
  };
}
