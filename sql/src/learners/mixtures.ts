import { GaussianMixture, ParameterError } from "argmax";
import {
  emSteps,
  fitMixture,
  type Gaussians,
  gaussiansTensors,
  givenStart,
  type MixtureFactors,
  type MixtureRowSums,
  mixtureReport,
  reportJson,
  runToEnd,
  squaresOf,
} from "argmax/sums";
import { decay, logSumOfExponentials } from "../compile/functions.js";
import { gaussianScore } from "../compile/scores.js";
import {
  both,
  type Condition,
  choose,
  compare,
  type Expression,
  largestOf,
  multiply,
  number,
  shared,
  subtract,
} from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { Ask, runTogether } from "./asking.js";
import { groupMoments } from "./moments.js";
import { scatteredSample } from "./samples.js";
import { modelState } from "./state.js";

/** Sums of a pass, at most: full covariances ask for d² of them per component. */
const MOST_SUMS = 4000;

/** Passes of expectation–maximisation: responsibilities are expressions, and the moments that they weigh are sums. */
class MixtureAsks implements MixtureRowSums<Ask> {
  constructor(
    private readonly rows: TrainingRows,
    private readonly squares: ReturnType<typeof squaresOf>,
  ) {}

  expect(
    { means, constants, triangular, diagonal }: MixtureFactors,
    hard: boolean,
    centres: Float64Array,
  ): Ask {
    const { x } = this.rows;
    const d = x.length;
    const K = constants.length;
    const around = (points: Float64Array, k: number) =>
      x.map((e, j) => shared(subtract(e, number(points[k * d + j]!))));
    const residuals = Array.from({ length: K }, (_, k) => around(means, k));
    const scores = residuals.map((r, k) => {
      const whitening = diagonal
        ? diagonal.subarray(k * d, (k + 1) * d)
        : triangular![Math.min(k, triangular!.length - 1)]!;
      return shared(gaussianScore(r, whitening, constants[k]!));
    });
    const total = shared(hard ? largestOf(scores) : logSumOfExponentials(scores));
    const share = hard ? hardShares(scores) : scores.map((score) => decay(subtract(score, total)));
    const isMoved = centres.some((c, e) => c !== means[e]);
    const aggregates = [sumOf(this.rows.weighted(total))];
    for (let k = 0; k < K; k++) {
      const r = shared(this.rows.weighted(share[k]!));
      const u = isMoved ? around(centres, k) : residuals[k]!;
      const ru = u.map((e) => shared(multiply(r, e)));
      aggregates.push(sumOf(r));
      for (const e of ru) aggregates.push(sumOf(e));
      if (this.squares === "columns")
        for (let j = 0; j < d; j++) aggregates.push(sumOf(multiply(ru[j]!, u[j]!)));
      if (this.squares === "pairs")
        for (let i = 0; i < d; i++)
          for (let j = i; j < d; j++) aggregates.push(sumOf(multiply(ru[i]!, u[j]!)));
    }
    return new Ask(aggregates, (sums) => this.#read(sums, K, d));
  }

  #read(sums: Float64Array, K: number, d: number) {
    const own = (sums.length - 1) / K;
    const counts = new Float64Array(K);
    const offsets = new Float64Array(K * d);
    const width = this.squares === "pairs" ? d * d : this.squares === "columns" ? d : 0;
    const squares = new Float64Array(K * width);
    for (let k = 0; k < K; k++) {
      const part = sums.subarray(1 + k * own, 1 + (k + 1) * own);
      counts[k] = part[0]!;
      offsets.set(part.subarray(1, 1 + d), k * d);
      if (this.squares !== "pairs") squares.set(part.subarray(1 + d), k * width);
      else
        for (let i = 0, at = 1 + d; i < d; i++)
          for (let j = i; j < d; j++, at++) {
            squares[k * width + i * d + j] = part[at]!;
            squares[k * width + j * d + i] = part[at]!;
          }
    }
    return { logLikelihood: sums[0]!, counts, offsets, squares };
  }
}

/** 1 for the first of the most probable components. */
const hardShares = (scores: readonly Expression[]): Expression[] =>
  scores.map((own, k) => {
    const tests: Condition[] = scores.flatMap((other, l) =>
      l === k ? [] : [compare(own, l < k ? ">" : ">=", other)],
    );
    return tests.length === 0 ? number(1) : choose([{ test: both(...tests), value: number(1) }], number(0));
  });

/** Where EM begins: as given, or where it ends on a sample. */
async function startOf(estimator: GaussianMixture, rows: TrainingRows): Promise<Gaussians> {
  const { params } = estimator;
  const { where } = rows;
  const { whole } = givenStart(where, params, rows.x.length, params);
  if (whole) return whole;
  const [{ mean, squares, total }] = await groupMoments(rows, rows.x);
  const spread = squares.map((square) => Math.sqrt(square / total));
  const sample = await scatteredSample(rows, mean, spread);
  return runToEnd(fitMixture(where, sample, params, params, "the source")).mixture;
}

export const mixtureLearners = [
  learner(GaussianMixture, async (estimator, rows) => {
    const { params } = estimator;
    const { where, x } = rows;
    const { nComponents: K, covarianceType, maxIter } = params;
    const squares = squaresOf(covarianceType);
    const sums = K * (squares === "pairs" ? (x.length * (x.length + 1)) / 2 : 2 * x.length);
    if (sums > MOST_SUMS)
      throw new ParameterError(
        where,
        "covarianceType",
        `one that asks for at most ${MOST_SUMS} sums in a pass`,
        `${covarianceType}, with ${sums}`,
        'Take "diag" or "spherical", or fewer columns.',
      );
    const start = await startOf(estimator, rows);
    const [group] = await rows.sums({ groupBy: [], aggregates: [sumOf(rows.weight)] });
    const total = group!.values[0]!;
    const run = emSteps(where, new MixtureAsks(rows, squares), total, start, params);
    const [result] = await runTogether(rows, [run]);
    const { mixture, lowerBounds, converged } = result!;
    const report = reportJson(mixtureReport(lowerBounds, converged, maxIter));
    const tensors = { ...gaussiansTensors(mixture), lowerBounds: Float64Array.from(lowerBounds) };
    return GaussianMixture.restore(modelState(estimator, rows, { report }, tensors));
  }),
];
