import { side } from "./task";

/**
 * Partitions entries by the sides of their rows, both sides in their order: those that go left to `left`, where the entries themselves may lie,
 * the others to `right`. Returns the end of the left side.
 */
// @inline
export function partitionEntries(from: usize, to: usize, left: usize, right: usize): usize {
  for (let entry = from; entry < to; entry += 8) {
    const word = load<u64>(entry);
    const goes = <usize>load<u8>(side + <usize>(word & 0xffffffff));
    // To both, of which one is overwritten by the next: which side it is on cannot be predicted.
    store<u64>(left, word);
    store<u64>(right, word);
    left += goes << 3;
    right += (1 - goes) << 3;
  }
  return left;
}
