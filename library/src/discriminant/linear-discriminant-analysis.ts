import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { checkPriors, priorsOf, priorsParam } from "../core/numbers/priors.js";
import { beginFit } from "../core/params/options.js";
import type { FilledIn, Params, ParamsWith, ParamValues } from "../core/params/params.js";
import { choice, classWeight, either, flag, integer, optional, real } from "../core/params/params.js";
import { stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { LinearScores, Structure } from "../core/structure.js";
import { classifierStructure, posteriorLink, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { type ClassificationSet, classificationSet } from "../data/training-set.js";
import { forEachFarRow, LARGEST_SCORE, stretchInto } from "../numeric/rows/far-scores.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { largestSize } from "../numeric/rows/unit-scale.js";
import type { Boundary } from "./conic.js";
import { discriminantCapabilities, FittedDiscriminant, readDiscriminant } from "./fitted-discriminant.js";
import {
  type LinearPlan,
  type LinearSolution,
  type SummedClasses,
  solveByCovariance,
  solveBySums,
  solveBySvd,
} from "./linear-solvers.js";
import { logDensities, type QuadraticPart, upperPart } from "./quadratic-margins.js";

export const linearDiscriminantAnalysisParams = {
  solver: choice(["svd", "lsqr", "eigen"], {
    default: "svd",
    doc: "svd takes any columns; lsqr and eigen take shrinkage.",
  }),
  shrinkage: either(
    choice([null, "auto"], {
      default: null,
      doc: 'Shrinkage of each covariance towards a multiple of the identity: "auto" (Ledoit–Wolf), a number in [0, 1], or null.',
    }),
    real({ atLeast: 0, atMost: 1, default: 0, doc: "" }),
  ),
  priors: priorsParam,
  nComponents: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Axes that `transform` keeps; null for min(classes − 1, columns).",
    }),
  ),
  storeCovariance: flag({
    default: false,
    doc: "Keep the within-class covariance (lsqr and eigen always do).",
  }),
  tol: real({
    atLeast: 0,
    default: 1e-4,
    doc: "svd: directions whose standardised singular value is not above this are left out.",
  }),
  classWeight: classWeight(),
};
type LdaParams = typeof linearDiscriminantAnalysisParams;
/** "svd" computes no covariance that could be shrunk. */
type LdaChoice =
  | Params<LdaParams, { solver: "svd"; shrinkage: null }>
  | ParamsWith<LdaParams, { solver: "lsqr" | "eigen" }>;

/**
 * Linear discriminant analysis: classes are Gaussians that share one covariance, so boundaries are linear.
 *
 *   p(x | k) = N(x; μₖ, Σ),   log p(k | x) = x·Σ⁻¹μₖ − ½ μₖ·Σ⁻¹μₖ + log πₖ + constant
 *
 * μₖ and πₖ are the class means and class proportions. Σ has the divisor n − K with solver "svd", and is Σ πₖ Σₖ with divisors nₖ
 * with "lsqr" and "eigen". `transform` projects on the axes that maximise Fisher's criterion (v·Σ_B v) / (v·Σ_W v).
 *
 * Parity: scikit-learn's LinearDiscriminantAnalysis. An axis's sign, which nothing determines, is that for which its largest
 * entry is positive; `scalings` has only the axes that `transform` uses; priors that do not sum to 1 are an error; weights are
 * taken (2 counts as the row twice); and "lsqr" has axes too.
 */
export class LinearDiscriminantAnalysis extends Estimator<LdaParams> {
  static readonly id = "LinearDiscriminantAnalysis";
  static readonly table = linearDiscriminantAnalysisParams;
  static readonly capabilities: Capabilities = { ...discriminantCapabilities, transforms: true };
  static readonly candidate: DefaultCandidate = { cost: 3 };
  declare readonly params: FilledIn<LdaChoice>;

  constructor(params: LdaChoice = {}) {
    super(params);
    const { solver, shrinkage, priors } = this.params;
    checkPriors(this.id, priors);
    if (solver === "svd" && shrinkage !== null) {
      const expected = 'null with solver "svd", which computes no covariance';
      const received = show(shrinkage);
      const advice = 'Use solver "lsqr" or "eigen".';
      throw new ParameterError(this.id, "shrinkage", expected, received, advice);
    }
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedLinearDiscriminantAnalysis<L> {
    const where = this.where("fit");
    beginFit(where, options);
    const set = classificationSet(where, x, y, options, { deferFiniteCheck: true }, this.params.classWeight);
    const { most, ...plan } = planOf(where, this.params, set.classes, set.x.cols);
    const solution = (plan.solver === "svd" ? solveBySvd : solveByCovariance)(where, set, plan);
    return fittedOf(this.params, set, solution, most);
  }

  static restore(state: ModelState): FittedLinearDiscriminantAnalysis {
    const { reader, params, ...known } = readDiscriminant(linearDiscriminantAnalysisParams, state);
    const { classes, priors, means, featureNamesIn } = known;
    const { rows: K, cols: d } = means;
    const outputs = K === 2 ? 1 : K;
    const ratio = reader.finite("explainedVarianceRatio", [-1]);
    const matrix = (name: string, rows: number, cols: number) =>
      new Matrix(reader.finite(name, [rows, cols]), rows, cols);
    const keeps = params.storeCovariance || params.solver !== "svd";
    return new FittedLinearDiscriminantAnalysis(
      params,
      classes,
      priors,
      means,
      reader.finite("xbar", [d]),
      matrix("coef", outputs, d),
      reader.finite("intercept", [outputs]),
      matrix("scalings", d, ratio.length),
      ratio,
      keeps ? matrix("covariance", d, d) : undefined,
      // Files of earlier versions have neither.
      state.values["fullRank"] === true ? matrix("whitening", d, d) : undefined,
      featureNamesIn,
    );
  }
}

/** The parameters with what follows from the classes and the number of columns. */
function planOf(
  where: string,
  params: ParamValues<LdaParams>,
  classes: readonly Label[],
  cols: number,
): LinearPlan & { readonly most: number } {
  const { nComponents, priors } = params;
  const limit = Math.min(classes.length - 1, cols);
  if (nComponents !== null && nComponents > limit) {
    const expected = `at most min(classes − 1, columns) = ${limit}`;
    throw new DataError(where, "nComponents", expected, show(nComponents));
  }
  const most = nComponents ?? limit;
  return {
    ...params,
    most,
    mostAxes: most,
    priors: (counts: Float64Array) => priorsOf(where, priors, classes, counts),
  };
}

/** The model of rows that are known by sums. */
export function linearDiscriminantOfSums<L extends Label>(
  where: string,
  params: ParamValues<LdaParams>,
  known: Pick<ClassificationSet<L>, "classes" | "featureNamesIn">,
  sums: SummedClasses,
): FittedLinearDiscriminantAnalysis<L> {
  const cols = sums.moments[0]!.mean.length;
  const { most, ...plan } = planOf(where, params, known.classes, cols);
  return fittedOf(params, known, solveBySums(where, sums, plan), most);
}

/** Two classes become one margin, at most `most` axes are kept, and each gets its sign. */
function fittedOf<L extends Label>(
  params: ParamValues<LdaParams>,
  { classes, featureNamesIn }: Pick<ClassificationSet<L>, "classes" | "featureNamesIn">,
  solution: LinearSolution,
  most: number,
): FittedLinearDiscriminantAnalysis<L> {
  const { priors, xbar, axes, covariance, whitening } = solution;
  const d = xbar.length;
  const K = classes.length;
  let { coef, intercept } = solution;
  if (K === 2) {
    coef = Float64Array.from(xbar, (_, j) => coef[d + j]! - coef[j]!);
    intercept = Float64Array.of(intercept[1]! - intercept[0]!);
  }
  const m = Math.min(most, axes);
  const scalings = Matrix.zeros(d, m);
  for (let a = 0; a < m; a++) {
    let top = 0;
    for (let j = 0; j < d; j++) {
      const value = solution.scalings[j * axes + a]!;
      if (Math.abs(value) > Math.abs(top)) top = value;
    }
    const sign = top < 0 ? -1 : 1;
    for (let j = 0; j < d; j++) scalings.data[j * m + a] = sign * solution.scalings[j * axes + a]!;
  }
  return new FittedLinearDiscriminantAnalysis(
    params,
    classes,
    priors,
    new Matrix(solution.means, K, d),
    xbar,
    new Matrix(coef, intercept.length, d),
    intercept,
    scalings,
    solution.ratio.slice(0, m),
    covariance && new Matrix(covariance, d, d),
    whitening && new Matrix(whitening, d, d),
    featureNamesIn,
  );
}

export class FittedLinearDiscriminantAnalysis<L extends Label = Label> extends FittedDiscriminant<L> {
  protected readonly id = LinearDiscriminantAnalysis.id;
  /** d × d, never more numbers than the training rows: Σ has full rank. */
  readonly #whitening: Matrix | undefined;
  #part: QuadraticPart | undefined;

  constructor(
    readonly params: ParamValues<LdaParams>,
    readonly classes: readonly L[],
    readonly priors: Float64Array,
    readonly means: Matrix,
    /** Σ πₖ μₖ: what `transform` of solver "svd" subtracts. */
    readonly xbar: Float64Array,
    /** 1 × d for two classes (positive: the second), otherwise one row per class. */
    readonly coef: Matrix,
    readonly intercept: Float64Array,
    /** d × axes: column a is the a-th discriminant axis, of unit variance within classes. */
    readonly scalings: Matrix,
    /** Fraction of the between-class variance that each axis explains. */
    readonly explainedVarianceRatio: Float64Array,
    /** Σ πₖ Σₖ within classes; undefined unless `storeCovariance`. */
    readonly covariance: Matrix | undefined,
    whitening: Matrix | undefined,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
    this.#whitening = whitening;
  }

  [structure](): Structure {
    const { coef, intercept, scalings, params, xbar } = this;
    const axes = scalings.transpose();
    const projection: LinearScores = {
      kind: "linear",
      coef: axes,
      intercept: new Float64Array(axes.rows),
      ...(params.solver === "svd" && { origin: xbar }),
    };
    return classifierStructure(this, { kind: "linear", coef, intercept }, posteriorLink(coef.rows), {
      transform: [{ kind: "project", scores: projection }],
    });
  }

  /** Rows on the discriminant axes, best axis first. */
  transform(x: MatrixLike): Matrix {
    const where = `${this.id}.transform`;
    const axes = this.scalings.transpose();
    const offset = new Float64Array(axes.rows);
    if (this.params.solver === "svd") {
      for (let a = 0; a < axes.rows; a++)
        for (let j = 0; j < axes.cols; j++) offset[a]! -= axes.data[a * axes.cols + j]! * this.xbar[j]!;
    }
    const z = linearScores(where, this.read(where, x), axes.data, offset);
    if (z.data.every(Number.isFinite)) return z;
    const expected = "rows whose place on the axes fits a double";
    const advice = "Scale it (StandardScaler).";
    throw new DataError(where, "X", expected, "larger numbers", advice);
  }

  toState(): ModelState {
    const { classes, priors, means, xbar, coef, intercept, scalings, explainedVarianceRatio, covariance } =
      this;
    const whitening = this.#whitening;
    const known = {
      classes,
      priors,
      means,
      xbar,
      coef,
      intercept,
      scalings,
      explainedVarianceRatio,
      covariance,
    };
    return stateOf(this.id, this, { ...known, ...(whitening && { fullRank: true, whitening }) });
  }

  protected densities(where: string, x: Matrix): Matrix {
    this.#part ??= this.#whitening && upperPart(this.#whitening);
    if (this.#part && Number.isFinite(this.#part.logDet))
      return logDensities(where, x, { means: this.means, parts: [this.#part] });
    throw new DataError({
      where,
      subject: "the within-class covariance",
      expected: "of full rank, since a class has no density otherwise",
      received:
        "a singular one (constant, repeated or too many columns), or a model file that does not have it",
      advice: 'Leave columns out, or use shrinkage with solver "lsqr" or "eigen".',
    });
  }

  protected margins(where: string, x: Matrix): Matrix {
    const z = linearScores(where, x, this.coef.data, this.intercept);
    forEachFarRow(z.data, z.cols, (i, row) => this.#farInto(x.row(i), row));
    return z;
  }

  protected between(a: number, b: number): Boundary {
    const d = this.nFeatures;
    const A = Matrix.zeros(d, d);
    const { coef, intercept } = this;
    if (coef.rows === 1) {
      const sign = a === 1 ? 1 : -1;
      return { A, b: coef.row(0).map((w) => sign * w), c: sign * intercept[0]! };
    }
    const other = coef.row(b);
    return { A, b: coef.row(a).map((w, j) => w - other[j]!), c: intercept[a]! - intercept[b]! };
  }

  /**
   * Margins of a row so far away that they, or the products they are made of, do not fit a double: those of its direction, as
   * large as they may be. Products that cancel may leave a margin of ordinary size.
   */
  #farInto(row: Float64Array, out: Float64Array): void {
    const size = largestSize(row);
    for (let k = 0; k < out.length; k++) {
      let sum = 0;
      const w = this.coef.row(k);
      for (let j = 0; j < row.length; j++) sum += (row[j]! / size) * w[j]!;
      out[k] = sum;
    }
    const margins = out.map((sum, k) => sum * size + this.intercept[k]!);
    if (margins.every((margin) => Math.abs(margin) < LARGEST_SCORE)) out.set(margins);
    else stretchInto(out);
  }
}
