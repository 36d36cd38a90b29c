import type { FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import { classIndex, type Label, type Labels } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import { checkPriors, priorsOf, priorsParam } from "../core/numbers/priors.js";
import { beginFit } from "../core/params/options.js";
import { classWeight, flag, type Params, type ParamValues, real } from "../core/params/params.js";
import { stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { classifierStructure, posteriorLink, type Structure, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import type { Scatter } from "../numeric/rows/moments.js";
import type { Boundary } from "./conic.js";
import { discriminantCapabilities, FittedDiscriminant, readDiscriminant } from "./fitted-discriminant.js";
import { logDensities, type QuadraticPart, quadraticMargins } from "./quadratic-margins.js";
import { type Gaussians, gaussians, gaussiansOfSums } from "./quadratic-solver.js";

export const quadraticDiscriminantAnalysisParams = {
  priors: priorsParam,
  regParam: real({
    atLeast: 0,
    atMost: 1,
    default: 0,
    doc: "Shrinkage of every covariance towards the identity: (1 − regParam) Σ + regParam I.",
  }),
  tiedCovariance: flag({
    default: false,
    doc: "One covariance for all classes, with divisor n − K: the boundaries become those of LDA.",
  }),
  storeCovariance: flag({ default: false, doc: "Keep the covariances." }),
  tol: real({
    atLeast: 0,
    default: 1e-4,
    doc: "A covariance is singular if the other columns leave less than this fraction of a column's deviation unexplained.",
  }),
  classWeight: classWeight(),
};
type QdaParams = typeof quadraticDiscriminantAnalysisParams;

/**
 * Quadratic discriminant analysis: classes are Gaussians, each with its own covariance, so boundaries are quadrics.
 *
 *   log p(k | x) = log πₖ − ½ log |Σₖ| − ½ (x − μₖ)·Σₖ⁻¹(x − μₖ) + constant
 *   Σₖ = (1 − regParam) Σ (x − μₖ)(x − μₖ)ᵀ / (nₖ − 1) + regParam I
 *
 * Parity: scikit-learn's QuadraticDiscriminantAnalysis, except that a singular covariance is an error that names the class
 * (there: a warning, then divisions by 0), that regParam reaches all directions of a class with fewer rows than columns (there:
 * only those in which it varies), that tol is relative to each column's deviation, that priors must sum to 1, and
 * that weights are taken (2 counts as the row twice).
 */
export class QuadraticDiscriminantAnalysis extends Estimator<QdaParams> {
  static readonly id = "QuadraticDiscriminantAnalysis";
  static readonly table = quadraticDiscriminantAnalysisParams;
  static readonly capabilities = discriminantCapabilities;

  constructor(params: Params<QdaParams> = {}) {
    super(params);
    checkPriors(this.id, this.params.priors);
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedQuadraticDiscriminantAnalysis<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const set = classificationSet(where, x, y, options, { deferFiniteCheck: true }, this.params.classWeight);
    return fittedOf(where, this.params, set, gaussians(where, set, this.params));
  }

  static restore(state: ModelState): FittedQuadraticDiscriminantAnalysis {
    const { reader, params, ...known } = readDiscriminant(quadraticDiscriminantAnalysisParams, state);
    const { classes, priors, means, featureNamesIn } = known;
    const { rows: K, cols: d } = means;
    const count = params.tiedCovariance ? 1 : K;
    const squares = (name: string) => {
      const data = reader.finite(name, [count, d, d]);
      return Array.from({ length: count }, (_, k) => data.slice(k * d * d, (k + 1) * d * d));
    };
    const logDets = reader.finite("logDets", [count]);
    const parts = squares("whitening").map((w, k) => ({ w, logDet: logDets[k]! }));
    const covariances = params.storeCovariance
      ? squares("covariances").map((data) => new Matrix(data, d, d))
      : undefined;
    return new FittedQuadraticDiscriminantAnalysis(
      params,
      classes,
      priors,
      means,
      parts,
      covariances,
      featureNamesIn,
    );
  }
}

function fittedOf<L extends Label>(
  where: string,
  params: ParamValues<QdaParams>,
  { classes, featureNamesIn }: Pick<ClassificationSet<L>, "classes" | "featureNamesIn">,
  { counts, means, parts, covariances }: Gaussians,
): FittedQuadraticDiscriminantAnalysis<L> {
  const K = classes.length;
  const d = means.length / K;
  return new FittedQuadraticDiscriminantAnalysis(
    params,
    classes,
    priorsOf(where, params.priors, classes, counts),
    new Matrix(means, K, d),
    parts,
    covariances?.map((covariance) => new Matrix(covariance, d, d)),
    featureNamesIn,
  );
}

/** The model of rows that are known by the moments of each class. */
export const quadraticDiscriminantOfSums = <L extends Label>(
  where: string,
  params: ParamValues<QdaParams>,
  known: Pick<ClassificationSet<L>, "classes" | "featureNamesIn">,
  moments: readonly Scatter[],
): FittedQuadraticDiscriminantAnalysis<L> =>
  fittedOf(where, params, known, gaussiansOfSums(where, known.classes, moments, params));

export class FittedQuadraticDiscriminantAnalysis<L extends Label = Label> extends FittedDiscriminant<L> {
  protected readonly id = QuadraticDiscriminantAnalysis.id;
  readonly #parts: readonly QuadraticPart[];
  readonly #covariances: readonly Matrix[] | undefined;

  constructor(
    readonly params: ParamValues<QdaParams>,
    readonly classes: readonly L[],
    readonly priors: Float64Array,
    readonly means: Matrix,
    /** One per class, or one for all of them. */
    parts: readonly QuadraticPart[],
    covariances: readonly Matrix[] | undefined,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
    this.#parts = parts;
    this.#covariances = covariances;
  }

  /** Σ of a class, regularised as it was used. Needs `storeCovariance`. */
  covariance(label: L): Matrix {
    const where = `${this.id}.covariance`;
    const k = classIndex(where, this.classes, label);
    if (this.#covariances !== undefined) return this.#covariances[k] ?? this.#covariances[0]!;
    const expected = "true when the model was fitted";
    const advice = "precision(label) is always available.";
    throw new DataError(where, "storeCovariance", expected, show(false), advice);
  }

  [structure](): Structure {
    const components = this.classes.map((_, group) => {
      const { w: whitening, logDet } = this.#parts[group] ?? this.#parts[0]!;
      const constant = log(this.priors[group]!) - 0.5 * logDet;
      return { mean: this.means.row(group), whitening, constant, group };
    });
    const groups = components.length;
    return classifierStructure(this, { kind: "gaussians", components, groups }, posteriorLink(groups), {
      margins: groups === 2 ? "difference" : "scores",
    });
  }

  /** Σ⁻¹ of a class. */
  precision(label: L): Matrix {
    return this.#precision(classIndex(`${this.id}.precision`, this.classes, label));
  }

  toState(): ModelState {
    const d = this.nFeatures;
    const count = this.#parts.length;
    const joined = (parts: readonly Float64Array[]) => {
      const data = new Float64Array(count * d * d);
      for (const [k, part] of parts.entries()) data.set(part, k * d * d);
      return { shape: [count, d, d], data };
    };
    const { classes, priors, means } = this;
    const logDets = Float64Array.from(this.#parts, ({ logDet }) => logDet);
    const whitening = joined(this.#parts.map(({ w }) => w));
    const covariances = this.#covariances && joined(this.#covariances.map(({ data }) => data));
    return stateOf(this.id, this, { classes, priors, means, logDets, whitening, covariances });
  }

  protected densities(where: string, x: Matrix): Matrix {
    return logDensities(where, x, { means: this.means, parts: this.#parts });
  }

  protected margins(where: string, x: Matrix): Matrix {
    return quadraticMargins(where, x, { means: this.means, parts: this.#parts }, this.priors);
  }

  protected between(a: number, b: number): Boundary {
    const d = this.nFeatures;
    const [P, Q] = [this.#precision(a), this.#precision(b)];
    const size = Float64Array.from({ length: d }, (_, i) => Math.sqrt(Math.max(P.at(i, i), Q.at(i, i))));
    const A = Matrix.zeros(d, d);
    for (let i = 0, e = 0; i < d; i++) {
      for (let j = 0; j < d; j++, e++)
        A.data[e] = settled(0.5 * (Q.data[e]! - P.data[e]!), size[i]! * size[j]!);
    }
    const [first, second] = [this.means.row(a), this.means.row(b)];
    const linear = new Float64Array(d);
    const priors = log(this.priors[a]!) - log(this.priors[b]!);
    const volumes = 0.5 * (this.#logDet(b) - this.#logDet(a));
    let c = priors + volumes;
    let terms = 1 + Math.abs(this.#logDet(a)) + Math.abs(this.#logDet(b));
    for (let i = 0; i < d; i++) {
      let pull = 0;
      let push = 0;
      for (let j = 0; j < d; j++) {
        pull += P.at(i, j) * first[j]!;
        push += Q.at(i, j) * second[j]!;
      }
      linear[i] = settled(pull - push, size[i]! + Math.abs(pull) + Math.abs(push));
      c += 0.5 * (second[i]! * push - first[i]! * pull);
      terms += Math.abs(second[i]! * push) + Math.abs(first[i]! * pull);
    }
    return { A, b: linear, c: settled(c, terms) };
  }

  #logDet(k: number): number {
    return (this.#parts[k] ?? this.#parts[0]!).logDet;
  }

  #precision(k: number): Matrix {
    const { w } = this.#parts[k] ?? this.#parts[0]!;
    const d = this.nFeatures;
    const out = Matrix.zeros(d, d);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let c = i; c < d; c++) sum += w[i * d + c]! * w[j * d + c]!;
        out.data[i * d + j] = sum;
        out.data[j * d + i] = sum;
      }
    }
    return out;
  }
}

/** What rounding leaves of two equal numbers of this size is 0, so that a line is a line. */
const settled = (value: number, size: number) => (Math.abs(value) <= 1e-13 * size ? 0 : value);
