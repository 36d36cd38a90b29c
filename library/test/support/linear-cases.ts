import { Random } from "../../src/core/numbers/random.js";
import {
  absolute,
  CsrMatrix,
  coordinateDescent,
  dualCoordinateDescent,
  elasticNet,
  epsilonInsensitive,
  exponential,
  gradientDescent,
  hinge,
  huber,
  interiorPoint,
  LinearClassifier,
  LinearRegressor,
  l1,
  l1Ball,
  l2,
  l2Ball,
  lbfgs,
  logistic,
  Matrix,
  modifiedHuber,
  newton,
  none,
  poisson,
  proximal,
  quantile,
  sgd,
  squared,
  squaredEpsilonInsensitive,
  squaredHinge,
} from "../../src/index.js";
import type { MarginLoss } from "../../src/losses/loss.js";
import type { Penalty } from "../../src/penalties/penalties.js";
import { baselineOf } from "../../src/solvers/baseline.js";
import { lowestObjective, objectiveOf, type SmallProblem } from "./certain-minimum.js";

export const regressionLosses: readonly (() => MarginLoss)[] = [
  squared,
  absolute,
  () => huber(1.35),
  () => huber(1e-3),
  () => quantile(0.8),
  () => epsilonInsensitive(0.1),
  () => squaredEpsilonInsensitive(0.1),
  poisson,
];
export const binaryLosses: readonly (() => MarginLoss)[] = [
  logistic,
  hinge,
  squaredHinge,
  exponential,
  modifiedHuber,
  squared,
];
export const penalties: readonly ((strength: number) => Penalty)[] = [
  () => none(),
  l2,
  l1,
  (strength) => elasticNet(strength, 0.5),
  (strength) => l1Ball(strength),
  (strength) => l2Ball(strength),
];
export const solvers = [
  null,
  newton(),
  lbfgs(),
  gradientDescent(),
  coordinateDescent(),
  proximal(),
  interiorPoint(),
  dualCoordinateDescent(),
  sgd(),
] as const;

/** What a case is drawn from; the rest follows from the seed. */
export interface LinearCase {
  readonly seed: number;
  readonly rows: number;
  readonly cols: number;
  readonly classes: boolean;
  readonly loss: number;
  readonly penalty: number;
  readonly solver: number;
  readonly strength: number;
  readonly intercept: boolean;
  readonly sparse: boolean;
  readonly weighted: boolean;
  readonly offset: number;
  readonly scale: number;
  readonly special: "none" | "constant" | "copy" | "near" | "oneHot" | "wide";
  readonly noise: number;
  readonly unit: number;
}

/** The combination's parts, or null where it is not legal. */
export function partsOf(c: LinearCase) {
  const losses = c.classes ? binaryLosses : regressionLosses;
  const loss = losses[c.loss % losses.length]!();
  const penalty = penalties[c.penalty % penalties.length]!(c.strength);
  const solver = solvers[c.solver % solvers.length]!;
  if (solver === null) {
    const smooth = newton().losses.includes(loss.name);
    return !smooth && (penalty.name === "l1Ball" || penalty.name === "l2Ball")
      ? null
      : { loss, penalty, solver };
  }
  const legal = solver.losses.includes(loss.name) && solver.penalties.includes(penalty.name);
  return legal ? { loss, penalty, solver } : null;
}

/** Rows with the case's peculiarities. */
export function rowsOf(c: LinearCase): number[][] {
  const random = new Random(c.seed);
  const n = c.special === "wide" ? Math.max(4, c.cols - 1) : c.rows;
  const X = Array.from({ length: n }, () => Array.from({ length: c.cols }, () => random.normal()));
  X.forEach((row, i) => {
    if (c.special === "oneHot") row.fill(0)[i % c.cols] = 1;
    row.forEach((v, j) => {
      const scale = j % 2 === 0 ? c.scale : 1;
      const offset = j % 3 === 0 ? c.offset : 0;
      if (c.special !== "oneHot") row[j] = v * scale + offset;
    });
    const last = c.cols - 1;
    if (c.special === "constant") row[last] = 3;
    if (c.special === "copy" && last > 0) row[last] = row[0]!;
    if (c.special === "near" && last > 0) row[last] = row[0]! + 1e-7 * c.scale * random.normal();
  });
  return X;
}

export function targetsOf(c: LinearCase, X: readonly (readonly number[])[]): number[] {
  const random = new Random(c.seed + 1);
  const d = X[0]!.length;
  const columns = Array.from({ length: d }, (_, j) => {
    const values = X.map((row) => row[j]!);
    const centre = values.reduce((sum, v) => sum + v, 0) / values.length;
    const spread = Math.max(...values.map((v) => Math.abs(v - centre))) || 1;
    return values.map((v) => (v - centre) / spread);
  });
  const weights = columns.map(() => random.normal());
  const z = X.map(
    (_, i) => weights.reduce((sum, w, j) => sum + w * columns[j]![i]!, 0) + c.noise * random.normal(),
  );
  if (c.classes) {
    const signs: number[] = z.map((v) => (v > 0 ? 1 : -1));
    signs[0] = 1;
    signs[1] = -1;
    return signs;
  }
  const losses = regressionLosses[c.loss % regressionLosses.length]!();
  if (losses.name === "poisson") return z.map((v) => Math.max(0, Math.round(Math.exp(Math.min(v, 3)) + 1)));
  return z.map((v) => c.unit * (v + 10));
}

export interface Outcome {
  readonly converged: boolean;
  /** Whether the report says that there is no minimum. */
  readonly separable: boolean;
  /** Empty, or what is wrong. */
  readonly complaints: readonly string[];
}

/** Fits the case and holds the model to the rule: the report is true, nothing is worse than a constant, minima are minima. */
export function judge(c: LinearCase): Outcome | null {
  const parts = partsOf(c);
  if (parts === null) return null;
  const { loss, penalty, solver } = parts;
  const X = rowsOf(c);
  const y = targetsOf(c, X);
  const random = new Random(c.seed + 2);
  const weights = X.map(() => (c.weighted ? 0.5 + 2 * random.uniform() : 1));
  const dense = Matrix.fromRows(X);
  const design = c.sparse ? CsrMatrix.fromDense(dense) : dense;
  const params = { loss, penalty, solver, fitIntercept: c.intercept } as never;
  const options = c.weighted ? { sampleWeight: weights } : {};
  let w: Float64Array;
  let b: number;
  let report: { converged: boolean; objective: number; solver: string; warnings: readonly string[] };
  if (c.classes) {
    const model = new LinearClassifier(params).fit(design, y, options);
    [w, b, report] = [model.coef.data, model.intercept[0]!, model.report];
  } else {
    const model = new LinearRegressor(params).fit(design, y, options);
    [w, b, report] = [model.coef, model.intercept, model.report];
  }
  const total = weights.reduce((sum, s) => sum + s, 0);
  const factor = penalty.per === "mean" ? total : 1;
  const ball =
    penalty.name === "l1Ball" || penalty.name === "l2Ball"
      ? ({ norm: penalty.name === "l1Ball" ? "l1" : "l2", radius: penalty.radius } as const)
      : null;
  const problem: SmallProblem = {
    X,
    y,
    weights,
    loss,
    l1: penalty.l1 * factor,
    l2: penalty.l2 * factor,
    ball,
    intercept: c.intercept,
  };
  return {
    converged: report.converged,
    separable: report.warnings.some((warning) => warning.includes("separable")),
    complaints: complaintsOf(problem, report.solver, { w, b, report, factor }),
  };
}

interface Fitted {
  readonly w: Float64Array;
  readonly b: number;
  readonly report: { converged: boolean; objective: number; solver: string; warnings: readonly string[] };
  readonly factor: number;
}

/** Relative distance from the minimum at which the default tol of 1e-4 may stop, with an estimate's allowance. */
const CLOSE = 1e-6;

function complaintsOf(
  problem: SmallProblem,
  solver: string | undefined,
  { w, b, report, factor }: Fitted,
): string[] {
  const complaints: string[] = [];
  if (![...w, b].every(Number.isFinite)) complaints.push("coefficients are not finite");
  const { objective, rounding } = objectiveOf(problem, w, b);
  const reported = report.objective * factor;
  if (!(Math.abs(reported - objective) <= 1e-7 * Math.abs(objective) + 10 * rounding))
    complaints.push(`reported ${reported}, is ${objective}`);
  const norm = problem.ball?.norm === "l1" ? w.reduce((s, v) => s + Math.abs(v), 0) : Math.hypot(...w);
  if (problem.ball && norm > problem.ball.radius * (1 + 1e-9))
    complaints.push(`norm ${norm} is outside the ball`);
  const baseline = baselineOf({
    ...problem,
    x: Matrix.fromRows(problem.X),
    y: Float64Array.from(problem.y),
    weights: Float64Array.from(problem.weights),
    outputs: 1,
  } as never)!.objective;
  // Where a constant is the minimum, it is reached within tol.
  const slack = report.converged ? CLOSE : 1e-9;
  if (objective > baseline + slack * Math.abs(baseline) + rounding)
    complaints.push(`${objective} is above the constant's ${baseline}`);
  if (!report.converged && report.warnings.length === 0) complaints.push("not converged, without a warning");
  if (!report.converged || solver === "sgd" || solver === "gradientDescent") return complaints;
  const lowest = lowestObjective(problem);
  // Of nearly perfect fits: ten digits below what a constant leaves is nothing.
  // Coordinate descent on squares with l1 stops at a duality gap of tol² Σ(y − ȳ)².
  const byGap = problem.loss.name === "squared" && problem.l1 > 0;
  const floor = (byGap ? 3e-7 : 1e-10) * Math.abs(baseline);
  if (objective > lowest + CLOSE * Math.abs(lowest) + floor + 10 * rounding)
    complaints.push(`converged at ${objective}, ${lowest} is possible (constant ${baseline})`);
  return complaints;
}
