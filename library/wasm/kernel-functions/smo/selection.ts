import { real, small } from "../../shared/arrays";
import { active, diagonal, f, mayFall, mayRise, n, variablesPerPoint } from "./problem";

/** Lower bound of curvatures, for kernels that are not positive definite. */
export const TAU: f64 = 1e-12;

// Results of `selectRise`, `moveAndSelect` and `selectOne`.
export let chosen: i32 = 0;
export let most: f64 = 0;
export let least: f64 = 0;

// @inline
function larger(pair: v128): f64 {
  return max(f64x2.extract_lane(pair, 0), f64x2.extract_lane(pair, 1));
}

/** Variables per block: only the block with the maximum is searched for its position. */
const BLOCK: i32 = 128;

/** Start of the block with the maximum so far. */
let peakBlock: i32 = 0;
let lowest: v128 = i64x2.splat(0);

function begin(): void {
  peakBlock = -1;
  most = -Infinity;
  lowest = f64x2.splat(-Infinity);
}

/** The variable with the maximum. */
function end(): void {
  least = larger(lowest);
  chosen = peakBlock;
  if (chosen < 0) return;
  while (<f64>small(mayRise, chosen) - real(f, chosen) != most) chosen++;
}

/** Two marks (0 or −∞ in 32 bits) as doubles. */
// @inline
function marks(base: usize, v: i32): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(base + ((<usize>v) << 2)));
}

/** The rest of a block after its pairs, and whether it has a new maximum. */
function endBlock(v0: i32, done: i32, count: i32, best: v128): void {
  let peak = larger(best);
  if (done < count) {
    const g = real(f, v0 + done);
    peak = max(peak, <f64>small(mayRise, v0 + done) - g);
    lowest = f64x2.pmax(lowest, f64x2.splat(<f64>small(mayFall, v0 + done) + g));
  }
  if (!(peak > most)) return;
  most = peak;
  peakBlock = v0;
}

/** i: the largest −f of the variables that may increase; `least` is the largest f of those that may decrease. */
export function selectRise(): void {
  select(false, 0, 0, 0);
}

/** f += move (rowI − rowJ) for the active points, with `selectRise` in the same pass. */
export function moveAndSelect(move: f64, rowI: usize, rowJ: usize): void {
  select(true, move, rowI, rowJ);
}

// @inline
function select(moves: bool, move: f64, rowI: usize, rowJ: usize): void {
  begin();
  const a = f64x2.splat(move);
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    for (let from: i32 = 0; from < active; from += BLOCK) {
      const v0 = h * n + from;
      const count = min(BLOCK, active - from);
      let best = f64x2.splat(-Infinity);
      let low = lowest;
      let e: i32 = 0;
      for (; e + 2 <= count; e += 2) {
        const at = f + ((<usize>(v0 + e)) << 3);
        let g = v128.load(at);
        if (moves) {
          g = f64x2.add(g, f64x2.mul(a, pairDifference(rowI, rowJ, (<usize>(from + e)) << 2)));
          v128.store(at, g);
        }
        best = f64x2.pmax(best, f64x2.sub(marks(mayRise, v0 + e), g));
        low = f64x2.pmax(low, f64x2.add(marks(mayFall, v0 + e), g));
      }
      lowest = low;
      if (moves && e < count) {
        const t = (<usize>(from + e)) << 2;
        const at = f + ((<usize>(v0 + e)) << 3);
        store<f64>(at, load<f64>(at) + move * (<f64>load<f32>(rowI + t) - <f64>load<f32>(rowJ + t)));
      }
      endBlock(v0, e, count, best);
    }
  }
  end();
}

/** The difference of two pairs of floats, as doubles. */
// @inline
function pairDifference(rowI: usize, rowJ: usize, at: usize): v128 {
  return f64x2.sub(
    f64x2.promote_low_f32x4(v128.load64_zero(rowI + at)),
    f64x2.promote_low_f32x4(v128.load64_zero(rowJ + at)),
  );
}

/**
 * j: of the variables that may decrease, the one with the largest decrease of the objective, (most + f)² / curvature. In 32 bits,
 * four at a time: the precision of the choice does not affect that of the result.
 */
export function selectFall(i: i32, rowI: usize): i32 {
  const own = f32x4.splat(<f32>real(diagonal, i % n));
  const top = f64x2.splat(most);
  let found: i32 = -1;
  let best: f32 = 0;
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    for (let from: i32 = 0; from < active; from += BLOCK) {
      const v0 = h * n + from;
      const count = min(BLOCK, active - from);
      let peaks = f32x4.splat(0);
      let e: i32 = 0;
      for (; e + 4 <= count; e += 4) peaks = f32x4.pmax(peaks, gains(v0 + e, from + e, rowI, own, top));
      let peak = max(
        max(f32x4.extract_lane(peaks, 0), f32x4.extract_lane(peaks, 1)),
        max(f32x4.extract_lane(peaks, 2), f32x4.extract_lane(peaks, 3)),
      );
      for (let r = e; r < count; r++) peak = max(peak, gainOf(v0 + r, from + r, rowI, own));
      if (!(peak > best)) continue;
      best = peak;
      found = v0;
    }
  }
  if (found < 0) return -1;
  while (gainOf(found, found % n, rowI, own) != best) found++;
  return found;
}

// @inline
function gains(v: i32, t: i32, rowI: usize, own: v128, top: v128): v128 {
  const at = f + ((<usize>v) << 3);
  const low = f32x4.demote_f64x2_zero(f64x2.add(top, v128.load(at)));
  const high = f32x4.demote_f64x2_zero(f64x2.add(top, v128.load(at, 16)));
  const slope = f32x4.add(v128.shuffle<i32>(low, high, 0, 1, 4, 5), v128.load(mayFall + ((<usize>v) << 2)));
  const rise = f32x4.pmax(slope, f32x4.splat(0));
  const k = v128.load(rowI + ((<usize>t) << 2));
  const d = (<usize>t) << 3;
  const others = v128.shuffle<i32>(
    f32x4.demote_f64x2_zero(v128.load(diagonal + d)),
    f32x4.demote_f64x2_zero(v128.load(diagonal + d, 16)),
    0,
    1,
    4,
    5,
  );
  const curve = f32x4.sub(f32x4.add(own, others), f32x4.add(k, k));
  return f32x4.div(f32x4.mul(rise, rise), f32x4.pmax(curve, f32x4.splat(<f32>TAU)));
}

/** The same for one variable, by the same operations. */
function gainOf(v: i32, t: i32, rowI: usize, own: v128): f32 {
  const slope = <f32>(most + real(f, v)) + small(mayFall, v);
  const rise: f32 = slope > 0 ? slope : 0;
  const k = load<f32>(rowI + ((<usize>t) << 2));
  const curve: f32 = f32x4.extract_lane(own, 0) + <f32>real(diagonal, t) - (k + k);
  return (rise * rise) / (curve > <f32>TAU ? curve : <f32>TAU);
}

/** Without Σ y α = 0 a single variable can change: the one with the largest decrease of the objective, f² / k(x, x). */
export function selectOne(): void {
  chosen = -1;
  most = 0;
  least = 0;
  let best: f64 = 0;
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    for (let t: i32 = 0; t < active; t++) {
      const v = h * n + t;
      const g = real(f, v);
      const rise = max(<f64>small(mayRise, v) - g, <f64>small(mayFall, v) + g);
      if (!(rise > 0)) continue;
      most = max(most, rise);
      const gain = (rise * rise) / max(real(diagonal, t), TAU);
      if (gain > best) {
        best = gain;
        chosen = v;
      }
    }
  }
}
