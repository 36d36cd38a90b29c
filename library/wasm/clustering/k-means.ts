import { squaredDistance } from "../shared/distances";
import { filterError, filterGroup, halfSquare, strideOf } from "./k-means/filter";
import { CHUNK, Means } from "./k-means.layout";

/**
 * Relative error of a computed distance, twice: of the upper bound and of the lower one. Σ (x − c)² has at most (d + 2) u relative
 * error, its root half of it, and every iteration adds one rounding.
 */
// @inline
function slack(d: f64): f64 {
  return (d + 16) * 4.5e-16;
}

// @inline
function rowOf(m: Means, i: i32): usize {
  return m.x + ((<usize>i * <usize>m.d) << 3);
}

// @inline
function centerOf(m: Means, c: i32): usize {
  return m.centers + ((<usize>c * <usize>m.d) << 3);
}

/**
 * Assigns the rows of a chunk to their nearest centres by Hamerly's bounds [Hamerly 2010, algorithm 1] and the filter. On exit labels
 * are the nearest centres by Σ (x_j − c_j)² in doubles, the smaller number of equally near ones; upper and lower bounds hold.
 */
export function assignChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const from = chunk * CHUNK;
  const to = min(m.n, from + CHUNK);
  const list = m.work + <usize>chunk * m.area;
  const values = list + ((<usize>CHUNK) << 2);
  const stride = strideOf(m.k);
  const count = m.bounded ? listUncertain(m, from, to, list) : listAll(from, to, list);
  let changed: i32 = 0;
  for (let g: i32 = 0; g < count; g += m.group) {
    const group = list + ((<usize>g) << 2);
    const size = min(m.group, count - g);
    filterGroup(m, m.k, group, size, values, stride);
    for (let r: i32 = 0; r < size; r++)
      changed += assignRow(m, load<i32>(group + ((<usize>r) << 2)), values + <usize>r * stride);
  }
  store<i32>(m.changed + ((<usize>chunk) << 2), changed);
}

function listAll(from: i32, to: i32, list: usize): i32 {
  for (let i = from; i < to; i++, list += 4) store<i32>(list, i);
  return to - from;
}

/** Rows whose bounds do not prove that their centre is still the nearest; moves the bounds of all rows. */
function listUncertain(m: Means, from: i32, to: i32, list: usize): i32 {
  const d = m.d;
  const eps = slack(<f64>m.d);
  const most = m.mostMoved;
  const mostMove = m.mostMove;
  const secondMove = m.secondMove;
  let count: i32 = 0;
  for (let i = from; i < to; i++) {
    const label = load<i32>(m.labels + ((<usize>i) << 2));
    const at = (<usize>i) << 3;
    const ofLabel = (<usize>label) << 3;
    let upper = (load<f64>(m.upper + at) + load<f64>(m.moves + ofLabel)) * (1 + 2.3e-16);
    const lower = load<f64>(m.lower + at) - (label == most ? secondMove : mostMove);
    const limit = max(lower * (1 - 2.3e-16), load<f64>(m.gaps + ofLabel));
    // Below 0 a bound says nothing, whichever way it is rounded.
    store<f64>(m.lower + at, lower * (1 - 2.3e-16));
    if (!(upper < limit)) {
      upper = sqrt(squaredDistance(rowOf(m, i), centerOf(m, label), d)) * (1 + eps);
      if (!(upper < limit)) {
        store<i32>(list + ((<usize>count) << 2), i);
        count++;
      }
    }
    store<f64>(m.upper + at, upper);
  }
  return count;
}

/** Lanes 2, 3, 0, 1, and lanes 1, 0, 3, 2. */
// @inline
function halvesSwapped(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
}
// @inline
function neighborsSwapped(v: v128): v128 {
  return i8x16.shuffle(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
}

/**
 * The nearest centre of row i by its filter values; returns 1 if it is another one than before. If only one centre can be the nearest,
 * no distance is measured: the bounds follow from the filter values.
 */
function assignRow(m: Means, i: i32, values: usize): i32 {
  const end = values + strideOf(m.k);
  let least = f32x4.splat(Infinity);
  let second = least;
  let which = i32x4.splat(0);
  let number = v128(0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
  for (let at = values; at < end; at += 16) {
    const v = v128.load(at);
    which = v128.bitselect(number, which, f32x4.lt(v, least));
    second = f32x4.pmin(second, f32x4.pmax(least, v));
    least = f32x4.pmin(least, v);
    number = i32x4.add(number, i32x4.splat(4));
  }
  const lanes = least;
  let other = halvesSwapped(least);
  second = f32x4.pmin(f32x4.pmin(second, halvesSwapped(second)), f32x4.pmax(least, other));
  least = f32x4.pmin(least, other);
  other = neighborsSwapped(least);
  second = f32x4.pmin(f32x4.pmin(second, neighborsSwapped(second)), f32x4.pmax(least, other));
  least = f32x4.pmin(least, other);
  const length = load<f64>(m.lengths + ((<usize>i) << 3));
  const error = filterError(m, length);
  const first = <f64>f32x4.extract_lane(least, 0);
  const next = <f64>f32x4.extract_lane(second, 0);
  // +∞ of centres that are not there is above every limit, NaN of values that overflow above none.
  if (!(next > first + 2 * error)) return measureRow(m, i, values, first, error);
  v128.store(values, which);
  const lane = ctz(i32x4.bitmask(f32x4.eq(lanes, least)));
  const best = load<i32>(values + ((<usize>lane) << 2));
  const half = halfSquare(length);
  const scale = m.scale * m.scale;
  // The same rounded up: ‖g‖² is at most `length`².
  const near = 2 * (first + 0.5 * length * length + error);
  return storeRow(m, i, best, near / scale, max(0, 2 * (next + half - error)) / scale);
}

/** The nearest of all centres whose filter values are not above the least one by more than twice the error. */
function measureRow(m: Means, i: i32, values: usize, first: f64, error: f64): i32 {
  const k = m.k;
  const d = m.d;
  const x = rowOf(m, i);
  const limit = first + 2 * error;
  const all = !(limit < Infinity);
  let best: i32 = 0;
  let distance: f64 = Infinity;
  let next: f64 = Infinity;
  for (let c: i32 = 0; c < k; c++) {
    if (!all && <f64>load<f32>(values + ((<usize>c) << 2)) > limit) continue;
    const s = squaredDistance(x, centerOf(m, c), d);
    next = min(next, max(s, distance));
    if (s < distance) best = c;
    distance = min(distance, s);
  }
  // Centres that were not measured: their distances are not below that of the limit.
  const half = halfSquare(load<f64>(m.lengths + ((<usize>i) << 3)));
  if (!all) next = min(next, max(0, (2 * (limit + half - error)) / (m.scale * m.scale)));
  return storeRow(m, i, best, distance, next);
}

/** `near` is at least the squared distance to the best centre, `next` at most that to all others, up to rounding. */
// @inline
function storeRow(m: Means, i: i32, best: i32, near: f64, next: f64): i32 {
  const at = (<usize>i) << 3;
  const eps = slack(<f64>m.d);
  store<f64>(m.upper + at, sqrt(near) * (1 + eps));
  store<f64>(m.lower + at, sqrt(next) * (1 - 2 * eps));
  const label = m.labels + ((<usize>i) << 2);
  const changed = i32(load<i32>(label) != best);
  store<i32>(label, best);
  return changed;
}

/** Squared distances of a chunk of rows to their centres, and their weighted sum. */
export function measureChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const from = chunk * CHUNK;
  const to = min(m.n, from + CHUNK);
  const d = m.d;
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    const label = load<i32>(m.labels + ((<usize>i) << 2));
    const s = squaredDistance(rowOf(m, i), centerOf(m, label), d);
    store<f64>(m.distances + ((<usize>i) << 3), s);
    sum += s * weightOf(m, i);
  }
  store<f64>(m.partial + ((<usize>chunk) << 3), sum);
}

// @inline
function weightOf(m: Means, i: i32): f64 {
  return m.weights ? load<f64>(m.weights + ((<usize>i) << 3)) : 1;
}

/**
 * Σ w (x − shift) and Σ w per centre over a chunk of `sumRows` rows. A chunk in which no label has changed keeps its sums: they are
 * a function of its labels.
 */
export function sumChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = m.d;
  const from = chunk * m.sumRows;
  const to = min(m.n, from + m.sumRows);
  let changed: i32 = 0;
  for (let c = from / CHUNK; c * CHUNK < to; c++) changed += load<i32>(m.changed + ((<usize>c) << 2));
  if (changed == 0) return;
  const size = (<usize>m.k * <usize>(d + 1)) << 3;
  const sums = m.sums + <usize>chunk * size;
  memory.fill(sums, 0, size);
  const rowBytes = (<usize>(d + 1)) << 3;
  for (let i = from; i < to; i++) {
    const label = load<i32>(m.labels + ((<usize>i) << 2));
    addRow(weightOf(m, i), rowOf(m, i), m.shift, sums + <usize>label * rowBytes, d);
  }
}

/** out += w (x − shift), and w after the last. */
function addRow(w: f64, x: usize, shift: usize, out: usize, d: i32): void {
  const ws = f64x2.splat(w);
  const end = x + ((<usize>(d & ~1)) << 3);
  for (; x < end; x += 16, shift += 16, out += 16)
    v128.store(out, f64x2.add(v128.load(out), f64x2.mul(ws, f64x2.sub(v128.load(x), v128.load(shift)))));
  if (d & 1) {
    store<f64>(out, load<f64>(out) + w * (load<f64>(x) - load<f64>(shift)));
    out += 8;
  }
  store<f64>(out, load<f64>(out) + w);
}

/** Half the distance of every centre to the nearest other one, not above the true one. */
export function measureGaps(means: usize): void {
  const m = changetype<Means>(means);
  const k = m.k;
  const d = m.d;
  const gaps = m.gaps;
  for (let c: i32 = 0; c < k; c++) store<f64>(gaps + ((<usize>c) << 3), Infinity);
  for (let c: i32 = 0; c < k; c++) {
    for (let e = c + 1; e < k; e++) {
      const s = squaredDistance(centerOf(m, c), centerOf(m, e), d);
      store<f64>(gaps + ((<usize>c) << 3), min(s, load<f64>(gaps + ((<usize>c) << 3))));
      store<f64>(gaps + ((<usize>e) << 3), min(s, load<f64>(gaps + ((<usize>e) << 3))));
    }
  }
  const eps = slack(<f64>m.d);
  for (let c: i32 = 0; c < k; c++)
    store<f64>(gaps + ((<usize>c) << 3), sqrt(load<f64>(gaps + ((<usize>c) << 3))) * 0.5 * (1 - 3 * eps));
}

export { packCandidates, packCenters, packRowsChunk } from "./k-means/filter";
export { distancesChunk, gainsChunk, seedChosenChunk, seedFirstChunk } from "./k-means/starts";
