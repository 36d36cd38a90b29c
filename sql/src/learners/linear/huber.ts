import { HuberRegressor, huber } from "argmax";
import {
  leastScale,
  ScaleBracket,
  type Solution,
  type SummedProblem,
  scaleWarnings,
  UNFINISHED,
} from "argmax/sums";
import {
  add,
  call,
  compare,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../../expressions/expression.js";
import { sumOf } from "../../expressions/sums.js";
import { learner } from "../../rows/learner.js";
import { Ask, type Asking, runTogether } from "../asking.js";
import { modelState } from "../state.js";
import { targetFacts } from "./facts.js";
import { leastSquares, targetMoments } from "./least-squares.js";
import { marginTerms } from "./losses.js";
import { type CentredColumns, centredColumns, SummedObjective, uncentre } from "./objective.js";
import { solved } from "./solve.js";

/** Huber's regression: a fit for each scale σ that its bracket proposes, and sums of the residuals there. */

interface Found {
  readonly solution: Solution;
  readonly bracket: ScaleBracket;
  readonly objective: number;
  readonly iterations: number;
}

/** Tolerance and steps of the fit at one scale, those of a fit in memory. */
const AT_SCALE = { tol: 1e-8, maxIter: 200 };

function* scaleSearch(
  { epsilon, alpha, fitIntercept, tol, maxIter }: HuberRegressor["params"],
  columns: CentredColumns,
  bracket: ScaleBracket,
  start: Float64Array,
): Asking<Found> {
  const { where, target } = columns.rows;
  let theta = start;
  for (let iterations = 0; ; iterations++) {
    const loss = huber(epsilon * bracket.scale);
    // Σ s σH(r/σ) is 2/σ times the Huber loss with δ = εσ.
    const problem: SummedProblem = {
      ...{ loss, solver: "newton", link: "identity", reference: false, ball: null, scale: 1 },
      ...{ intercept: fitIntercept, l1: 0, l2: alpha * bracket.scale, ...AT_SCALE },
    };
    const terms = (z: readonly Expression[]) => marginTerms(loss, z[0]!, target!.value);
    const f = new SummedObjective(columns, 1, problem, terms, true);
    const solution = yield* solved(f, problem, "newton", { where, theta, sample: undefined, baseline: null });
    theta = solution.theta;
    const { objective, derivative } = yield* measured(columns, theta, bracket.scale, epsilon, alpha);
    bracket.record(derivative);
    if (bracket.done(tol) || iterations >= maxIter) return { solution, bracket, objective, iterations };
    bracket.advance();
  }
}

/** The objective at σ, and its derivative there. */
function* measured(
  { rows, u }: CentredColumns,
  theta: Float64Array,
  scale: number,
  epsilon: number,
  alpha: number,
): Generator<Ask, { objective: number; derivative: number }, unknown> {
  const scores = u.map((x, j) => multiply(number(theta[j]!), x));
  const z = add(sum(scores), number(theta[u.length]!));
  const r = shared(call("abs", divide(subtract(rows.target!.value, z), number(scale))));
  const isInside = compare(r, "<=", number(epsilon));
  const square = shared(multiply(r, r));
  const far = number(epsilon * epsilon);
  const value = when(isInside, square, subtract(multiply(number(2 * epsilon), r), far));
  const slope = subtract(number(1), when(isInside, square, far));
  let found = { objective: 0, derivative: 0 };
  yield new Ask([rows.weight, rows.weighted(value), rows.weighted(slope)].map(sumOf), (sums) => {
    const norm = theta.subarray(0, u.length).reduce((total, w) => total + w * w, 0);
    found = { objective: scale * (sums[0]! + sums[1]!) + alpha * norm, derivative: sums[2]! };
    return undefined;
  });
  return found;
}

export const huberLearners = [
  learner(HuberRegressor, async (estimator, rows) => {
    const { alpha, fitIntercept, tol, maxIter } = estimator.params;
    const [moments, columns] = await Promise.all([
      targetMoments(rows, fitIntercept),
      centredColumns(rows, fitIntercept),
    ]);
    const [facts, start] = await Promise.all([
      targetFacts(rows),
      leastSquares(rows, moments, alpha, fitIntercept),
    ]);
    const largest = Math.max(Math.abs(facts.range[0]), Math.abs(facts.range[1]));
    const spread = Math.sqrt(moments.scatter.at(-1)! / moments.total);
    const left = Math.sqrt(start.report.objective / moments.total);
    const bracket = new ScaleBracket(left, leastScale(spread, largest));
    const shift = start.coef.reduce((b, w, j) => b + w * columns.centres[j]!, start.intercept);
    const run = scaleSearch(estimator.params, columns, bracket, Float64Array.from([...start.coef, shift]));
    const [found] = await runTogether(rows, [run]);
    const { solution, objective, iterations } = found!;
    const isDone = bracket.done(tol);
    const { converged, warnings = [UNFINISHED] } = solution;
    const theta = uncentre(columns, solution.theta);
    const report = {
      converged: isDone && converged,
      iterations,
      objective,
      gradientNorm: Math.abs(bracket.derivative),
      solver: "newton",
      warnings: [...scaleWarnings(isDone, { converged, warnings }, maxIter)],
    };
    const extra = { scale: bracket.scale };
    const values = { intercept: theta.at(-1)!, report, link: "identity", extra };
    return HuberRegressor.restore(modelState(estimator, rows, values, { coef: theta.slice(0, -1) }));
  }),
];
