import type { FitReport } from "../../core/contract.js";
import { ParameterError, show } from "../../core/errors.js";
import type { Step } from "../../core/estimator.js";
import type { FilledIn, ParamValues } from "../../core/params/params.js";
import { choice, either, flag, integer, real } from "../../core/params/params.js";
import type { Learned } from "../../core/state/model-state.js";
import { type ModelState, StateReader, type Tensor } from "../../core/state/state.js";
import { mapSteps } from "../../core/steps.js";
import type { Design } from "../../data/input.js";
import type { Loss } from "../../losses/loss.js";
import type { SgdState } from "../../numeric/rows/sgd-rows.js";
import { elasticNet, l1, l2, none, type Penalty } from "../../penalties/penalties.js";
import type { Solution } from "../../solvers/objective.js";
import { totalWeight } from "../../solvers/objective.js";
import { linearProblem, type Problem } from "../../solvers/problem.js";
import { l1Updates, type SgdOptions, schedules } from "../../solvers/sgd.js";
import type { SolverStep } from "../../solvers/solver.js";
import { earlyStopping, validationFraction } from "./hold-out.js";
import { summedPenalty } from "./linear-fit.js";
import { l1Ratio, rowOrderSeed } from "./params.js";

/** The parameters that SGDClassifier and SGDRegressor share. */
export const sharedParams = {
  penalty: choice(["l2", "l1", "elasticnet", "none"], {
    default: "l2",
    doc: "Penalty on the coefficients.",
  }),
  alpha: real({
    atLeast: 0,
    default: 1e-4,
    doc: "Regularisation strength α; also used by the optimal learning rate.",
  }),
  l1Ratio: l1Ratio(0.15),
  l1Update: choice(l1Updates, {
    default: "truncate",
    doc: "The l1 step: truncate stops at 0; subgradient subtracts sign(w), which leaves no exact zeros.",
  }),
  fitIntercept: flag({ default: true, doc: "Fit an intercept b; when false, b = 0." }),
  maxIter: integer({ atLeast: 1, default: 1000, doc: "Maximum number of epochs." }),
  tol: real({
    atLeast: 0,
    default: 1e-3,
    doc: "Stop when the mean loss of an epoch has not fallen by tol for nIterNoChange epochs; 0 never stops early.",
  }),
  shuffle: flag({ default: true, doc: "Shuffle the rows before every epoch." }),
  batchSize: integer({ atLeast: 1, default: 1, doc: "Rows per step; their gradients are averaged." }),
  epsilon: real({
    atLeast: 0,
    default: 0.1,
    doc: "Half-width of the tube of the epsilon-insensitive losses, or δ of the Huber loss.",
  }),
  learningRate: choice(schedules, { default: "optimal", doc: "Learning rate schedule." }),
  eta0: real({
    above: 0,
    default: 0.01,
    doc: "Initial learning rate of the constant, invscaling and adaptive schedules.",
  }),
  powerT: real({ default: 0.25, doc: "Exponent of the invscaling schedule." }),
  nIterNoChange: integer({ atLeast: 1, default: 5, doc: "Epochs without improvement before stopping." }),
  earlyStopping: earlyStopping(),
  validationFraction: validationFraction(),
  average: either(
    flag({ default: false, doc: "Average the coefficients over the steps, or from a given step on." }),
    {
      kind: "integer",
      expected: "a step number ≥ 1",
      range: { atLeast: 1 },
      read: integer({ atLeast: 1, default: 1, doc: "" }).read,
    },
  ),
  randomState: rowOrderSeed(),
};

/** What `sgdSteps` asks of the door: it looks for NaN and ±∞ itself, where the rows lie in memory. */
export const rowRules = { sparse: true, deferFiniteCheck: true } as const;

type StochasticValues = ParamValues<typeof sharedParams>;

/** What both minimise: the mean loss and the penalty. */
export function problemOf(
  params: StochasticValues,
  where: string,
  { x, weights }: { readonly x: Design; readonly weights: Float64Array | undefined },
  y: Float64Array,
  loss: Loss,
  maxIter: number,
  heldOutScore: Problem["heldOutScore"],
): Problem {
  const { fitIntercept: intercept, tol, randomState } = params;
  const penalty = summedPenalty(penaltyOf(params), totalWeight({ x, weights }));
  const stated = { where, x, y, weights, loss, intercept, maxIter, tol, randomState };
  return linearProblem({ ...stated, ...penalty, heldOutScore });
}

/** The report of a finished run, per row. */
export const finishedReport = (
  { converged, iterations, objective, gradientNorm, warnings = [] }: Solution,
  total: number,
): FitReport => ({
  converged,
  iterations,
  objective: objective / total,
  gradientNorm: gradientNorm / total,
  solver: "sgd",
  warnings: [...warnings],
});

/** Said of one that did not converge, unless it was one epoch or something else is said. */
export const unfinishedWarnings = (converged: boolean, maxIter: number, said: number): readonly string[] =>
  converged || maxIter === 1 || said > 0
    ? []
    : [`Stopped after maxIter = ${maxIter} epochs: raise maxIter, or scale the columns.`];

function penaltyOf({ penalty, alpha, l1Ratio }: StochasticValues): Penalty {
  return { none: none(), l2: l2(alpha), l1: l1(alpha), elasticnet: elasticNet(alpha, l1Ratio) }[penalty];
}

/** Checks the model that `partialFit` continues; null begins a new one. */
export function checkContinued(
  where: string,
  model: unknown,
  ...kinds: readonly (abstract new (
    ...args: never[]
  ) => object)[]
): void {
  if (model === null || kinds.some((kind) => model instanceof kind)) return;
  throw new ParameterError(where, "the model", `a ${kinds[0]!.name}, or null`, show(model));
}

export function optionsOf(params: StochasticValues): FilledIn<SgdOptions> {
  const { learningRate, eta0, powerT, l1Update, batchSize, shuffle, average, nIterNoChange } = params;
  return { learningRate, eta0, powerT, l1Update, batchSize, shuffle, average, nIterNoChange };
}

/** What a model stores of its runs, one per output. The mean is the model's own coef. */
export function runTensors(runs: readonly SgdState[]): Learned {
  const stored = (of: (run: SgdState) => Iterable<number>) =>
    table(
      runs.length,
      runs.flatMap((run) => [...of(run)]),
    );
  return {
    runs: stored(({ t, averaged, due }) => [t, averaged, due]),
    iterate: runs.some((run) => run.averaged > 0) ? stored((run) => run.iterate) : undefined,
    cut: runs.some((run) => run.due > 0) ? stored((run) => run.cut) : undefined,
  };
}

const table = (rows: number, values: readonly number[]): Tensor => ({
  shape: [rows, values.length / rows],
  data: Float64Array.from(values),
});

/** Reads what `runTensors` made; `thetas` are the model's [w, b], one per output. */
export function readRuns(state: ModelState, thetas: readonly Float64Array[]): SgdState[] {
  const reader = new StateReader(state);
  const count = thetas.length;
  const size = thetas[0]!.length;
  if (size < 2) reader.fail("coef", "of one column or more", "none");
  const optional = (name: string, cols: number) =>
    Object.hasOwn(state.tensors, name) ? reader.floats(name, [count, cols]) : null;
  const counters = reader.floats("runs", [count, 3]);
  const iterates = optional("iterate", size);
  const cuts = optional("cut", size - 1);
  return thetas.map((theta, k) => {
    const [t, averaged, due] = counters.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
    if (!Number.isSafeInteger(t) || t < 1) reader.fail("runs", "step numbers ≥ 1", show(t));
    if (!Number.isSafeInteger(averaged) || averaged < 0)
      reader.fail("runs", "whole numbers of averaged steps", show(averaged));
    if (!(Number.isFinite(due) && due >= 0)) reader.fail("runs", "l1 penalties ≥ 0", show(due));
    if (averaged > 0 && iterates === null) reader.fail('tensor "iterate"', "present", "nothing");
    if (due > 0 && cuts === null) reader.fail('tensor "cut"', "present", "nothing");
    const iterate = averaged > 0 ? iterates!.slice(k * size, (k + 1) * size) : theta;
    const cut = cuts?.slice(k * (size - 1), (k + 1) * (size - 1)) ?? new Float64Array(size - 1);
    if (!iterate.every(Number.isFinite) || !cut.every(Number.isFinite))
      reader.fail("iterate and cut", "finite", "±∞");
    return { iterate, mean: averaged > 0 ? theta : new Float64Array(size), averaged, cut, due, t };
  });
}

/** The number of the next step, of the run that is furthest. */
export const stepCountOf = (runs: readonly SgdState[]): number =>
  runs.reduce((most, { t }) => Math.max(most, t), 1);

/** [w, b] as one vector. */
export function joined(w: Float64Array, b: number): Float64Array {
  const theta = new Float64Array(w.length + 1);
  theta.set(w);
  theta[w.length] = b;
  return theta;
}

/** A run's epochs as steps of a model. The objective of a step is the mean loss that its rows met, without the penalty. */
export function modelSteps<S extends SolverStep, R, M>(
  epochs: Generator<S, R, void>,
  model: (epoch: S) => M,
): Generator<Step<M>, R, void> {
  return mapSteps(epochs, (epoch) => {
    const { iteration, total, objective } = epoch;
    return { iteration, total, objective, model: () => model(epoch) };
  });
}

/** The report of a model that is still being learned. */
export const unfinishedReport = ({ iteration, objective }: SolverStep): FitReport => ({
  converged: false,
  iterations: iteration,
  objective: objective ?? Number.NaN,
  gradientNorm: Number.NaN,
  solver: "sgd",
  warnings: [],
});

/** The optimal learning rate, 1/(α(t₀ + t)), requires α > 0. */
export function requireAlpha(
  id: string,
  params: { readonly learningRate: string; readonly alpha: number },
): void {
  if (params.learningRate !== "optimal" || params.alpha > 0) return;
  const expected = '> 0 with learningRate "optimal", which is 1/(alpha (t₀ + t))';
  throw new ParameterError(id, "alpha", expected, show(params.alpha));
}
