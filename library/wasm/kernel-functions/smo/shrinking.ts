import { real, setReal } from "../../shared/arrays";
import { isLow, isUp, noteBounds } from "./bounds";
import { active, alpha, at, d, diagonal, f, n, setActive, upper, variablesPerPoint, x, y } from "./problem";
import { kernelRow, LENGTH, OWNER, pointAt, setSlotOf, slotEntry, slotOf, slotRow } from "./rows";
import { least, most, selectRise } from "./selection";

/** Whether all variables of point t are at a bound and cannot be selected with any violator. */
function isIdle(t: i32): bool {
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    const v = h * n + t;
    const g = real(f, v);
    const up = isUp(v);
    if (up == isLow(v)) return false;
    if (up ? g <= least : -g <= most) return false;
  }
  return true;
}

/** Least fraction of points to shrink: every cached row must be permuted along. */
const WORTH_MOVING: f64 = 0.1;

/** Moves idle points behind the active ones [LIBSVM, §4.2; Fan et al. 2005]. */
export function shrink(): void {
  selectRise();
  if (at.unshrunk == 0 && most + least <= 10 * at.eps) {
    // Near convergence: check all points once before refining the active ones.
    at.unshrunk = 1;
    unshrink();
  }
  let idle: i32 = 0;
  for (let t: i32 = 0; t < active; t++) if (isIdle(t)) idle++;
  if (<f64>idle < WORTH_MOVING * <f64>active) return;
  // Pairs of swapped positions, to permute cached rows.
  const moved = <usize>at.work;
  let count: i32 = 0;
  let left = active;
  for (let t: i32 = 0; t < left; t++) {
    if (!isIdle(t)) continue;
    left--;
    while (left > t && isIdle(left)) left--;
    if (left <= t) break;
    swapPoints(t, left);
    store<i32>(moved + ((<usize>count) << 3), t);
    store<i32>(moved + ((<usize>count) << 3), left, 4);
    count++;
  }
  setActive(left);
  const slots = <i32>at.slots;
  for (let slot: i32 = 0; slot < slots; slot++) {
    const length = load<i32>(slotEntry(slot, LENGTH));
    if (load<i32>(slotEntry(slot, OWNER)) < 0 || length == 0) continue;
    store<i32>(slotEntry(slot, LENGTH), moveColumns(slotRow(slot), length, moved, count));
  }
}

/** Permutes a row of `length` columns along with the points; returns the number of leading columns that are valid. */
function moveColumns(row: usize, length: i32, moved: usize, count: i32): i32 {
  for (let e: i32 = 0; e < count; e++) {
    const to = load<i32>(moved + ((<usize>e) << 3));
    const from = load<i32>(moved + ((<usize>e) << 3), 4);
    if (to >= length) break;
    // The column moved here was never computed: the row is valid up to here.
    if (from >= length) return to & ~7;
    const held = load<f32>(row + ((<usize>to) << 2));
    store<f32>(row + ((<usize>to) << 2), load<f32>(row + ((<usize>from) << 2)));
    store<f32>(row + ((<usize>from) << 2), held);
  }
  return length;
}

function swapReals(base: usize, s: i32, t: i32): void {
  const held = real(base, s);
  setReal(base, s, real(base, t));
  setReal(base, t, held);
}

function swapPoints(s: i32, t: i32): void {
  if (x != 0) {
    let a = pointAt(s);
    let b = pointAt(t);
    for (let e: i32 = 0; e < d; e++, a += 64, b += 64) {
      const held = load<f64>(a);
      store<f64>(a, load<f64>(b));
      store<f64>(b, held);
    }
  }
  swapReals(<usize>at.norms, s, t);
  swapReals(diagonal, s, t);
  swapReals(<usize>at.place, s, t);
  const linear = <usize>at.linearTerm;
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    const offset = h * n;
    swapReals(y, offset + s, offset + t);
    swapReals(upper, offset + s, offset + t);
    swapReals(alpha, offset + s, offset + t);
    swapReals(f, offset + s, offset + t);
    swapReals(linear, offset + s, offset + t);
    noteBounds(offset + s);
    noteBounds(offset + t);
  }
  const slotS = slotOf(s);
  const slotT = slotOf(t);
  setSlotOf(s, slotT);
  setSlotOf(t, slotS);
  if (slotS >= 0) store<i32>(slotEntry(slotS, OWNER), t);
  if (slotT >= 0) store<i32>(slotEntry(slotT, OWNER), s);
}

/** Recomputes f of the shrunk points and makes all points active again. */
export function unshrink(): void {
  if (active == n) return;
  const linear = <usize>at.linearTerm;
  const from = active;
  for (let h: i32 = 0; h < variablesPerPoint; h++) {
    const offset = (<usize>(h * n + from)) << 3;
    memory.copy(f + offset, linear + offset, (<usize>(n - from)) << 3);
  }
  const spare = <usize>at.work;
  for (let s: i32 = 0; s < n; s++) {
    let weight: f64 = 0;
    for (let h: i32 = 0; h < variablesPerPoint; h++) weight += real(y, h * n + s) * real(alpha, h * n + s);
    if (weight == 0) continue;
    const slot = slotOf(s);
    let row = spare;
    if (slot >= 0 && load<i32>(slotEntry(slot, LENGTH)) >= n) row = slotRow(slot);
    else kernelRow(s, from, n, row);
    for (let h: i32 = 0; h < variablesPerPoint; h++) {
      for (let t = from; t < n; t++) {
        const v = h * n + t;
        setReal(f, v, real(f, v) + weight * <f64>load<f32>(row + ((<usize>t) << 2)));
      }
    }
  }
  setActive(n);
}
