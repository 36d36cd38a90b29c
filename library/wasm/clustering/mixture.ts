import { addColumnMoments, addPairMoments, gather } from "./mixture/moments";
import { responsibilities } from "./mixture/responsibilities";
import { scoreBlock } from "./mixture/scores";
import { ALL_SQUARES, COLUMN_SQUARES, Mixture, ROWS } from "./mixture.layout";

/** Bytes of one column of a block. */
const COLUMN: usize = (<usize>ROWS) << 3;

/** Rows per component of `wasm/clustering/mixture.layout.ts`: d + 1 columns in tiles of four. */
// @inline
function sideOf(d: i32): i32 {
  return (d + 4) & ~3;
}

// @inline
function workOf(m: Mixture, chunk: i32): usize {
  const d = <i32>m.d;
  const columns = d + 2 * sideOf(d) + <i32>m.components + 1;
  return <usize>m.work + <usize>chunk * <usize>columns * COLUMN;
}

/**
 * One step of expectation–maximisation over a chunk of rows: the responsibilities, and the moments of all components that they
 * weigh. Points of a block lie side by side, column by column, so that an operation on a column is one on whole vectors.
 *
 * The chunk's area of `sums` is overwritten, except that with given responsibilities its log-likelihood is 0.
 */
export function mixtureChunk(address: usize, chunk: i32): void {
  const m = changetype<Mixture>(address);
  const d = <i32>m.d;
  const K = <i32>m.components;
  const from = chunk * <i32>m.chunkRows;
  const to = min(<i32>m.n, from + <i32>m.chunkRows);
  const side = sideOf(d);
  const points = workOf(m, chunk);
  const u = points + <usize>d * COLUMN;
  const v = u + <usize>side * COLUMN;
  const r = v + <usize>side * COLUMN;
  const chosen = r + <usize>K * COLUMN;
  const sums = <usize>m.sums + ((<usize>chunk * <usize>m.area) << 3);
  memory.fill(sums, 0, (<usize>m.area) << 3);
  const squares = <i32>m.squares;
  const length: usize =
    squares == ALL_SQUARES ? <usize>side * <usize>side : squares == COLUMN_SQUARES ? 2 * d + 1 : d + 1;
  let logLikelihood: f64 = 0;
  for (let i = from; i < to; i += ROWS) {
    const rows = min(ROWS, to - i);
    transpose(<usize>m.x, i, rows, d, points);
    const weights = m.weights == 0 ? 0 : <usize>m.weights + ((<usize>i) << 3);
    if (m.given == 0) {
      scoreBlock(m, points, rows, u, r);
      logLikelihood += responsibilities(r, K, rows, m.hard != 0, weights);
    } else {
      readGiven(<usize>m.given, i, rows, K, weights, r);
    }
    for (let k = 0; k < K; k++) {
      const own = r + <usize>k * COLUMN;
      const centre = <usize>m.centres + ((<usize>k * <usize>d) << 3);
      const out = sums + 8 + ((<usize>k * length) << 3);
      if (squares != ALL_SQUARES) {
        addColumnMoments(points, d, own, rows, centre, squares == COLUMN_SQUARES, out);
        continue;
      }
      const count = gather(points, d, own, rows, centre, chosen, u, v);
      if (count > 0) addPairMoments(u, v, count, d, side, out);
    }
  }
  store<f64>(sums, logLikelihood);
}

/** scores[i, k] = log πₖ + log N(x_i; μₖ, Σₖ) for a chunk of rows. */
export function mixtureScores(address: usize, chunk: i32): void {
  const m = changetype<Mixture>(address);
  const d = <i32>m.d;
  const K = <i32>m.components;
  const from = chunk * <i32>m.chunkRows;
  const to = min(<i32>m.n, from + <i32>m.chunkRows);
  const points = workOf(m, chunk);
  const u = points + <usize>d * COLUMN;
  const z = u + 2 * <usize>sideOf(d) * COLUMN;
  for (let i = from; i < to; i += ROWS) {
    const rows = min(ROWS, to - i);
    transpose(<usize>m.x, i, rows, d, points);
    scoreBlock(m, points, rows, u, z);
    for (let k = 0; k < K; k++) {
      let out = <usize>m.scores + ((<usize>i * <usize>K + <usize>k) << 3);
      const own = z + <usize>k * COLUMN;
      for (let e = 0; e < rows; e++, out += (<usize>K) << 3)
        store<f64>(out, load<f64>(own + ((<usize>e) << 3)));
    }
  }
}

/** Columns of the block, ROWS doubles each; points past the end repeat the last one. */
function transpose(x: usize, i: i32, rows: i32, d: i32, out: usize): void {
  for (let e = 0; e < ROWS; e++) {
    let at = x + ((<usize>(i + min(e, rows - 1)) * <usize>d) << 3);
    let to = out + ((<usize>e) << 3);
    for (let j = 0; j < d; j++, at += 8, to += COLUMN) store<f64>(to, load<f64>(at));
  }
}

/** Responsibilities from memory, times the row weights; 0 past the last row. */
function readGiven(given: usize, i: i32, rows: i32, K: i32, weights: usize, out: usize): void {
  for (let e = 0; e < rows; e++) {
    const s = weights == 0 ? 1.0 : load<f64>(weights + ((<usize>e) << 3));
    const at = given + ((<usize>(i + e) * <usize>K) << 3);
    for (let k = 0; k < K; k++)
      store<f64>(out + <usize>k * COLUMN + ((<usize>e) << 3), s * load<f64>(at + ((<usize>k) << 3)));
  }
  if (rows < ROWS) for (let k = 0; k < K; k++) store<f64>(out + <usize>k * COLUMN + ((<usize>rows) << 3), 0);
}
