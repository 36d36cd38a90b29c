import type { FittedModel, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { Model } from "../core/model.js";
import { option, readOptions } from "../core/params/options.js";
import { choice, flag, invalid, type ParamSpec } from "../core/params/params.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Scores, undescribed } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { namedMetric } from "../numeric/neighbors/metric.js";
import type { MetricParam, WeightsParam } from "./params.js";
import { nNeighbors as nNeighborsSpec, radius as radiusSpec } from "./params.js";
import type { TrainingPoints } from "./training-points.js";

/** The k nearest training rows of every row: `rows` × k each, row-major, the nearest first. */
export interface NearestRows {
  readonly rows: number;
  readonly k: number;
  readonly indices: Int32Array;
  readonly distances: Matrix;
}

/** Training rows within a radius: those of row i are entries starts[i] to starts[i + 1]. */
export interface RowsWithin {
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
}

export interface KNeighborsOptions {
  /** Number of neighbours; by default that of the estimator. */
  readonly nNeighbors?: number | undefined;
}

export interface RadiusNeighborsOptions {
  /** Largest distance; by default that of the estimator. */
  readonly radius?: number | undefined;
  /** Nearest first; otherwise ascending by row number. */
  readonly sortResults?: boolean | undefined;
}

export interface GraphOptions {
  /** Value of an entry of the graph: 1, or the distance. */
  readonly mode?: "connectivity" | "distance" | undefined;
}

const given = <T>(spec: ParamSpec<T>): ParamSpec<T | undefined> =>
  option<T>(spec.kind, spec.doc, spec.expected, (value) => spec.read(value) !== invalid);
const mode = choice(["connectivity", "distance"], {
  default: "connectivity",
  doc: "Value of an entry of the graph: 1, or the distance.",
});
const kNeighborsOptions = { nNeighbors: given(nNeighborsSpec) };
const radiusNeighborsOptions = {
  radius: given(radiusSpec),
  sortResults: flag({ default: false, doc: "Nearest first; otherwise ascending by row number." }),
};

/** Parameters that a structure has; which of k and the radius depends on the estimator. */
interface DescribedParams {
  readonly metric: MetricParam;
  readonly p: number;
  readonly weights: WeightsParam;
  readonly nNeighbors?: number;
  readonly radius?: number;
}

/** Called with the number of a row, and the numbers and distances of its neighbours; these are valid until the next call. */
type Neighborhood = (
  row: number,
  indices: Int32Array<ArrayBufferLike>,
  distances: Float64Array<ArrayBufferLike>,
) => void;

/** Base of all models of neighbours: training rows and searches among them. Without X the queries are the training rows, each among the others. */
export abstract class FittedNeighbors extends Model implements FittedModel {
  protected abstract readonly id: string;

  constructor(
    readonly params: Readonly<Record<string, unknown>>,
    /** Internal. */
    protected readonly points: TrainingPoints,
  ) {
    super();
  }

  get nFeatures(): number {
    return this.points.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.points.featureNamesIn;
  }

  /** Number of training rows. */
  get nSamples(): number {
    return this.points.x.rows;
  }

  /** The search method; `algorithm: "auto"` resolved. */
  get method(): "brute" | "kdTree" | "ballTree" {
    return this.points.method;
  }

  kneighbors(x?: MatrixLike | null, options: KNeighborsOptions = {}): NearestRows {
    const where = `${this.id}.kneighbors`;
    const { nNeighbors } = readOptions(where, kNeighborsOptions, options);
    return this.#nearest(where, this.#rows(where, x), nNeighbors ?? this.#described.nNeighbors ?? 5);
  }

  /** Row i has an entry for each of its k nearest training rows. */
  kneighborsGraph(x?: MatrixLike | null, options: KNeighborsOptions & GraphOptions = {}): CsrMatrix {
    const where = `${this.id}.kneighborsGraph`;
    const own = readOptions(where, { ...kNeighborsOptions, mode }, options);
    const k = own.nNeighbors ?? this.#described.nNeighbors ?? 5;
    return this.graphOfNearest(where, this.#rows(where, x), k, own.mode);
  }

  radiusNeighbors(x?: MatrixLike | null, options: RadiusNeighborsOptions = {}): RowsWithin {
    const where = `${this.id}.radiusNeighbors`;
    const own = readOptions(where, radiusNeighborsOptions, options);
    const found = this.#within(where, x, own.radius);
    return own.sortResults ? nearestFirst(found) : found;
  }

  /** Weighted means of `values`, one row per training row, over the k nearest or those within the radius. */
  protected meansOf(values: Matrix, outlier: Float64Array | null): Scores {
    const { metric, p, weights, nNeighbors, radius } = this.#described;
    if (typeof metric === "function" || typeof weights === "function")
      return undescribed("its metric or its weights are functions of the caller's own");
    return {
      kind: "neighbors",
      points: this.points.x,
      values,
      metric: namedMetric(metric, p),
      within: nNeighbors === undefined ? { radius: radius! } : { k: nNeighbors },
      weights,
      outlier,
    };
  }

  /** Row i has an entry for each training row within the radius. */
  radiusNeighborsGraph(
    x?: MatrixLike | null,
    options: Pick<RadiusNeighborsOptions, "radius"> & GraphOptions = {},
  ): CsrMatrix {
    const where = `${this.id}.radiusNeighborsGraph`;
    const own = readOptions(where, { radius: radiusNeighborsOptions.radius, mode }, options);
    const found = this.#within(where, x, own.radius);
    return this.#graph(found.starts, found.indices, found.distances, own.mode);
  }

  toState(): ModelState {
    const { nSamples, nFeatures } = this;
    return stateOf(this.id, this, { nSamples, nFeatures, ...this.points.learned(), ...this.learned() });
  }

  /** What the model stores of its training rows besides X. */
  protected learned(): Learned {
    return {};
  }

  /** The k nearest training rows of every row of z, or those within the radius; of every training row the others, without z. */
  protected eachNeighborhood(where: string, z: Design | undefined, take: Neighborhood): void {
    const { nNeighbors: k, radius } = this.#described;
    if (k === undefined) {
      this.points.within(where, z, radius!, (from, count, starts, distances, indices) => {
        for (let r = 0; r < count; r++) {
          const [begin, end] = [starts[r]!, starts[r + 1]!];
          take(from + r, indices.subarray(begin, end), distances.subarray(begin, end));
        }
      });
      return;
    }
    this.points.nearest(where, z, k, (from, count, distances, indices) => {
      for (let r = 0, e = 0; r < count; r++, e += k)
        take(from + r, indices.subarray(e, e + k), distances.subarray(e, e + k));
    });
  }

  /** The error for a row without a training row within the radius; `parameter` would say what it gets. */
  protected refuseLonely(where: string, row: number, parameter: string): never {
    const expected = `within ${this.#described.radius} of a training row`;
    const received = "a row without neighbours";
    const advice = `Choose a larger radius, or set ${parameter} for such rows.`;
    throw new DataError(where, `row ${row} of X`, expected, received, advice);
  }

  get #described(): DescribedParams {
    return this.params as object as DescribedParams;
  }

  protected graphOfNearest(
    where: string,
    z: Design | undefined,
    k: number,
    kind: "connectivity" | "distance",
  ): CsrMatrix {
    const found = this.#nearest(where, z, k);
    const starts = Int32Array.from({ length: found.rows + 1 }, (_, i) => i * k);
    return this.#graph(starts, found.indices, found.distances.data, kind);
  }

  #rows(where: string, x: MatrixLike | null | undefined): Design | undefined {
    return x === undefined || x === null ? undefined : this.points.read(where, x);
  }

  #nearest(where: string, z: Design | undefined, k: number): NearestRows {
    const rows = (z ?? this.points.x).rows;
    const indices = new Int32Array(rows * k);
    const distances = new Float64Array(rows * k);
    this.points.nearest(where, z, k, (from, _, d, i) => {
      indices.set(i, from * k);
      distances.set(d, from * k);
    });
    return { rows, k, indices, distances: new Matrix(distances, rows, k) };
  }

  #within(where: string, x: MatrixLike | null | undefined, given: number | undefined): RowsWithin {
    const z = this.#rows(where, x);
    const radius = given ?? this.#described.radius ?? 1;
    const rows = (z ?? this.points.x).rows;
    const starts = new Int32Array(rows + 1);
    const blocks: { readonly indices: Int32Array; readonly distances: Float64Array }[] = [];
    let total = 0;
    this.points.within(where, z, radius, (from, count, begins, distances, indices) => {
      for (let r = 0; r < count; r++) starts[from + r + 1] = total + begins[r + 1]!;
      total += indices.length;
      blocks.push({ indices, distances });
    });
    const indices = new Int32Array(total);
    const distances = new Float64Array(total);
    let at = 0;
    for (const block of blocks) {
      indices.set(block.indices, at);
      distances.set(block.distances, at);
      at += block.indices.length;
    }
    return { starts, indices, distances };
  }

  #graph(
    indptr: Int32Array,
    indices: Int32Array,
    distances: Float64Array,
    kind: "connectivity" | "distance",
  ): CsrMatrix {
    const values = kind === "distance" ? distances : new Float64Array(indices.length).fill(1);
    return new CsrMatrix({ rows: indptr.length - 1, cols: this.nSamples, indptr, indices, values });
  }
}

/** The same neighbours, those of each row by distance, ties by number. */
function nearestFirst({ starts, indices, distances }: RowsWithin): RowsWithin {
  const sorted = new Int32Array(indices.length);
  const far = new Float64Array(indices.length);
  for (let r = 0; r + 1 < starts.length; r++) {
    const [from, to] = [starts[r]!, starts[r + 1]!];
    const order = Int32Array.from({ length: to - from }, (_, e) => from + e);
    order.sort((a, b) => distances[a]! - distances[b]! || indices[a]! - indices[b]!);
    order.forEach((e, place) => {
      sorted[from + place] = indices[e]!;
      far[from + place] = distances[e]!;
    });
  }
  return { starts, indices: sorted, distances: far };
}
