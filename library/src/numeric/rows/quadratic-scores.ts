import type { Matrix } from "../../data/matrix.js";
import { quadraticChunk } from "../generated/quadratic.js";
import { ROWS } from "../generated/quadratic.layout.js";
import { type F64, withArena } from "../runtime/arena.js";
import { chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { streamedRows } from "./dense-rows.js";

export interface QuadraticForms {
  /** Subtracted from every row first: far from the origin x·W − μ·W would cancel. */
  readonly centre: Float64Array;
  /** W per class, or one for all: d × d row-major, upper triangles. */
  readonly w: readonly Float64Array[];
  /** Wₖᵀ(μₖ − centre), classes × d. */
  readonly offsets: Float64Array;
  readonly constants: Float64Array;
}

/** constants[k] − ½ ‖Wₖᵀ(x − centre) − offsets[k]‖² of every row, one column per class. */
export function quadraticScores(where: string, x: Matrix, forms: QuadraticForms): Float64Array {
  const d = x.cols;
  const K = forms.constants.length;
  const pad = Math.ceil(d / 4) * 4;
  const out = new Float64Array(x.rows * K);
  withArena(where, (arena) => {
    const centre = arena.copy(forms.centre);
    const constants = arena.copy(forms.constants);
    const w = arena.copy(packed(forms.w, d, pad));
    const offsets = arena.zeros(K * pad);
    for (let k = 0; k < K; k++) offsets.array.set(forms.offsets.subarray(k * d, (k + 1) * d), k * pad);
    const chunks = chunksOf(x.rows, ROWS);
    const area = ROWS * d + 2 * ROWS;
    let scores: F64 | undefined;
    let work: F64 | undefined;
    streamedRows(arena, x, chunks.rows).forEachBlock((ptr, from, count, meanwhile) => {
      const parts = Math.ceil(count / chunks.rows);
      // The first block is the largest.
      scores ??= arena.f64(count * K);
      work ??= arena.f64(parts * area);
      const call = quadraticChunk({
        x: ptr,
        n: count,
        d,
        centre: centre.ptr,
        w: w.ptr,
        matrices: forms.w.length,
        offsets: offsets.ptr,
        constants: constants.ptr,
        classes: K,
        out: scores.ptr,
        work: work.ptr,
        area: area * 8,
        chunkRows: chunks.rows,
      });
      parallel(arena.heap, call, parts, count * K * d * d, meanwhile);
      out.set(scores.array.subarray(0, count * K), from * K);
    });
  });
  return out;
}

/** Panels of four columns, d quads each. */
function packed(matrices: readonly Float64Array[], d: number, pad: number): Float64Array {
  const out = new Float64Array(matrices.length * pad * d);
  matrices.forEach((w, m) => {
    for (let q = 0; q < d; q += 4) {
      for (let j = 0; j < d; j++) {
        const to = m * pad * d + q * d + 4 * j;
        for (let lane = 0; lane < Math.min(4, d - q); lane++) out[to + lane] = w[j * d + q + lane]!;
      }
    }
  });
  return out;
}
