import { DataError } from "../../core/errors.js";
import type { Matrix } from "../../data/matrix.js";
import { normOf } from "../neighbors/filter.js";
import type { Metric } from "../neighbors/metric.js";
import { metricCodes } from "../neighbors/metric.js";
import { withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { neighborsKernels } from "../runtime/wasm-modules.js";

/** Distances of all pairs of n rows: n × n. */
export interface PairwiseDistances {
  readonly n: number;
  readonly values: Float64Array;
}

/** Rows per chunk. */
const ROWS = 64;

/** Distances of rows from … from + count − 1 to all rows, in blocks of whole chunks; squares for euclidean if `squared`. */
export function eachPairBlock(
  where: string,
  x: Matrix,
  metric: Metric,
  squared: boolean,
  block: number,
  take: (from: number, count: number, distances: Float64Array<ArrayBufferLike>) => void,
): void {
  const { rows: n, cols: d } = x;
  const height = ROWS * Math.ceil(Math.min(block, n) / ROWS);
  withArena(where, (arena) => {
    const rows = arena.copy(x.data);
    const norms = metric.name === "cosine" ? arena.copy(normsOf(x)).ptr : 0;
    const out = arena.f64(height * n);
    for (let from = 0; from < n; from += height) {
      const count = Math.min(height, n - from);
      const code = metricCodes[metric.name];
      const args = [rows.ptr, n, d, code, metric.p, norms, squared ? 1 : 0, from, count, ROWS, out.ptr];
      const operations = 3 * count * n * d;
      const whole = 3 * n * n * d;
      const chunks = Math.ceil(count / ROWS);
      parallel(arena.heap, neighborsKernels, "pairsChunk", args, chunks, operations, undefined, whole);
      take(from, count, out.array.subarray(0, count * n));
    }
  });
}

/** All of them at once. */
export function pairwiseDistances(
  where: string,
  x: Matrix,
  metric: Metric,
  squared: boolean,
): PairwiseDistances {
  const n = x.rows;
  const values = squareOf(where, n);
  eachPairBlock(where, x, metric, squared, 1024, (from, _, distances) => values.set(distances, from * n));
  return { n, values };
}

function squareOf(where: string, n: number): Float64Array {
  try {
    return new Float64Array(n * n);
  } catch {
    throw new DataError({
      where,
      subject: "X",
      expected: "few enough rows for their n² distances in memory",
      received: `${n} rows`,
      advice: "Cluster a sample of them, or the centres of a KMeans with many clusters.",
    });
  }
}

function normsOf(x: Matrix): Float64Array {
  return Float64Array.from({ length: x.rows }, (_, i) => normOf(x.row(i)));
}
