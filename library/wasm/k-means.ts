import { filterError, filterGroup, halfSquare, strideOf } from "./k-means/filter";
import { CHUNK, GROUP, Means } from "./k-means/layout";
import { squaredDistance } from "./shared/distances";

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
  for (let g: i32 = 0; g < count; g += GROUP) {
    const group = list + ((<usize>g) << 2);
    const size = min(GROUP, count - g);
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

/** The nearest centre of row i by its filter values; returns 1 if it is another one than before. */
function assignRow(m: Means, i: i32, values: usize): i32 {
  const k = m.k;
  const d = m.d;
  const end = values + strideOf(k);
  let least = f32x4.splat(Infinity);
  let second = f32x4.splat(Infinity);
  for (let at = values; at < end; at += 16) {
    const v = v128.load(at);
    second = f32x4.pmin(second, f32x4.pmax(least, v));
    least = f32x4.pmin(least, v);
  }
  const length = load<f64>(m.lengths + ((<usize>i) << 3));
  const error = filterError(m, length);
  const first = <f64>leastLane(least);
  const limit = <f32>(first + 2 * error + abs(first) * 1.2e-7 + 1e-38);
  const others = <f64>secondLane(least, second);
  const x = rowOf(m, i);
  let best: i32 = -1;
  let distance: f64 = Infinity;
  let next: f64 = Infinity;
  if (error == Infinity) {
    for (let c: i32 = 0; c < k; c++) {
      const s = squaredDistance(x, centerOf(m, c), d);
      next = min(next, max(s, distance));
      if (s < distance || best < 0) best = c;
      distance = min(distance, s);
    }
  } else {
    const limits = f32x4.splat(limit);
    for (let at = values; at < end; at += 16) {
      let mask = i32x4.bitmask(f32x4.le(v128.load(at), limits));
      for (; mask != 0; mask &= mask - 1) {
        const c = <i32>((at - values) >> 2) + ctz(mask);
        const s = squaredDistance(x, centerOf(m, c), d);
        next = min(next, max(s, distance));
        if (s < distance || best < 0) best = c;
        distance = min(distance, s);
      }
    }
    // Of centres that were not measured, or of the second one if only one was: never above its true distance.
    const unmeasured = others > <f64>limit ? others : <f64>limit;
    next = min(next, max(0, (2 * (unmeasured + halfSquare(length) - error)) / (m.scale * m.scale)));
  }
  return storeRow(m, i, best, distance, next);
}

// @inline
function storeRow(m: Means, i: i32, best: i32, distance: f64, next: f64): i32 {
  const at = (<usize>i) << 3;
  const eps = slack(<f64>m.d);
  store<f64>(m.upper + at, sqrt(distance) * (1 + eps));
  store<f64>(m.lower + at, sqrt(next) * (1 - 2 * eps));
  const label = m.labels + ((<usize>i) << 2);
  const changed = i32(load<i32>(label) != best);
  store<i32>(label, best);
  return changed;
}

// @inline
function leastLane(v: v128): f32 {
  const low = min(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1));
  return min(low, min(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)));
}

/** The second smallest of four smallest and four second smallest. */
// @inline
function secondLane(least: v128, second: v128): f32 {
  let a = f32x4.extract_lane(least, 0);
  let b = f32x4.extract_lane(second, 0);
  let v = f32x4.extract_lane(least, 1);
  b = min(min(b, f32x4.extract_lane(second, 1)), max(a, v));
  a = min(a, v);
  v = f32x4.extract_lane(least, 2);
  b = min(min(b, f32x4.extract_lane(second, 2)), max(a, v));
  a = min(a, v);
  v = f32x4.extract_lane(least, 3);
  return min(min(b, f32x4.extract_lane(second, 3)), max(a, v));
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
