import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { LOG_TWO_PI, log } from "../core/numbers/elementary.js";
import { classWeight, type ParamValues, real } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readSums } from "../core/state/state-lists.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { type Design, requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import { normalDensities } from "../numeric/bayes/event-scores.js";
import { LARGEST_SCORE } from "../numeric/rows/far-scores.js";
import { classLogPriors, gaussianPriorParams } from "./class-priors.js";
import { bayesCapabilities, type EventRows, fitRows, partialFitRows } from "./feature-rows.js";
import { type ClassScores, type ClassState, FittedNaiveBayes, readClassSums } from "./fitted-naive-bayes.js";
import { type GaussianMoments, gaussianMoments, mergedMoments, totalVariances } from "./gaussian-moments.js";

export const gaussianNBParams = {
  ...gaussianPriorParams,
  varSmoothing: real({
    atLeast: 0,
    default: 1e-9,
    doc: "Fraction of the largest column variance that is added to all variances.",
  }),
  classWeight: classWeight(),
};
type Values = ParamValues<typeof gaussianNBParams>;

const capabilities: Capabilities = { ...bayesCapabilities, sparse: false };

/**
 * Every column is normally distributed within a class, with a mean and a variance of its own.
 *
 *   log P(x | y = k) = −½ Σⱼ log(2π vₖⱼ) + (xⱼ − θₖⱼ)² / vₖⱼ,      vₖⱼ = (1/Nₖ) Σ sᵢ (xᵢⱼ − θₖⱼ)² + ε
 *
 * ε = varSmoothing × the largest variance of a column over all rows. If all columns are constant, ε = varSmoothing. Without
 * smoothing, a column that is constant in a class is a spike: other values all but rule the class out.
 * Parity: scikit-learn's GaussianNB, except that ε is that of all rows seen, with their weights: there it is that of the last
 * batch, without weights, so that splitting the rows or repeating one changes the model.
 */
export class GaussianNB extends Estimator<typeof gaussianNBParams> {
  static readonly id = "GaussianNB";
  static readonly table = gaussianNBParams;
  static readonly title = "Naive Bayes, Gaussian";
  static readonly capabilities = capabilities;
  static readonly candidate: DefaultCandidate = { cost: 4 };
  static readonly searchSpace = { varSmoothing: { log: [1e-12, 1e-1] } } as const;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedGaussianNB<L> {
    return learnGaussian(this.params, fitRows(this, x, y, options), null);
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedGaussianNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedGaussianNB<L> {
    const rows = partialFitRows(this, model, FittedGaussianNB, x, y, options);
    return learnGaussian(this.params, rows, model);
  }

  static restore(state: ModelState): FittedGaussianNB {
    const { reader, params, where, classes, classCount } = readClassSums(gaussianNBParams, state);
    const mean = reader.finite("theta", [classes.length, -1]);
    const cols = mean.length / classes.length;
    const squares = readSums(reader, "squares", [classes.length, cols]);
    const known = { where, classes, featureNamesIn: readFeatureNames(reader, cols) };
    return gaussianOf(params, known, { classCount, mean, squares });
  }
}

/** Rows → moments, merged with those of the model so far. */
export function learnGaussian<L extends Label>(
  params: Values,
  rows: EventRows<L>,
  from: FittedGaussianNB<L> | null,
): FittedGaussianNB<L> {
  return gaussianOf(params, rows, mergedMoments(from?.moments, gaussianMoments(rows.where, rows)));
}

/** Moments → model. */
function gaussianOf<L extends Label>(
  params: Values,
  {
    where,
    classes,
    featureNamesIn,
    columns,
  }: Pick<EventRows<L>, "where" | "classes" | "featureNamesIn" | "columns">,
  moments: GaussianMoments,
): FittedGaussianNB<L> {
  const { classCount, mean, squares } = moments;
  const K = classes.length;
  const d = mean.length / K;
  const widest = totalVariances(moments).reduce((most, v) => Math.max(most, v), 0);
  if (widest === 0) requireConstant(where, mean, d);
  const epsilon = params.varSmoothing * (widest > 0 ? widest : 1);
  const variance = new Float64Array(K * d);
  for (let k = 0, e = 0; k < K; k++) {
    for (let j = 0; j < d; j++, e++) {
      variance[e] = (classCount[k]! > 0 ? squares[e]! / classCount[k]! : 0) + epsilon;
      if (variance[e]! >= SMALLEST && variance[e]! < Infinity) continue;
      // A constant column: the smallest variance that keeps its digits. (A class without rows has prior 0.)
      if (variance[e] === 0) variance[e] = classCount[k] === 0 ? 1 : SMALLEST;
      else refuseVariance(where, variance[e]!, columns ? columns[j]! : j, classes[k]!);
    }
  }
  const priors = { fitPrior: true, classPrior: params.priors, priorAlpha: params.priorAlpha };
  const classLogPrior = classLogPriors(where, classCount, priors, "priors");
  const state = { params, classes, classCount, classLogPrior, featureNamesIn };
  return new FittedGaussianNB(state, moments, new Matrix(variance, K, d), epsilon);
}

/** Means that differ by so little that the squares are 0 are not constant columns. */
function requireConstant(where: string, mean: Float64Array, d: number): void {
  const e = mean.findIndex((m, at) => m !== 0 && m !== mean[at % d] && mean[at % d] !== 0);
  if (e < 0) return;
  const expected = `of a variance ≥ ${SMALLEST}`;
  const received = "one that underflows";
  const advice = "StandardScaler scales it.";
  throw new DataError(where, `column ${e % d} of X`, expected, received, advice);
}

/** Below this, squares of deviations come near the subnormal numbers and lose digits: 2⁻¹⁰²² × 2⁵² ≈ 1e-292. */
const SMALLEST = 1e-290;

function refuseVariance(where: string, variance: number, column: number, label: Label): never {
  const expected = `of a variance in [${SMALLEST}, ${Number.MAX_VALUE}] within class ${show(label)}`;
  const received = show(variance);
  const advice = "StandardScaler scales it.";
  throw new DataError(where, `column ${column} of X`, expected, received, advice);
}

export class FittedGaussianNB<L extends Label = Label> extends FittedNaiveBayes<L> {
  protected readonly id = GaussianNB.id;
  /** Means, classes × columns. */
  readonly theta: Matrix;
  /** Variances, ε included, classes × columns. */
  readonly var: Matrix;
  protected readonly takesSparse = false;
  /** −½ Σⱼ log(2π vₖⱼ), and 1/√vₖⱼ. */
  readonly #constant: Float64Array;
  readonly #scale: Float64Array;

  constructor(
    state: ClassState<L>,
    /** The sums that the model was computed from. */
    readonly moments: GaussianMoments,
    variances: Matrix,
    /** What was added to the variances. */
    readonly epsilon: number,
  ) {
    super(state);
    const { rows: K, cols: d, data } = variances;
    this.var = variances;
    this.theta = new Matrix(moments.mean, K, d);
    this.#scale = data.map((v) => 1 / Math.sqrt(v));
    this.#constant = new Float64Array(K);
    for (let k = 0, e = 0; k < K; k++)
      for (let j = 0; j < d; j++, e++) this.#constant[k]! -= 0.5 * (LOG_TWO_PI + log(data[e]!));
  }

  get nFeatures(): number {
    return this.theta.cols;
  }

  get nParameters(): number {
    const K = this.classes.length;
    return 2 * K * this.nFeatures + K - 1;
  }

  override rowLikelihood(where: string, x: Design): Matrix {
    const scores = normalDensities(where, x as Matrix, this.theta.data, this.#scale, this.#constant);
    let check = 0;
    for (let e = 0; e < scores.data.length; e++) check += scores.data[e]! - scores.data[e]!;
    if (check !== 0) {
      requireFinite(where, x);
      this.#rescue(x as Matrix, scores);
    }
    return scores;
  }

  override scoresWith(constant: Float64Array): ClassScores {
    const d = this.nFeatures;
    const components = this.classes.map((_, group) => ({
      mean: this.theta.row(group),
      whitening: this.#scale.subarray(group * d, (group + 1) * d),
      constant: constant[group]! + this.#constant[group]!,
      group,
    }));
    return { scores: { kind: "gaussians", components, groups: components.length }, steps: [] };
  }

  protected learned(): Learned {
    const { rows, cols } = this.theta;
    return { theta: this.theta, squares: new Matrix(this.moments.squares, rows, cols) };
  }

  /**
   * Rows so far away that their squared distances overflow: distances divided by 2¹⁰⁰⁰ and then by the largest of them. The
   * nearest class stays the nearest; the posteriors of the others have been 0 for long.
   */
  #rescue({ data, cols: d }: Matrix, scores: Matrix): void {
    const K = this.#constant.length;
    for (let i = 0; i < scores.rows; i++) {
      const row = scores.row(i);
      if (row.every(Number.isFinite)) continue;
      const z = new Float64Array(K * d);
      for (let e = 0; e < z.length; e++) {
        const shrunk = data[i * d + (e % d)]! * 2 ** -1000 - this.theta.data[e]! * 2 ** -1000;
        z[e] = Math.abs(shrunk) * this.#scale[e]!;
      }
      const most = z.reduce((largest, v) => Math.max(largest, v), 0);
      for (let k = 0; k < K; k++) {
        let sum = 0;
        for (let e = k * d; e < (k + 1) * d; e++) sum += (z[e]! / most) ** 2;
        row[k] = -(sum / d) * LARGEST_SCORE;
      }
    }
  }
}
