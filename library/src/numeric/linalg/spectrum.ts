import { backTransformChunk, orthogonaliseRow, tridiagonalise } from "../generated/eigen.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { symmetricEigen } from "./eigen.js";
import { type Tridiagonal, tridiagonalValues, tridiagonalVectorsInto } from "./tridiagonal-eigen.js";

/** The spectrum of a symmetric matrix: all eigenvalues, and the vectors of the largest ones. */
export interface Spectrum {
  /** Descending. */
  readonly values: Float64Array;
  /** One row per vector, in the order of `values`. */
  readonly vectors: Float64Array;
}

/** How many eigenvectors are wanted, from all eigenvalues, which descend. */
export type CountOf = (values: Float64Array) => number;

/** Smaller matrices are solved before a trip to the kernels pays. */
const SMALL = 40;
/** Vectors per chunk of the back transformation. */
const CHUNK = 8;

/**
 * Eigenvalues of a symmetric side × side matrix and eigenvectors of the first `countOf(values)`. Householder reduction in the
 * kernels, values by QL, vectors by inverse iteration; where that does not converge, all by QL.
 */
export function largestEigen(where: string, a: Float64Array, side: number, countOf: CountOf): Spectrum {
  const size = a.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (side >= SMALL && size > 0) {
    const found = withArena(where, (arena) => reduced(arena, a, side, size, countOf));
    if (found) return found;
  }
  const scale = size > 0 ? size : 1;
  // Of entries at most 1, no sum of squares overflows.
  const { values, vectors } = symmetricEigen(
    a.map((value) => value / scale),
    side,
  );
  const descending = values.map((value) => value * scale).reverse();
  const count = countOf(descending);
  const rows = new Float64Array(count * side);
  for (let k = 0; k < count; k++)
    for (let i = 0; i < side; i++) rows[k * side + i] = vectors[i * side + side - 1 - k]!;
  return { values: descending, vectors: rows };
}

function reduced(
  arena: Arena,
  a: Float64Array,
  n: number,
  size: number,
  countOf: CountOf,
): Spectrum | undefined {
  const matrix = arena.f64(n * n);
  const { array } = matrix;
  for (let e = 0; e < a.length; e++) array[e] = a[e]! / size;
  const [diagonal, off, h] = [arena.f64(n), arena.f64(n), arena.f64(n)];
  const work = arena.f64(4 * (n + 4));
  arena.heap.call(
    tridiagonalise({ a: matrix.ptr, n, diagonal: diagonal.ptr, off: off.ptr, h: h.ptr, work: work.ptr }),
  );
  const copy = (list: F64) => list.array.slice() as Float64Array;
  const t: Tridiagonal = { diagonal: copy(diagonal), off: copy(off) };
  const values = tridiagonalValues(t);
  if (values === undefined) return undefined;
  const scaled = values.map((value) => value * size);
  const count = countOf(scaled);
  const vectors = arena.f64(count * n);
  const orthogonalise = (first: number, k: number) =>
    arena.heap.call(orthogonaliseRow({ z: vectors.ptr, n, first, k }));
  if (!tridiagonalVectorsInto(t, values, count, orthogonalise, vectors.array)) return undefined;
  if (count === 0) return { values: scaled, vectors: new Float64Array(0) };
  const chunks = Math.ceil(count / CHUNK);
  parallel(
    arena.heap,
    backTransformChunk({ a: matrix.ptr, n, h: h.ptr, z: vectors.ptr, count, chunkRows: CHUNK }),
    chunks,
    2 * n * n * count,
  );
  return { values: scaled, vectors: copy(vectors) };
}
