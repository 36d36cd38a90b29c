import { log } from "../../core/numbers/elementary.js";
import { Matrix } from "../../data/matrix.js";
import { classMomentChunk, logChunk, normalDensityChunk } from "../generated/bayes.js";
import { streamedRows } from "../rows/dense-rows.js";
import { withArena } from "../runtime/arena.js";
import { addPartials, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";

/** Below this many entries plain loops are faster than a copy to the arena. */
const SMALL = 20_000;
/** The same for logarithms. */
const FEW_LOGS = 1000;

/** Σ s (x − c) and Σ s (x − c)² of every column, per class, around a centre c per class. */
export interface CentredSums {
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** One streamed pass. `codes` are the classes of the rows, `centre` is K × d, and so are both results. */
export function centredSums(
  where: string,
  x: Matrix,
  codes: Int32Array,
  weights: Float64Array | undefined,
  centre: Float64Array,
): CentredSums {
  if (x.data.length <= SMALL) return smallSums(x, codes, weights, centre);
  const size = centre.length;
  const K = size / x.cols;
  const sums = new Float64Array(2 * size);
  withArena(where, (arena) => {
    const chunks = chunksOf(x.rows, 2 * size);
    const codesAt = arena.copyI32(codes);
    const weightsAt = weights ? arena.copy(weights) : undefined;
    const c = arena.copy(centre);
    const partials = arena.f64(chunks.count * 2 * size);
    // Threads are started by the cost of the whole pass: a single block may be too small.
    const work = 4 * x.data.length;
    streamedRows(arena, x, chunks.rows).forEachBlock((ptr, from, count, meanwhile) => {
      const parts = Math.ceil(count / chunks.rows);
      const call = classMomentChunk({
        x: ptr,
        n: count,
        d: x.cols,
        codes: codesAt.at(from),
        s: weightsAt?.at(from) ?? 0,
        centre: c.ptr,
        K,
        out: partials.ptr,
        chunkRows: chunks.rows,
      });
      parallel(arena.heap, call, parts, work, meanwhile);
      addPartials(partials.array, parts, sums);
    });
  });
  return { first: sums.subarray(0, size), second: sums.subarray(size) };
}

function smallSums(
  { data, rows, cols: d }: Matrix,
  codes: Int32Array,
  weights: Float64Array | undefined,
  centre: Float64Array,
): CentredSums {
  const first = new Float64Array(centre.length);
  const second = new Float64Array(centre.length);
  for (let i = 0, e = 0; i < rows; i++) {
    const from = codes[i]! * d;
    const weight = weights === undefined ? 1 : weights[i]!;
    for (let at = from; at < from + d; at++, e++) {
      const u = data[e]! - centre[at]!;
      first[at]! += weight * u;
      second[at]! += weight * u * u;
    }
  }
  return { first, second };
}

/** Z[i][k] = constantₖ − ½ Σⱼ ((xⱼ − θₖⱼ) rₖⱼ)²: normal log-densities of independent columns, r = 1/σ. θ and r are K × d. */
export function normalDensities(
  where: string,
  x: Matrix,
  theta: Float64Array,
  r: Float64Array,
  constant: Float64Array,
): Matrix {
  const K = constant.length;
  const out = Matrix.zeros(x.rows, K);
  if (x.data.length * K <= SMALL) {
    smallDensities(x, theta, r, constant, out.data);
    return out;
  }
  withArena(where, (arena) => {
    const chunks = chunksOf(x.rows, K);
    const [t, s, c] = [arena.copy(theta), arena.copy(r), arena.copy(constant)];
    const z = arena.f64(x.rows * K);
    streamedRows(arena, x, chunks.rows).forEachBlock((ptr, from, count, meanwhile) => {
      const parts = Math.ceil(count / chunks.rows);
      const call = normalDensityChunk({
        x: ptr,
        n: count,
        d: x.cols,
        theta: t.ptr,
        r: s.ptr,
        constant: c.ptr,
        K,
        out: z.at(from * K),
        chunkRows: chunks.rows,
      });
      parallel(arena.heap, call, parts, 3 * count * x.cols * K, meanwhile);
    });
    out.data.set(z.array);
  });
  return out;
}

/** The twin of the kernel: four running sums, joined in the same order, so that a row has the same bits alone. */
function smallDensities(
  { data, rows, cols: d }: Matrix,
  theta: Float64Array,
  r: Float64Array,
  constant: Float64Array,
  out: Float64Array,
): void {
  const K = constant.length;
  const whole = d & ~3;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < K; k++) {
      let e = i * d;
      let at = k * d;
      let a0 = 0;
      let a1 = 0;
      let b0 = 0;
      let b1 = 0;
      for (const end = at + whole; at < end; at += 4, e += 4) {
        const u0 = (data[e]! - theta[at]!) * r[at]!;
        const u1 = (data[e + 1]! - theta[at + 1]!) * r[at + 1]!;
        const v0 = (data[e + 2]! - theta[at + 2]!) * r[at + 2]!;
        const v1 = (data[e + 3]! - theta[at + 3]!) * r[at + 3]!;
        a0 += u0 * u0;
        a1 += u1 * u1;
        b0 += v0 * v0;
        b1 += v1 * v1;
      }
      let sum = a0 + b0 + (a1 + b1);
      for (const end = (k + 1) * d; at < end; at++, e++) {
        const u = (data[e]! - theta[at]!) * r[at]!;
        sum += u * u;
      }
      out[i * K + k] = constant[k]! - 0.5 * sum;
    }
  }
}

/** Natural logarithms of positive normal numbers, in place. */
export function logInto(out: Float64Array): void {
  if (out.length <= FEW_LOGS) {
    for (let e = 0; e < out.length; e++) out[e] = log(out[e]!);
    return;
  }
  withArena("log", (arena) => {
    const chunks = chunksOf(out.length, 1, 16384);
    const x = arena.copy(out);
    parallel(
      arena.heap,
      logChunk({ x: x.ptr, n: out.length, chunkRows: chunks.rows }),
      chunks.count,
      20 * out.length,
    );
    out.set(x.array);
  });
}
