import { runToEnd } from "../core/steps.js";
import { tooLarge } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { type MixtureFactors, MixturePass, type MixtureSums } from "../numeric/mixture/mixture-pass.js";
import { sampleMean } from "../numeric/rows/moments.js";
import { totalWeight } from "../solvers/objective.js";
import { type Gaussians, mixtureFactors, squaresOf } from "./gaussians.js";
import { type MaximisationPlan, maximise } from "./maximisation.js";

/** Rows and weights that a mixture is fitted to. */
export interface MixtureRows {
  readonly x: Matrix;
  readonly weights: Float64Array | undefined;
}

export interface EmPlan extends MaximisationPlan {
  readonly nComponents: number;
  readonly hardAssignments: boolean;
  readonly tol: number;
  readonly maxIter: number;
}

/** Half an iteration: the expectation (the mixture as it was, and its log-likelihood) or the maximisation (the new one). */
export interface EmStep {
  readonly phase: "expectation" | "maximisation";
  readonly iteration: number;
  readonly mixture: Gaussians;
  /** Mean log-likelihood of each iteration so far. */
  readonly lowerBounds: readonly number[];
  /** Minus the last of them. */
  readonly objective: number;
}

export interface EmResult {
  readonly mixture: Gaussians;
  readonly lowerBounds: readonly number[];
  readonly converged: boolean;
}

/** What EM asks of the rows; a database answers later, with an answer of the type A that the driver of a run exchanges for sums. */
export interface MixtureRowSums<A = never> {
  /** Responsibilities by these Gaussians (`hard`: the whole row to the most probable), and the moments around the centres. */
  expect(mixture: MixtureFactors, hard: boolean, centres: Float64Array): MixtureSums | A;
}

type Run<A> = Generator<EmStep | A, EmResult, unknown>;

/**
 * Expectation–maximisation [Dempster, Laird & Rubin 1977]. One pass over the rows computes the responsibilities under the current
 * mixture, the log-likelihood, and the moments around the current means; the moments are moved to the new means exactly, and
 * taken again around those where that would lose digits. Stops when the mean log-likelihood changes by less than tol.
 *
 * `total` is Σ of the row weights.
 */
export function emSteps(
  where: string,
  pass: MixtureRowSums,
  total: number,
  start: Gaussians,
  plan: EmPlan,
): Generator<EmStep, EmResult, unknown>;
export function emSteps<A extends object>(
  where: string,
  pass: MixtureRowSums<A>,
  total: number,
  start: Gaussians,
  plan: EmPlan,
): Run<A>;
export function* emSteps<A extends object>(
  where: string,
  pass: MixtureRowSums<A>,
  total: number,
  start: Gaussians,
  plan: EmPlan,
): Run<A> {
  const { hardAssignments: hard, maxIter, tol } = plan;
  const lowerBounds: number[] = [];
  let mixture = start;
  let converged = false;
  for (let iteration = 1; iteration <= maxIter && !converged; iteration++) {
    const factors = mixtureFactors(mixture);
    const step: Maximised = yield* maximised(where, mixture, mixture.means, plan, (around) =>
      pass.expect(factors, hard, around),
    );
    lowerBounds.push(step.logLikelihood / total);
    const objective = -lowerBounds.at(-1)!;
    yield { phase: "expectation", iteration, mixture, lowerBounds: [...lowerBounds], objective };
    mixture = step.mixture;
    converged = Math.abs(lowerBounds.at(-1)! - (lowerBounds.at(-2) ?? -Infinity)) < tol;
    yield { phase: "maximisation", iteration, mixture, lowerBounds: [...lowerBounds], objective };
  }
  return { mixture, lowerBounds, converged };
}

interface Maximised {
  readonly mixture: Gaussians;
  readonly logLikelihood: number;
}

function* maximised<A extends object>(
  where: string,
  before: Gaussians | undefined,
  centres: Float64Array,
  plan: MaximisationPlan,
  sumsAround: (centres: Float64Array) => MixtureSums | A,
): Generator<A, Maximised, unknown> {
  const sums = yield* answered(sumsAround(centres));
  const lists = [[sums.logLikelihood], sums.offsets, sums.squares];
  if (!lists.every((list) => list.every(Number.isFinite)))
    tooLarge(where, "values whose squared distances are not finite", SCALE);
  const first = maximise(where, sums, centres, before, plan);
  const last = first.far
    ? maximise(where, yield* answered(sumsAround(first.means)), first.means, before, plan)
    : first;
  return { mixture: last.finish(), logLikelihood: sums.logLikelihood };
}

function* answered<A extends object>(sums: MixtureSums | A): Generator<A, MixtureSums, unknown> {
  return "logLikelihood" in sums ? sums : ((yield sums) as MixtureSums);
}

const SCALE = { advice: "Scale the columns (StandardScaler)." };

/** EM on rows in memory. */
export class ExpectationMaximisation {
  readonly #pass: MixturePass;

  constructor(
    private readonly where: string,
    private readonly rows: MixtureRows,
    private readonly plan: EmPlan,
  ) {
    const { x, weights } = rows;
    this.#pass = new MixturePass(where, x, weights, plan.nComponents, squaresOf(plan.covarianceType));
  }

  /** The mixture that given responsibilities (n × K) imply. */
  startFrom(responsibilities: Float64Array): Gaussians {
    const K = this.plan.nComponents;
    const d = this.rows.x.cols;
    const centre = sampleMean(this.rows.x);
    const centres = new Float64Array(K * d);
    for (let k = 0; k < K; k++) centres.set(centre, k * d);
    const weigh = (around: Float64Array) => this.#pass.weigh(responsibilities, around);
    return runToEnd(maximised(this.where, undefined, centres, this.plan, weigh)).mixture;
  }

  run(start: Gaussians): Generator<EmStep, EmResult, unknown> {
    return emSteps(this.where, this.#pass, totalWeight(this.rows), start, this.plan);
  }

  close(): void {
    this.#pass.close();
  }
}
