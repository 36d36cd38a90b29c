import type { Capabilities, FitOptions, MatrixLike, SearchSpace } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { classFacts, Estimator } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { beginUnweightedFit } from "../core/params/options.js";
import type { Params, ParamsTable } from "../core/params/params.js";
import { restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { classificationSet, regressionSet } from "../data/training-set.js";
import type { searchParams } from "./params.js";
import {
  acceptsSparse,
  readPoints,
  requireMeasurable,
  requireSearchable,
  type SearchParams,
  TrainingPoints,
  trainingPoints,
} from "./training-points.js";

/** What a supervised learner of neighbours can do. */
export const neighborsCapabilities = {
  sparse: true,
  sampleWeight: false,
  scale: "standard",
  form: "rows",
} as const satisfies Partial<Capabilities>;

export const neighborsSpace: SearchSpace = {
  nNeighbors: { integers: [1, 40] },
  weights: ["uniform", "distance"],
  p: [1, 2],
};

/** An estimator whose model are its training rows. */
export abstract class NeighborsEstimator<T extends typeof searchParams & ParamsTable> extends Estimator<T> {
  constructor(params: Params<T> = {} as Params<T>) {
    super(params);
    requireSearchable(this.id, this.search);
  }

  /** Sparse rows have some of the metrics. */
  get capabilities(): Capabilities {
    return { ...(classFacts(this) as Capabilities), sparse: acceptsSparse(this.search) };
  }

  protected get search(): SearchParams & { readonly nNeighbors?: number } {
    return this.params as object as SearchParams;
  }

  protected points(
    where: string,
    set: { readonly x: Design; readonly featureNamesIn?: readonly string[] | undefined },
  ): TrainingPoints {
    return trainingPoints(where, set, this.search);
  }

  /** Labelled rows. */
  protected classified<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions) {
    const where = this.where("fit");
    beginUnweightedFit(where, undefined, options);
    const set = classificationSet(where, x, y, options, { sparse: acceptsSparse(this.search) }, null);
    this.#requireRows(where, set.x.rows);
    return { ...set, where, points: this.points(where, set) };
  }

  /** What a model of rows with targets is made of. */
  protected targeted(x: MatrixLike, y: NumberArray, options: FitOptions) {
    const where = this.where("fit");
    beginUnweightedFit(where, undefined, options);
    const set = regressionSet(where, x, y, options, { sparse: acceptsSparse(this.search) });
    this.#requireRows(where, set.x.rows);
    return [this.params, this.points(where, set), set.y] as const;
  }

  #requireRows(where: string, rows: number): void {
    const { nNeighbors } = this.search;
    if (nNeighbors !== undefined) requireRows(where, nNeighbors, rows);
  }
}

/** Throws if there are fewer rows than neighbours. */
export function requireRows(where: string, nNeighbors: number, rows: number): void {
  if (nNeighbors <= rows) return;
  throw new DataError(where, "nNeighbors", `at most the number of rows (${rows})`, `${nNeighbors}`);
}

/** Parameters and training rows of a saved model of neighbours. */
export function readTraining<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, where, params } = restoring(table, state);
  const rows = reader.count("nSamples");
  const cols = reader.count("nFeatures");
  if (rows === 0 || cols === 0) reader.fail("nSamples and nFeatures", "at least 1", `${rows} and ${cols}`);
  const search = params as object as SearchParams & { readonly nNeighbors?: number };
  if (search.nNeighbors !== undefined && search.nNeighbors > rows)
    reader.fail("nNeighbors", `at most the number of rows (${rows})`, `${search.nNeighbors}`);
  const x = readPoints(reader, rows, cols);
  if (x instanceof CsrMatrix && !acceptsSparse(search))
    reader.fail("metric", "one for sparse rows", String(search.metric));
  requireSearchable(where, search);
  requireMeasurable(where, x, search);
  return { reader, params, points: new TrainingPoints(x, search, readFeatureNames(reader, cols)), rows };
}
