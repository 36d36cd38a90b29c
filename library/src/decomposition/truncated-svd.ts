import { transformer } from "../core/capabilities.js";
import type { FitOptions, FittedTransformer, MatrixLike, Unlabelled } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { Model } from "../core/model.js";
import { choice, integer, type ParamValues, randomState } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { denseWithin } from "../data/dense-within.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { type Design, readMatrix, tooLarge } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { TransformerEstimator } from "../fitted/transformers.js";
import { crossProducts } from "../numeric/linalg/orthonormal.js";
import { gemm } from "../numeric/linalg/products.js";
import { type RightVectors, randomizedSvd } from "../numeric/linalg/randomized-svd.js";
import { SparseProducts, sparseTimes } from "../numeric/linalg/sparse-products.js";
import { largestEigen } from "../numeric/linalg/spectrum.js";
import type { Scatter } from "../numeric/rows/moments.js";
import { nOversamples, requireComponents } from "./principal-axes.js";
import { flipSignsInto } from "./signs.js";
import { totalVariance } from "./total-variance.js";

export const truncatedSvdParams = {
  nComponents: integer({ atLeast: 1, default: 2, doc: "Number of singular vectors; around 100 for text." }),
  algorithm: choice(["randomized", "exact"], {
    default: "randomized",
    doc: "Random projections with power iterations (any size), or the eigenvectors of the smaller Gram matrix (dense rows that fit memory).",
  }),
  nIter: integer({ atLeast: 0, default: 5, doc: "Power iterations (randomized): more are nearer to exact." }),
  nOversamples: nOversamples(),
  randomState: randomState(),
};

/**
 * The largest singular values of X and their right vectors, without centring, so that sparse rows stay sparse:
 *
 *   minimise over rank k:   ‖X − U S Vᵀ‖,      transform(x) = Vᵀx
 *
 * Of tf-idf rows this is latent semantic analysis. Parity: scikit-learn's TruncatedSVD, signs as in signs.ts; power iterations run
 * on the smaller side, one more than nIter, with Cholesky factors in place of LU.
 */
export class TruncatedSVD extends TransformerEstimator<typeof truncatedSvdParams> {
  static readonly id = "TruncatedSVD";
  static readonly table = truncatedSvdParams;
  static readonly capabilities = transformer({ sparse: true });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedTruncatedSVD {
    const { where, x: rows, featureNamesIn } = this.unweighted(x, y, options, { sparse: true });
    const most = Math.min(rows.rows, rows.cols);
    requireComponents(where, this.params.nComponents, most);
    const { values, vectors } =
      this.params.algorithm === "exact"
        ? exactVectors(where, rows, this.params.nComponents)
        : randomVectors(where, rows, this.params);
    if (!values.every(Number.isFinite) || !vectors.data.every(Number.isFinite))
      tooLarge(where, "values whose sums are not finite");
    flipSignsInto(vectors);
    const scores = project(where, rows, vectors);
    const explained = Float64Array.from({ length: vectors.rows }, (_, k) =>
      totalVariance(new Matrix(scores.column(k), rows.rows, 1)),
    );
    const total = totalVariance(rows);
    const ratio = explained.map((value) => (total > 0 ? value / total : 0));
    return new FittedTruncatedSVD(this.params, vectors, values, explained, ratio, featureNamesIn);
  }

  static restore(state: ModelState): FittedTruncatedSVD {
    const { reader, params } = restoring(truncatedSvdParams, state);
    const values = reader.finite("singularValues", [-1]);
    const k = values.length;
    const components = reader.finite("components", [k, -1]);
    const d = k === 0 ? 0 : components.length / k;
    if (d === 0) reader.fail("components", "at least one of one column", "none");
    const explained = reader.finite("explainedVariance", [k]);
    const ratio = reader.finite("explainedVarianceRatio", [k]);
    const vectors = new Matrix(components, k, d);
    return new FittedTruncatedSVD(params, vectors, values, explained, ratio, readFeatureNames(reader, d));
  }
}

export class FittedTruncatedSVD extends Model implements FittedTransformer {
  constructor(
    readonly params: ParamValues<typeof truncatedSvdParams>,
    /** One row per right singular vector. */
    readonly components: Matrix,
    readonly singularValues: Float64Array,
    /** Variance of each column of the transformed training rows, with divisor n. */
    readonly explainedVariance: Float64Array,
    /** The same as a fraction of the variance of all columns of X. */
    readonly explainedVarianceRatio: Float64Array,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
  }

  get nFeatures(): number {
    return this.components.cols;
  }

  get nComponents(): number {
    return this.components.rows;
  }

  /** truncatedsvd0, truncatedsvd1, … */
  get featureNamesOut(): readonly string[] {
    return Array.from({ length: this.nComponents }, (_, k) => `truncatedsvd${k}`);
  }

  /** Vᵀx, one column per component. */
  transform(x: MatrixLike): Matrix {
    const where = "TruncatedSVD.transform";
    return project(where, readMatrix(where, x, { sparse: true, like: this }), this.components);
  }

  [structure](): Structure {
    const { components: coef } = this;
    const intercept = new Float64Array(coef.rows);
    return transformerStructure(this, { kind: "project", scores: { kind: "linear", coef, intercept } });
  }

  /** The dense rows of rank k that have these scores. */
  inverseTransform(z: MatrixLike): Matrix {
    const rows = readMatrix("TruncatedSVD.inverseTransform", z, { like: { nFeatures: this.nComponents } });
    return rows.rows === 0 ? Matrix.zeros(0, this.nFeatures) : gemm(rows, this.components);
  }

  toState(): ModelState {
    const spread = ["explainedVariance", "explainedVarianceRatio"] as const;
    return stateOf(TruncatedSVD.id, this, ["components", "singularValues", ...spread]);
  }
}

/** The model of rows that are known by their moments. */
export function truncatedSvdOfSums(
  where: string,
  params: ParamValues<typeof truncatedSvdParams>,
  { count: n, mean, scatter }: Scatter,
  featureNamesIn: readonly string[] | undefined,
): FittedTruncatedSVD {
  const { algorithm, nComponents } = params;
  if (algorithm === "randomized")
    throw new ParameterError(where, "algorithm", '"exact", which needs no rows', show(algorithm));
  const d = mean.length;
  requireComponents(where, nComponents, Math.min(n, d));
  const gram = scatter.map((value, e) => value + n * mean[Math.floor(e / d)]! * mean[e % d]!);
  if (!gram.every(Number.isFinite)) tooLarge(where, "values whose sums are not finite");
  const { values, vectors } = exactOf(where, gram, d, nComponents);
  flipSignsInto(vectors);
  let total = 0;
  for (let j = 0; j < d; j++) total += scatter[j * d + j]! / n;
  const explained = Float64Array.from({ length: nComponents }, (_, k) => {
    const v = vectors.row(k);
    let sum = 0;
    for (let e = 0; e < scatter.length; e++) sum += v[Math.floor(e / d)]! * scatter[e]! * v[e % d]!;
    return sum / n;
  });
  const ratio = explained.map((value) => (total > 0 ? value / total : 0));
  return new FittedTruncatedSVD(params, vectors, values, explained, ratio, featureNamesIn);
}

/** Singular values and vectors from the largest eigenvalues of a Gram matrix. */
function exactOf(where: string, gram: Float64Array, side: number, count: number): RightVectors {
  const { values, vectors } = largestEigen(where, gram, side, () => count);
  const singular = values.subarray(0, count).map((value) => Math.sqrt(Math.max(value, 0)));
  return { values: singular, vectors: new Matrix(vectors, count, side) };
}

function project(where: string, rows: Design, components: Matrix): Matrix {
  if (rows.rows === 0) return Matrix.zeros(0, components.rows);
  const right = components.transpose();
  return rows instanceof CsrMatrix ? sparseTimes(where, rows, right) : gemm(rows, right);
}

function randomVectors(where: string, x: Design, plan: ParamValues<typeof truncatedSvdParams>): RightVectors {
  if (x instanceof CsrMatrix) {
    const products = new SparseProducts(where, x);
    try {
      return randomizedSvd(where, products, plan);
    } finally {
      products.close();
    }
  }
  const turned = x.transpose();
  const products = {
    rows: x.rows,
    cols: x.cols,
    times: (b: Matrix) => gemm(x, b),
    transposedTimes: (b: Matrix) => gemm(turned, b),
  };
  return randomizedSvd(where, products, plan);
}

function exactVectors(where: string, given: Design, count: number): RightVectors {
  const x = denseWithin(where, given, "the exact algorithm needs", {
    advice: 'algorithm: "randomized" takes sparse rows of any size.',
  });
  const turned = x.transpose();
  const tall = x.rows >= x.cols;
  const side = Math.min(x.rows, x.cols);
  const gram = crossProducts(where, tall ? x : turned);
  if (!gram.every(Number.isFinite)) tooLarge(where, "values whose sums are not finite");
  const { values: singular, vectors: found } = exactOf(where, gram, side, count);
  if (tall) return { values: singular, vectors: found };
  const right = gemm(found, x);
  for (let e = 0; e < right.data.length; e++) {
    const length = singular[Math.floor(e / x.cols)]!;
    right.data[e] = length > 0 ? right.data[e]! / length : 0;
  }
  return { values: singular, vectors: right };
}
