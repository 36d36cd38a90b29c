import { DataError, show } from "../core/errors.js";
import type { Matrix } from "../data/matrix.js";
import type { NearestBlock, NeighborSearch, WithinBlock } from "../numeric/neighbors/search.js";
import type { DistanceFunction } from "./params.js";

/** Searches with a distance function of the caller, which is called for every pair of rows. */
export class FunctionSearch implements Pick<NeighborSearch<Matrix>, "nearest" | "within"> {
  constructor(
    readonly x: Matrix,
    readonly distance: DistanceFunction,
  ) {}

  nearest(where: string, z: Matrix, k: number, self: boolean, take: NearestBlock): void {
    for (let r = 0; r < z.rows; r++) {
      const all = this.#distances(where, z, r);
      const order = Int32Array.from(all.keys()).filter((t) => !(self && t === r));
      order.sort((s, t) => all[s]! - all[t]! || s - t);
      const indices = order.subarray(0, k);
      take(
        r,
        1,
        Float64Array.from(indices, (t) => all[t]!),
        indices,
      );
    }
  }

  within(where: string, z: Matrix, radii: ArrayLike<number>, self: boolean, take: WithinBlock): void {
    for (let r = 0; r < z.rows; r++) {
      const all = this.#distances(where, z, r);
      const near = Int32Array.from(all.keys()).filter((t) => all[t]! <= radii[r]! && !(self && t === r));
      take(
        r,
        1,
        Int32Array.of(0, near.length),
        Float64Array.from(near, (t) => all[t]!),
        near,
      );
    }
  }

  #distances(where: string, z: Matrix, r: number): Float64Array {
    // Copies: a function that writes to its arguments must not change the model.
    const row = z.row(r).slice();
    const all = new Float64Array(this.x.rows);
    for (let t = 0; t < all.length; t++) {
      const value = this.distance(row, this.x.row(t).slice());
      if (!(typeof value === "number" && value >= 0 && value < Infinity)) {
        const subject = `the metric between row ${r} of X and training row ${t}`;
        const expected = "a finite number ≥ 0";
        const received = show(value);
        throw new DataError(where, subject, expected, received);
      }
      all[t] = value;
    }
    return all;
  }
}
