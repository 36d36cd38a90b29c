/** Neighbours of the queries from … from + count − 1, k each, the nearest first; views that are valid during the call only. */
export type NearestBlock = (
  from: number,
  count: number,
  distances: Float64Array<ArrayBufferLike>,
  indices: Int32Array<ArrayBufferLike>,
) => void;

/** Neighbours of query from + r: entries starts[r] to starts[r + 1], ascending by number. */
export type WithinBlock = (
  from: number,
  count: number,
  starts: Int32Array,
  distances: Float64Array,
  indices: Int32Array,
) => void;

/**
 * Searchable points of any kind. Queries are processed in blocks, so that memory does not grow with their number. `self`:
 * the queries are the points themselves, and none is its own neighbour. Of equally near points the one with the smaller number comes
 * first.
 */
export interface NeighborSearch<X> {
  /** Kernel memory that the index occupies until `close`. */
  readonly bytes: number;
  nearest(where: string, z: X, k: number, self: boolean, take: NearestBlock): void;
  /** All points within `radii[i]` of row i. */
  within(where: string, z: X, radii: ArrayLike<number>, self: boolean, take: WithinBlock): void;
  close(): void;
}
