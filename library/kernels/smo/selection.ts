import { active, diagonal, f, halves, mayFall, mayRise, n, real, TAU } from "./problem";

// What `selectRise` and `selectOne` found.
export let chosen: i32 = 0;
export let most: f64 = 0;
export let least: f64 = 0;

@inline
function larger(pair: v128): f64 {
  return max(f64x2.extract_lane(pair, 0), f64x2.extract_lane(pair, 1));
}

/** Variables that are looked at together: only a block with a new maximum is searched for it. */
const BLOCK: i32 = 128;

/** i: the steepest way up, −f where α may move that way; `least` is the largest f of those that may go down. */
export function selectRise(): void {
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
        const g = real(f, v0 + e);
        peak = max(peak, real(mayRise, v0 + e) - g);
        lowest = f64x2.pmax(lowest, f64x2.splat(real(mayFall, v0 + e) + g));
      }
      if (!(peak > most)) continue;
      most = peak;
      for (e = 0; e < count; e++) if (real(mayRise, v0 + e) - real(f, v0 + e) == peak) break;
      chosen = v0 + e;
    }
  }
  least = larger(lowest);
}

/** j: of those that may go down, the one with which the objective falls most, by (most + f)² / curvature. */
export function selectFall(i: i32, rowI: usize): i32 {
  const own = f64x2.splat(real(diagonal, i % n));
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
        const gain = gainPair(v0 + e, from + e, rowI, own, top);
        peaks = f64x2.pmax(peaks, e + 1 < count ? gain : f64x2.replace_lane(gain, 1, 0));
      }
      const peak = larger(peaks);
      if (!(peak > best)) continue;
      best = peak;
      for (let e: i32 = 0; e < count; e += 2) {
        const gain = gainPair(v0 + e, from + e, rowI, own, top);
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

@inline
function gainPair(v: i32, t: i32, rowI: usize, own: v128, top: v128): v128 {
  const to = <usize>v << 3;
  const slope = f64x2.add(top, f64x2.add(v128.load(f + to), v128.load(mayFall + to)));
  const rise = f64x2.pmax(slope, f64x2.splat(0));
  const k = f64x2.promote_low_f32x4(v128.load64_zero(rowI + (<usize>t << 2)));
  const curve = f64x2.sub(f64x2.add(own, v128.load(diagonal + (<usize>t << 3))), f64x2.add(k, k));
  return f64x2.div(f64x2.mul(rise, rise), f64x2.pmax(curve, f64x2.splat(TAU)));
}

/** Without Σ y α = 0 one variable can move alone: the one with which the objective falls most, by f² / k(x, x). */
export function selectOne(): void {
  chosen = -1;
  most = 0;
  least = 0;
  let best: f64 = 0;
  for (let h: i32 = 0; h < halves; h++) {
    for (let t: i32 = 0; t < active; t++) {
      const v = h * n + t;
      const g = real(f, v);
      const rise = max(real(mayRise, v) - g, real(mayFall, v) + g);
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
