import { Node } from "../boosting.layout";
import { binsOf } from "./columns";
import { nodeAt } from "./problem";

/** The leaf that a row of bins reaches from node v on. */
// @inline
export function leafBelow(from: i32, row: usize): i32 {
  let v = from;
  let node = nodeAt(v);
  while (node.left != 0) {
    const j = node.feature;
    const bin = <i32>load<u8>(row + <usize>j);
    let left = bin <= node.bin;
    if (bin == binsOf(j)) left = node.missingLeft != 0;
    else if (node.categorical != 0) {
      const set = changetype<usize>(node) + offsetof<Node>("set0");
      left = ((load<i64>(set + ((<usize>(bin >> 6)) << 3)) >> (bin & 63)) & 1) != 0;
    }
    v = node.left + (left ? 0 : 1);
    node = nodeAt(v);
  }
  return v;
}
