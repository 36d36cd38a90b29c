import { ParameterError } from "argmax";
import {
  type Baseline,
  MOST_FACTORED,
  minimiseLbfgs,
  minimiseNewton,
  type PenalisedSum,
  proximalSteps,
  runToEnd,
  type SampledFunction,
  type Solution,
  type SummedProblem,
} from "argmax/sums";
import type { Ask, Asking } from "../asking.js";
import type { SummedObjective } from "./objective.js";

/** Sums of the largest Hessian that is asked for: of one output, and of several, whose every product is one of several blocks. */
const [MOST_OF_ONE, MOST_OF_SEVERAL] = [12_000, 2_000];
/** Sums of the largest Hessian with an l1 penalty, which no other solver takes. */
const MOST_WITH_L1 = 50_000;

export type SumSolver = "newton" | "lbfgs" | "coordinateDescent";

const hessianSums = (outputs: number, cols: number): number =>
  (((outputs * (outputs + 1)) / 2) * (cols + 1) * (cols + 2)) / 2;

/** The solver of a problem: the one that is asked for, if it learns from sums, else Newton's where its Hessian is cheap. */
export function solverOf(
  where: string,
  { l1, ball }: SummedProblem,
  asked: string | undefined,
  outputs: number,
  cols: number,
): SumSolver {
  if (ball)
    throw new ParameterError(
      where,
      "penalty",
      "none, l1, l2 or elasticNet in a database",
      `${ball.norm}Ball`,
    );
  const kinked = l1 > 0;
  const legal: readonly SumSolver[] = kinked
    ? ["coordinateDescent"]
    : ["newton", "lbfgs", "coordinateDescent"];
  if (asked !== undefined && !legal.includes(asked as SumSolver)) {
    const expected = `one that learns from sums over rows (${legal.join(", ")})`;
    throw new ParameterError(where, "solver", expected, asked, "Leave it out, and the fit chooses one.");
  }
  const sums = hessianSums(outputs, cols);
  if (kinked && sums > MOST_WITH_L1)
    throw new ParameterError(
      where,
      "penalty",
      `l2 or none of so many columns: l1 asks for ${sums} sums in a pass`,
      "l1",
      "Select fewer columns, or stream the rows into SGDClassifier or SGDRegressor with partialFitInDatabase().",
    );
  if (kinked) return "coordinateDescent";
  if (asked !== undefined) return asked as SumSolver;
  return sums <= (outputs === 1 ? MOST_OF_ONE : MOST_OF_SEVERAL) ? "newton" : "lbfgs";
}

/** What is known of one problem before its first pass. */
export interface Start {
  readonly where: string;
  /** Where to begin; 0 if absent. */
  readonly theta?: Float64Array;
  /** A sample of its rows, in the same coordinates; whoever opens it closes it. */
  readonly sample: (() => SampledFunction) | undefined;
  /** Whether the sample is all rows, whose minimum is the one that is sought. */
  readonly isWhole?: boolean;
  readonly baseline: Baseline | null;
}

const MEMORY = 10;
/** The minimum of a sample is off by its sampling error: more digits of it are worth nothing. */
const SAMPLE_TOL = 1e-4;
const SAMPLE_ITERATIONS = 50;

/** Minimises J; what it yields is answered by passes over the rows. */
export function* solved(
  f: SummedObjective,
  problem: SummedProblem,
  solver: SumSolver,
  { where, theta = new Float64Array(f.size), sample, isWhole = false, baseline }: Start,
): Asking<Solution> {
  const { tol, maxIter, l1 } = problem;
  const { size, cols, outputs, noise, hessianCost, majorise } = f;
  const magnitude = { scale: baseline?.objective ?? 0, floor: 0 };
  const known = { size, magnitude, ...(majorise && { majorise }) };
  const evaluate = f.evaluate.bind(f);
  if (l1 > 0) {
    const sum: PenalisedSum<Ask> = {
      ...known,
      ...problem,
      ...{ where, cols, outputs, evaluate },
      hessianInto: (out) => f.sumHessianInto(out),
    };
    return yield* proximalSteps(sum, sample ? proximalStart(sum, sample()) : theta, theta);
  }
  const smooth = { ...known, noise, hessianCost, evaluate, hessianInto: f.hessianInto.bind(f) };
  if (solver !== "lbfgs") {
    const warmStarts = () => (sample ? [sample()] : []);
    return yield* minimiseNewton<Ask>({ ...smooth, warmStarts }, theta, { tol, maxIter });
  }
  const opened = sample?.();
  try {
    const start = opened ? sampleMinimum(opened, theta, isWhole ? { tol, maxIter } : SAMPLE_OPTIONS) : theta;
    const preconditioners = opened && { first: () => opened.preconditionerAt(start) };
    const whole = { ...smooth, ...(preconditioners && { preconditioners }) };
    return yield* minimiseLbfgs<Ask>(whole, start, { tol, maxIter, memory: MEMORY });
  } finally {
    opened?.close();
  }
}

const SAMPLE_OPTIONS = { tol: SAMPLE_TOL, maxIter: SAMPLE_ITERATIONS };

function sampleMinimum(
  sample: SampledFunction,
  theta: Float64Array,
  options: { readonly tol: number; readonly maxIter: number },
): Float64Array {
  const steps =
    sample.size <= MOST_FACTORED
      ? minimiseNewton(sample, theta, options)
      : minimiseLbfgs(sample, theta, { ...options, memory: MEMORY });
  return runToEnd(steps).theta;
}

function proximalStart(whole: PenalisedSum<Ask>, sample: SampledFunction): Float64Array {
  try {
    const sum: PenalisedSum = {
      ...{ ...whole, ...SAMPLE_OPTIONS },
      evaluate: (theta, gradientOut) => sample.evaluate(theta, gradientOut),
      hessianInto: (out) => void sample.sumHessianInto(out),
      ...(sample.majorise && { majorise: () => sample.majorise!() }),
    };
    return runToEnd(proximalSteps(sum, new Float64Array(whole.size))).theta;
  } finally {
    sample.close();
  }
}
