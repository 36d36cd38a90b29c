import { side } from "./task";

/**
 * Stable partition of entries by the sides of their rows: into `left`, which may be the entries themselves, and `right`. Returns the end
 * of the left side.
 */
// @inline
export function partitionEntries(from: usize, to: usize, left: usize, right: usize): usize {
  for (let entry = from; entry < to; entry += 8) {
    const word = load<u64>(entry);
    const goes = <usize>load<u8>(side + <usize>(word & 0xffffffff));
    // Written to both sides, and overwritten on one: a branch could not be predicted.
    store<u64>(left, word);
    store<u64>(right, word);
    left += goes << 3;
    right += (1 - goes) << 3;
  }
  return left;
}
