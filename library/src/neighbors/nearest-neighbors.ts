import { transformerCapabilities } from "../core/capabilities.js";
import type {
  Capabilities,
  FitOptions,
  FittedTransformer,
  MatrixLike,
  Unlabelled,
} from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { beginUnweightedFit } from "../core/params/options.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Structure, structure, undescribed } from "../core/structure.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { unlabelledSet } from "../data/training-set.js";
import { FittedNeighbors } from "./fitted-neighbors.js";
import { nNeighbors, radius, searchParams } from "./params.js";
import { readTraining } from "./restore.js";
import { acceptsSparse, requireSearchable, trainingPoints } from "./training-points.js";

export const nearestNeighborsParams = { nNeighbors, radius, ...searchParams };
type NearestNeighborsParams = typeof nearestNeighborsParams;

/**
 * Searches the nearest rows of a set: the k nearest, or all within a radius, as lists or as a sparse graph. As a step of a pipeline it
 * transforms X into the distances to its k nearest training rows, one column per training row.
 *
 * Parity: scikit-learn's NearestNeighbors; rows within a radius are sorted by number unless `sortResults`.
 */
export class NearestNeighbors extends Estimator<NearestNeighborsParams> {
  static readonly id = "NearestNeighbors";
  static readonly table = nearestNeighborsParams;
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    sparse: true,
    scale: "standard",
  };

  constructor(params: Params<NearestNeighborsParams> = {}) {
    super(params);
    requireSearchable(this.id, this.params);
  }

  get capabilities(): Capabilities {
    return { ...NearestNeighbors.capabilities, sparse: acceptsSparse(this.params) };
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedNearestNeighbors {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const set = unlabelledSet(where, x, y, options, { sparse: acceptsSparse(this.params) });
    const points = trainingPoints(where, set, this.params);
    return new FittedNearestNeighbors(this.params, points);
  }

  static restore(state: ModelState): FittedNearestNeighbors {
    const { params, points } = readTraining(nearestNeighborsParams, new StateReader(state));
    return new FittedNearestNeighbors(params, points);
  }
}

export class FittedNearestNeighbors extends FittedNeighbors implements FittedTransformer {
  declare readonly params: ParamValues<NearestNeighborsParams>;
  protected readonly id = NearestNeighbors.id;

  [structure](): Structure {
    return undescribed("its columns are distances to training rows, of which only the nearest are stored");
  }

  /** `kneighborsGraph(x, { mode: "distance" })`. */
  transform(x: MatrixLike): CsrMatrix {
    const where = `${this.id}.transform`;
    return this.graphOfNearest(where, this.points.read(where, x), this.params.nNeighbors, "distance");
  }
}
