import { at, binsOf, n, Node } from "./problem";

/** Rows that a thread parts at a time. */
export const PIECE: i32 = 4096;

/** 1 for every bin that goes left, one byte each. */
export function writeSides(node: Node, out: usize): void {
  memory.fill(out, 0, 256);
  if (node.categorical != 0) {
    const set = changetype<usize>(node) + offsetof<Node>("set0");
    for (let b: i32 = 0; b < 256; b++) {
      const word = load<i64>(set + (<usize>(b >> 6) << 3));
      store<u8>(out + <usize>b, <u8>((word >> (b & 63)) & 1));
    }
  } else memory.fill(out, 1, <usize>node.bin + 1);
  store<u8>(out + <usize>binsOf(node.feature), <u8>node.missingLeft);
}

/** Parts the rows at from … to − 1 by `sides`, in their order, into `lefts` and `rights` from the same place on; tells how many are left. */
export function partRows(feature: i32, sides: usize, from: i32, to: i32): i32 {
  const bins = <usize>at.colBins + <usize>feature * <usize>n;
  const rows = <usize>at.rows;
  let left = <usize>at.lefts + (<usize>from << 2);
  const start = left;
  let right = <usize>at.rights + (<usize>from << 2);
  for (let e: i32 = from; e < to; e++) {
    const i = load<i32>(rows + (<usize>e << 2));
    const side = <usize>load<u8>(sides + <usize>load<u8>(bins + <usize>i));
    store<i32>(left, i);
    store<i32>(right, i);
    left += side << 2;
    right += (1 - side) << 2;
  }
  return <i32>((left - start) >> 2);
}

/** The same with both sides at their places in the row list at once; tells how many are left. */
export function partInPlace(feature: i32, sides: usize, from: i32, to: i32): i32 {
  const bins = <usize>at.colBins + <usize>feature * <usize>n;
  const rows = <usize>at.rows;
  const start = rows + (<usize>from << 2);
  let left = start;
  let right = <usize>at.rights;
  for (let e: i32 = from; e < to; e++) {
    const i = load<i32>(rows + (<usize>e << 2));
    const side = <usize>load<u8>(sides + <usize>load<u8>(bins + <usize>i));
    // A left row never lands behind the one that is read.
    store<i32>(left, i);
    store<i32>(right, i);
    left += side << 2;
    right += (1 - side) << 2;
  }
  memory.copy(left, <usize>at.rights, right - <usize>at.rights);
  return <i32>((left - start) >> 2);
}
