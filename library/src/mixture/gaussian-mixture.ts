import { density } from "../core/capabilities.js";
import type {
  FitOptions,
  FitReport,
  FittedDensity,
  MatrixLike,
  ScoreOptions,
  Unlabelled,
} from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import { readWeights } from "../core/labels.js";
import { Model } from "../core/model.js";
import { log } from "../core/numbers/elementary.js";
import { argmax, logSumExp, softmaxInto } from "../core/numbers/scores.js";
import { readOptions, scoreOptions, unlabelledOptions } from "../core/params/options.js";
import type { ParamValues } from "../core/params/params.js";
import { readReport, reportJson } from "../core/report.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { inputsOf, type Scores, type Structure, structure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { unlabelledSet } from "../data/training-set.js";
import { componentScores } from "./component-scores.js";
import { fitMixture, mixtureReport } from "./fit-mixture.js";
import type { Gaussians } from "./gaussians.js";
import { mixtureParams } from "./params.js";
import { covarianceOf, gaussianComponents, nParametersOf, precisionOf, whiteningOf } from "./quantities.js";
import { drawRows, type MixtureSample, type SampleOptions } from "./sample.js";
import { startParams } from "./start-params.js";
import { gaussiansTensors, readGaussians } from "./state.js";

export const gaussianMixtureParams = { ...mixtureParams, ...startParams };
type GaussianMixtureParams = typeof gaussianMixtureParams;

/** One half of an iteration of EM; `model()` is the mixture before (expectation) or after (maximisation) the update. */
export interface MixtureStep extends Step<FittedGaussianMixture> {
  readonly phase: "expectation" | "maximisation";
  /** The start that this step belongs to, from 0. */
  readonly start: number;
}

/**
 * A density that is a sum of K Gaussians, fitted by expectation–maximisation:
 *
 *   maximise over (π, μ, Σ):   (1/Σs) Σᵢ sᵢ log Σₖ πₖ N(xᵢ; μₖ, Σₖ)
 *
 *   E   rᵢₖ = πₖ N(xᵢ; μₖ, Σₖ) / Σₗ πₗ N(xᵢ; μₗ, Σₗ)
 *   M   Nₖ = Σᵢ sᵢ rᵢₖ,  πₖ = Nₖ/Σs,  μₖ = Σᵢ sᵢ rᵢₖ xᵢ / Nₖ,  Σₖ = Σᵢ sᵢ rᵢₖ (xᵢ − μₖ)(xᵢ − μₖ)ᵀ / Nₖ + regCovar I
 *
 * "identity" keeps Σₖ = I: only π and μ are learned. The maximum is a local one, which depends on the start. hardAssignments
 * maximises (1/Σs) Σᵢ sᵢ maxₖ log πₖ N(xᵢ; μₖ, Σₖ) instead [Celeux & Govaert 1992].
 *
 * Parity: scikit-learn's GaussianMixture from the same start, except that covariances are summed around means (there, "tied" and
 * "diag" subtract raw moments), that a component without rows stays in its place (there, it moves to the origin), and that weights
 * are taken. identity, hardAssignments and equalWeights do not exist there.
 */
export class GaussianMixture extends Estimator<GaussianMixtureParams> {
  static readonly id = "GaussianMixture";
  static readonly table = gaussianMixtureParams;
  static readonly capabilities = density({ sampleWeight: true });
  static readonly starter = { place: 2, params: { nComponents: 3 } } as const;

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedGaussianMixture {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), unlabelledOptions(where, y, options));
  }

  /** The fit, half an iteration at a time. */
  steps(
    x: MatrixLike,
    y?: Unlabelled,
    options?: FitOptions,
  ): Generator<MixtureStep, FittedGaussianMixture, void> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  *#learn(
    where: string,
    x: MatrixLike,
    y: Unlabelled,
    options: FitOptions | undefined,
  ): Generator<MixtureStep, FittedGaussianMixture, void> {
    const { params } = this;
    const set = unlabelledSet(where, x, y, options, {});
    const modelOf = (mixture: Gaussians, bounds: readonly number[], converged: boolean) => {
      const report = mixtureReport(bounds, converged, params.maxIter);
      return new FittedGaussianMixture(
        params,
        mixture,
        Float64Array.from(bounds),
        report,
        set.featureNamesIn,
      );
    };
    const run = fitMixture(where, set, params, params);
    const { mixture, lowerBounds, converged } = yield* mapSteps(
      run,
      ({ mixture, lowerBounds, objective, phase, iteration, start }) => ({
        iteration,
        total: params.maxIter * params.nInit,
        objective,
        phase,
        start,
        model: () => modelOf(mixture, lowerBounds, false),
      }),
    );
    return modelOf(mixture, lowerBounds, converged);
  }

  static restore(state: ModelState): FittedGaussianMixture {
    const { reader, params } = restoring(gaussianMixtureParams, state);
    const mixture = readGaussians(reader, params.covarianceType);
    const report = readReport(reader);
    const lowerBounds = reader.floats("lowerBounds", [report.iterations]);
    const names = readFeatureNames(reader, mixture.means.length / mixture.weights.length);
    return new FittedGaussianMixture(params, mixture, lowerBounds, report, names);
  }
}

export class FittedGaussianMixture extends Model implements FittedDensity {
  readonly #mixture: Gaussians;

  constructor(
    readonly params: ParamValues<GaussianMixtureParams>,
    mixture: Gaussians,
    /** The mean log-likelihood of the rows of fit in every iteration, before its update. */
    readonly lowerBounds: Float64Array,
    readonly report: FitReport,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
    this.#mixture = mixture;
  }

  get nComponents(): number {
    return this.#mixture.weights.length;
  }

  get nFeatures(): number {
    return this.#mixture.means.length / this.nComponents;
  }

  /** πₖ. */
  get weights(): Float64Array {
    return this.#mixture.weights;
  }

  /** One row per component. */
  get means(): Matrix {
    return new Matrix(this.#mixture.means, this.nComponents, this.nFeatures);
  }

  /** Σₖ, d × d whatever the covarianceType. */
  covariance(k: number): Matrix {
    return covarianceOf("GaussianMixture.covariance", this.#mixture, k);
  }

  /** Σₖ⁻¹. */
  precision(k: number): Matrix {
    return precisionOf("GaussianMixture.precision", this.#mixture, k);
  }

  /** The upper triangle W with W Wᵀ = Σₖ⁻¹. */
  precisionCholesky(k: number): Matrix {
    return whiteningOf("GaussianMixture.precisionCholesky", this.#mixture, k);
  }

  get converged(): boolean {
    return this.report.converged;
  }

  /** The last entry of `lowerBounds`. Parity: as in scikit-learn, of the mixture before the last update. */
  get lowerBound(): number {
    return this.lowerBounds.at(-1)!;
  }

  /** Numbers that were estimated: of covariances, means and weights. */
  get nParameters(): number {
    return nParametersOf(this.#mixture, this.params.equalWeights);
  }

  /** The most probable component of every row. */
  predict(x: MatrixLike): Int32Array {
    const { data, rows, cols } = this.#scores("GaussianMixture.predict", x);
    return Int32Array.from({ length: rows }, (_, i) => argmax(data, i * cols, cols));
  }

  /** Responsibilities: one column per component; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    const scores = this.#scores("GaussianMixture.predictProba", x);
    for (let at = 0; at < scores.data.length; at += scores.cols)
      softmaxInto(scores.data, at, scores.cols, scores.data);
    return scores;
  }

  /** log p(x), per row. */
  scoreSamples(x: MatrixLike): Float64Array {
    const { data, rows, cols } = this.#scores("GaussianMixture.scoreSamples", x);
    return Float64Array.from({ length: rows }, (_, i) => logSumExp(data, i * cols, cols));
  }

  /** Mean of `scoreSamples`. */
  score(x: MatrixLike, options: ScoreOptions = {}): number {
    return meanScore("GaussianMixture.score", this.scoreSamples(x), options);
  }

  /** Akaike's criterion on the rows of x; smaller is better. */
  aic(x: MatrixLike): number {
    const scores = this.scoreSamples(x);
    return 2 * this.nParameters - 2 * scores.reduce((sum, s) => sum + s, 0);
  }

  /** The Bayesian information criterion on the rows of x; smaller is better. */
  bic(x: MatrixLike): number {
    const scores = this.scoreSamples(x);
    return this.nParameters * log(scores.length) - 2 * scores.reduce((sum, s) => sum + s, 0);
  }

  [structure](): Structure {
    const components = gaussianComponents([this.#mixture], [0]).map((own, group) => ({ ...own, group }));
    const scores: Scores = { kind: "gaussians", components, groups: components.length };
    return { kind: "density", inputs: inputsOf(this), steps: [], scores };
  }

  /** n rows drawn from the density, and the component of each. */
  sample(n: number, options: SampleOptions = {}): MixtureSample {
    return drawRows("GaussianMixture.sample", this.#mixture, n, options);
  }

  toState(): ModelState {
    const { lowerBounds } = this;
    const report = reportJson(this.report);
    return stateOf(GaussianMixture.id, this, { report, ...gaussiansTensors(this.#mixture), lowerBounds });
  }

  #scores(where: string, x: MatrixLike): Matrix {
    const rows = readMatrix(where, x, { like: this });
    return new Matrix(componentScores(where, rows, [this.#mixture]), rows.rows, this.nComponents);
  }
}

/** The (weighted) mean of scores per row. */
function meanScore(where: string, scores: Float64Array, options: ScoreOptions): number {
  readOptions(where, scoreOptions, options);
  const weights = readWeights(where, options.sampleWeight, scores.length);
  let sum = 0;
  let total = 0;
  for (let i = 0; i < scores.length; i++) {
    const s = weights === undefined ? 1 : weights[i]!;
    sum += s * scores[i]!;
    total += s;
  }
  return sum / total;
}
