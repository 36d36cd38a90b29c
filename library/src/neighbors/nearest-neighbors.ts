import { transformer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import type { ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, undescribed } from "../core/structure.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { unweightedSet } from "../data/training-set.js";
import { FittedNeighbors } from "./fitted-neighbors.js";
import { NeighborsEstimator, readTraining } from "./neighbors-estimator.js";
import { nNeighbors, radius, searchParams } from "./params.js";
import { acceptsSparse } from "./training-points.js";

export const nearestNeighborsParams = { nNeighbors, radius, ...searchParams };
type NearestNeighborsParams = typeof nearestNeighborsParams;

/**
 * Searches the nearest rows of a set: the k nearest, or all within a radius, as lists or as a sparse graph. As a step of a pipeline it
 * transforms X into the distances to its k nearest training rows, one column per training row.
 *
 * Parity: scikit-learn's NearestNeighbors; rows within a radius are sorted by number unless `sortResults`.
 */
export class NearestNeighbors extends NeighborsEstimator<NearestNeighborsParams> {
  static readonly id = "NearestNeighbors";
  static readonly table = nearestNeighborsParams;
  static readonly capabilities = transformer({ sparse: true, scale: "standard" });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedNearestNeighbors {
    const where = this.where("fit");
    const set = unweightedSet(where, x, y, options, { sparse: acceptsSparse(this.params) });
    return new FittedNearestNeighbors(this.params, this.points(where, set));
  }

  static restore(state: ModelState): FittedNearestNeighbors {
    const { params, points } = readTraining(nearestNeighborsParams, state);
    return new FittedNearestNeighbors(params, points);
  }
}

export class FittedNearestNeighbors extends FittedNeighbors {
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
