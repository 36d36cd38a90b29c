import type { MatrixLike } from "../core/contract.js";
import { DataError, ParameterError } from "../core/errors.js";
import { pow } from "../core/numbers/elementary.js";
import type { ParamValues } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { StateReader } from "../core/state/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { denseWithin } from "../data/dense-within.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";

import { hasTree, type Metric, namedMetric } from "../numeric/neighbors/metric.js";
import { NeighborIndex, type SearchMethod, searchMethod } from "../numeric/neighbors/neighbor-index.js";
import type { NearestBlock, NeighborSearch, WithinBlock } from "../numeric/neighbors/search.js";
import { SparseNeighborIndex } from "../numeric/neighbors/sparse-neighbor-index.js";
import { ResidentSlot } from "../numeric/runtime/resident-slot.js";
import { FunctionSearch } from "./function-search.js";
import type { searchParams } from "./params.js";

export type SearchParams = ParamValues<typeof searchParams>;

/** Training rows that neighbours are searched among. The index is built by the first search. */
export class TrainingPoints {
  readonly #slot = new ResidentSlot<NeighborSearch<Design>>(this);

  /** The points own `x`: it must not be written to. */
  constructor(
    readonly x: Design,
    readonly params: SearchParams,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {}

  get nFeatures(): number {
    return this.x.cols;
  }

  /** The search method; "auto" resolved. */
  get method(): SearchMethod {
    const { algorithm, metric } = this.params;
    if (typeof metric === "function" || this.x instanceof CsrMatrix) return "brute";
    if (algorithm !== "auto") return algorithm;
    return searchMethod(metricOf(this.params), this.x);
  }

  /** Reads query rows, in the layout of the points: dense or sparse. */
  read(where: string, z: MatrixLike): Design {
    const design = readMatrix(where, z, { sparse: acceptsSparse(this.params), like: this });
    if (this.x instanceof CsrMatrix)
      return design instanceof CsrMatrix ? design : CsrMatrix.fromDense(design);
    return denseWithin(where, design, "dense training rows are compared with");
  }

  /** The k nearest points of every row of z, or of every point among the others. */
  nearest(where: string, z: Design | undefined, k: number, take: NearestBlock): void {
    const others = z === undefined ? 1 : 0;
    if (k > this.x.rows - others) {
      throw new DataError({
        where,
        subject: "nNeighbors",
        expected: `at most the number of ${others ? "other " : ""}training rows (${this.x.rows - others})`,
        received: `${k}`,
      });
    }
    if (z?.rows === 0) return;
    const checked: NearestBlock = (from, count, distances, indices) => {
      for (let r = 0; r < count; r++)
        if (distances[r * k + k - 1] === Infinity) infiniteDistance(where, from + r);
      take(from, count, distances, indices);
    };
    this.#search(where, (index) => index.nearest(where, z ?? this.x, k, z === undefined, checked));
  }

  /** All points within a radius of every row of z, or of every point among the others. */
  within(where: string, z: Design | undefined, radius: number, take: WithinBlock): void {
    if (z?.rows === 0) return;
    const radii = new Float64Array((z ?? this.x).rows).fill(radius);
    this.#search(where, (index) => index.within(where, z ?? this.x, radii, z === undefined, take));
  }

  /** The rows as a saved model stores them. */
  learned(): Learned {
    const { x } = this;
    if (x instanceof Matrix) return { x };
    return { indptr: x.indptr, indices: x.indices, values: x.values };
  }

  #search(where: string, search: (index: Pick<NeighborSearch<Design>, "nearest" | "within">) => void): void {
    const { x, params } = this;
    if (typeof params.metric === "function") search(new FunctionSearch(x as Matrix, params.metric));
    else this.#slot.use(() => this.#build(where) as NeighborSearch<Design>, search);
  }

  #build(where: string): NeighborSearch<Matrix> | NeighborSearch<CsrMatrix> {
    const { x, params } = this;
    if (x instanceof CsrMatrix) return new SparseNeighborIndex(where, x, metricOf(params));
    return new NeighborIndex(where, x, metricOf(params), this.method, params.leafSize);
  }
}

/** Throws if powers of differences of the rows overflow, or underflow to 0: distances would be ∞ or 0 between different rows. */
export function requireMeasurable(where: string, x: Design, params: SearchParams): void {
  const { name, p } = metricOf(params);
  if (typeof params.metric === "function" || (name !== "euclidean" && name !== "minkowski")) return;
  const values = x instanceof Matrix ? x.data : x.values;
  let most = 0;
  for (let e = 0; e < values.length; e++) if (Math.abs(values[e]!) > most) most = Math.abs(values[e]!);
  if (most === 0 || (most < pow(2, 1000 / p) && most > pow(2, -700 / p))) return;
  const expected = `numbers whose differences to the power of ${p} neither overflow nor underflow`;
  const received = `values up to ${most}`;
  const advice = "Scale the columns (StandardScaler).";
  throw new DataError(where, "the training rows", expected, received, advice);
}

function infiniteDistance(where: string, row: number): never {
  const advice = "Scale the columns (StandardScaler).";
  const subject = `the distances of row ${row}`;
  throw new DataError(where, subject, "finite", "an overflow", advice);
}

/** The metric by name; functions have their own search. */
export function metricOf({ metric, p }: Pick<SearchParams, "metric" | "p">): Metric {
  if (typeof metric === "function") return { name: "euclidean", p: 2 };
  return namedMetric(metric, p);
}

export function acceptsSparse(params: Pick<SearchParams, "metric" | "p">): boolean {
  return typeof params.metric !== "function" && ["euclidean", "cosine"].includes(metricOf(params).name);
}

/** Throws if the algorithm is a tree and the metric does not support trees. */
export function requireSearchable(where: string, params: SearchParams): void {
  const { algorithm, metric } = params;
  if (algorithm === "auto" || algorithm === "brute") return;
  if (typeof metric !== "function" && hasTree(metricOf(params))) return;
  const expected =
    '"auto" or "brute", since trees need a euclidean, manhattan, chebyshev or minkowski metric';
  const received = `"${algorithm}" with ${typeof metric === "function" ? "a function" : `"${metric}"`}`;
  throw new ParameterError(where, "algorithm", expected, received);
}

/** Points that are a copy of the rows x of a training set. */
export function trainingPoints(
  where: string,
  { x, featureNamesIn }: { readonly x: Design; readonly featureNamesIn?: readonly string[] | undefined },
  params: SearchParams,
): TrainingPoints {
  requireMeasurable(where, x, params);
  return new TrainingPoints(ownRows(x), params, featureNamesIn);
}

/** A copy of the rows, independent of later changes by the caller. */
export const ownRows = (x: Design): Design =>
  x instanceof Matrix
    ? new Matrix(x.data.slice(), x.rows, x.cols)
    : new CsrMatrix(
        { ...x, indptr: x.indptr.slice(), indices: x.indices.slice(), values: x.values.slice() },
        true,
      );

/** Reads what `learned` returns. */
export function readPoints(reader: StateReader, rows: number, cols: number): Design {
  if (!Object.hasOwn(reader.state.tensors, "indptr")) {
    return new Matrix(reader.finite("x", [rows, cols]), rows, cols);
  }
  const indptr = reader.integers("indptr", [rows + 1]);
  const indices = reader.integers("indices", [-1]);
  const values = reader.finite("values", [indices.length]);
  try {
    return new CsrMatrix({ rows, cols, indptr, indices, values });
  } catch {
    return reader.fail("indptr and indices", "those of a sparse matrix", "something else");
  }
}
