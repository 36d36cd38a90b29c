import { ASKS_CATEGORY, FLAG_BIT, LEAF, MISSING_GOES_LEFT, PackedNode } from "./layout";
import { integer } from "./task";

/**
 * Walking down packed trees. The left child of a node comes next. A leaf is its own right child, and no number is ≤ its threshold, NaN: a
 * step from a leaf stays there.
 */
const NODE: usize = offsetof<PackedNode>();
const COLUMN: usize = offsetof<PackedNode>("column");
const RIGHT: usize = offsetof<PackedNode>("right");

// @inline
function flagsOf(node: usize): i32 {
  return <i32>(load<u32>(node, COLUMN) >> FLAG_BIT);
}
/** Eight times the column: that shifts the flags out. */
// @inline
function columnOf(node: usize): usize {
  return <usize>(load<u32>(node, COLUMN) << 3);
}

/** The leaf of a row. */
export function leafOf(row: usize, nodes: usize, pool: usize): usize {
  let node = nodes;
  for (let flags = flagsOf(node); !(flags & LEAF); flags = flagsOf(node)) {
    const value = load<f64>(row + columnOf(node));
    let left = value <= load<f64>(node);
    if (flags & ASKS_CATEGORY) left = value == value && isListed(pool, load<i32>(node), <i32>value);
    if (value != value) left = (flags & MISSING_GOES_LEFT) != 0;
    node = left ? node + NODE : nodes + <usize>load<i32>(node, RIGHT);
  }
  return node;
}

/** One question further, of numbers that are there. */
// @inline
function next(row: usize, nodes: usize, node: usize): usize {
  const goesLeft = <usize>(load<f64>(row + columnOf(node)) <= load<f64>(node));
  const left = node + NODE;
  const right = nodes + <usize>load<i32>(node, RIGHT);
  // A mask instead of a choice: which way it goes cannot be foretold, and a wrong guess costs more than all the rest.
  return left ^ ((left ^ right) & (goesLeft - 1));
}

/** Numbers of the leaves of rows from … to − 1 into 32-bit `out`; four rows at a time, since each waits for memory most of the time. */
export function leavesInto(
  x: usize,
  d: i32,
  from: i32,
  to: i32,
  nodes: usize,
  pool: usize,
  plain: bool,
  out: usize,
): void {
  const stride = (<usize>d) << 3;
  let row = x + <usize>from * stride;
  let i = from;
  if (plain) {
    for (; i + 4 <= to; i += 4, row += 4 * stride, out += 16) {
      let a = nodes;
      let b = nodes;
      let c = nodes;
      let e = nodes;
      for (let moved: usize = 1; moved != 0; ) {
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
      store<i32>(out, load<i32>(a));
      store<i32>(out, load<i32>(b), 4);
      store<i32>(out, load<i32>(c), 8);
      store<i32>(out, load<i32>(e), 12);
    }
  }
  for (; i < to; i++, row += stride, out += 4) store<i32>(out, load<i32>(leafOf(row, nodes, pool)));
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
