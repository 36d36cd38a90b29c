import { squaredDistance } from "../shared/distances";
import { CHUNK, Means } from "./layout";

/**
 * k-means++: `distances` holds the squared distance of every row to the nearest centre chosen so far, `labels` which one that is.
 * A candidate z cannot be nearer to a row x than the row's centre c when ‖z − c‖ ≥ 2 ‖x − c‖: such rows are not measured.
 */

/** 4 for squares, and more than any rounding. */
const FAR: f64 = 4.0000001;

// @inline
function weightOf(m: Means, i: i32): f64 {
  return m.weights ? load<f64>(<usize>m.weights + ((<usize>i) << 3)) : 1;
}

/** Distances to the first centre; their weighted sum per chunk in `partial`. */
export function seedFirstChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = <i32>m.d;
  const from = chunk * CHUNK;
  const to = min(<i32>m.n, from + CHUNK);
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    const s = squaredDistance(<usize>m.x + ((<usize>i * <usize>d) << 3), <usize>m.centers, d);
    store<f64>(<usize>m.distances + ((<usize>i) << 3), s);
    store<i32>(<usize>m.labels + ((<usize>i) << 2), 0);
    sum += s * weightOf(m, i);
  }
  store<f64>(<usize>m.partial + ((<usize>chunk) << 3), sum);
}

/** Σ w min(distance, distance to candidate t) for every candidate, per chunk. */
export function seedTrialsChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = <i32>m.d;
  const k = <usize>m.k;
  const trials = <i32>m.trials;
  const from = chunk * CHUNK;
  const to = min(<i32>m.n, from + CHUNK);
  const sums = <usize>m.potentials + ((<usize>chunk * <usize>trials) << 3);
  for (let t: i32 = 0; t < trials; t++) {
    const z = <usize>m.candidates + ((<usize>t * <usize>d) << 3);
    const gaps = <usize>m.candidateGaps + ((<usize>t * k) << 3);
    let sum: f64 = 0;
    for (let i = from; i < to; i++) {
      let s = load<f64>(<usize>m.distances + ((<usize>i) << 3));
      const label = load<i32>(<usize>m.labels + ((<usize>i) << 2));
      if (load<f64>(gaps + ((<usize>label) << 3)) < FAR * s)
        s = min(s, squaredDistance(<usize>m.x + ((<usize>i * <usize>d) << 3), z, d));
      sum += s * weightOf(m, i);
    }
    store<f64>(sums + ((<usize>t) << 3), sum);
  }
}

/** Makes the chosen candidate the centre number `found`. */
export function seedChosenChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = <i32>m.d;
  const t = <usize>m.chosen;
  const from = chunk * CHUNK;
  const to = min(<i32>m.n, from + CHUNK);
  const z = <usize>m.candidates + ((t * <usize>d) << 3);
  const gaps = <usize>m.candidateGaps + ((t * <usize>m.k) << 3);
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    let s = load<f64>(<usize>m.distances + ((<usize>i) << 3));
    const at = <usize>m.labels + ((<usize>i) << 2);
    if (load<f64>(gaps + ((<usize>load<i32>(at)) << 3)) < FAR * s) {
      const own = squaredDistance(<usize>m.x + ((<usize>i * <usize>d) << 3), z, d);
      if (own < s) {
        s = own;
        store<f64>(<usize>m.distances + ((<usize>i) << 3), s);
        store<i32>(at, <i32>m.found);
      }
    }
    sum += s * weightOf(m, i);
  }
  store<f64>(<usize>m.partial + ((<usize>chunk) << 3), sum);
}

/** Distances of a chunk of rows to all centres: rows of k doubles in `distances`. */
export function distancesChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = <i32>m.d;
  const k = <i32>m.k;
  const from = chunk * CHUNK;
  const to = min(<i32>m.n, from + CHUNK);
  for (let i = from; i < to; i++) {
    const x = <usize>m.x + ((<usize>i * <usize>d) << 3);
    let out = <usize>m.distances + ((<usize>i * <usize>k) << 3);
    for (let c: i32 = 0; c < k; c++, out += 8)
      store<f64>(out, sqrt(squaredDistance(x, <usize>m.centers + ((<usize>c * <usize>d) << 3), d)));
  }
}
