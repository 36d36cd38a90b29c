import { transformer } from "../core/capabilities.js";
import type { FitOptions, FittedTransformer, MatrixLike, Unlabelled } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { Model } from "../core/model.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { choice, either, flag, integer, optional, randomState, real } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { TransformerEstimator } from "../fitted/transformers.js";
import { gemm } from "../numeric/linalg/products.js";
import type { Scatter } from "../numeric/rows/moments.js";
import {
  axesByRandomizedSvd,
  axesOfCovariance,
  axesOfGram,
  axesOfScatter,
  centred,
  nOversamples,
  type PrincipalAxes,
  requireComponents,
} from "./principal-axes.js";
import { flipSignsInto } from "./signs.js";

export const pcaParams = {
  nComponents: optional(
    either(
      real({
        above: 0,
        below: 1,
        default: 0.5,
        doc: "Number of components, or (below 1) the fraction of the variance that they explain at least; null for all.",
      }),
      integer({ atLeast: 1, default: 1, doc: "" }),
    ),
  ),
  whiten: flag({ default: false, doc: "Divide every component's scores by their deviation." }),
  svdSolver: choice(["auto", "covariance", "gram", "randomized"], {
    default: "auto",
    doc: "Exact by the d × d covariance or the n × n Gram matrix (auto: the smaller), or approximate by random projections.",
  }),
  nOversamples: nOversamples(),
  iteratedPower: integer({ atLeast: 0, default: 7, doc: "Power iterations (randomized)." }),
  randomState: randomState(),
};

/**
 * Principal component analysis: orthogonal directions c₁, c₂, … of largest variance.
 *
 *   maximise over ‖cₖ‖ = 1, cₖ ⊥ c₁ … cₖ₋₁:   cₖᵀ S cₖ,      S = Σᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ / (n − 1)
 *
 * transform(x) = C (x − x̄), with `whiten` each entry divided by its deviation. Exact solvers square X: a variance is known to
 * rounding of the largest one.
 * Parity: scikit-learn's PCA with svd_solver "full", signs as in signs.ts. "mle" and scores of probabilistic PCA are left out.
 */
export class PCA extends TransformerEstimator<typeof pcaParams> {
  static readonly id = "PCA";
  static readonly table = pcaParams;
  static readonly capabilities = transformer();

  constructor(params: Params<typeof pcaParams> = {}) {
    super(params);
    const { svdSolver, nComponents } = this.params;
    if (svdSolver !== "randomized" || nComponents === null || nComponents >= 1) return;
    const expected = "an integer with the randomized solver, which does not know all variances";
    throw new ParameterError(this.id, "nComponents", expected, show(nComponents));
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedPCA {
    const { where, ...set } = this.unweighted(x, y, options, {});
    const { rows: n, cols: d } = set.x;
    if (n < 2) throw tooFewRows(where, n);
    const axes = this.#axes(where, set.x, Math.min(n, d));
    return fittedOf(this.params, axes, n, set.featureNamesIn);
  }

  #axes(where: string, x: Matrix, most: number): PrincipalAxes {
    const { nComponents, svdSolver, nOversamples, iteratedPower, randomState } = this.params;
    requireComponents(where, nComponents, most);
    if (svdSolver === "randomized") {
      const plan = { nComponents: nComponents ?? most, nOversamples, nIter: iteratedPower, randomState };
      return axesByRandomizedSvd(where, x, plan);
    }
    const countOf = componentsOf(nComponents, most);
    const gram = svdSolver === "gram" || (svdSolver === "auto" && x.rows < x.cols);
    return gram ? axesOfGram(where, x, countOf) : axesOfCovariance(where, x, countOf);
  }

  static restore(state: ModelState): FittedPCA {
    const { reader, params } = restoring(pcaParams, state);
    const mean = reader.finite("mean", [-1]);
    const singularValues = reader.finite("singularValues", [-1]);
    const [d, k] = [mean.length, singularValues.length];
    return new FittedPCA(
      params,
      mean,
      new Matrix(reader.finite("components", [k, d]), k, d),
      singularValues,
      reader.finite("explainedVariance", [k]),
      reader.finite("explainedVarianceRatio", [k]),
      reader.number("noiseVariance"),
      readFeatureNames(reader, d),
    );
  }
}

/** How many axes are kept, once their squared singular values are known. */
const componentsOf =
  (nComponents: number | null, most: number) =>
  (squares: Float64Array): number => {
    if (nComponents === null) return most;
    return nComponents < 1 ? Math.min(most, explaining(squares, nComponents)) : nComponents;
  };

/** Axes of n rows → model. */
function fittedOf(
  params: ParamValues<typeof pcaParams>,
  axes: PrincipalAxes,
  n: number,
  featureNamesIn: readonly string[] | undefined,
): FittedPCA {
  flipSignsInto(axes.components);
  const most = Math.min(n, axes.mean.length);
  const k = axes.components.rows;
  const kept = axes.squares.reduce((sum, value) => sum + value, 0);
  const rest = k < most ? Math.max(axes.total - kept, 0) / (most - k) : 0;
  return new FittedPCA(
    params,
    axes.mean,
    axes.components,
    axes.squares.map(Math.sqrt),
    axes.squares.map((value) => value / (n - 1)),
    axes.squares.map((value) => (axes.total > 0 ? value / axes.total : 0)),
    rest / (n - 1),
    featureNamesIn,
  );
}

/** The model of rows that are known by their moments. */
export function pcaOfSums(
  where: string,
  params: ParamValues<typeof pcaParams>,
  moments: Scatter,
  featureNamesIn: readonly string[] | undefined,
): FittedPCA {
  const { nComponents, svdSolver } = params;
  const { count: n, mean } = moments;
  if (svdSolver === "randomized") {
    const advice = 'svdSolver: "covariance" is exact, and so is "auto".';
    throw new ParameterError(where, "svdSolver", "one that needs no rows", show(svdSolver), advice);
  }
  if (n < 2) throw tooFewRows(where, n);
  const most = Math.min(n, mean.length);
  requireComponents(where, nComponents, most);
  return fittedOf(params, axesOfScatter(where, moments, componentsOf(nComponents, most)), n, featureNamesIn);
}

/** The smallest number of axes whose squares are more than this fraction of all. */
function explaining(squares: Float64Array, fraction: number): number {
  const total = squares.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  for (let k = 0; k < squares.length; k++) {
    sum += squares[k]!;
    if (sum > fraction * total) return k + 1;
  }
  return squares.length;
}

export class FittedPCA extends Model implements FittedTransformer {
  constructor(
    readonly params: ParamValues<typeof pcaParams>,
    /** x̄. */
    readonly mean: Float64Array,
    /** One row per component, orthonormal. */
    readonly components: Matrix,
    /** Of the centred rows. */
    readonly singularValues: Float64Array,
    /** Variance of each component's scores, with divisor n − 1. */
    readonly explainedVariance: Float64Array,
    /** The same as a fraction of the variance of all columns. */
    readonly explainedVarianceRatio: Float64Array,
    /** Mean variance of the components that were left out. */
    readonly noiseVariance: number,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
  }

  get nFeatures(): number {
    return this.mean.length;
  }

  get nComponents(): number {
    return this.components.rows;
  }

  /** pca0, pca1, … */
  get featureNamesOut(): readonly string[] {
    return Array.from({ length: this.nComponents }, (_, k) => `pca${k}`);
  }

  /** Scores: one column per component. */
  transform(x: MatrixLike): Matrix {
    const rows = readMatrix("PCA.transform", x, { like: this });
    if (rows.rows === 0) return Matrix.zeros(0, this.nComponents);
    const out = gemm(centred(rows, this.mean), this.components.transpose());
    if (this.params.whiten) this.#scaleInto(out, (deviation) => (deviation > 0 ? 1 / deviation : 0));
    return out;
  }

  [structure](): Structure {
    const { mean: origin, components, explainedVariance } = this;
    const intercept = new Float64Array(components.rows);
    const coef = this.params.whiten
      ? new Matrix(components.data.slice(), components.rows, components.cols)
      : components;
    if (this.params.whiten)
      for (let e = 0; e < coef.data.length; e++) {
        const deviation = Math.sqrt(explainedVariance[Math.floor(e / coef.cols)]!);
        coef.data[e] = deviation > 0 ? coef.data[e]! / deviation : 0;
      }
    return transformerStructure(this, {
      kind: "project",
      scores: { kind: "linear", coef, intercept, origin },
    });
  }

  /** The rows that have these scores; what other components held is gone. */
  inverseTransform(z: MatrixLike): Matrix {
    const where = "PCA.inverseTransform";
    const rows = readMatrix(where, z, { like: { nFeatures: this.nComponents } });
    if (rows.rows === 0) return Matrix.zeros(0, this.nFeatures);
    const scores = new Matrix(rows.data.slice(), rows.rows, rows.cols);
    if (this.params.whiten) this.#scaleInto(scores, (deviation) => deviation);
    const out = gemm(scores, this.components);
    const d = this.nFeatures;
    for (let e = 0; e < out.data.length; e++) out.data[e]! += this.mean[e % d]!;
    return out;
  }

  toState(): ModelState {
    const spread = ["explainedVariance", "explainedVarianceRatio", "noiseVariance"] as const;
    return stateOf(PCA.id, this, ["mean", "components", "singularValues", ...spread]);
  }

  #scaleInto(out: Matrix, factor: (deviation: number) => number): void {
    const factors = this.explainedVariance.map((variance) => factor(Math.sqrt(variance)));
    for (let e = 0; e < out.data.length; e++) out.data[e]! *= factors[e % out.cols]!;
  }
}

const tooFewRows = (where: string, n: number) =>
  new DataError(where, "X", "at least two rows, since variance is wanted", `${n}`);
