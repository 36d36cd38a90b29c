import { tooLarge } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { type MixtureFactors, MixturePass, type MixtureSums } from "../numeric/mixture/mixture-pass.js";
import { sampleMean } from "../numeric/rows/moments.js";
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
}

export interface EmResult {
  readonly mixture: Gaussians;
  readonly lowerBounds: readonly number[];
  readonly converged: boolean;
}

/**
 * Expectation–maximisation [Dempster, Laird & Rubin 1977]. One pass over the rows computes the responsibilities under the current
 * mixture, the log-likelihood, and the moments around the current means; the moments are moved to the new means exactly, and
 * taken again around those where that would lose digits. Stops when the mean log-likelihood changes by less than tol.
 */
export class ExpectationMaximisation {
  readonly #pass: MixturePass;
  readonly #total: number;

  constructor(
    private readonly where: string,
    private readonly rows: MixtureRows,
    private readonly plan: EmPlan,
  ) {
    const { x, weights } = rows;
    this.#pass = new MixturePass(where, x, weights, plan.nComponents, squaresOf(plan.covarianceType));
    this.#total = weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows;
  }

  /** The mixture that given responsibilities (n × K) imply. */
  startFrom(responsibilities: Float64Array): Gaussians {
    const K = this.plan.nComponents;
    const d = this.rows.x.cols;
    const centre = sampleMean(this.rows.x);
    const centres = new Float64Array(K * d);
    for (let k = 0; k < K; k++) centres.set(centre, k * d);
    return this.#maximise(undefined, centres, (around) => this.#pass.weigh(responsibilities, around)).mixture;
  }

  *run(start: Gaussians): Generator<EmStep, EmResult, void> {
    const { hardAssignments: hard, maxIter, tol } = this.plan;
    const lowerBounds: number[] = [];
    let mixture = start;
    let converged = false;
    for (let iteration = 1; iteration <= maxIter && !converged; iteration++) {
      const factors: MixtureFactors = mixtureFactors(mixture);
      const step = this.#maximise(mixture, mixture.means, (around) =>
        this.#pass.expect(factors, hard, around),
      );
      lowerBounds.push(step.logLikelihood / this.#total);
      yield { phase: "expectation", iteration, mixture, lowerBounds: [...lowerBounds] };
      mixture = step.mixture;
      converged = Math.abs(lowerBounds.at(-1)! - (lowerBounds.at(-2) ?? -Infinity)) < tol;
      yield { phase: "maximisation", iteration, mixture, lowerBounds: [...lowerBounds] };
    }
    return { mixture, lowerBounds, converged };
  }

  close(): void {
    this.#pass.close();
  }

  #maximise(
    before: Gaussians | undefined,
    centres: Float64Array,
    sumsAround: (centres: Float64Array) => MixtureSums,
  ): { readonly mixture: Gaussians; readonly logLikelihood: number } {
    const sums = sumsAround(centres);
    const lists = [[sums.logLikelihood], sums.offsets, sums.squares];
    if (!lists.every((list) => list.every(Number.isFinite)))
      tooLarge(this.where, "values whose squared distances are not finite", SCALE);
    const first = maximise(this.where, sums, centres, before, this.plan);
    const last = first.far
      ? maximise(this.where, sumsAround(first.means), first.means, before, this.plan)
      : first;
    return { mixture: last.finish(), logLikelihood: sums.logLikelihood };
  }
}

const SCALE = { advice: "Scale the columns (StandardScaler)." };
