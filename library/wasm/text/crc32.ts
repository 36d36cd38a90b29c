/**
 * Shortens data without changing its CRC-32 (IEEE 802.3), by exclusive ors of whole blocks. A message is a polynomial, and its CRC the
 * remainder modulo P. With y = x¹²⁸, the power of a block of 16 bytes,
 *
 *   y³⁰⁰⁶ ≡ y²⁸⁶⁶ + y²²¹⁵ + 1   (mod P),
 *
 * the multiple of P with the fewest terms and the lowest degree of this form, found by search. So a block can be added to those 140, 791 and
 * 3006 places after it, and be forgotten. Checked by the test of src/persistence/crc32.ts, for which bytes alone are the twin.
 */

const FIRST: usize = 140 * 16;
const SECOND: usize = 791 * 16;
const THIRD: usize = 3006 * 16;

// @inline
function addTo(at: usize, block: v128): void {
  v128.store(at, v128.xor(v128.load(at), block));
}

/** Adds the first `blocks` blocks to those after them; 3006 more blocks follow. */
export function foldBlocks(data: usize, blocks: i32): void {
  for (let at = data, end = data + ((<usize>blocks) << 4); at < end; at += 16) {
    const block = v128.load(at);
    addTo(at + FIRST, block);
    addTo(at + SECOND, block);
    addTo(at + THIRD, block);
  }
}
