import { integer } from "./task";

/**
 * A packed node: threshold (or where its categories are listed), column, flags, and how many bytes from the first node its left
 * and right child are. A leaf is its own child.
 */
export const PACKED_NODE: i32 = 24;
const MISSING_GOES_LEFT: i32 = 1;
const ASKS_CATEGORY: i32 = 2;
const LEAF: i32 = 4;

/** The leaf of a row, in bytes from the first node. */
function leafOf(row: usize, nodes: usize, pool: usize): i32 {
  let at: i32 = 0;
  let flags = load<i32>(nodes, 12);
  while (!(flags & LEAF)) {
    const node = nodes + <usize>at;
    const value = load<f64>(row + (<usize>load<i32>(node, 8) << 3));
    let left = value <= load<f64>(node);
    if (flags & ASKS_CATEGORY) left = value == value && isListed(pool, <i32>load<f64>(node), <i32>value);
    if (value != value) left = (flags & MISSING_GOES_LEFT) != 0;
    at = left ? load<i32>(node, 16) : load<i32>(node, 20);
    flags = load<i32>(nodes + <usize>at, 12);
  }
  return at;
}

/** One question further, of numbers that are there. */
@inline
function next(row: usize, nodes: usize, at: i32): i32 {
  const node = nodes + <usize>at;
  const value = load<f64>(row + (<usize>load<i32>(node, 8) << 3));
  // An address instead of a choice: which way it goes cannot be foretold, and a wrong guess costs more than all the rest.
  const right = <usize>(value > load<f64>(node));
  return load<i32>(node + (right << 2), 16);
}

/** Leaves of rows from … to − 1 into 32-bit `out`, in bytes; four rows at a time, since each waits for memory most of the time. */
export function leavesInto(x: usize, d: i32, from: i32, to: i32, nodes: usize, pool: usize, plain: bool, out: usize): void {
  const stride = <usize>d << 3;
  let row = x + <usize>from * stride;
  let i = from;
  if (plain) {
    for (; i + 4 <= to; i += 4, row += 4 * stride, out += 16) {
      let a: i32 = 0;
      let b: i32 = 0;
      let c: i32 = 0;
      let e: i32 = 0;
      let moved: i32 = 1;
      while (moved != 0) {
        const a1 = next(row, nodes, a);
        const b1 = next(row + stride, nodes, b);
        const c1 = next(row + 2 * stride, nodes, c);
        const e1 = next(row + 3 * stride, nodes, e);
        moved = (a ^ a1) | (b ^ b1) | (c ^ c1) | (e ^ e1);
        a = a1;
        b = b1;
        c = c1;
        e = e1;
      }
      store<i32>(out, a);
      store<i32>(out, b, 4);
      store<i32>(out, c, 8);
      store<i32>(out, e, 12);
    }
  }
  for (; i < to; i++, row += stride, out += 4) store<i32>(out, leafOf(row, nodes, pool));
}

/** Whether no number of the rows is missing. */
export function isComplete(x: usize, d: i32, from: i32, to: i32): bool {
  const end = x + ((<usize>to * <usize>d) << 3);
  let sum: f64 = 0;
  // 0·x is NaN for NaN, and 0 for numbers, which are finite here.
  for (let at = x + ((<usize>from * <usize>d) << 3); at < end; at += 8) sum += 0 * load<f64>(at);
  return sum == 0;
}

/** Whether a category is in an ascending list. */
function isListed(pool: usize, start: i32, category: i32): bool {
  let low = start + 1;
  let high = start + integer(pool, start);
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = integer(pool, middle);
    if (value == category) return true;
    if (value < category) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
