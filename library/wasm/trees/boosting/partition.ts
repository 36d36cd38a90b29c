import { Node } from "../boosting.layout";
import { binsOf } from "./columns";
import { n, problem } from "./problem";

/** 1 for every bin that goes left, one byte each. */
export function writeSides(node: Node, out: usize): void {
  memory.fill(out, 0, 256);
  if (node.categorical != 0) {
    const set = changetype<usize>(node) + offsetof<Node>("set0");
    for (let b: i32 = 0; b < 256; b++) {
      const word = load<i64>(set + ((<usize>(b >> 6)) << 3));
      store<u8>(out + <usize>b, <u8>((word >> (b & 63)) & 1));
    }
  } else memory.fill(out, 1, <usize>node.bin + 1);
  store<u8>(out + <usize>binsOf(node.feature), <u8>node.missingLeft);
}

/**
 * Shuffles for each subset m of four rows, 16 bytes at 16 m, that move the rows of the subset to the front; 15 − m is the complement.
 */
// biome-ignore format: a table
const FRONT: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0,
  8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0,
  4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0,
  12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
  4, 5, 6, 7, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 0, 0, 0, 0,
  8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0,
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
], 16);

/** Stable partition of the rows at from … to − 1 by `sides` into `lefts` and `rights`; returns the bytes on the left. */
// @inline
function partition(feature: i32, sides: usize, from: i32, to: i32, lefts: usize, rights: usize): usize {
  const bins = <usize>problem.colBins + <usize>feature * <usize>n;
  const end = <usize>problem.rows + ((<usize>to) << 2);
  let row = <usize>problem.rows + ((<usize>from) << 2);
  let left = lefts;
  let right = rights;
  // All four are written to both sides, those of the side first; the rest is overwritten by the next, and never exceeds the rows read.
  for (; row + 16 <= end; row += 16) {
    const four = v128.load(row);
    const a = load<u8>(sides + <usize>load<u8>(bins + <usize>i32x4.extract_lane(four, 0)));
    const b = load<u8>(sides + <usize>load<u8>(bins + <usize>i32x4.extract_lane(four, 1)));
    const c = load<u8>(sides + <usize>load<u8>(bins + <usize>i32x4.extract_lane(four, 2)));
    const d = load<u8>(sides + <usize>load<u8>(bins + <usize>i32x4.extract_lane(four, 3)));
    const chosen = <usize>(a | (b << 1) | (c << 2) | (d << 3));
    const some = (<usize>(a + b + c + d)) << 2;
    v128.store(left, i8x16.swizzle(four, v128.load(FRONT + (chosen << 4))));
    v128.store(right, i8x16.swizzle(four, v128.load(FRONT + ((15 - chosen) << 4))));
    left += some;
    right += 16 - some;
  }
  for (; row < end; row += 4) {
    const i = load<i32>(row);
    const side = (<usize>load<u8>(sides + <usize>load<u8>(bins + <usize>i))) << 2;
    store<i32>(left, i);
    store<i32>(right, i);
    left += side;
    right += 4 - side;
  }
  return left - lefts;
}

/** Partitions the rows at from … to − 1 into `lefts` and `rights`, from the same place on; returns how many go left. */
export function partitionRows(feature: i32, sides: usize, from: i32, to: i32): i32 {
  const place = (<usize>from) << 2;
  return <i32>(
    (partition(feature, sides, from, to, <usize>problem.lefts + place, <usize>problem.rights + place) >> 2)
  );
}

/** Partitions the rows at from … to − 1 in place; returns how many go left. */
export function partitionInPlace(feature: i32, sides: usize, from: i32, to: i32): i32 {
  const start = <usize>problem.rows + ((<usize>from) << 2);
  // Writing a left row never overtakes reading.
  const bytes = partition(feature, sides, from, to, start, <usize>problem.rights);
  memory.copy(start + bytes, <usize>problem.rights, ((<usize>(to - from)) << 2) - bytes);
  return <i32>(bytes >> 2);
}
