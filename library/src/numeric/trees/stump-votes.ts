import type { Matrix } from "../../data/matrix.js";
import { stumpSums } from "../generated/stumps.js";
import { streamedRows } from "../rows/dense-rows.js";
import { withArena } from "../runtime/arena.js";
import { chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";

/** Stumps as lists, one entry per stump. */
export interface StumpLists {
  /** Column of the split; −1: all rows go left. */
  readonly features: Int32Array;
  readonly thresholds: Float64Array;
  /** Predicted class indices, left and right. */
  readonly answers: Int32Array;
}

/** Rows times stumps below which plain loops are faster than the kernel. */
const SMALL = 20_000;

/** out[i][k] = the sum of the weights of the stumps that predict class k for row i, in the order of the stumps. */
export function stumpVotesInto(
  where: string,
  stumps: StumpLists,
  weights: Float64Array,
  x: Matrix,
  out: Matrix,
): void {
  if (x.rows * weights.length <= SMALL) {
    smallVotes(stumps, weights, x, out);
    return;
  }
  const T = weights.length;
  const K = out.cols;
  withArena(where, (arena) => {
    const features = arena.copyI32(stumps.features.map((j) => 8 * Math.max(0, j)));
    const thresholds = arena.copy(stumps.thresholds.map((t, s) => (stumps.features[s]! < 0 ? Infinity : t)));
    const left = arena.f64(T * K);
    const right = arena.f64(T * K);
    for (let k = 0; k < K; k++) {
      for (let t = 0; t < T; t++) {
        left.array[k * T + t] = stumps.answers[2 * t] === k ? weights[t]! : 0;
        right.array[k * T + t] = stumps.answers[2 * t + 1] === k ? weights[t]! : 0;
      }
    }
    const votes = arena.f64(x.rows * K);
    const chunks = chunksOf(x.rows, 1);
    streamedRows(arena, x, chunks.rows).forEachBlock((ptr, from, count, meanwhile) => {
      const blockChunks = Math.ceil(count / chunks.rows);
      for (let k = 0; k < K; k++) {
        const call = stumpSums({
          x: ptr,
          n: count,
          d: x.cols,
          features: features.ptr,
          thresholds: thresholds.ptr,
          left: left.at(k * T),
          right: right.at(k * T),
          T,
          out: votes.at(from * K),
          K,
          k,
          chunkRows: chunks.rows,
        });
        const last = k === K - 1 ? meanwhile : undefined;
        parallel(arena.heap, call, blockChunks, 4 * count * T, last);
      }
    });
    out.data.set(votes.array);
  });
}

/** The twin of the kernel. */
function smallVotes(
  { features, thresholds, answers }: StumpLists,
  weights: Float64Array,
  { data, rows, cols }: Matrix,
  out: Matrix,
): void {
  for (let i = 0; i < rows; i++) {
    for (let t = 0; t < weights.length; t++) {
      const j = features[t]!;
      const side = j >= 0 && data[i * cols + j]! > thresholds[t]! ? 1 : 0;
      out.data[i * out.cols + answers[2 * t + side]!]! += weights[t]!;
    }
  }
}
