import { classifier } from "../core/capabilities.js";
import type { FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { show } from "../core/errors.js";
import { Estimator, runSteps } from "../core/estimator.js";
import { classIndex, type Label, type Labels } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import { maxOf } from "../core/numbers/extremes.js";
import { checkPriors, priorsOf, priorsParam } from "../core/numbers/priors.js";
import { logSumExp } from "../core/numbers/scores.js";
import { beginFit } from "../core/params/options.js";
import { classWeight, type Params, type ParamValues } from "../core/params/params.js";
import { readReport, reportJson } from "../core/report.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { mapSteps } from "../core/steps.js";
import { classifierStructure, posteriorLink, type Structure, structure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { classificationSet } from "../data/training-set.js";
import { PosteriorClassifier } from "../fitted/classifiers.js";
import { rowsByClass } from "../numeric/rows/row-scatter.js";
import { componentScores } from "./component-scores.js";
import type { EmResult } from "./expectation-maximisation.js";
import { fitMixture, mixtureReport } from "./fit-mixture.js";
import type { Gaussians } from "./gaussians.js";
import { mixtureParams } from "./params.js";
import { covarianceOf, gaussianComponents } from "./quantities.js";
import { gaussiansTensors, readGaussians } from "./state.js";

export const gaussianMixtureClassifierParams = {
  ...mixtureParams,
  priors: priorsParam,
  classWeight: classWeight(),
};
type ClassifierParams = typeof gaussianMixtureClassifierParams;

/**
 * Bayes' rule with one Gaussian mixture per class:
 *
 *   p(c | x) = p_c Σₖ π_ck N(x; μ_ck, Σ_ck) / Σ_b p_b Σₖ π_bk N(x; μ_bk, Σ_bk)
 *
 * Each class is fitted by itself, as GaussianMixture fits it, to its own rows; "tied" is one covariance per class. p_c is
 * `priors`, else the class proportions. With one full component per class it is quadratic discriminant analysis with the divisor
 * n instead of n − 1 [Hastie & Tibshirani 1996 describe the variant with a covariance that classes share].
 */
export class GaussianMixtureClassifier extends Estimator<ClassifierParams> {
  static readonly id = "GaussianMixtureClassifier";
  static readonly table = gaussianMixtureClassifierParams;
  static readonly capabilities = classifier({
    probabilities: true,
    decisionFunction: true,
    form: "distribution",
  });

  constructor(params: Params<ClassifierParams> = {}) {
    super(params);
    checkPriors(this.id, this.params.priors);
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedGaussianMixtureClassifier<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const { params } = this;
    const set = classificationSet(where, x, y, options, {}, params.classWeight);
    const design = set.x as Matrix;
    const counts = new Float64Array(set.classes.length);
    const runs = rowsByClass(set.codes, set.classes.length).map((rows, c) => {
      const weights = set.weights && Float64Array.from(rows, (i) => set.weights![i]!);
      counts[c] = weights ? weights.reduce((sum, s) => sum + s, 0) : rows.length;
      const subject = `class ${show(set.classes[c])}`;
      const steps = fitMixture(where, { x: design.selectRows(rows), weights }, params, undefined, subject);
      return runSteps(where, progressOf(steps, params.maxIter * params.nInit), options);
    });
    return new FittedGaussianMixtureClassifier(
      params,
      set.classes,
      priorsOf(where, params.priors, set.classes, counts),
      runs.map(({ mixture }) => mixture),
      joinedReport(runs, counts, params.maxIter),
      set.featureNamesIn,
    );
  }

  static restore(state: ModelState): FittedGaussianMixtureClassifier {
    const { reader, params } = restoring(gaussianMixtureClassifierParams, state);
    const classes = reader.labels("classes", 2);
    const priors = reader.floats("priors", [classes.length]);
    if (!priors.every((p) => p > 0 && p <= 1)) reader.fail("priors", "above 0", "something else");
    const parts = state.parts ?? [];
    if (parts.length !== classes.length) reader.fail("parts", "one per class", `${parts.length}`);
    const mixtures = parts.map((part) => readGaussians(new StateReader(part), params.covarianceType));
    const widths = new Set(mixtures.map(({ means, weights }) => means.length / weights.length));
    if (widths.size !== 1) reader.fail("parts", "of one number of columns", "several");
    const names = readFeatureNames(reader, [...widths][0]!);
    return new FittedGaussianMixtureClassifier(params, classes, priors, mixtures, readReport(reader), names);
  }
}

/** EM's steps as progress of a fit. */
const progressOf = (steps: ReturnType<typeof fitMixture>, total: number) =>
  mapSteps(steps, ({ iteration, lowerBounds }) => ({ iteration, total, objective: -lowerBounds.at(-1)! }));

/** Converged if all classes are; the objective is the mean of theirs. */
function joinedReport(runs: readonly EmResult[], counts: Float64Array, maxIter: number): FitReport {
  const reports = runs.map(({ lowerBounds, converged }) => mixtureReport(lowerBounds, converged, maxIter));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    converged: reports.every(({ converged }) => converged),
    iterations: maxOf(reports.map(({ iterations }) => iterations)),
    objective: reports.reduce((sum, { objective }, c) => sum + (counts[c]! / total) * objective, 0),
    gradientNorm: maxOf(reports.map(({ gradientNorm }) => gradientNorm)),
    solver: "expectationMaximisation",
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
  };
}

export class FittedGaussianMixtureClassifier<L extends Label = Label> extends PosteriorClassifier<L> {
  protected readonly id = GaussianMixtureClassifier.id;

  constructor(
    readonly params: ParamValues<ClassifierParams>,
    readonly classes: readonly L[],
    /** p_c, per class. */
    readonly priors: Float64Array,
    /** One per class. */
    private readonly mixtures: readonly Gaussians[],
    readonly report: FitReport,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
  }

  get nFeatures(): number {
    const { means, weights } = this.mixtures[0]!;
    return means.length / weights.length;
  }

  /** The Gaussians of a class: weights, means (one row each) and covariances. */
  components(label: L): { weights: Float64Array; means: Matrix; covariances: readonly Matrix[] } {
    const where = "GaussianMixtureClassifier.components";
    const mixture = this.mixtures[classIndex(where, this.classes, label)]!;
    const { weights, means } = mixture;
    return {
      weights: weights.slice(),
      means: new Matrix(means.slice(), weights.length, this.nFeatures),
      covariances: Array.from(weights, (_, k) => covarianceOf(where, mixture, k)),
    };
  }

  [structure](): Structure {
    const components = gaussianComponents(this.mixtures, Array.from(this.priors, log));
    const groups = this.classes.length;
    return classifierStructure(this, { kind: "gaussians", components, groups }, posteriorLink(groups), {
      margins: groups === 2 ? "difference" : "scores",
    });
  }

  toState(): ModelState {
    const { classes, priors } = this;
    const parts = this.mixtures.map((mixture) =>
      stateOf("mixture", { params: {} }, gaussiansTensors(mixture)),
    );
    return stateOf(this.id, this, { classes, report: reportJson(this.report), priors }, parts);
  }

  /** log p_c + log p(x | c), one column per class; for two classes the second less the first. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const rows = readMatrix(where, x, { like: this });
    const scores = componentScores(where, rows, this.mixtures);
    const C = this.classes.length;
    const K = this.mixtures[0]!.weights.length;
    const out = Matrix.zeros(rows.rows, C);
    for (let e = 0; e < out.data.length; e++)
      out.data[e] = log(this.priors[e % C]!) + logSumExp(scores, e * K, K);
    if (C > 2) return out;
    const margin = Matrix.zeros(rows.rows, 1);
    for (let i = 0; i < rows.rows; i++) margin.data[i] = out.data[2 * i + 1]! - out.data[2 * i]!;
    return margin;
  }
}
