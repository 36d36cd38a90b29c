import { quads } from "../../shared/tile";
import { BATCH } from "../neighbors.layout";

/**
 * Filter values ½‖f_t‖² − g·f_t in 32 bits of four queries and a panel of eight points at a time. A point whose value is at most
 * the query's limit is put on the query's list; lists are emptied by whoever measures distances.
 */

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
function collect(list: usize, t: i32, lo: v128, hi: v128): void {
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

/** Four queries, packed coordinate by coordinate; a panel; their lists, LIST_BYTES apart. */
export function filterTile(g: usize, panel: usize, depth: i32, halves: usize, t: i32, lists: usize): void {
  quads<f32, Collect>(g, 16, panel, 32, depth, halves, lists, <usize>t);
}

class Collect {
  // @inline
  finish(
    halves: usize,
    lists: usize,
    t: usize,
    c00: v128,
    c01: v128,
    c10: v128,
    c11: v128,
    c20: v128,
    c21: v128,
    c30: v128,
    c31: v128,
  ): void {
    const h0 = v128.load(halves);
    const h1 = v128.load(halves, 16);
    collect(lists, <i32>t, f32x4.sub(h0, c00), f32x4.sub(h1, c01));
    collect(lists + LIST_BYTES, <i32>t, f32x4.sub(h0, c10), f32x4.sub(h1, c11));
    collect(lists + 2 * LIST_BYTES, <i32>t, f32x4.sub(h0, c20), f32x4.sub(h1, c21));
    collect(lists + 3 * LIST_BYTES, <i32>t, f32x4.sub(h0, c30), f32x4.sub(h1, c31));
  }
}

/** One query with coordinates next to each other. */
export function filterOne(g: usize, panel: usize, depth: i32, halves: usize, t: i32, list: usize): void {
  let a0 = f32x4.splat(0);
  let a1 = f32x4.splat(0);
  let b0 = f32x4.splat(0);
  let b1 = f32x4.splat(0);
  const even = panel + ((<usize>(depth & ~1)) << 5);
  for (; panel < even; panel += 64, g += 8) {
    let s = v128.load32_splat(g);
    a0 = f32x4.add(a0, f32x4.mul(s, v128.load(panel)));
    a1 = f32x4.add(a1, f32x4.mul(s, v128.load(panel, 16)));
    s = v128.load32_splat(g, 4);
    b0 = f32x4.add(b0, f32x4.mul(s, v128.load(panel, 32)));
    b1 = f32x4.add(b1, f32x4.mul(s, v128.load(panel, 48)));
  }
  if (depth & 1) {
    const s = v128.load32_splat(g);
    a0 = f32x4.add(a0, f32x4.mul(s, v128.load(panel)));
    a1 = f32x4.add(a1, f32x4.mul(s, v128.load(panel, 16)));
  }
  const lo = f32x4.sub(v128.load(halves), f32x4.add(a0, b0));
  collect(list, t, lo, f32x4.sub(v128.load(halves, 16), f32x4.add(a1, b1)));
}

/** Filter coordinates of `count` queries (rows of doubles) as 32-bit quads of four queries; zeros past the end. */
export function packQuads(coordinates: usize, count: i32, depth: i32, out: usize): void {
  for (let q: i32 = 0; q < count; q += 4) {
    for (let r: i32 = 0; r < 4; r++) {
      let to = out + ((<usize>q * <usize>depth + <usize>r) << 2);
      const from = coordinates + ((<usize>(q + r) * <usize>depth) << 3);
      for (let j: i32 = 0; j < depth; j++, to += 16)
        store<f32>(to, q + r < count ? <f32>load<f64>(from + ((<usize>j) << 3)) : 0);
    }
  }
}

export function packOne(coordinates: usize, depth: i32, out: usize): void {
  for (let j: i32 = 0; j < depth; j++)
    store<f32>(out + ((<usize>j) << 2), <f32>load<f64>(coordinates + ((<usize>j) << 3)));
}
