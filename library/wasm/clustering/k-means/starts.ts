import { squaredDistance } from "../../shared/distances";
import { CHUNK, GROUP, Means, MOST_TRIALS } from "../k-means.layout";
import { filterError, filterGroup, halfSquare, strideOf } from "./filter";

/**
 * k-means++: `distances` holds the squared distance of every row to the nearest centre chosen so far. Only rows whose filter value
 * allows that a candidate is nearer than that are measured.
 */

// @inline
function weightOf(m: Means, i: i32): f64 {
  return m.weights ? load<f64>(m.weights + ((<usize>i) << 3)) : 1;
}

/** Stores the distance of row i to its nearest centre, and the limit that follows from it. Candidates are rows: ‖f‖ ≤ 1. */
// @inline
function storeDistance(m: Means, i: i32, distance: f64): void {
  const length = load<f64>(m.lengths + ((<usize>i) << 3));
  const limit = 0.5 * m.scale * m.scale * distance - halfSquare(length) + filterError(m, length);
  store<f64>(m.distances + ((<usize>i) << 3), distance);
  store<f32>(m.limits + ((<usize>i) << 2), <f32>(limit + abs(limit) * 1.2e-7 + 1e-38));
}

/** Distances to the first centre; their weighted sum per chunk in `partial`. */
export function seedFirstChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  seed(m, m.centers, -1, chunk);
}

/** Makes the chosen candidate the next centre. */
export function seedChosenChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  seed(m, candidateOf(m, <usize>m.chosen), m.chosen, chunk);
}

/** Makes z a centre: the first, or candidate t, which is nearer to some rows than all centres. */
// @inline
function seed(m: Means, z: usize, t: i32, chunk: i32): void {
  const d = m.d;
  const to = min(m.n, (chunk + 1) * CHUNK);
  let sum: f64 = 0;
  for (let i = chunk * CHUNK; i < to; i++) {
    let s = t < 0 ? Infinity : load<f64>(m.distances + ((<usize>i) << 3));
    if (t < 0 || (load<i32>(m.nearer + ((<usize>i) << 2)) >> t) & 1) {
      s = min(s, squaredDistance(m.x + ((<usize>i * <usize>d) << 3), z, d));
      storeDistance(m, i, s);
    }
    sum += s * weightOf(m, i);
  }
  store<f64>(m.partial + ((<usize>chunk) << 3), sum);
}

/** By how much each candidate would lower Σ w · distance over a chunk: Σ w (distance − distance to it)⁺. */
export function gainsChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const trials = m.trials;
  const from = chunk * CHUNK;
  const to = min(m.n, from + CHUNK);
  const list = m.work + <usize>chunk * m.area;
  const values = list + ((<usize>CHUNK) << 2);
  const stride = strideOf(trials);
  const gains = m.gains + ((<usize>chunk * <usize>MOST_TRIALS) << 3);
  for (let t: i32 = 0; t < MOST_TRIALS; t++) store<f64>(gains + ((<usize>t) << 3), 0);
  for (let group = from; group < to; group += GROUP) {
    const size = min(GROUP, to - group);
    for (let r: i32 = 0; r < size; r++) store<i32>(list + ((<usize>r) << 2), group + r);
    filterGroup(m, trials, list, size, values, stride);
    for (let r: i32 = 0; r < size; r++) {
      const i = group + r;
      const limits = v128.load32_splat(m.limits + ((<usize>i) << 2));
      const row = values + <usize>r * stride;
      let nearer: i32 = 0;
      for (let at: usize = 0; at < stride; at += 16)
        nearer |= i32x4.bitmask(f32x4.le(v128.load(row + at), limits)) << (<i32>(at >> 2));
      store<i32>(m.nearer + ((<usize>i) << 2), nearer);
      if (nearer) addGains(m, i, nearer, gains);
    }
  }
}

/** Adds w (distance − distance to it)⁺ of row i for each of the named candidates. */
function addGains(m: Means, i: i32, nearer: i32, gains: usize): void {
  const d = m.d;
  const s = load<f64>(m.distances + ((<usize>i) << 3));
  for (; nearer != 0; nearer &= nearer - 1) {
    const t = <usize>ctz(nearer);
    if (t >= <usize>m.trials) return;
    const gain = s - squaredDistance(m.x + ((<usize>i * <usize>d) << 3), candidateOf(m, t), d);
    const sum = gains + (t << 3);
    if (gain > 0) store<f64>(sum, load<f64>(sum) + gain * weightOf(m, i));
  }
}

// @inline
function candidateOf(m: Means, t: usize): usize {
  return m.candidates + ((t * <usize>m.d) << 3);
}

/** Distances of a chunk of rows to all centres: rows of k doubles in `distances`. */
export function distancesChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = m.d;
  const k = m.k;
  const from = chunk * CHUNK;
  const to = min(m.n, from + CHUNK);
  for (let i = from; i < to; i++) {
    const x = m.x + ((<usize>i * <usize>d) << 3);
    let out = m.distances + ((<usize>i * <usize>k) << 3);
    for (let c: i32 = 0; c < k; c++, out += 8)
      store<f64>(out, sqrt(squaredDistance(x, m.centers + ((<usize>c * <usize>d) << 3), d)));
  }
}
