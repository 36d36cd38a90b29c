import { kernelInto, panelDots } from "./shared/kernel-functions";

/**
 * Sequential minimal optimisation with second-order working sets and shrinking [Fan, Chen & Lin 2005; LIBSVM].
 *
 *   minimise over 0 ≤ α ≤ u:   ½ Σ_st α_s α_t y_s y_t k(x_s, x_t) + Σ_t p_t α_t    subject to   Σ_t y_t α_t = 0
 *
 * Variables are `halves` times the m points: one a point for classification, two for regression (upper and lower side of
 * the tube), half h at h·n. f_t = y_t ∂/∂α_t is kept up to date instead of the gradient: then an update is
 *
 *   f ← f + (y_i Δα_i) k(x_i, ·) + (y_j Δα_j) k(x_j, ·)
 *
 * Points lie in panels of eight, feature by feature, so that a kernel row needs no horizontal sums; points that are
 * shrunk away move behind the `active` ones. Kernel rows are kept as 32-bit floats in `slots` of a cache, the one used
 * longest ago gives way.
 */

/** The fields of a problem, doubles at `at`; src/numeric/smo.ts writes them in this order. */
// @ts-ignore: decorator
@inline const X: usize = 0;
// @ts-ignore: decorator
@inline const N: usize = 8;
// @ts-ignore: decorator
@inline const D: usize = 16;
// @ts-ignore: decorator
@inline const NORMS: usize = 24;
// @ts-ignore: decorator
@inline const KIND: usize = 32;
// @ts-ignore: decorator
@inline const A: usize = 40;
// @ts-ignore: decorator
@inline const C: usize = 48;
// @ts-ignore: decorator
@inline const DEGREE: usize = 56;
// @ts-ignore: decorator
@inline const HALVES: usize = 64;
// @ts-ignore: decorator
@inline const Y: usize = 72;
// @ts-ignore: decorator
@inline const UPPER: usize = 80;
// @ts-ignore: decorator
@inline const ALPHA: usize = 88;
// @ts-ignore: decorator
@inline const F: usize = 96;
// @ts-ignore: decorator
@inline const LINEAR_TERM: usize = 104;
// @ts-ignore: decorator
@inline const DIAGONAL: usize = 112;
// @ts-ignore: decorator
@inline const PLACE: usize = 120;
// @ts-ignore: decorator
@inline const EPS: usize = 128;
// @ts-ignore: decorator
@inline const MAX_ITER: usize = 136;
// @ts-ignore: decorator
@inline const SHRINKING: usize = 144;
// @ts-ignore: decorator
@inline const ROWS: usize = 152;
// @ts-ignore: decorator
@inline const SLOTS: usize = 160;
// @ts-ignore: decorator
@inline const BOOK: usize = 168;
// @ts-ignore: decorator
@inline const WORK: usize = 176;
// @ts-ignore: decorator
@inline const JOBS: usize = 184;
// Out: iterations so far, active points, kernel rows computed, Gmax and Gmax2 when it ended.
// @ts-ignore: decorator
@inline const ITERATIONS: usize = 192;
// @ts-ignore: decorator
@inline const ACTIVE: usize = 200;
// @ts-ignore: decorator
@inline const COMPUTED: usize = 208;
// @ts-ignore: decorator
@inline const UP: usize = 216;
// @ts-ignore: decorator
@inline const LOW: usize = 224;
// @ts-ignore: decorator
@inline const UNSHRUNK: usize = 232;
// @ts-ignore: decorator
@inline const ENDED: usize = 240;
// @ts-ignore: decorator
@inline const SCRATCH: usize = 248;
// @ts-ignore: decorator
@inline const EVICTED: usize = 256;
// @ts-ignore: decorator
@inline const MAY_RISE: usize = 264;
// @ts-ignore: decorator
@inline const MAY_FALL: usize = 272;

/** Curvatures below this count as this: kernels that are not positive definite. */
const TAU: f64 = 1e-12;

/** Columns of a row that a thread takes at a time. */
const STRETCH: i32 = 512;

// Of the module's instance, set on entry: AssemblyScript passes no structures.
let at: usize = 0;
let x: usize = 0;
let n: i32 = 0;
let d: i32 = 0;
let halves: i32 = 0;
let y: usize = 0;
let upper: usize = 0;
let alpha: usize = 0;
let f: usize = 0;
let active: i32 = 0;
/** STRETCH doubles of this thread's own. */
let scratch: usize = 0;

// @ts-ignore: decorator
@inline
function field(offset: usize): f64 {
  return load<f64>(at + offset);
}
// @ts-ignore: decorator
@inline
function pointer(offset: usize): usize {
  return <usize>load<f64>(at + offset);
}

function enter(problem: usize): void {
  at = problem;
  x = pointer(X);
  n = <i32>field(N);
  d = <i32>field(D);
  halves = <i32>field(HALVES);
  y = pointer(Y);
  upper = pointer(UPPER);
  alpha = pointer(ALPHA);
  f = pointer(F);
  active = <i32>field(ACTIVE);
  mayRise = pointer(MAY_RISE);
  mayFall = pointer(MAY_FALL);
}

/** Where feature 0 of point t is; feature e is 64 e bytes further. */
// @ts-ignore: decorator
@inline
function pointAt(t: i32): usize {
  return x + ((<usize>(t >> 3) * <usize>d) << 6) + (<usize>(t & 7) << 3);
}

/** Copies point t, feature by feature, to `out`. */
function pointInto(t: i32, out: usize): void {
  let from = pointAt(t);
  for (let e: i32 = 0; e < d; e++, from += 64) store<f64>(out + (<usize>e << 3), load<f64>(from));
}

/** row[t] = k(point, x_t) for t = from … to − 1, `from` a multiple of 8; at most STRETCH of them. */
function kernelStretch(point: usize, norm: f64, from: i32, to: i32, row: usize): void {
  const dots = scratch;
  panelDots(point, d, x, from, to, dots);
  const count = (to - from + 7) & ~7;
  const norms = pointer(NORMS) + (<usize>from << 3);
  kernelInto(<i32>field(KIND), field(A), field(C), <i32>field(DEGREE), norm, norms, count, dots);
  const out = row + (<usize>from << 2);
  for (let e: i32 = 0; e < count; e += 4) {
    const low = f32x4.demote_f64x2_zero(v128.load(dots + (<usize>e << 3)));
    const high = f32x4.demote_f64x2_zero(v128.load(dots + (<usize>e << 3), 16));
    v128.store(out + (<usize>e << 2), v128.shuffle<i32>(low, high, 0, 1, 4, 5));
  }
}

/**
 * Jobs for helping threads at JOBS: a 64-bit word with the job's number in its upper and the next stretch in its lower
 * half (so that nobody can take a stretch of one job with the columns of another); on other cache lines, 32-bit words: 64
 * stretches not finished, 128 first column, 132 last column, 136 address of the row; at 192 the point's norm and from 200 on
 * its features.
 */
const DONE: i64 = -1;

/** k(x_t, ·) for columns from … to − 1, together with whoever helps. */
function kernelRow(t: i32, from: i32, to: i32, row: usize): void {
  const jobs = pointer(JOBS);
  const point = jobs + 200;
  pointInto(t, point);
  const norm = load<f64>(pointer(NORMS) + (<usize>t << 3));
  store<f64>(at, field(COMPUTED) + 1, COMPUTED);
  const first = from & ~7;
  const stretches = (to - first + STRETCH - 1) / STRETCH;
  if (stretches < 3) {
    for (let begin = first; begin < to; begin += STRETCH) kernelStretch(point, norm, begin, min(to, begin + STRETCH), row);
    return;
  }
  store<f64>(jobs, norm, 192);
  store<i32>(jobs, stretches, 64);
  store<i32>(jobs, first, 128);
  store<i32>(jobs, to, 132);
  store<i32>(jobs, <i32>row, 136);
  const number = (atomic.load<i64>(jobs) >> 32) + 1;
  atomic.store<i64>(jobs, number << 32);
  takeStretches(jobs, number);
  while (atomic.load<i32>(jobs, 64) > 0) {}
}

/** Computes stretches of a job until there are none left. */
function takeStretches(jobs: usize, number: i64): void {
  const first = load<i32>(jobs, 128);
  const to = load<i32>(jobs, 132);
  const row = <usize>load<i32>(jobs, 136);
  for (;;) {
    const word = atomic.load<i64>(jobs);
    if (word >> 32 != number) return;
    const begin = first + <i32>(word & 0xffffffff) * STRETCH;
    if (begin >= to) return;
    if (atomic.cmpxchg<i64>(jobs, word, word + 1) != word) continue;
    kernelStretch(jobs + 200, load<f64>(jobs, 192), begin, min(to, begin + STRETCH), row);
    atomic.sub<i32>(jobs, 1, 64);
  }
}

/** A helping thread: takes stretches of one row after the other until the solver is done. */
function help(): void {
  const jobs = pointer(JOBS);
  let seen: i64 = 0;
  for (;;) {
    const word = atomic.load<i64>(jobs);
    if (word == DONE) return;
    if (word >> 32 == seen) {
      // Reading all the time would slow down whoever writes.
      for (let pause: i32 = 0; pause < 64; pause++) store<i32>(scratch, pause);
      continue;
    }
    seen = word >> 32;
    takeStretches(jobs, seen);
  }
}

// The cache's books at BOOK, 32-bit words: for every point its slot (−1: none) [n]; for every slot its point, its length,
// and its neighbours in the order of use [4 × slots], the ends of which are in the slot number `slots`.

// @ts-ignore: decorator
@inline
function slotEntry(slot: i32, what: i32): usize {
  return pointer(BOOK) + (<usize>(n + slot * 4 + what) << 2);
}

function unlink(slot: i32): void {
  const before = load<i32>(slotEntry(slot, 2));
  const after = load<i32>(slotEntry(slot, 3));
  store<i32>(slotEntry(before, 3), after);
  store<i32>(slotEntry(after, 2), before);
}

/** Makes the slot the last to be given away. */
function linkLast(slot: i32): void {
  const end = <i32>field(SLOTS);
  const before = load<i32>(slotEntry(end, 2));
  store<i32>(slotEntry(slot, 2), before);
  store<i32>(slotEntry(slot, 3), end);
  store<i32>(slotEntry(before, 3), slot);
  store<i32>(slotEntry(end, 2), slot);
}

// @ts-ignore: decorator
@inline
function slotRow(slot: i32): usize {
  return pointer(ROWS) + ((<usize>slot * <usize>((n + 7) & ~7)) << 2);
}

/** k(x_t, x_s) for the active points s; never evicts the slot of `keep`. */
function cachedRow(t: i32, keep: i32): usize {
  const book = pointer(BOOK);
  let slot = load<i32>(book + (<usize>t << 2));
  if (slot < 0) {
    slot = load<i32>(slotEntry(<i32>field(SLOTS), 3));
    const owner = load<i32>(slotEntry(slot, 0));
    if (owner >= 0 && owner == keep) {
      slot = load<i32>(slotEntry(slot, 3));
    }
    const previous = load<i32>(slotEntry(slot, 0));
    if (previous >= 0) {
      store<i32>(book + (<usize>previous << 2), -1);
      store<f64>(at, 1, EVICTED);
    }
    store<i32>(slotEntry(slot, 0), t);
    store<i32>(slotEntry(slot, 1), 0);
    store<i32>(book + (<usize>t << 2), slot);
  }
  unlink(slot);
  linkLast(slot);
  const row = slotRow(slot);
  const length = load<i32>(slotEntry(slot, 1));
  if (length < active) {
    kernelRow(t, length, active, row);
    store<i32>(slotEntry(slot, 1), active);
  }
  return row;
}

// @ts-ignore: decorator
@inline
function isUp(v: i32): bool {
  const a = load<f64>(alpha + (<usize>v << 3));
  return load<f64>(y + (<usize>v << 3)) > 0 ? a < load<f64>(upper + (<usize>v << 3)) : a > 0;
}
// @ts-ignore: decorator
@inline
function isLow(v: i32): bool {
  const a = load<f64>(alpha + (<usize>v << 3));
  return load<f64>(y + (<usize>v << 3)) > 0 ? a > 0 : a < load<f64>(upper + (<usize>v << 3));
}

/**
 * Steps until the violation of optimality is below eps, at most `steps` of them; ENDED tells whether it is. Part 0
 * solves, the others compute parts of its kernel rows.
 */
export function smoSteps(problem: usize, steps: i32, part: i32): void {
  enter(problem);
  scratch = pointer(SCRATCH) + <usize>part * (<usize>STRETCH << 3);
  if (part > 0) {
    help();
    return;
  }
  store<f64>(at, solve(steps) ? 1 : 0, ENDED);
  store<f64>(at, <f64>active, ACTIVE);
  atomic.store<i64>(pointer(JOBS), DONE);
}

/** 0 where y α may rise (fall), −∞ where it may not: added to what is maximised, they leave out what is not free. */
let mayRise: usize = 0;
let mayFall: usize = 0;

function noteBounds(v: i32): void {
  store<f64>(mayRise + (<usize>v << 3), isUp(v) ? 0 : -Infinity);
  store<f64>(mayFall + (<usize>v << 3), isLow(v) ? 0 : -Infinity);
}

// What `selectRise` and `selectFall` found.
let chosen: i32 = 0;
let most: f64 = 0;
let least: f64 = 0;

// @ts-ignore: decorator
@inline
function larger(pair: v128): f64 {
  return max(f64x2.extract_lane(pair, 0), f64x2.extract_lane(pair, 1));
}

/** Variables that are looked at together: only a block with a new maximum is searched for it. */
const BLOCK: i32 = 128;

/** i: the steepest way up, −f where α may move that way; `least` is the largest f of those that may go down. */
function selectRise(): void {
  chosen = -1;
  most = -Infinity;
  let lowest = f64x2.splat(-Infinity);
  for (let h: i32 = 0; h < halves; h++) {
    for (let from: i32 = 0; from < active; from += BLOCK) {
      const v0 = h * n + from;
      const count = min(BLOCK, active - from);
      let best = f64x2.splat(-Infinity);
      let e: i32 = 0;
      for (; e + 2 <= count; e += 2) {
        const to = <usize>(v0 + e) << 3;
        const g = v128.load(f + to);
        best = f64x2.pmax(best, f64x2.sub(v128.load(mayRise + to), g));
        lowest = f64x2.pmax(lowest, f64x2.add(v128.load(mayFall + to), g));
      }
      let peak = larger(best);
      if (e < count) {
        const to = <usize>(v0 + e) << 3;
        const g = load<f64>(f + to);
        peak = max(peak, load<f64>(mayRise + to) - g);
        lowest = f64x2.pmax(lowest, f64x2.splat(load<f64>(mayFall + to) + g));
      }
      if (!(peak > most)) continue;
      most = peak;
      for (e = 0; e < count; e++) {
        const to = <usize>(v0 + e) << 3;
        if (load<f64>(mayRise + to) - load<f64>(f + to) == peak) break;
      }
      chosen = v0 + e;
    }
  }
  least = larger(lowest);
}

/** j: of those that may go down, the one with which the objective falls most, by (most + f)² / curvature. */
function selectFall(i: i32, rowI: usize): i32 {
  const diagonal = pointer(DIAGONAL);
  const own = f64x2.splat(load<f64>(diagonal + (<usize>(i % n) << 3)));
  const top = f64x2.splat(most);
  const zero = f64x2.splat(0);
  let found: i32 = -1;
  let best: f64 = 0;
  for (let h: i32 = 0; h < halves; h++) {
    for (let from: i32 = 0; from < active; from += BLOCK) {
      const v0 = h * n + from;
      const count = min(BLOCK, active - from);
      let peaks = zero;
      // In pairs; the place behind the last is padded, and what is read there is masked.
      for (let e: i32 = 0; e < count; e += 2) {
        const gain = gainPair(v0 + e, from + e, diagonal, rowI, own, top);
        peaks = f64x2.pmax(peaks, e + 1 < count ? gain : f64x2.replace_lane(gain, 1, 0));
      }
      const peak = larger(peaks);
      if (!(peak > best)) continue;
      best = peak;
      for (let e: i32 = 0; e < count; e += 2) {
        const gain = gainPair(v0 + e, from + e, diagonal, rowI, own, top);
        if (f64x2.extract_lane(gain, 0) == peak) {
          found = v0 + e;
          break;
        }
        if (e + 1 < count && f64x2.extract_lane(gain, 1) == peak) {
          found = v0 + e + 1;
          break;
        }
      }
    }
  }
  return found;
}

// @ts-ignore: decorator
@inline
function gainPair(v: i32, t: i32, diagonal: usize, rowI: usize, own: v128, top: v128): v128 {
  const to = <usize>v << 3;
  const slope = f64x2.add(top, f64x2.add(v128.load(f + to), v128.load(mayFall + to)));
  const rise = f64x2.pmax(slope, f64x2.splat(0));
  const k = f64x2.promote_low_f32x4(v128.load64_zero(rowI + (<usize>t << 2)));
  const curve = f64x2.sub(f64x2.add(own, v128.load(diagonal + (<usize>t << 3))), f64x2.add(k, k));
  return f64x2.div(f64x2.mul(rise, rise), f64x2.pmax(curve, f64x2.splat(TAU)));
}

function solve(steps: i32): bool {
  const eps = field(EPS);
  const shrinking = field(SHRINKING) != 0;
  const period = min(n, 1000);
  let counter = period;
  for (let step: i32 = 0; step < steps; step++) {
    if (shrinking && --counter == 0) {
      counter = period;
      // While all rows are kept and most are still to come, shrinking would only leave their ends due for later.
      if (field(EVICTED) != 0 || field(ITERATIONS) > <f64>n) shrink();
    }
    selectRise();
    const i = chosen;
    let rowI: usize = 0;
    let j: i32 = -1;
    if (i >= 0 && most + least >= eps) {
      rowI = cachedRow(i % n, -1);
      j = selectFall(i, rowI);
    }
    if (j < 0) {
      if (active == n) {
        finish();
        return true;
      }
      // Optimal among the active: the shrunk ones may disagree. All are looked at once before any is shrunk again.
      unshrink();
      counter = 2;
      continue;
    }
    store<f64>(at, field(ITERATIONS) + 1, ITERATIONS);
    pair(i, j, rowI);
    if (field(ITERATIONS) >= field(MAX_ITER)) {
      unshrink();
      selectRise();
      finish();
      return true;
    }
  }
  return false;
}

function finish(): void {
  store<f64>(at, most, UP);
  store<f64>(at, least, LOW);
}

/** The best α_i, α_j with all others held, and what that does to f. */
function pair(i: i32, j: i32, rowI: usize): void {
  const ti = i % n;
  const tj = j % n;
  const rowJ = cachedRow(tj, ti);
  const diagonal = pointer(DIAGONAL);
  const yi = load<f64>(y + (<usize>i << 3));
  const yj = load<f64>(y + (<usize>j << 3));
  const ui = load<f64>(upper + (<usize>i << 3));
  const uj = load<f64>(upper + (<usize>j << 3));
  const oldI = load<f64>(alpha + (<usize>i << 3));
  const oldJ = load<f64>(alpha + (<usize>j << 3));
  const kij = <f64>load<f32>(rowI + (<usize>tj << 2));
  let curve = load<f64>(diagonal + (<usize>ti << 3)) + load<f64>(diagonal + (<usize>tj << 3)) - 2 * kij;
  if (curve <= 0) curve = TAU;
  // Moving s along (y_i, −y_j) keeps Σ y α.
  const fi = load<f64>(f + (<usize>i << 3));
  const fj = load<f64>(f + (<usize>j << 3));
  let move = (fj - fi) / curve;
  const roomI = yi > 0 ? ui - oldI : oldI;
  const roomJ = yj > 0 ? oldJ : uj - oldJ;
  move = min(move, min(roomI, roomJ));
  // A bound that is reached is reached exactly.
  const newI = move == roomI ? (yi > 0 ? ui : 0) : oldI + yi * move;
  const newJ = move == roomJ ? (yj > 0 ? 0 : uj) : oldJ - yj * move;
  store<f64>(alpha + (<usize>i << 3), newI);
  store<f64>(alpha + (<usize>j << 3), newJ);
  noteBounds(i);
  noteBounds(j);
  const a = f64x2.splat(move);
  for (let h: i32 = 0; h < halves; h++) {
    const out = f + (<usize>(h * n) << 3);
    let t: i32 = 0;
    for (; t + 4 <= active; t += 4) {
      const at4 = <usize>t << 2;
      const at8 = <usize>t << 3;
      const low = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(rowI + at4)), f64x2.promote_low_f32x4(v128.load64_zero(rowJ + at4)));
      const high = f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(rowI + at4, 8)), f64x2.promote_low_f32x4(v128.load64_zero(rowJ + at4, 8)));
      v128.store(out + at8, f64x2.add(v128.load(out + at8), f64x2.mul(a, low)));
      v128.store(out + at8, f64x2.add(v128.load(out + at8, 16), f64x2.mul(a, high)), 16);
    }
    for (; t < active; t++) {
      const difference = <f64>load<f32>(rowI + (<usize>t << 2)) - <f64>load<f32>(rowJ + (<usize>t << 2));
      store<f64>(out + (<usize>t << 3), load<f64>(out + (<usize>t << 3)) + move * difference);
    }
  }
}

/** Whether nothing speaks for moving any variable of point t: it sits at a bound, on the right side of all violators. */
function isIdle(t: i32): bool {
  for (let h: i32 = 0; h < halves; h++) {
    const v = h * n + t;
    const g = load<f64>(f + (<usize>v << 3));
    const up = isUp(v);
    const low = isLow(v);
    if (up == low) return false;
    if (up ? g <= least : -g <= most) return false;
  }
  return true;
}

/** Moves idle points behind the active ones [LIBSVM, §4.2; Fan et al. 2005]. */
function shrink(): void {
  selectRise();
  if (field(UNSHRUNK) == 0 && most + least <= 10 * field(EPS)) {
    // Close to the end: look once at all of them, before the last digits are spent on a part.
    store<f64>(at, 1, UNSHRUNK);
    unshrink();
  }
  // Pairs of places that change, so that cached rows can follow.
  const moved = pointer(WORK);
  let count: i32 = 0;
  for (let t: i32 = 0; t < active; t++) {
    if (!isIdle(t)) continue;
    active--;
    while (active > t && isIdle(active)) active--;
    if (active <= t) break;
    swapPoints(t, active);
    store<i32>(moved + (<usize>count << 3), t);
    store<i32>(moved + (<usize>count << 3), active, 4);
    count++;
  }
  const slots = <i32>field(SLOTS);
  for (let slot: i32 = 0; slot < slots; slot++) {
    let length = load<i32>(slotEntry(slot, 1));
    if (load<i32>(slotEntry(slot, 0)) < 0 || length == 0) continue;
    const row = slotRow(slot);
    for (let e: i32 = 0; e < count; e++) {
      const to = load<i32>(moved + (<usize>e << 3));
      const from = load<i32>(moved + (<usize>e << 3), 4);
      if (to >= length) break;
      if (from >= length) {
        // The column that comes here was never computed: so far is known, no further.
        length = to & ~7;
        break;
      }
      const held = load<f32>(row + (<usize>to << 2));
      store<f32>(row + (<usize>to << 2), load<f32>(row + (<usize>from << 2)));
      store<f32>(row + (<usize>from << 2), held);
    }
    store<i32>(slotEntry(slot, 1), length);
  }
}

function swapDoubles(base: usize, s: i32, t: i32): void {
  const held = load<f64>(base + (<usize>s << 3));
  store<f64>(base + (<usize>s << 3), load<f64>(base + (<usize>t << 3)));
  store<f64>(base + (<usize>t << 3), held);
}

function swapPoints(s: i32, t: i32): void {
  let a = pointAt(s);
  let b = pointAt(t);
  for (let e: i32 = 0; e < d; e++, a += 64, b += 64) {
    const held = load<f64>(a);
    store<f64>(a, load<f64>(b));
    store<f64>(b, held);
  }
  swapDoubles(pointer(NORMS), s, t);
  swapDoubles(pointer(DIAGONAL), s, t);
  swapDoubles(pointer(PLACE), s, t);
  const linear = pointer(LINEAR_TERM);
  for (let h: i32 = 0; h < halves; h++) {
    const offset = h * n;
    swapDoubles(y, offset + s, offset + t);
    swapDoubles(upper, offset + s, offset + t);
    swapDoubles(alpha, offset + s, offset + t);
    swapDoubles(f, offset + s, offset + t);
    swapDoubles(linear, offset + s, offset + t);
    swapDoubles(mayRise, offset + s, offset + t);
    swapDoubles(mayFall, offset + s, offset + t);
  }
  const book = pointer(BOOK);
  const slotS = load<i32>(book + (<usize>s << 2));
  const slotT = load<i32>(book + (<usize>t << 2));
  store<i32>(book + (<usize>s << 2), slotT);
  store<i32>(book + (<usize>t << 2), slotS);
  if (slotS >= 0) store<i32>(slotEntry(slotS, 0), t);
  if (slotT >= 0) store<i32>(slotEntry(slotT, 0), s);
}

/** Brings f of the shrunk points up to date and makes all points active again. */
function unshrink(): void {
  if (active == n) return;
  const linear = pointer(LINEAR_TERM);
  const from = active;
  for (let h: i32 = 0; h < halves; h++) {
    const offset = h * n;
    memory.copy(f + (<usize>(offset + from) << 3), linear + (<usize>(offset + from) << 3), <usize>(n - from) << 3);
  }
  const spare = pointer(WORK);
  for (let s: i32 = 0; s < n; s++) {
    let weight: f64 = 0;
    for (let h: i32 = 0; h < halves; h++) {
      const v = <usize>(h * n + s) << 3;
      weight += load<f64>(y + v) * load<f64>(alpha + v);
    }
    if (weight == 0) continue;
    const slot = load<i32>(pointer(BOOK) + (<usize>s << 2));
    let row = spare;
    if (slot >= 0 && load<i32>(slotEntry(slot, 1)) >= n) row = slotRow(slot);
    else kernelRow(s, from, n, row);
    for (let h: i32 = 0; h < halves; h++) {
      const out = f + (<usize>(h * n) << 3);
      for (let t = from; t < n; t++) {
        const place = out + (<usize>t << 3);
        store<f64>(place, load<f64>(place) + weight * <f64>load<f32>(row + (<usize>t << 2)));
      }
    }
  }
  active = n;
}

/** Brings the job word into its first state; before every call of `smoSteps`. */
export function smoOpen(problem: usize): void {
  enter(problem);
  atomic.store<i64>(pointer(JOBS), 0);
}

/** Everything that the solver keeps besides its input: f, diagonal, books; α = 0. */
export function smoStart(problem: usize): void {
  enter(problem);
  active = n;
  store<f64>(at, <f64>n, ACTIVE);
  const slots = <i32>field(SLOTS);
  const book = pointer(BOOK);
  for (let t: i32 = 0; t < n; t++) store<i32>(book + (<usize>t << 2), -1);
  for (let slot: i32 = 0; slot <= slots; slot++) {
    store<i32>(slotEntry(slot, 0), -1);
    store<i32>(slotEntry(slot, 1), 0);
    store<i32>(slotEntry(slot, 2), slot == 0 ? slots : slot - 1);
    store<i32>(slotEntry(slot, 3), slot == slots ? 0 : slot + 1);
  }
  memory.copy(f, pointer(LINEAR_TERM), <usize>(halves * n) << 3);
  memory.fill(alpha, 0, <usize>(halves * n) << 3);
  for (let v: i32 = 0; v < halves * n; v++) noteBounds(v);
  const kind = <i32>field(KIND);
  const norms = pointer(NORMS);
  const diagonal = pointer(DIAGONAL);
  for (let t: i32 = 0; t < n; t++) {
    let from = pointAt(t);
    let square: f64 = 0;
    for (let e: i32 = 0; e < d; e++, from += 64) square += load<f64>(from) * load<f64>(from);
    store<f64>(norms + (<usize>t << 3), square);
    store<f64>(diagonal + (<usize>t << 3), square);
    store<f64>(diagonal + (<usize>t << 3), square, 8);
    kernelInto(kind, field(A), field(C), <i32>field(DEGREE), square, norms + (<usize>t << 3), 2, diagonal + (<usize>t << 3));
    store<f64>(pointer(PLACE) + (<usize>t << 3), <f64>t);
  }
}
