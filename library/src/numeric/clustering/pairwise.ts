import type { Matrix } from "../../data/matrix.js";
import { pairsChunk } from "../generated/neighbors.js";
import { normOf } from "../neighbors/filter.js";
import type { Metric } from "../neighbors/metric.js";
import { metricCodes } from "../neighbors/metric.js";
import { withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";

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
      const operations = 3 * count * n * d;
      const whole = 3 * n * n * d;
      const chunks = Math.ceil(count / ROWS);
      const call = pairsChunk({
        x: rows.ptr,
        n,
        d,
        metric: code,
        p: metric.p,
        norms,
        squared: squared ? 1 : 0,
        first: from,
        count,
        height: ROWS,
        out: out.ptr,
      });
      parallel(arena.heap, call, chunks, operations, undefined, whole);
      take(from, count, out.array.subarray(0, count * n));
    }
  });
}

/** ‖x_i‖ of every row. */
export function normsOf(x: Matrix): Float64Array {
  return Float64Array.from({ length: x.rows }, (_, i) => normOf(x.row(i)));
}
