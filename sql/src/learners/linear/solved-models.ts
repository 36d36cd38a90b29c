import {
  LinearClassifier,
  LinearRegressor,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  PoissonRegressor,
  SoftmaxRegression,
} from "argmax";
import type { FittedModel } from "argmax/core";
import {
  centreInto,
  constantModel,
  isMarginLoss,
  linearReport,
  reportJson,
  type SampledRows,
  type Solution,
  type SummedProblem,
  sampledFunction,
  separationChecked,
  summedProblem,
  tubeWarnings,
  unpack,
} from "argmax/sums";
import { compare, type Expression, number, shared, when } from "../../expressions/expression.js";
import { type AnyEstimator, learner } from "../../rows/learner.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { runTogether } from "../asking.js";
import { modelState } from "../state.js";
import { type TargetFacts, targetFacts } from "./facts.js";
import { marginTerms, requireSummable, softmaxTerms } from "./losses.js";
import { type CentredColumns, centredColumns, SummedObjective, uncentre } from "./objective.js";
import { sampleOf } from "./sample.js";
import { type SumSolver, solved, solverOf } from "./solve.js";

/** Linear models that a loss, a penalty and a solver define: their minimisers ask for sums of the loss and its derivatives. */

type LinearEstimator = AnyEstimator & Parameters<typeof summedProblem>[1];

/** A problem, the passes that solve it, and how. */
interface Task {
  readonly problem: SummedProblem;
  readonly columns: CentredColumns;
  readonly facts: TargetFacts;
  readonly solver: SumSolver;
  readonly sample: SampledRows | undefined;
}

async function taskOf(estimator: LinearEstimator, rows: TrainingRows): Promise<Task> {
  const { where } = rows;
  const { classes } = rows.target!;
  const { fitIntercept } = estimator.params as { readonly fitIntercept: boolean };
  const [facts, columns] = await Promise.all([targetFacts(rows), centredColumns(rows, fitIntercept)]);
  const cols = columns.u.length;
  const known = { rows: facts.count, cols, classes, range: facts.range, total: facts.total };
  const problem = summedProblem(where, estimator, known);
  requireSummable(where, problem.loss);
  const outputs = outputsOf(problem, classes.length);
  const solver = solverOf(where, problem, askedSolver(estimator), outputs, cols);
  // Softmax without its last class has other coordinates than the kernels of a sample.
  const sample = problem.reference
    ? undefined
    : await sampleOf(columns, outputs * (cols + 1), facts.total, solver === "lbfgs");
  return { problem, columns, facts, solver, sample };
}

/** The solver that the caller asks for; undefined where the fit may choose. */
function askedSolver({ params }: AnyEstimator): string | undefined {
  const { solver = null } = params as { readonly solver?: string | { readonly name: string } | null };
  if (solver === null || solver === "auto") return undefined;
  return typeof solver === "string" ? solver : solver.name;
}

/** Blocks of coefficients that are learned together. */
function outputsOf({ loss, reference }: SummedProblem, classes: number): number {
  if (loss.targets !== "classes") return 1;
  return reference ? classes - 1 : classes;
}

/** The problems of a task one beside the other: each with its target, and that of the sample. */
interface Target {
  readonly y: Expression;
  readonly sampled: (y: Float64Array) => Float64Array;
  readonly constant: readonly [targets: Float64Array, weights: Float64Array];
}

async function solutionsOf(task: Task, targets: readonly Target[]): Promise<Solution[]> {
  const { problem, columns, solver, sample, facts } = task;
  const { rows } = columns;
  const { where } = rows;
  const { loss, reference, scale } = problem;
  const classes = rows.target!.classes.length;
  const outputs = outputsOf(problem, classes);
  const runs = targets.map(({ y, sampled, constant }) => {
    const terms = (z: readonly Expression[]) =>
      isMarginLoss(loss) ? marginTerms(loss, z[0]!, y) : softmaxTerms(z, y, reference);
    const f = new SummedObjective(columns, outputs, problem, terms, hasTails(loss));
    const baseline =
      loss.targets === "numbers"
        ? null
        : constantModel(problem, outputsIn(loss, classes), f.cols, ...constant);
    const own = sample && { ...sample, y: sampled(sample.y) };
    const open = own && (() => sampledFunction(where, problem, outputs, own));
    const isWhole = own?.y.length === facts.count;
    const start = {
      where,
      baseline,
      isWhole,
      sample: own && isUsable(loss, own.y, classes) ? open : undefined,
    };
    return solved(f, problem, solver, start);
  });
  const solutions = await runTogether(rows, runs, scale);
  return solutions.map((solution) => {
    uncentre(columns, solution.theta);
    return separationChecked(solution, problem, facts.leastWeight);
  });
}

const hasTails = (loss: SummedProblem["loss"]): boolean => isMarginLoss(loss) && loss.majorant !== undefined;

const outputsIn = (loss: SummedProblem["loss"], classes: number): number =>
  loss.targets === "classes" ? classes : 1;

/** Rows of each class that a sample has at least: the first rows of a sorted table have one class only. */
const FEWEST_OF_A_CLASS = 20;

function isUsable({ targets }: SummedProblem["loss"], y: Float64Array, classes: number): boolean {
  if (targets === "numbers" || targets === "counts") return true;
  const codes = targets === "signs" ? [-1, 1] : Array.from({ length: classes }, (_, k) => k);
  return codes.every((code) => y.reduce((n, v) => n + (v === code ? 1 : 0), 0) >= FEWEST_OF_A_CLASS);
}

/** ±1: class k against the others. */
function signTarget(value: Expression, k: number, classTotals: Float64Array): Target {
  const own = classTotals[k]!;
  const total = classTotals.reduce((sum, w) => sum + w, 0);
  return {
    y: shared(when(compare(value, "=", number(k)), number(1), number(-1))),
    sampled: (y) => y.map((code) => (code === k ? 1 : -1)),
    constant: [Float64Array.of(-1, 1), Float64Array.of(total - own, own)],
  };
}

const placeTarget = (value: Expression, classTotals: Float64Array): Target => ({
  y: value,
  sampled: (y) => y,
  constant: [Float64Array.from(classTotals.keys()), classTotals],
});

async function learnClassifier(estimator: LinearEstimator, rows: TrainingRows) {
  const { classes, value } = rows.target!;
  const task = await taskOf(estimator, rows);
  const { problem, solver, facts } = task;
  const { classTotals } = facts;
  const isJoint = problem.loss.targets === "classes";
  const places = classes.length === 2 ? [1] : [...classes.keys()];
  const targets = isJoint
    ? [placeTarget(value, classTotals)]
    : places.map((k) => signTarget(value, k, classTotals));
  const solutions = await solutionsOf(task, targets);
  const d = rows.x.length;
  const stacked = joined(solutions.map(({ theta }) => theta));
  // The reference class has no coefficients: zeros.
  const outputs = isJoint ? classes.length : targets.length;
  const whole = new Float64Array(outputs * (d + 1));
  whole.set(stacked);
  const { coef, intercept } = unpack(whole, outputs, d);
  if (isJoint && !problem.reference) centreInto(problem, coef, intercept);
  const report = reportJson(linearReport(problem, solver, solutions));
  const tensors = { coef: { shape: [coef.rows, coef.cols], data: coef.data }, intercept };
  return modelState(estimator, rows, { classes: [...classes], report, link: problem.link }, tensors);
}

async function learnRegressor(estimator: LinearEstimator, rows: TrainingRows) {
  const task = await taskOf(estimator, rows);
  const { problem, solver, facts } = task;
  const constant = [Float64Array.of(facts.mean), Float64Array.of(facts.total)] as const;
  const [solution] = await solutionsOf(task, [{ y: rows.target!.value, sampled: (y) => y, constant }]);
  const { theta } = solution!;
  const plain = linearReport(problem, solver, [solution!]);
  const tube = tubeWarnings(problem.loss, Float64Array.from(facts.range), problem.intercept);
  const report = reportJson({ ...plain, warnings: [...plain.warnings, ...tube] });
  const values = { intercept: theta.at(-1)!, report, link: problem.link, extra: {} };
  return modelState(estimator, rows, values, { coef: theta.slice(0, -1) });
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const classifiers = [LogisticRegression, SoftmaxRegression, LinearSVC, LinearClassifier] as const;
const regressors = [PoissonRegressor, LinearSVR, LinearRegressor] as const;

export const solvedLearners = [
  ...classifiers.map((type) =>
    learner(type as never, async (estimator: LinearEstimator, rows) =>
      (type as Restores).restore(await learnClassifier(estimator, rows)),
    ),
  ),
  ...regressors.map((type) =>
    learner(type as never, async (estimator: LinearEstimator, rows) =>
      (type as Restores).restore(await learnRegressor(estimator, rows)),
    ),
  ),
];

interface Restores {
  restore(state: ReturnType<typeof modelState>): FittedModel;
}
