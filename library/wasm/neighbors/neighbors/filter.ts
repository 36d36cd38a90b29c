import { quads } from "../../shared/tile";
import { collect, LIST_BYTES } from "./candidates";

/**
 * Filter values ½‖f_t‖² − g·f_t in 32 bits of four queries and a panel of eight points at a time. A point whose value is at most
 * the query's limit is put on the query's list; lists are emptied by whoever measures distances.
 */

/** Four queries, packed coordinate by coordinate; a panel; their lists, LIST_BYTES apart. */
export function filterTile(g: usize, panel: usize, depth: i32, halves: usize, t: i32, lists: usize): void {
  quads<f32, Collect>(g, 16, panel, 32, depth, halves, lists, <usize>t);
}

class Collect {
  // @inline
  row(r: usize, halves: usize, lists: usize, t: usize, c0: v128, c1: v128): void {
    const lo = f32x4.sub(v128.load(halves), c0);
    const hi = f32x4.sub(v128.load(halves, 16), c1);
    collect(lists + r * LIST_BYTES, <i32>t, lo, hi);
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
