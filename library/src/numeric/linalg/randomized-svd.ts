import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { crossProducts, orthonormalColumns } from "./orthonormal.js";
import { gemm } from "./products.js";
import { largestEigen } from "./spectrum.js";

/** A matrix that is known by its products. */
export interface Products {
  readonly rows: number;
  readonly cols: number;
  /** A·B. */
  times(b: Matrix): Matrix;
  /** Aᵀ·B. */
  transposedTimes(b: Matrix): Matrix;
  /** AᵀA·B (AAᵀ·B where there are fewer rows than columns), if that is faster than two products. */
  smallerGramTimes?(b: Matrix): Matrix;
}

export interface RandomizedPlan {
  readonly nComponents: number;
  readonly nOversamples: number;
  readonly nIter: number;
  readonly randomState: number;
}

/** The largest singular values, descending, and their right vectors as rows. */
export interface RightVectors {
  readonly values: Float64Array;
  readonly vectors: Matrix;
}

/**
 * Randomised subspace iteration [Halko, Martinsson & Tropp 2011, algorithm 4.4] on the smaller side of A: from a random block Q of
 * nComponents + nOversamples columns, nIter + 1 times Q ← orth(AᵀA Q) (or AAᵀ Q), then the singular values of A in that subspace.
 */
export function randomizedSvd(where: string, a: Products, plan: RandomizedPlan): RightVectors {
  const tall = a.rows >= a.cols;
  const side = Math.min(a.rows, a.cols);
  const block = Math.min(side, plan.nComponents + plan.nOversamples);
  const random = new Random(plan.randomState);
  let q: Matrix = new Matrix(
    Float64Array.from({ length: side * block }, () => random.normal()),
    side,
    block,
  );
  const half = (b: Matrix) => (tall ? a.times(b) : a.transposedTimes(b));
  const otherHalf = (b: Matrix) => (tall ? a.transposedTimes(b) : a.times(b));
  for (let turn = 0; turn <= plan.nIter; turn++) {
    const whole = a.smallerGramTimes?.(q) ?? otherHalf(half(q));
    q = orthonormalColumns(where, whole, turn === plan.nIter);
  }
  const image = half(q);
  const k = plan.nComponents;
  const { values, vectors } = largestEigen(where, crossProducts(where, image), block, () => k);
  const singular = values.subarray(0, k).map((value) => Math.sqrt(Math.max(value, 0)));
  const ritz = new Matrix(vectors, k, block).transpose();
  const right = tall ? gemm(q, ritz) : gemm(image, ritz);
  if (!tall)
    for (let e = 0; e < right.data.length; e++)
      right.data[e] = singular[e % k]! > 0 ? right.data[e]! / singular[e % k]! : 0;
  return { values: singular, vectors: right.transpose() };
}
