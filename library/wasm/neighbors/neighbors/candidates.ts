import { BATCH } from "../neighbors.layout";

/** Per query: how many are on the list, its limit (32 bits), and the list. */
export const LIST_BYTES: usize = 8 + ((<usize>BATCH) << 2);

// @inline
export function listCount(list: usize): i32 {
  return load<i32>(list);
}

// @inline
export function clearList(list: usize): void {
  store<i32>(list, 0);
}

/**
 * The largest 32-bit number that is surely not below `limit`: conversion rounds by at most half a unit in the last place, which a
 * relative 2⁻²³ makes up for; 1e−38 is for limits near 0.
 */
export function setLimit(list: usize, limit: f64): void {
  store<f32>(list, <f32>(limit + abs(limit) * 1.2e-7 + 1e-38), 4);
}

// @inline
export function listed(list: usize, e: i32): i32 {
  return load<i32>(list + ((<usize>e) << 2), 8);
}

// @inline
function put(list: usize, count: i32, t: i32): i32 {
  store<i32>(list + ((<usize>count) << 2), t, 8);
  return count + 1;
}

/** Adds the points of a panel with values ≤ the limit; lo and hi are the values of its first and last four. */
// @inline
export function collect(list: usize, t: i32, lo: v128, hi: v128): void {
  const limit = v128.load32_splat(list, 4);
  const low = f32x4.le(lo, limit);
  const high = f32x4.le(hi, limit);
  if (!v128.any_true(v128.or(low, high))) return;
  collectLanes(list, t, i32x4.bitmask(low) | (i32x4.bitmask(high) << 4));
}

function collectLanes(list: usize, t: i32, mask: i32): void {
  let count = load<i32>(list);
  for (; mask != 0; mask &= mask - 1) count = put(list, count, t + ctz(mask));
  store<i32>(list, count);
}

/** Whether a list has no room for another panel. */
// @inline
export function isFull(list: usize): bool {
  return load<i32>(list) > BATCH - 8;
}
